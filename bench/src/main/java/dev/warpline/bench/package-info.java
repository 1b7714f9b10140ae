/** Microbenchmarks of hot paths; docs/performance.md has the figures and the command. */
package dev.warpline.bench;
