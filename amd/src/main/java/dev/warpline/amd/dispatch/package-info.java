/**
 * Which work-group goes where: the dispatcher's queue of kernels, what a compute unit still has to
 * give (wave slots, registers, LDS, barriers), and the pools the registers come from.
 */
package dev.warpline.amd.dispatch;
