package dev.warpline.web.report;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An earlier result that a run is compared with.
 *
 * @param title what it is called, e.g. {@code before}
 * @param run what {@code --json} wrote, with {@code --profile} for differences line by line
 */
public record Baseline(String title, RunResult run) {
  /** Reads one; it is called like its file. */
  public static Baseline read(Path file) throws IOException {
    String name = file.getFileName().toString();
    return new Baseline(
        name.endsWith(".json") ? name.substring(0, name.length() - 5) : name,
        Results.readJson(file));
  }
}
