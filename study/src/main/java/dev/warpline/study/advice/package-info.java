/**
 * Why a kernel takes its time and what to do about it: rules that look at the evidence of a run,
 * and reliefs, settings of the GPU that take one cause away, so that a further simulation says what
 * it costs.
 */
package dev.warpline.study.advice;
