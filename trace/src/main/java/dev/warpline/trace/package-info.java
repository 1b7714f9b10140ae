/** Readers of every trace format, of cubins, and of Warpline's own compact trace cache. */
package dev.warpline.trace;
