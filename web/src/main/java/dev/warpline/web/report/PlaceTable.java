package dev.warpline.web.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.profile.KernelProfile.Source;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The source places of a kernel, each once: {@code [file, line, function, caller]} with the numbers
 * of a file and of a place, -1 for none.
 */
final class PlaceTable {
  private final Map<String, Integer> files = new LinkedHashMap<>();
  private final Map<Source, Integer> places = new LinkedHashMap<>();

  /** The number of a place; a caller's is smaller than that of what it calls. */
  int number(Source place) {
    if (place == null) {
      return -1;
    }
    Source plain = new Source(place.file(), place.line(), place.function(), place.caller(), null);
    number(plain.caller());
    places.putIfAbsent(plain, places.size());
    return places.get(plain);
  }

  private int file(String path) {
    if (path == null) {
      return -1;
    }
    files.putIfAbsent(path, files.size());
    return files.get(path);
  }

  /** Adds the tables to the data of a profile. */
  void addTo(ObjectNode profile) {
    ArrayNode all = profile.putArray("places");
    places
        .keySet()
        .forEach(
            place ->
                all.addArray()
                    .add(file(place.file()))
                    .add(place.line())
                    .add(place.function())
                    .add(number(place.caller())));
    ArrayNode names = profile.putArray("files");
    files.keySet().forEach(names::add);
  }
}
