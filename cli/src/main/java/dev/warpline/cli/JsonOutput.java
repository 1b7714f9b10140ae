package dev.warpline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warpline.engine.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a command prints, as JSON too; a mixin. */
final class JsonOutput {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      description = "Write the same as JSON to a file, or to standard output instead of text.")
  String json;

  /** Tries the file before there is anything to write. */
  void check() throws IOException {
    if (json != null && !json.equals("-")) {
      WholeFile.check(Path.of(json));
    }
  }

  boolean wanted() {
    return json != null;
  }

  /** Whether standard output is for text. */
  boolean leavesText() {
    return !"-".equals(json);
  }

  void write(Object tree) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    if (leavesText()) {
      WholeFile.writeText(Path.of(json), mapper.writeValueAsString(tree) + "\n");
    } else {
      command.commandLine().getOut().println(mapper.writeValueAsString(tree));
    }
  }
}
