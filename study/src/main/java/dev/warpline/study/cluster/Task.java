package dev.warpline.study.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.study.store.Point;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A point with all that a machine needs to simulate it that knows nothing but Warpline.
 *
 * @param gpu the whole description of the GPU as text, compressed
 * @param standards texts of DRAM standards of the user's own, by the path that the description has
 * @param trace the traced program
 * @param plugins the user's jars, in their order
 */
record Task(
    Point point, String gpu, Map<String, String> standards, Parcel trace, List<Parcel> plugins) {
  private static final ObjectMapper JSON = new ObjectMapper();

  String line() throws IOException {
    return JSON.writeValueAsString(this);
  }

  static Task of(String line) throws IOException {
    return JSON.readValue(line, Task.class);
  }
}
