/**
 * HSA queues and packets, command processor, dispatcher, compute unit and instruction semantics.
 */
package dev.warpline.amd;
