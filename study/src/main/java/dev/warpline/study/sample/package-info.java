/** Sampling of launches, and what sampling saves and costs: docs/sampling.md. */
package dev.warpline.study.sample;
