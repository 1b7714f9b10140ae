/** What is inside a trace, counted without simulating it. */
package dev.warpline.trace.inspect;
