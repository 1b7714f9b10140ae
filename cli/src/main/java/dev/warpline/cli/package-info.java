/** Commands, progress lines and exit codes. */
package dev.warpline.cli;
