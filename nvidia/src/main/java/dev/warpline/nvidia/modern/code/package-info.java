/** A kernel's code as the modern core needs it: static instructions decoded once, a row each. */
package dev.warpline.nvidia.modern.code;
