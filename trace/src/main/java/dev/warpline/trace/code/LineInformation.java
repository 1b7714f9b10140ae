package dev.warpline.trace.code;

import dev.warpline.isa.SourcePlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The source of a cubin's code, where it was compiled with {@code -lineinfo}: {@code .debug_line}
 * says files, lines and what was inlined, {@code .nv_debug_line_sass} the lines of the PTX in
 * {@code .nv_debug_ptx_txt}. Read when somebody asks for a place.
 */
final class LineInformation {
  private final Elf elf;
  private final String file;
  private Consumer<CodeFormatException> listener = problem -> {};

  private boolean looked;
  private Map<Integer, NavigableMap<Integer, SourcePlace>> lines = Map.of();
  private Map<Integer, NavigableMap<Integer, SourcePlace>> ptxLines = Map.of();

  /** The PTX, null if there is none; lines are made of it when somebody wants some. */
  private ByteBuffer ptx;

  private CodeFormatException problem;

  LineInformation(Elf elf, String file) {
    this.elf = elf;
    this.file = file;
  }

  /** Who is to know of what is wrong, once that is found. */
  void tell(Consumer<CodeFormatException> whom) {
    listener = whom;
  }

  /**
   * Places by the first PC that they hold for, of a code section; line 0 where nothing does. A
   * cubin has many sections and a trace needs one, so they are joined when they are asked for.
   */
  synchronized NavigableMap<Integer, SourcePlace> of(int section) {
    look();
    NavigableMap<Integer, SourcePlace> places = lines.get(section);
    if (places == null) {
      return Collections.emptyNavigableMap();
    }
    return ptx == null ? places : join(places, ptxLines.get(section), new PtxLines(ptx));
  }

  /** What is wrong, so that there are no places; null if nothing is. */
  synchronized CodeFormatException problem() {
    look();
    return problem;
  }

  private void look() {
    if (looked) {
      return;
    }
    looked = true;
    try {
      Map<Integer, NavigableMap<Integer, SourcePlace>> found =
          LineProgram.read(elf, ".debug_line", file);
      Elf.Section text = found.isEmpty() ? null : elf.section(".nv_debug_ptx_txt");
      if (text != null) {
        ptxLines = LineProgram.read(elf, ".nv_debug_line_sass", file);
        ptx = elf.content(text);
      }
      lines = found;
    } catch (CodeFormatException e) {
      problem = e;
      listener.accept(e);
    }
  }

  /** The lines of the PTX: where they begin, and the text of one that is asked for. */
  private static final class PtxLines {
    private final byte[] text;
    private final int[] starts;

    PtxLines(ByteBuffer content) {
      text = new byte[content.limit()];
      content.get(0, text);
      int[] found = new int[1 + text.length / 16];
      int lines = 1;
      for (int i = 0; i < text.length; i++) {
        if (text[i] == '\n' || text[i] == 0) {
          if (lines == found.length) {
            found = Arrays.copyOf(found, 2 * lines);
          }
          found[lines++] = i + 1;
        }
      }
      starts = Arrays.copyOf(found, lines);
    }

    /** A line by its number from 1; null if there is none. */
    String line(int number) {
      if (number < 1 || number > starts.length) {
        return null;
      }
      int from = starts[number - 1];
      int until = number == starts.length ? text.length : starts[number] - 1;
      return new String(text, from, until - from, StandardCharsets.UTF_8);
    }
  }

  /** Both tables as one: a place begins where one of either does. */
  private static NavigableMap<Integer, SourcePlace> join(
      NavigableMap<Integer, SourcePlace> places,
      NavigableMap<Integer, SourcePlace> ptxLines,
      PtxLines ptx) {
    if (ptxLines == null) {
      return places;
    }
    NavigableMap<Integer, SourcePlace> joined = new TreeMap<>();
    places.forEach((pc, place) -> joined.put(pc, withPtx(place, ptxLines.floorEntry(pc), ptx)));
    for (Map.Entry<Integer, SourcePlace> entry : ptxLines.entrySet()) {
      Map.Entry<Integer, SourcePlace> place = places.floorEntry(entry.getKey());
      if (place != null) {
        joined.put(entry.getKey(), withPtx(place.getValue(), entry, ptx));
      }
    }
    return joined;
  }

  private static SourcePlace withPtx(
      SourcePlace place, Map.Entry<Integer, SourcePlace> entry, PtxLines ptx) {
    String line = entry == null ? null : ptx.line(entry.getValue().line());
    if (line == null) {
      return place;
    }
    String text = line.strip().replace('\t', ' ').replaceAll(" +", " ");
    return text.endsWith(";") && !text.startsWith(".") ? place.withPtx(text) : place;
  }
}
