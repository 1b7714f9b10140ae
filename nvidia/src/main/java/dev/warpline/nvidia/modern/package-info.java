/**
 * The modern SM: four sub-cores that follow the compiler's control bits, their instruction supply,
 * register ports and units, and the load/store side they share. Time of an SM moves from event to
 * event; an SM with nothing to do is not called.
 */
package dev.warpline.nvidia.modern;
