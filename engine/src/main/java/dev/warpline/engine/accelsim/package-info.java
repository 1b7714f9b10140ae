/** Accel-Sim's option files, read as they are, and the GPU that they describe. */
package dev.warpline.engine.accelsim;
