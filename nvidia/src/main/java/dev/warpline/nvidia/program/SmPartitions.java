package dev.warpline.nvidia.program;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.trace.program.Stream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which SMs the kernels of a stream may use. Shares are handed out one after another over the GPU,
 * so that they are apart as long as they are no more than the whole of it; what is more begins
 * again at the first SM.
 */
public final class SmPartitions {
  private static final Pattern SHARE = Pattern.compile("(\\d{1,3})%");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");
  private static final String EXPECTED = "expected SMs such as 0-65,70 or a share such as 50%";

  /** By number of the stream; streams that may use all SMs are not here. */
  private final Map<Integer, List<Integer>> sms = new HashMap<>();

  /**
   * @param count SMs of the GPU
   */
  public SmPartitions(List<Stream> streams, int count) throws DescriptionException {
    int next = 0;
    for (Stream stream : streams) {
      if (stream.sms().isEmpty()) {
        continue;
      }
      check(stream.sms());
      Matcher share = SHARE.matcher(stream.sms());
      List<Integer> its = new ArrayList<>();
      if (share.matches()) {
        int wide = Math.max(1, Math.round(count * Integer.parseInt(share.group(1)) / 100f));
        for (int i = 0; i < wide; i++) {
          its.add((next + i) % count);
        }
        next = (next + wide) % count;
      } else {
        its.addAll(listed(stream, count));
      }
      sms.put(stream.number(), List.copyOf(new TreeSet<>(its)));
    }
  }

  /** Numbers of a stream's SMs; empty for all. */
  List<Integer> of(int stream) {
    return sms.getOrDefault(stream, List.of());
  }

  /** Refuses what is neither a list of SMs nor a share of them. */
  public static void check(String text) throws DescriptionException {
    Matcher share = SHARE.matcher(text);
    boolean right = share.matches() && Integer.parseInt(share.group(1)) <= 100;
    right = right && Integer.parseInt(share.group(1)) > 0;
    if (!share.matches()) {
      right = !text.isEmpty();
      for (String piece : text.split(",", -1)) {
        Matcher range = RANGE.matcher(piece.strip());
        right &=
            range.matches()
                && (range.group(2) == null
                    || Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2)));
      }
    }
    if (!right) {
      throw new DescriptionException("found SMs " + text + ", " + EXPECTED);
    }
  }

  private static List<Integer> listed(Stream stream, int count) throws DescriptionException {
    List<Integer> all = new ArrayList<>();
    for (String piece : stream.sms().split(",", -1)) {
      Matcher range = RANGE.matcher(piece.strip());
      range.matches();
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last >= count) {
        throw new DescriptionException(
            stream.inWords() + ": found SM " + last + ", expected one of 0 to " + (count - 1));
      }
      for (int sm = first; sm <= last; sm++) {
        all.add(sm);
      }
    }
    return all;
  }
}
