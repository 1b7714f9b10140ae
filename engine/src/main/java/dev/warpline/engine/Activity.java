package dev.warpline.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something that a program had the GPU do, and when. Times are core cycles from the program's
 * beginning, in this order.
 *
 * @param kind what it was
 * @param kernel launch number of a kernel, 0 for anything else
 * @param name of the kernel, or what was copied
 * @param queue it went through
 * @param bytes copied or set
 * @param submitted when the program rang the doorbell
 * @param taken when the packet processor had read and taken up its packet
 * @param start when work began: a kernel's dispatch, a copy's transfer
 * @param end when work ended: a kernel's last wave, a copy's last byte
 * @param complete when its completion was signalled
 */
public record Activity(
    Kind kind,
    int kernel,
    String name,
    int queue,
    long bytes,
    long submitted,
    long taken,
    long start,
    long end,
    long complete) {
  /** What a packet asks for. */
  public enum Kind {
    KERNEL("kernel"),
    TO_DEVICE("copy to the GPU"),
    TO_HOST("copy to the host"),
    ON_DEVICE("copy on the GPU"),
    FILL("fill"),
    HOST("task of the host"),
    BARRIER("barrier");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }

    /** Whether data are moved or set without a kernel. */
    public boolean isTransfer() {
      return this != KERNEL && this != BARRIER && this != HOST;
    }
  }

  /** Cycles of work, without what comes before and after. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public long cycles() {
    return end - start;
  }

  /** Cycles in which at least one of these worked: what overlaps counts once. */
  public static long busyCycles(List<Activity> activities) {
    List<Activity> byStart = new ArrayList<>(activities);
    byStart.sort(Comparator.comparingLong(Activity::start));
    long busy = 0;
    long until = 0;
    for (Activity activity : byStart) {
      long from = Math.max(until, activity.start);
      if (activity.end > from) {
        busy += activity.end - from;
        until = activity.end;
      }
    }
    return busy;
  }
}
