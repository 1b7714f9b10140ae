package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/** Links between the members of an archive. What they name outside the archive is never read. */
final class ArchiveLinks {
  /** Longer chains are loops. */
  private static final int MOST_STEPS = 40;

  private ArchiveLinks() {}

  /** The path in an archive that a symbolic link means, counted from the link's own folder. */
  static String resolve(String link, String target) {
    Deque<String> parts = new ArrayDeque<>();
    String from = target.startsWith("/") ? "" : link.substring(0, link.lastIndexOf('/') + 1);
    boolean dot = from.startsWith("./");
    for (String part : (from + target).split("/")) {
      if (part.equals("..")) {
        if (parts.pollLast() == null) {
          return target;
        }
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return (dot ? "./" : "") + (target.startsWith("/") ? "/" : "") + String.join("/", parts);
  }

  /** The member at the end of a chain of links; one that is no link is that itself. */
  static <E> E follow(String title, E member, Function<E, String> link, Function<String, E> members)
      throws TraceFormatException {
    E at = member;
    for (int i = 0; i < MOST_STEPS; i++) {
      String target = link.apply(at);
      if (target == null) {
        return at;
      }
      at = members.apply(target);
      if (at == null) {
        throw new TraceFormatException(
            new Problem(
                title, 0, 0, "a link to " + target, "a file in the archive", Skipped.KERNEL));
      }
    }
    throw new TraceFormatException(
        new Problem(title, 0, 0, "a link to itself", "a file in the archive", Skipped.KERNEL));
  }
}
