package dev.warpline.engine.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why one kernel took its time. A pure function of the run's inputs.
 *
 * @param launch how it was launched and what limits its blocks on an SM
 * @param lines one entry per static instruction executed, by row
 * @param sms one entry per SM
 * @param slices L2 slices: sectors looked up and hits
 * @param channels DRAM channels: bytes read and bytes written
 * @param series the same over time
 * @param throughputs what each part of the machine did against what it could
 * @param timeline slices for a trace viewer, empty unless a window was asked for
 * @param followed what happened to one line of memory; null unless that was asked for
 */
public record KernelProfile(
    Launch launch,
    List<Line> lines,
    List<Sm> sms,
    List<Traffic> slices,
    List<Traffic> channels,
    Series series,
    List<Throughput> throughputs,
    List<TimelineRecorder.Slice> timeline,
    FollowedLine followed) {

  /** A profile that follows no line. */
  public KernelProfile(
      Launch launch,
      List<Line> lines,
      List<Sm> sms,
      List<Traffic> slices,
      List<Traffic> channels,
      Series series,
      List<Throughput> throughputs,
      List<TimelineRecorder.Slice> timeline) {
    this(launch, lines, sms, slices, channels, series, throughputs, timeline, null);
  }

  /**
   * How a kernel was launched.
   *
   * @param grid blocks, e.g. {@code 128 x 1 x 1}
   * @param block threads of a block
   * @param registers registers per thread
   * @param sharedBytes shared memory of a block
   * @param warpsPerBlock warps of a block
   * @param warpSlots warps an SM can hold
   * @param blocksPerSm blocks an SM can hold, by what limits them (threads, registers, ...)
   */
  public record Launch(
      String grid,
      String block,
      int registers,
      int sharedBytes,
      int warpsPerBlock,
      int warpSlots,
      Map<String, Integer> blocksPerSm) {}

  /**
   * Where an instruction comes from.
   *
   * @param file the source file as the compiler saw it, null where only the line is known
   * @param line line in it
   * @param function the function that was inlined there, as a person reads it; null if none was
   * @param caller where that was called, null if nothing was inlined
   * @param ptx the PTX instruction that it was made of, null if not known
   */
  public record Source(String file, int line, String function, Source caller, String ptx) {}

  /**
   * One static instruction.
   *
   * @param row its number in the kernel's code table
   * @param pc byte offset in the function
   * @param source where it comes from, null if not known
   * @param text as a disassembler prints it
   * @param work what a lane of it does
   * @param executed times a warp issued it
   * @param lanes active lanes, summed over those
   * @param requests memory requests made (one per warp instruction that accessed memory)
   * @param sectors 32-byte sectors asked of L1
   * @param l1Hits of those, found in L1
   * @param l2Hits sectors that L2 answered
   * @param dramSectors sectors that came from device memory
   * @param conflicts extra passes through shared memory
   * @param stalls warp-cycles by reason; reasons without any are left out
   * @param code what the listing says of it
   */
  public record Line(
      int row,
      int pc,
      Source source,
      String text,
      LaneWork work,
      long executed,
      long lanes,
      long requests,
      long sectors,
      long l1Hits,
      long l2Hits,
      long dramSectors,
      long conflicts,
      Map<StallReason, Long> stalls,
      Code code) {

    /** Results of older versions say nothing of the code. */
    public Line {
      code = code == null ? Code.UNKNOWN : code;
    }

    /** The mnemonic with its modifiers, without the guard: {@code LDG.E.64}. */
    public String opcode() {
      String plain = text.startsWith("@") ? text.substring(text.indexOf(' ') + 1).strip() : text;
      int end = plain.indexOf(' ');
      return end < 0 || plain.startsWith("(") ? plain : plain.substring(0, end);
    }

    /** Warp-cycles spent at this instruction, issue included. */
    public long warpCycles() {
      return stalls.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * What a listing says of an instruction, whatever ran.
   *
   * @param pipe where it is executed, e.g. {@code FMA}; empty if not known
   * @param live registers that hold a value when it issues, its own operands included
   * @param waitsFor instructions whose results it needs, those of variable latency first
   */
  public record Code(String pipe, int live, List<Producer> waitsFor) {
    public static final Code UNKNOWN = new Code("", 0, List.of());
  }

  /**
   * An instruction that another one waits for.
   *
   * @param pc byte offset in the function
   * @param distance instructions from it to the one that waits, on the shortest way
   * @param via what carries the result: a register, or a dependence counter such as {@code SB0}
   */
  public record Producer(int pc, int distance, String via) {}

  /**
   * One SM.
   *
   * @param sm its number
   * @param warps warps that lived on it
   * @param warpCycles their lifetimes, summed; equal to the sum of {@code stalls}
   * @param activeCycles from the first warp's start to the last one's end
   * @param stalls warp-cycles by reason
   */
  public record Sm(
      int sm, long warps, long warpCycles, long activeCycles, Map<StallReason, Long> stalls) {}

  /** What went through one slice (sectors, hits) or channel (bytes read, bytes written). */
  public record Traffic(long first, long second) {}

  /**
   * The kernel over time. Values are sums over a bucket, so a state's series divided by {@code
   * bucketCycles} is the number of warps in that state.
   *
   * @param bucketCycles width of a bucket in core cycles
   * @param states warp-cycles by reason
   * @param levels how full buffers were and how busy links; those that a core records
   */
  public record Series(
      long bucketCycles,
      Map<StallReason, long[]> states,
      long[] l1Sectors,
      long[] l1Hits,
      long[] l2Sectors,
      long[] l2Hits,
      long[] dramRead,
      long[] dramWrite,
      Map<Level, long[]> levels) {

    /** Results of before there were levels have none. */
    public Series {
      levels = levels == null ? Map.of() : levels;
    }

    /** A series without levels. */
    public Series(
        long bucketCycles,
        Map<StallReason, long[]> states,
        long[] l1Sectors,
        long[] l1Hits,
        long[] l2Sectors,
        long[] l2Hits,
        long[] dramRead,
        long[] dramWrite) {
      this(
          bucketCycles,
          states,
          l1Sectors,
          l1Hits,
          l2Sectors,
          l2Hits,
          dramRead,
          dramWrite,
          Map.of());
    }
  }

  /**
   * What a part of the machine did against what it could: one bar of "speed of light".
   *
   * @param part e.g. {@code FMA}, {@code L2}, {@code DRAM}
   * @param unit what is counted, e.g. {@code instructions}, {@code bytes}
   * @param done how many over the kernel
   * @param peakPerCycle how many the whole GPU could do in a core cycle
   */
  public record Throughput(String part, String unit, double done, double peakPerCycle) {
    /** Share of the peak over so many cycles, 0 to 1. */
    public double share(long cycles) {
      return cycles == 0 || peakPerCycle == 0 ? 0 : done / (peakPerCycle * cycles);
    }
  }

  /** The same profile with what each part of the machine did against what it could. */
  public KernelProfile withThroughputs(List<Throughput> parts) {
    return new KernelProfile(
        launch, lines, sms, slices, channels, series, parts, timeline, followed);
  }

  /** The same profile without the slices for a trace viewer, which have files of their own. */
  public KernelProfile withoutTimeline() {
    return new KernelProfile(launch, lines, sms, slices, channels, series, throughputs, List.of());
  }

  /** Warp-cycles of the whole kernel by reason. */
  public Map<StallReason, Long> stalls() {
    Map<StallReason, Long> sums = new EnumMap<>(StallReason.class);
    for (Sm sm : sms) {
      sm.stalls.forEach((reason, cycles) -> sums.merge(reason, cycles, Long::sum));
    }
    return sums;
  }

  /** Warp-cycles by opcode and reason. */
  public Map<String, Map<StallReason, Long>> opcodes() {
    Map<String, Map<StallReason, Long>> sums = new TreeMap<>();
    for (Line line : lines) {
      Map<StallReason, Long> its =
          sums.computeIfAbsent(line.opcode(), name -> new EnumMap<>(StallReason.class));
      line.stalls.forEach((reason, cycles) -> its.merge(reason, cycles, Long::sum));
    }
    return sums;
  }

  /**
   * Where the warps' time does not add up: by instruction, by opcode, by SM and over time it must
   * be the same for every reason, and the reasons of an SM's warps must be their lifetimes. Empty
   * if all of it is exact, which it is unless the simulator has a defect.
   */
  public List<String> discrepancies() {
    Map<StallReason, Long> bySm = stalls();
    Map<StallReason, Long> byLine = new EnumMap<>(StallReason.class);
    lines.forEach(line -> line.stalls.forEach((r, cycles) -> byLine.merge(r, cycles, Long::sum)));
    Map<StallReason, Long> byOpcode = new EnumMap<>(StallReason.class);
    opcodes().values().forEach(its -> its.forEach((r, c) -> byOpcode.merge(r, c, Long::sum)));
    Map<StallReason, Long> overTime = new EnumMap<>(StallReason.class);
    series.states.forEach((reason, one) -> overTime.put(reason, Arrays.stream(one).sum()));
    List<String> found = new ArrayList<>();
    for (StallReason reason : StallReason.values()) {
      long expected = bySm.getOrDefault(reason, 0L);
      compare(found, reason.key() + " by instruction", byLine.getOrDefault(reason, 0L), expected);
      compare(found, reason.key() + " by opcode", byOpcode.getOrDefault(reason, 0L), expected);
      compare(found, reason.key() + " over time", overTime.getOrDefault(reason, 0L), expected);
    }
    for (Sm sm : sms) {
      long sum = sm.stalls.values().stream().mapToLong(Long::longValue).sum();
      compare(found, "the reasons of SM " + sm.sm, sum, sm.warpCycles);
    }
    return found;
  }

  private static void compare(List<String> found, String what, long cycles, long expected) {
    if (cycles != expected) {
      found.add(
          "warps' time does not add up: "
              + what
              + " is "
              + cycles
              + " warp-cycles, expected "
              + expected);
    }
  }

  /** The lines by row: what a slice of the timeline refers to. */
  public Map<Integer, Line> linesByRow() {
    Map<Integer, Line> byRow = new HashMap<>();
    lines.forEach(line -> byRow.put(line.row(), line));
    return byRow;
  }

  /** Lifetimes of all warps, summed. */
  public long warpCycles() {
    return sms.stream().mapToLong(Sm::warpCycles).sum();
  }
}
