package dev.warpline.cli;

import java.nio.file.Path;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Which workloads of a table: their traces, and those whose names match. */
final class WorkloadOptions {
  @Option(
      names = "--traces",
      paramLabel = "DIR",
      required = true,
      description = "Traces named like the workloads.")
  Path traces;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      defaultValue = "",
      description = "Workloads whose name matches.")
  Pattern only;
}
