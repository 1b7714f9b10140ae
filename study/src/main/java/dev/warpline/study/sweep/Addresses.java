package dev.warpline.study.sweep;

import dev.warpline.engine.Origin;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.study.store.Point;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What a point's address is made of: hashes of everything that decides its result. */
public final class Addresses {
  private Addresses() {}

  /**
   * A hash of a trace's content.
   *
   * @param gpu of a launch file, whose files depend on it; else null
   */
  public static String trace(Path trace, GpuDescription gpu) throws IOException {
    return Origin.of("", trace, PointRun.files(trace, gpu), Map.of()).inputSha256();
  }

  /**
   * A hash of all fields of a GPU, and of files that they name.
   *
   * @param configuration value with unit by dotted name
   */
  public static String gpu(Map<String, String> configuration) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Map.Entry<String, String> field : configuration.entrySet()) {
      all.append(field.getKey()).append('=').append(field.getValue()).append('\n');
      if (field.getValue().endsWith(".yaml") && Files.exists(Path.of(field.getValue()))) {
        all.append(Files.readString(Path.of(field.getValue()))).append('\n');
      }
    }
    return Point.sha256(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A hash of the simulator itself. */
  public static String simulator() throws IOException {
    return SimulatorVersion.hash();
  }
}
