/** A kernel's code as it lies beside a trace: cubins, control-bit sidecars, SASS listings. */
package dev.warpline.trace.code;
