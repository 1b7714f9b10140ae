/** Comparing with another simulator's results (accuracy) and with its speed. */
package dev.warpline.study.oracle;
