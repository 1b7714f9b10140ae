package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.SourcePlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the rows of a kernel come from, at the end of its section in a trace cache: first the
 * distinct places, callers before what they call, then the place of each row.
 */
final class SourceColumn {
  private SourceColumn() {}

  /** Writes them; nothing at all where no row has more than a line, which the row itself has. */
  static void write(CodeTable code, Column section) {
    Map<SourcePlace, Integer> numbers = new LinkedHashMap<>();
    int[] places = new int[code.size()];
    boolean any = false;
    for (int row = 0; row < places.length; row++) {
      SourcePlace place = code.get(row).source();
      any |= place != null && (place.file() != null || place.ptx() != null);
      places[row] = place == null ? 0 : number(place.withPtx(null), numbers);
    }
    if (!any) {
      return;
    }
    section.put(numbers.size());
    for (SourcePlace place : numbers.keySet()) {
      section.putText(place.file());
      section.put(place.line());
      section.putText(place.function());
      section.put(place.caller() == null ? 0 : numbers.get(place.caller()));
    }
    for (int row = 0; row < places.length; row++) {
      section.put(places[row]);
      if (places[row] != 0) {
        section.putText(code.get(row).source().ptx());
      }
    }
  }

  /** The number of a place, from 1; a caller's is smaller than that of what it calls. */
  private static int number(SourcePlace place, Map<SourcePlace, Integer> numbers) {
    if (place.caller() != null) {
      number(place.caller(), numbers);
    }
    numbers.putIfAbsent(place, numbers.size() + 1);
    return numbers.get(place);
  }

  /** Gives rows the places that {@link #write} wrote. */
  static void read(List<Instruction> rows, ColumnReader in) {
    List<SourcePlace> places = new ArrayList<>();
    places.add(null);
    int count = in.nextInt(in.remaining());
    for (int i = 0; i < count; i++) {
      String file = in.nextText();
      int line = in.nextInt(Integer.MAX_VALUE);
      String function = in.nextText();
      places.add(
          new SourcePlace(file, line, function, places.get(in.nextInt(places.size() - 1)), null));
    }
    for (int row = 0; row < rows.size(); row++) {
      SourcePlace place = places.get(in.nextInt(places.size() - 1));
      if (place != null) {
        rows.set(row, rows.get(row).withSource(place.withPtx(in.nextText())));
      }
    }
  }
}
