/** The options of gem5's GPU scripts, as settings of a description. */
package dev.warpline.engine.gem5;
