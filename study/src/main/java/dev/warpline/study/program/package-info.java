/** Whole programs: kernels, copies and the host together, and how far their time is off. */
package dev.warpline.study.program;
