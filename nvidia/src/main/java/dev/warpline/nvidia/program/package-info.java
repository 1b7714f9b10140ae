/**
 * Whole programs on simulated time: when streams, events, graphs, copy engines and the host let
 * each operation happen, what the program's time consists of, and hand-written programs.
 */
package dev.warpline.nvidia.program;
