package dev.warpline.study.advice;

/** A cause of lost time: how it is recognised, what to change, how it is taken away. */
interface AdviceRule {
  /** Its name, e.g. {@code bank-conflicts}. */
  String name();

  /** What it sees in a kernel, null if nothing worth words. */
  Finding look(KernelEvidence kernel);
}
