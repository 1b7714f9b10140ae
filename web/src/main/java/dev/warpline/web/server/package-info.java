/**
 * {@code warpline serve}: the pages over a folder of traces and results, with simulations started,
 * watched and cancelled from the browser. Loopback by default; a token elsewhere; nothing outside
 * the folder is read.
 */
package dev.warpline.web.server;
