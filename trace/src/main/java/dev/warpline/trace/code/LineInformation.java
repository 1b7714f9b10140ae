package dev.warpline.trace.code;

import dev.warpline.isa.SourcePlace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The source of a cubin's code, where it was compiled with {@code -lineinfo}: {@code .debug_line}
 * says files, lines and what was inlined, {@code .nv_debug_line_sass} the lines of the PTX in
 * {@code .nv_debug_ptx_txt}.
 */
final class LineInformation {
  static final LineInformation NONE = new LineInformation(Map.of(), Map.of(), null);

  private final Map<Integer, NavigableMap<Integer, SourcePlace>> lines;
  private final Map<Integer, NavigableMap<Integer, SourcePlace>> ptxLines;

  /** The PTX, null if there is none; lines are made of it when somebody wants some. */
  private final ByteBuffer ptx;

  private LineInformation(
      Map<Integer, NavigableMap<Integer, SourcePlace>> lines,
      Map<Integer, NavigableMap<Integer, SourcePlace>> ptxLines,
      ByteBuffer ptx) {
    this.lines = lines;
    this.ptxLines = ptxLines;
    this.ptx = ptx;
  }

  /**
   * Places by the first PC that they hold for, of a code section; line 0 where nothing does. A
   * cubin has many sections and a trace needs one, so they are joined when they are asked for.
   */
  NavigableMap<Integer, SourcePlace> of(int section) {
    NavigableMap<Integer, SourcePlace> places = lines.get(section);
    if (places == null) {
      return Collections.emptyNavigableMap();
    }
    return ptx == null ? places : join(places, ptxLines.get(section), lines(ptx));
  }

  static LineInformation read(Elf elf, String file) throws CodeFormatException {
    Map<Integer, NavigableMap<Integer, SourcePlace>> lines =
        LineProgram.read(elf, ".debug_line", file);
    if (lines.isEmpty()) {
      return NONE;
    }
    Elf.Section text = elf.section(".nv_debug_ptx_txt");
    return new LineInformation(
        lines,
        text == null ? Map.of() : LineProgram.read(elf, ".nv_debug_line_sass", file),
        text == null ? null : elf.content(text));
  }

  private static String[] lines(ByteBuffer text) {
    byte[] bytes = new byte[text.limit()];
    text.get(0, bytes);
    return new String(bytes, StandardCharsets.UTF_8).split("[\0\n]", -1);
  }

  /** Both tables as one: a place begins where one of either does. */
  private static NavigableMap<Integer, SourcePlace> join(
      NavigableMap<Integer, SourcePlace> places,
      NavigableMap<Integer, SourcePlace> ptxLines,
      String[] ptx) {
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
      SourcePlace place, Map.Entry<Integer, SourcePlace> entry, String[] ptx) {
    int line = entry == null ? 0 : entry.getValue().line();
    if (line < 1 || line > ptx.length) {
      return place;
    }
    String text = ptx[line - 1].strip().replace('\t', ' ').replaceAll(" +", " ");
    return text.endsWith(";") && !text.startsWith(".") ? place.withPtx(text) : place;
  }
}
