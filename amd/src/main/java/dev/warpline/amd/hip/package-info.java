/**
 * HIP programs as they are: a program of the host runs natively with a library that has the names
 * of AMD's runtime ({@code amd/hip}), and what it asks of the GPU happens here. {@link
 * dev.warpline.amd.hip.HipRun} starts the program, {@link dev.warpline.amd.hip.HipSession} answers
 * its requests over a local socket, {@link dev.warpline.amd.hip.HipDevice} is what they are about:
 * modules, memory, streams and events on a simulated GPU. Memory is a window that both see.
 */
package dev.warpline.amd.hip;
