/** Joules: what events of a kernel cost, over time and by instruction. */
package dev.warpline.engine.energy;
