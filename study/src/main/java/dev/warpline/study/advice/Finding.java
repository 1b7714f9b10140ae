package dev.warpline.study.advice;

import java.util.List;

/**
 * One thing worth knowing about a kernel, in words, with what it rests on.
 *
 * @param rule the rule that found it, e.g. {@code bank-conflicts}
 * @param weight how much of the kernel's time it concerns, 0 to 1
 * @param title a statement, e.g. {@code Limited by DRAM bandwidth}
 * @param text one or two sentences with the evidence
 * @param advice what usually helps; empty if there is nothing honest to say
 * @param section the section of the page that shows it
 * @param pcs the lines concerned, the most important first; empty if it is none in particular
 * @param relief how the cause is taken away; {@link Relief#NONE} if there is no way
 * @param gain share of the kernel's time that this saves, as simulated; null if it was not
 */
public record Finding(
    String rule,
    double weight,
    String title,
    String text,
    String advice,
    String section,
    List<Integer> pcs,
    Relief relief,
    Double gain) {

  /** A finding whose gain is not known yet. */
  Finding(
      String rule,
      double weight,
      String title,
      String text,
      String advice,
      String section,
      List<Integer> pcs,
      Relief relief) {
    this(rule, weight, title, text, advice, section, pcs, relief, null);
  }

  /** The same finding with what its relief gained. */
  Finding withGain(Double share) {
    return new Finding(rule, weight, title, text, advice, section, pcs, relief, share);
  }

  /** The same finding with another relief. */
  Finding withRelief(Relief other) {
    return new Finding(rule, weight, title, text, advice, section, pcs, other, gain);
  }

  /** The same finding under another title. */
  Finding as(String other) {
    return new Finding(rule, weight, other, text, advice, section, pcs, relief, gain);
  }
}
