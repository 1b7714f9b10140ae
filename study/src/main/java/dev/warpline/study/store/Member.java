package dev.warpline.study.store;

import java.util.Map;

/**
 * A place in a study and the point that stands there. Two places may have one point: {@code
 * sm.count} of 132 and of {@code 1x} are the same machine.
 *
 * @param number from 1, in the order of the study
 * @param point the point's address
 * @param trace what people call the trace
 * @param gpu what people call the GPU
 * @param core model of the SM
 * @param values the fields that the study varies, as they came out
 */
public record Member(
    int number, String point, String trace, String gpu, String core, Map<String, String> values) {}
