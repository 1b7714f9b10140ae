package dev.warpline.nvidia.capture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.nvidia.capture.CaptureEvent.Allocate;
import dev.warpline.nvidia.emulate.EmulatedGpu;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs a capture into one file, whole or in part: only some kernels, only the pages that kernels
 * touch, only the listings of what is launched.
 *
 * <p>A launch that is left out stays as one that was skipped, so that later ones count as before.
 * What it wrote becomes contents: the capture is executed while it is written, and the pages that
 * such a launch changed are stored before the next launch that stays.
 */
public final class CapturePacker {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Capture capture;
  private final boolean touched;
  private final Predicate<String> wanted;
  private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
  private final StringWriter lines = new StringWriter();

  /** By run of pages: those of it that a kernel touches. */
  private final Map<CaptureEvent.Pages, BitSet> needed = new HashMap<>();

  /** By allocation: pages that a kernel touches which stays, at any time. */
  private final Map<Integer, BitSet> used = new HashMap<>();

  /** By allocation and page that was left out: what its zeros count more than its contents. */
  private final Map<Integer, Map<Integer, Long>> dropped = new HashMap<>();

  /** By allocation: pages that were stored. */
  private final Map<Integer, BitSet> kept = new HashMap<>();

  /** By allocation: pages that launches changed which are left out, and nobody stored yet. */
  private final Map<Integer, BitSet> unstored = new HashMap<>();

  private CapturePacker(Capture capture, Predicate<String> wanted, boolean touched) {
    this.capture = capture;
    this.wanted = wanted;
    this.touched = touched;
  }

  /**
   * Packs a capture.
   *
   * @param wanted which kernels stay, by their mangled names; null: all
   * @param touched whether pages that no kernel reads or writes are left out; executes the capture
   * @param progress told the warp instructions of the launch that is executed
   */
  public static void pack(
      Path path,
      Predicate<String> wanted,
      boolean touched,
      OutputStream into,
      LongConsumer progress)
      throws IOException {
    try (Capture capture = Capture.open(path)) {
      CapturePacker packer = new CapturePacker(capture, wanted, touched);
      if (touched) {
        packer.execute(progress);
      }
      packer.write(progress);
      packer.zip(into);
    }
  }

  /** Finds the pages that kernels touch. */
  private void execute(LongConsumer progress) throws IOException {
    Replay replay = new Replay(capture, new CaptureModules(capture), outcome -> {}, false);
    EmulatedGpu gpu = replay.gpu();
    Map<Integer, List<CaptureEvent.Pages>> loaded = new HashMap<>();
    Set<Integer> living = new HashSet<>();
    List<CaptureEvent> events = capture.events();
    for (int i = 0; i < events.size(); i++) {
      CaptureEvent event = events.get(i);
      if (event instanceof CaptureEvent.Pages stored) {
        needed.put(stored, new BitSet());
        loaded.computeIfAbsent(stored.allocation(), key -> new ArrayList<>()).add(stored);
      } else if (event instanceof Allocate memory) {
        living.add(memory.allocation());
      } else if (event instanceof CaptureEvent.Global global) {
        living.add(global.memory().allocation());
      }
      replay.moveTo(i + 1, progress);
      boolean launched =
          event instanceof CaptureEvent.Launch launch
              && launch.skipped() == null
              && stays(launch.kernel());
      if (launched
          || event instanceof CaptureEvent.Copy copy && copy.place().graph() != 0
          || event instanceof CaptureEvent.Fill fill && fill.place().graph() != 0
          || replayed(event)) {
        mark(gpu, loaded);
        if (wanted != null) {
          living.forEach(number -> use(gpu, capture.allocation(number)));
        }
      } else if (event instanceof CaptureEvent.Free free) {
        loaded.remove(free.allocation());
        living.remove(free.allocation());
      }
    }
  }

  /** Whether it is a copy or a fill between launches that is executed. */
  private static boolean replayed(CaptureEvent event) {
    return event instanceof CaptureEvent.Copy copy && copy.replay()
        || event instanceof CaptureEvent.Fill fill && fill.replay();
  }

  private boolean stays(String kernel) {
    return wanted == null || wanted.test(kernel);
  }

  private static boolean touches(EmulatedGpu gpu, Allocate memory, long page) {
    long from = page * Sums.PAGE;
    long bytes = Math.min(Sums.PAGE, memory.bytes() - from);
    return memory.kind().equals(CaptureReader.VARIABLE)
        || gpu.touched(memory.address() + from, bytes);
  }

