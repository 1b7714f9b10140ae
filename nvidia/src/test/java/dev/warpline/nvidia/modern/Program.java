package dev.warpline.nvidia.modern;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.engine.profile.TimelineRecorder;
import dev.warpline.memory.flow.FlowMemory;
import dev.warpline.memory.flow.GroupCaches;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.constant.IndexedConstants;
import dev.warpline.nvidia.modern.launch.BlockPlacer;
import dev.warpline.nvidia.modern.memory.LaneAddresses;
import dev.warpline.policy.block.RoundRobin;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import dev.warpline.trace.code.ConstantsSidecar;
import dev.warpline.trace.code.SassListing;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A little program for tests, written like a listing with its control bits in front:
 *
 * <pre>
 *   S04 Y W0 R1 B02 FFMA R4, R2.reuse, R3, R5
 * </pre>
 *
 * stall, yield if Y stands there, write and read barrier, wait mask in hex; what is left out is
 * none. The program runs on one SM, and says when each instruction issued.
 */
final class Program {
  private static final Pattern LINE =
      Pattern.compile("(?:S(\\d+) )?(Y )?(?:W(\\d) )?(?:R(\\d) )?(?:B([0-9a-f]+) )?(.*)");
  private static final Pattern REGISTER = Pattern.compile("(?<!U)\\bR(\\d+|Z)");

  /** When the block arrives: what the launch brings is there by then. */
  private static final long ARRIVAL = 2000;

  private static final int WINDOW = 100;
  private static final long LONGEST = 200_000;

  private final List<String> lines;
  private int warps = 1;
  private int rows = 1;
  private String gpu = "h200";
  private final List<String> settings = new ArrayList<>();
  private final List<Integer> jumpsTo = new ArrayList<>();
  private boolean control = true;
  private boolean listed = true;
  private boolean constants;
  private long addressStep;
  private long laneStep = -1;
  private boolean warm = true;
  private int smsOfGpc = 1;

  private Program(List<String> lines) {
    this.lines = lines;
  }

  static Program of(String... lines) {
    return new Program(new ArrayList<>(Arrays.asList(lines)));
  }

  /** The same line many times. */
  static Program repeated(String line, int times) {
    return new Program(new ArrayList<>(java.util.Collections.nCopies(times, line)));
  }

  Program then(String line) {
    lines.add(line);
    return this;
  }

  Program warps(int count) {
    warps = count;
    return this;
  }

  /** Arranges the threads of the block in so many rows instead of one. */
  Program rows(int count) {
    rows = count;
    return this;
  }

  Program on(String preset) {
    gpu = preset;
    return this;
  }

  Program set(String setting) {
    settings.add(setting);
    return this;
  }

  /** Has no listing beside its trace. */
  Program withoutListing() {
    listed = false;
    return this;
  }

  /** Has a file of constants beside its trace. */
  Program withConstants() {
    constants = true;
    return this;
  }

  Program withoutControlBits() {
    control = false;
    return this;
  }

  /** Each memory instruction touches a place this many bytes after the one before. */
  Program addressStep(long bytes) {
    addressStep = bytes;
    return this;
  }

  /** Lanes touch places so many bytes apart instead of one after the other. */
  Program laneStep(long bytes) {
    laneStep = bytes;
    return this;
  }

  /** Instruction caches start empty, as in a real launch; tests of anything else start warm. */
  Program cold() {
    warm = false;
    return this;
  }

  /** So many SMs of the GPC run the program at once; the first of them is looked at. */
  Program inGpcOf(int count) {
    smsOfGpc = count;
    return this;
  }

  /** After the last line goes on at an earlier one, once. */
  Program jumpsTo(int line) {
    jumpsTo.add(line);
    return this;
  }

  /** What happened. */
  record Run(List<List<Long>> issued, Sm sm) {
    /** Issue cycles of a warp, its first instruction's being 0. */
    List<Long> issues(int warp) {
      long first = issued.get(warp).get(0);
      return issued.get(warp).stream().map(t -> t - first).toList();
    }

    /** Issue cycles of a warp, the earliest instruction of all warps being 0. */
    List<Long> together(int warp) {
      long first = issued.stream().mapToLong(list -> list.get(0)).min().orElse(0);
      return issued.get(warp).stream().map(t -> t - first).toList();
    }

    /** Cycles between two instructions of warp 0. */
    long between(int from, int to) {
      return issued.get(0).get(to) - issued.get(0).get(from);
    }

    long first(int warp) {
      return issued.get(warp).get(0);
    }

    /** A counter of the SM's parts, all sub-cores together. */
    long count(String counter) {
      return sm.counters().read().get(counter).longValue();
    }
  }

