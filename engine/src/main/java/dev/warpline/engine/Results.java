package dev.warpline.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Results as files: JSON that can be read back, CSV and Parquet with one row per kernel. */
public final class Results {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private static final Pattern QUOTED = Pattern.compile("[,\"\\r\\n]");

  private Results() {}

  /** Writes a run as JSON; timelines have files of their own. */
  public static void writeJson(RunResult run, Path file) throws IOException {
    WholeFile.write(file, out -> text(out, writer -> writeJson(run, writer)));
  }

  /** Writes a run as JSON; does not close the writer. */
  public static void writeJson(RunResult run, Writer out) throws IOException {
    out.write(JSON.writeValueAsString(withoutTimelines(run)));
    out.write('\n');
  }

  /** A run as {@link #writeJson} writes it. */
  public static JsonNode tree(RunResult run) {
    return JSON.valueToTree(withoutTimelines(run));
  }

  private static RunResult withoutTimelines(RunResult run) {
    return run.withKernels(run.kernels().stream().map(KernelResult::withoutTimeline).toList())
        .withAlternatives(
            run.alternatives().stream()
                .map(a -> new RunResult.Alternative(a.settings(), withoutTimelines(a.result())))
                .toList());
  }

  /** Writes text to a writer. */
  private interface Text {
    void write(Writer out) throws IOException;
  }

  private static void text(OutputStream out, Text text) throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write(writer);
    writer.flush();
  }

  /**
   * Reads a run that {@link #writeJson} wrote.
   *
   * @throws IOException naming the file and the place if it is no such file
   */
  public static RunResult readJson(Path file) throws IOException {
    try (Reader in = Files.newBufferedReader(file)) {
      return readJson(in, file.toString());
    }
  }

  /**
   * Reads a run that {@link #writeJson} wrote.
   *
   * @param file where it stands, for messages
   */
  public static RunResult readJson(Reader in, String file) throws IOException {
    try {
      RunResult run = JSON.readValue(in, RunResult.class);
      if (run == null || run.kernels() == null) {
        throw new IOException(file + ": found no kernels, expected a run's result");
      }
      return run;
    } catch (JsonProcessingException e) {
      throw new IOException(
          file
              + ":"
              + (e.getLocation() == null ? 1 : e.getLocation().getLineNr())
              + ": expected a run's result as JSON: "
              + e.getOriginalMessage(),
          e);
    }
  }

  /** Writes one row per kernel: its totals, statistics and stalls. */
  public static void writeCsv(RunResult run, Path file) throws IOException {
    WholeFile.write(file, out -> text(out, writer -> writeCsv(run, writer)));
  }

  /** Writes one row per kernel; does not close the writer. */
  public static void writeCsv(RunResult run, Writer out) throws IOException {
    writeCsv(table(run), out);
  }

  /** Writes rows by column name; does not close the writer. */
  public static void writeCsv(List<Map<String, Object>> rows, Writer out) throws IOException {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    out.write(String.join(",", columns) + "\n");
    for (Map<String, Object> row : rows) {
      List<String> cells = new ArrayList<>();
      for (String column : columns) {
        cells.add(cell(row.get(column)));
      }
      out.write(String.join(",", cells) + "\n");
    }
  }

  /** Writes one row per kernel as an Apache Parquet file. */
  public static void writeParquet(RunResult run, Path file) throws IOException {
    writeParquet(table(run), file);
  }

  /** Writes rows by column name as an Apache Parquet file; a row may lack a column. */
  public static void writeParquet(List<Map<String, Object>> rows, Path file) throws IOException {
    ParquetTable.write(rows, file);
  }

  /** One row per kernel by column name; a kernel without a statistic lacks the column. */
  public static List<Map<String, Object>> table(RunResult run) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Map<Integer, Activity> launches = new LinkedHashMap<>();
    run.activities().forEach(activity -> launches.put(activity.kernel(), activity));
    for (KernelResult kernel : run.kernels()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("gpu", run.gpu());
      row.put("core", run.core());
      row.put("id", kernel.id());
      row.put("kernel", kernel.name());
      if (run.timed()) {
        row.put("cycles", kernel.cycles());
        row.put("microseconds", run.microseconds(kernel.cycles()));
        row.put("start", kernel.start());
        row.put("end", kernel.end());
        Activity activity = launches.get(kernel.id());
        if (activity != null) {
          row.put("queue", activity.queue());
          row.put("submitted", activity.submitted());
          row.put("taken", activity.taken());
          row.put("complete", activity.complete());
        }
      }
      if (kernel.sampling() != null) {
        row.put("sampled_plus_minus", kernel.sampling().plusMinus());
        row.put("simulated_instructions", kernel.simulatedInstructions());
      }
      row.put("warp_instructions", kernel.warpInstructions());
      row.put("thread_instructions", kernel.threadInstructions());
      if (run.timed()) {
        row.put("ipc", kernel.ipc());
        row.put("occupancy", kernel.occupancy());
        row.put("limiter", kernel.limiter());
      }
      if (kernel.energy() != null) {
        row.putAll(kernel.energy().columns());
      }
      row.putAll(kernel.statistics());
      kernel.stalls().forEach((reason, cycles) -> row.put("stall." + reason, cycles));
      if (run.unfinished() != null) {
        row.put("unfinished", run.unfinished());
      }
      rows.add(row);
    }
    return rows;
  }

  private static String cell(Object value) {
    String text = value == null ? "" : value.toString();
    boolean quoted = !(value instanceof Number) && QUOTED.matcher(text).find();
    return quoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
