package dev.warpline.web.timeline;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.WholeFile;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Writes the timelines of a run in the format that the file's name asks for. */
public final class Timeline {
  private Timeline() {}

  /**
   * Writes {@code .pftrace} or {@code .perfetto-trace} (protobuf), {@code .json} or {@code
   * .json.gz} for Perfetto, {@code .kanata} or {@code .konata} for Konata.
   *
   * @throws IllegalArgumentException if the name says neither
   */
  public static void write(RunResult run, Path file) throws IOException {
    check(file);
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    WholeFile.write(
        file,
        bytes -> {
          if (name.endsWith(".pftrace") || name.endsWith(".perfetto-trace")) {
            try (OutputStream out = new BufferedOutputStream(bytes)) {
              PerfettoTrace.write(run, new PacketEvents(out));
            }
            return;
          }
          try (Writer out = writer(bytes, name.endsWith(".gz"))) {
            if (name.endsWith(".json") || name.endsWith(".json.gz")) {
              PerfettoTrace.write(run, new ChromeEvents(out, run.gpu()));
            } else {
              KanataLog.write(run, out);
            }
          }
        });
  }

  /** Complains about a file name that says no format, before anything is simulated. */
  public static void check(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (!name.matches(".*\\.(pftrace|perfetto-trace|json|json\\.gz|kanata|konata)")) {
      throw new IllegalArgumentException(
          "timeline file "
              + file
              + ": expected a name that ends in .pftrace, .perfetto-trace, .json or .json.gz"
              + " (Perfetto), .kanata or .konata (Konata)");
    }
  }

  private static Writer writer(OutputStream out, boolean packed) throws IOException {
    return new BufferedWriter(
        new OutputStreamWriter(packed ? new GZIPOutputStream(out) : out, StandardCharsets.UTF_8));
  }
}
