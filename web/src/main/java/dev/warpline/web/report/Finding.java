package dev.warpline.web.report;

/**
 * One thing worth knowing about a kernel, in words, with what it rests on.
 *
 * @param weight how much of the kernel's time it concerns, 0 to 1; findings are sorted by it
 * @param title a statement, e.g. {@code Limited by DRAM bandwidth}
 * @param text one or two sentences with the evidence
 * @param advice what usually helps; empty if there is nothing honest to say
 * @param section the section of the page that shows it
 * @param pc the line concerned, or -1
 */
public record Finding(
    double weight, String title, String text, String advice, String section, int pc) {}
