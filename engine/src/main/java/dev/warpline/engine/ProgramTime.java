package dev.warpline.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * What the time of a whole program consists of. Times are core cycles from the host's first call.
 *
 * @param cycles until everything has ended and the host's last call has returned
 * @param operations calls of the host, and nodes of graphs
 * @param parts the critical path by what it consists of; together they are {@code cycles}
 * @param path the critical path from the beginning on, as far as it is kept
 * @param pathLeftOut further steps of it
 * @param limit what limits the program, in a sentence
 * @param streams what each stream did
 */
public record ProgramTime(
    long cycles,
    int operations,
    Map<Part, Long> parts,
    List<PathStep> path,
    int pathLeftOut,
    String limit,
    List<StreamTime> streams) {
  /** Steps of a critical path that are kept. */
  public static final int KEPT = 2000;

  /** What a piece of the critical path is. */
  public enum Part {
    KERNEL("kernels"),
    COPY("copies"),
    FILL("fills"),
    GAP("gaps between operations on the GPU"),
    START("from a call to the start of its work"),
    CALL("calls of the host"),
    HOST("the host's own work"),
    RETURN("from the end of work to the host");

    private final String words;

    Part(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }
  }

  /**
   * A piece of the critical path.
   *
   * @param operation number of the operation it belongs to, 0 for none
   * @param name of the kernel, or what it is
   */
  public record PathStep(Part part, int operation, String name, long from, long until) {}

  /**
   * What one stream did.
   *
   * @param busyCycles in which at least one of its operations ran
   */
  public record StreamTime(
      int stream,
      String name,
      int priority,
      int kernels,
      long kernelCycles,
      int copies,
      long copyCycles,
      long bytes,
      long busyCycles) {}

  /** Share of the critical path, 0 to 1. */
  public double share(Part part) {
    return cycles == 0 ? 0 : (double) parts.getOrDefault(part, 0L) / cycles;
  }

  /** Whether the host takes part in it at all. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean hasHost() {
    return parts.keySet().stream()
        .anyMatch(part -> part == Part.CALL || part == Part.HOST || part == Part.START);
  }
}
