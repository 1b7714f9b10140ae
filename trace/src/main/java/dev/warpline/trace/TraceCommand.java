package dev.warpline.trace;

/** One line of a {@code kernelslist.g}. */
public sealed interface TraceCommand {
  /** A host-to-device copy. */
  record MemcpyHtoD(long address, long bytes) implements TraceCommand {}

  /** A kernel launch; {@code file} is the name as it stands in the list. */
  record Launch(int index, String file) implements TraceCommand {}

  /** Any other line, kept so that it can be shown. */
  record Other(int line, String text) implements TraceCommand {}
}