  private void use(EmulatedGpu gpu, Allocate memory) {
    BitSet its = used.computeIfAbsent(memory.allocation(), key -> new BitSet());
    for (int page = 0; page < memory.pages(); page++) {
      if (!its.get(page) && touches(gpu, memory, page)) {
        its.set(page);
      }
    }
  }

  /** Marks the pages that the launch before touched, where they were stored last. */
  private void mark(EmulatedGpu gpu, Map<Integer, List<CaptureEvent.Pages>> loaded) {
    loaded.forEach(
        (number, runs) -> {
          Allocate memory = capture.allocation(number);
          Set<Long> seen = new HashSet<>();
          for (int r = runs.size() - 1; r >= 0; r--) {
            CaptureEvent.Pages run = runs.get(r);
            for (long page = run.first(); page < run.first() + run.count(); page++) {
              if (seen.add(page) && touches(gpu, memory, page)) {
                needed.get(run).set((int) (page - run.first()));
              }
            }
          }
        });
  }

  private void write(LongConsumer progress) throws IOException {
    Replay replay =
        wanted == null
            ? null
            : new Replay(capture, new CaptureModules(capture), outcome -> {}, false);
    Map<Long, Integer> indexes = new HashMap<>();
    for (int i = 0; i < capture.events().size(); i++) {
      indexes.put(capture.events().get(i).line(), i);
    }
    Set<Long> left = new HashSet<>();
    try (BufferedReader in = new BufferedReader(capture.text())) {
      lines.write(in.readLine() + "\n");
      long number = 1;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Integer index = indexes.get(++number);
        CaptureEvent event = index == null ? null : capture.events().get(index);
        if (event instanceof CaptureEvent.Launch launch && launch.skipped() == null) {
          if (stays(launch.kernel())) {
            store(replay);
          } else {
            left.add(launch.n());
          }
        } else if (replayed(event)) {
          store(replay);
        }
        if (replay != null && index != null) {
          replay.moveTo(index + 1, progress);
        }
        line(event, line, left);
      }
    }
  }

  private void line(CaptureEvent event, String line, Set<Long> left) throws IOException {
    if (event instanceof CaptureEvent.Pages stored) {
      pages(stored);
    } else if (event instanceof CaptureEvent.Launch launch && left.contains(launch.n())) {
      ObjectNode node = (ObjectNode) JSON.readTree(line);
      node.put("skipped", "left out when it was packed");
      lines.write(JSON.writeValueAsString(node) + "\n");
    } else if (event instanceof CaptureEvent.Wrote wrote) {
      if (!left.contains(wrote.n())) {
        lines.write(JSON.writeValueAsString(wrote(wrote, JSON.readTree(line))) + "\n");
        return;
      }
      for (CaptureEvent.Changed changed : wrote.allocations()) {
        BitSet its = unstored.computeIfAbsent(changed.allocation(), key -> new BitSet());
        changed.pages().forEach(run -> its.set((int) run[0], (int) (run[0] + run[1])));
      }
    } else {
      if (event instanceof CaptureEvent.Free free) {
        unstored.remove(free.allocation());
      }
      lines.write(line + "\n");
    }
  }

  /** Stores what launches wrote that are left out, before one that stays, where one needs it. */
  private void store(Replay replay) throws IOException {
    for (Map.Entry<Integer, BitSet> entry : unstored.entrySet()) {
      Allocate memory = capture.allocation(entry.getKey());
      Map<Integer, Long> gone = dropped.computeIfAbsent(entry.getKey(), key -> new HashMap<>());
      BitSet before = kept.computeIfAbsent(entry.getKey(), key -> new BitSet());
      BitSet wants = used.getOrDefault(entry.getKey(), new BitSet());
      BitSet changed = entry.getValue();
      for (int page = changed.nextSetBit(0); page >= 0; page = changed.nextSetBit(page + 1)) {
        long from = (long) page * Sums.PAGE;
        byte[] content = new byte[(int) Math.min(Sums.PAGE, memory.bytes() - from)];
        replay.gpu().peek(memory.address() + from, content, content.length);
        if (touched && !wants.get(page) && !before.get(page)) {
          gone.put(page, dropping(content, from));
        } else {
          put(entry.getKey(), page, 1, content);
          gone.remove(page);
        }
      }
    }
    unstored.clear();
  }

  /** What a page's zeros count more than its contents. */
  private static long dropping(byte[] content, long place) {
    return Sums.of(new byte[content.length], content.length, place)
        - Sums.of(content, content.length, place);
  }

  /** The sums of a launch in a capture without some pages. */
  private JsonNode wrote(CaptureEvent.Wrote wrote, JsonNode node) {
    ArrayNode changed = (ArrayNode) node.get("allocations");
    for (int i = 0; i < changed.size(); i++) {
      CaptureEvent.Changed one = wrote.allocations().get(i);
      long more = 0;
      for (long difference : dropped.getOrDefault(one.allocation(), Map.of()).values()) {
        more += difference;
      }
      ((ObjectNode) changed.get(i)).put("sum", "0x" + Long.toHexString(one.sum() + more));
    }
    return node;
  }

  private void pages(CaptureEvent.Pages stored) throws IOException {
    if (!touched) {
      put(stored.allocation(), stored.first(), stored.count(), capture.contents(stored));
      return;
    }
    BitSet stay = needed.get(stored);
    byte[] content = capture.contents(stored);
    BitSet before = kept.computeIfAbsent(stored.allocation(), key -> new BitSet());
    Map<Integer, Long> gone = dropped.computeIfAbsent(stored.allocation(), key -> new HashMap<>());
    for (int page = 0; page < stored.count(); page++) {
      int number = (int) stored.first() + page;
      if (stay.get(page) || before.get(number)) {
        stay.set(page);
        gone.remove(number);
      } else {
        int from = page * Sums.PAGE;
        int bytes = Math.min(Sums.PAGE, content.length - from);
        byte[] its = Arrays.copyOfRange(content, from, from + bytes);
        gone.put(number, dropping(its, (long) number * Sums.PAGE));
      }
    }
    for (int from = stay.nextSetBit(0); from >= 0; ) {
      int to = stay.nextClearBit(from);
      int end = Math.min(to * Sums.PAGE, content.length);
      put(
          stored.allocation(),
          stored.first() + from,
          to - from,
          Arrays.copyOfRange(content, from * Sums.PAGE, end));
      from = stay.nextSetBit(to);
    }
  }

  private void put(int allocation, long first, long count, byte[] content) throws IOException {
    BitSet stored = kept.computeIfAbsent(allocation, key -> new BitSet());
    stored.set((int) first, (int) (first + count));
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    byte[] packed = new byte[content.length];
    deflater.setInput(content);
    deflater.finish();
    int size = deflater.deflate(packed);
    boolean smaller = deflater.finished();
    deflater.end();
    ObjectNode node = JSON.createObjectNode();
    node.put("event", "pages");
    node.put("allocation", allocation);
    node.put("first", first);
    node.put("count", count);
    node.put("at", pages.size());
    node.put("packed", smaller ? size : content.length);
    node.put("method", smaller ? "deflate" : "stored");
    lines.write(JSON.writeValueAsString(node) + "\n");
    pages.write(smaller ? packed : content, 0, smaller ? size : content.length);
  }

  private void zip(OutputStream into) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(into)) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      entry(zip, CaptureFiles.EVENTS, lines.toString().getBytes(StandardCharsets.UTF_8));
      entry(zip, CaptureFiles.PAGES, pages.toByteArray());
      try (Reader times = capture.times()) {
        if (times != null) {
          StringWriter text = new StringWriter();
          times.transferTo(text);
          entry(zip, CaptureFiles.TIMES, text.toString().getBytes(StandardCharsets.UTF_8));
        }
      }
      Map<Integer, Set<String>> kernels = new HashMap<>();
      for (CaptureEvent event : capture.events()) {
        if (event instanceof CaptureEvent.Launch launch && launch.module() != 0) {
          Set<String> names = kernels.computeIfAbsent(launch.module(), key -> new HashSet<>());
          if (stays(launch.kernel())) {
            names.add(launch.kernel());
          }
        }
      }
      for (CaptureEvent event : capture.events()) {
        if (event instanceof CaptureEvent.Module module) {
          entry(zip, module.file(), capture.cubin(module.module()));
          try (Reader listing = capture.listing(module.module())) {
            if (listing != null) {
              String name = module.file().replace(".cubin", ".sass");
              Set<String> names = kernels.getOrDefault(module.module(), Set.of());
              entry(zip, name, functions(listing, names));
            }
          }
        }
      }
    }
  }

  /** The part of a listing that some functions have. */
  private static byte[] functions(Reader listing, Set<String> names) throws IOException {
    StringBuilder text = new StringBuilder();
    BufferedReader in = new BufferedReader(listing);
    boolean keeps = false;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      int at = line.indexOf("Function : ");
      if (at >= 0) {
        keeps = names.contains(line.substring(at + "Function : ".length()).strip());
      }
      // What follows the instruction is its encoding, which the cubin has.
      int code = line.indexOf("; ");
      String kept = code > 0 ? line.substring(0, code + 1) : line;
      if (keeps && (at >= 0 || kept.contains("*/ ") || line.indexOf('\t') > 0)) {
        text.append(kept.stripTrailing()).append('\n');
      }
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }
}