  Run run() throws IOException {
    Path folder = Files.createTempDirectory("program");
    try {
      write(folder);
      GpuDescription description = Gpus.load(gpu, settings());
      try (TraceSet set = Traces.open(folder)) {
        TraceCommand.Launch launch = (TraceCommand.Launch) set.commands().get(0);
        try (KernelTrace kernel = set.open(launch)) {
          return run(description, kernel);
        }
      }
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /** The program as a traced kernel, for tests of the whole machine. */
  void write(Path folder) throws IOException {
    write(folder, 1);
  }

  void write(Path folder, int blocks) throws IOException {
    StringBuilder listing = new StringBuilder();
    StringBuilder sidecar = new StringBuilder("# control bits of test\n");
    List<String> trace = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      order.add(i);
    }
    for (int target : jumpsTo) {
      for (int i = target; i < lines.size(); i++) {
        order.add(i);
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      Matcher m = match(i);
      listing.append(String.format("%04x\t%s ;%n", 16 * i, m.group(6)));
      int reuse = reuse(m.group(6));
      sidecar.append(
          String.format(
              "%04x %s %d %s %s %s %x%n",
              16 * i,
              m.group(1) == null ? "1" : Integer.toString(Integer.parseInt(m.group(1))),
              m.group(2) == null ? 0 : 1,
              m.group(3) == null ? "7" : m.group(3),
              m.group(4) == null ? "7" : m.group(4),
              m.group(5) == null ? "00" : m.group(5),
              reuse));
    }
    for (int i : order) {
      trace.add(traced(i));
    }
    StringBuilder text = new StringBuilder();
    text.append("-kernel name = test\n-kernel id = 1\n-grid dim = (").append(blocks);
    text.append(",1,1)\n-block dim = (").append(32 * warps / rows).append(',');
    text.append(rows).append(",1)\n");
    text.append("-shmem = 0\n-nregs = 32\n-binary version = 90\n-cuda stream id = 0\n");
    text.append("-shmem base_addr = 0x00007f0000000000\n");
    text.append("-local mem base_addr = 0x00007e0000000000\n");
    text.append("-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
    for (int b = 0; b < blocks; b++) {
      text.append("#BEGIN_TB\n\nthread block = ").append(b).append(",0,0\n\n");
      for (int w = 0; w < warps; w++) {
        text.append("warp = ").append(w).append("\ninsts = ").append(trace.size()).append('\n');
        trace.forEach(line -> text.append(line).append('\n'));
        text.append('\n');
      }
      text.append("#END_TB\n\n");
    }
    Files.writeString(folder.resolve("kernel-1.traceg"), text);
    if (listed) {
      Files.writeString(folder.resolve("kernel-1.sass"), listing);
    }
    if (constants) {
      StringBuilder places = new StringBuilder();
      SassListing code = SassListing.read(new StringReader(listing.toString()), "listing");
      ConstantsSidecar.of("test", code).write(places);
      Files.writeString(folder.resolve("kernel-1.constants"), places);
    }
    if (control) {
      Files.writeString(folder.resolve("kernel-1.ctrl"), sidecar);
    }
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
  }

  private Matcher match(int line) {
    Matcher m = LINE.matcher(lines.get(line));
    if (!m.matches()) {
      throw new IllegalArgumentException(lines.get(line));
    }
    return m;
  }

  /** Reuse bits by source position, from the listing's suffixes. */
  private static int reuse(String text) {
    String[] operands = text.substring(text.indexOf(' ') + 1).split(",");
    int bits = 0;
    for (int i = 1; i < operands.length && i < 4; i++) {
      if (operands[i].contains(".reuse")) {
        bits |= 1 << i - 1;
      }
    }
    return bits;
  }

  private String traced(int line) {
    String text = match(line).group(6);
    if (text.startsWith("@")) {
      text = text.substring(text.indexOf(' ') + 1);
    }
    int space = text.indexOf(' ');
    String opcode = space < 0 ? text : text.substring(0, space);
    String rest = space < 0 ? "" : text.substring(space + 1);
    boolean store =
        opcode.startsWith("ST") || opcode.startsWith("RED") || opcode.startsWith("LDGSTS");
    List<String> destinations = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    String[] operands = rest.split(",");
    for (int i = 0; i < operands.length; i++) {
      Matcher m = REGISTER.matcher(operands[i]);
      while (m.find()) {
        boolean destination = i == 0 && !store && !operands[i].contains("[");
        String register = m.group(1).equals("Z") ? "R255" : "R" + m.group(1);
        (destination ? destinations : sources).add(register);
      }
    }
    StringBuilder out = new StringBuilder();
    out.append(String.format(Locale.ROOT, "%04x ffffffff %d ", 16 * line, destinations.size()));
    destinations.forEach(r -> out.append(r).append(' '));
    out.append(opcode).append(' ').append(sources.size()).append(' ');
    sources.forEach(r -> out.append(r).append(' '));
    int width = opcode.contains(".128") ? 16 : opcode.contains(".64") ? 8 : 4;
    boolean global = opcode.startsWith("LDG") || opcode.startsWith("STG");
    boolean shared =
        opcode.startsWith("LDS") || opcode.startsWith("STS") || opcode.startsWith("ATOMS");
    if ((global || shared) && !opcode.equals("LDGDEPBAR")) {
      long base = (global ? 0x7f4000000000L : 0x400) + line * addressStep;
      if (opcode.startsWith("LDGSTS")) {
        String first = out + String.format(Locale.ROOT, "%d 1 0x400 %d 0", width, width);
        return first
            + "\n"
            + out
            + String.format(Locale.ROOT, "%d 1 0x%x %d 0", width, base, width);
      }
      long step = laneStep < 0 ? width : laneStep;
      out.append(String.format(Locale.ROOT, "%d 1 0x%x %d 0", width, base, step));
    } else {
      out.append("0 0");
    }
    return out.toString();
  }

  private List<String> settings() {
    List<String> all = new ArrayList<>();
    if (warm) {
      // Instructions and constants are there at once: what is under test is something else.
      all.add("modern.supply.l1Cycles=0");
      all.add("modern.supply.l15Cycles=0");
      all.add("modern.supply.l15MissCycles=0");
      all.add("modern.supply.l15Interval=0");
      all.add("modern.constants.operandMissCycles=0");
      all.add("modern.constants.loadMissCycles=0");
      all.add("modern.constants.missRoundCycles=11");
    }
    all.addAll(settings);
    return all;
  }

  private static FlowMemory memory(GpuDescription description, Topology topology) {
    FlowMemory memory = new FlowMemory(description.flowMemory(), description.clocks(), topology);
    memory.startKernel(true);
    return memory;
  }

  /** Runs the program on new SMs, and returns the first of them. */
  private Sm run(
      GpuDescription description,
      KernelTrace kernel,
      CodeRows code,
      GroupCaches groupCaches,
      long arrival,
      SmRecorder recorder)
      throws IOException {
    Topology topology = oneGpc();
    FlowMemory memory = memory(description, topology);
    code.update(kernel.hasControlBits());
    Sm[] sms = new Sm[smsOfGpc];
    Requests[] requests = new Requests[smsOfGpc];
    for (int i = 0; i < smsOfGpc; i++) {
      sms[i] = new Sm(i, 0, description.modern(), description.sm());
      requests[i] = sms[i].requests();
      SmRecorder its = i == 0 ? recorder : null;
      sms[i].startKernel(128 << 10, its);
      int program = kernel.header().name().hashCode();
      sms[i].admit(1, program, program, code, kernel.header(), its, new long[StallReason.COUNT]);
      if (!kernel.readBlock(0, sms[i].buffer(0))) {
        throw new IOException("no block");
      }
      code.update(kernel.hasControlBits());
      sms[i].readConstants(
          0, new IndexedConstants(kernel.code(), kernel.header().grid(), kernel.header().block()));
      sms[i].place(
          0,
          arrival,
          new BlockPlacer(new RoundRobin(), description.modern().launch(), topology, 1, 1, 1));
    }
    for (Sm sm : sms) {
      sm.use(LaneAddresses.each(1)[0]);
    }
    long end = arrival + LONGEST;
    for (long now = arrival; now < end && sms[0].blocks().ended() == 0; now += WINDOW) {
      boolean behind = true;
      while (behind) {
        behind = false;
        for (Sm sm : sms) {
          sm.takeReplies();
          behind |= !sm.run(now + WINDOW);
        }
        groupCaches.serve(requests, smsOfGpc);
      }
      for (Requests asked : requests) {
        asked.send(now + WINDOW);
      }
      memory.serve(requests, smsOfGpc);
    }
    return sms[0];
  }

  private Topology oneGpc() {
    List<Integer> sms = new ArrayList<>();
    List<Double> hops = new ArrayList<>();
    for (int i = 0; i < smsOfGpc; i++) {
      sms.add(i);
      hops.add(0.0);
    }
    return new Topology(List.of(sms), List.of(0), hops, List.of(), false);
  }

  private Run run(GpuDescription description, KernelTrace kernel) throws IOException {
    Topology topology = oneGpc();
    GroupCaches groupCaches =
        new GroupCaches(description.modern(), topology, memory(description, topology));
    groupCaches.startKernel(true);
    CodeRows code =
        new CodeRows(description.modern(), kernel.code(), kernel.header().binaryVersion());
    TimelineRecorder timeline = new TimelineRecorder(0, 0, 0, 1_000_000);
    SmRecorder recorder = new SmRecorder(0, description.sm().warps(), 0, timeline).withLedger();
    long arrival = ARRIVAL;
    if (warm) {
      // The GPC's cache has seen the program before, memory its data not.
      run(description, kernel, code, groupCaches, arrival, null);
      arrival += LONGEST;
    }
    Sm sm = run(description, kernel, code, groupCaches, arrival, recorder);
    List<List<Long>> issued = new ArrayList<>();
    for (int w = 0; w < warps; w++) {
      issued.add(new ArrayList<>());
    }
    for (int i = 0; i < timeline.size(); i++) {
      TimelineRecorder.Slice slice = timeline.slice(i);
      if (slice.reason() == StallReason.SELECTED && slice.kind() == TimelineRecorder.Kind.STATE) {
        issued.get(slice.warp()).add(slice.from());
      }
    }
    return new Run(issued, sm);
  }
}
