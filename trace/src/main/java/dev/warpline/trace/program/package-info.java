/**
 * What a program asks of a GPU beside its kernels: streams, events, copies, graphs and the calls of
 * the host, in the order of the calls. When each of them happens is a machine's business.
 */
package dev.warpline.trace.program;
