/**
 * {@code warpline serve}: the pages over a folder of traces and results, with simulations started,
 * watched and cancelled from the browser. Loopback by default; a token elsewhere. Of what lies
 * outside the folder only stores of studies are read that were named at the start, and the traces
 * of points that somebody has simulated again.
 */
package dev.warpline.web.server;
