package dev.warpline.cli.results;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warpline.engine.Results;
import dev.warpline.engine.WholeFile;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a table goes; a mixin of every command that has one. */
final class RowOutput {
  private static final String STANDARD_OUTPUT = "-";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--csv",
      paramLabel = "FILE|-",
      description = "Write the rows as CSV; - writes them to standard output.")
  String csv;

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      description = "Write the rows as JSON; - writes them to standard output.")
  String json;

  @Option(
      names = "--parquet",
      paramLabel = "FILE",
      description = "Write the rows as an Apache Parquet file.")
  Path parquet;

  /** Writes the files that were asked for; false if none was, so that text is to be printed. */
  boolean write(List<Map<String, Object>> rows) throws IOException {
    if (csv != null) {
      to(csv, out -> Results.writeCsv(rows, out));
    }
    if (json != null) {
      ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
      to(json, out -> out.write(mapper.writeValueAsString(rows) + "\n"));
    }
    if (parquet != null) {
      Results.writeParquet(rows, parquet);
    }
    return !isText();
  }

  /** Whether no file was asked for. */
  boolean isText() {
    return csv == null && json == null && parquet == null;
  }

  private interface Text {
    void write(Writer out) throws IOException;
  }

  private void to(String target, Text text) throws IOException {
    if (target.equals(STANDARD_OUTPUT)) {
      PrintWriter out = command.commandLine().getOut();
      text.write(out);
      out.flush();
      return;
    }
    WholeFile.write(
        Path.of(target),
        stream -> {
          Writer out = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
          text.write(out);
          out.flush();
        });
  }

  /** Writes files, or prints a table for people. */
  void show(List<Map<String, Object>> rows) throws IOException {
    if (!write(rows)) {
      TextTable.print(rows, command.commandLine().getOut());
    }
  }
}
