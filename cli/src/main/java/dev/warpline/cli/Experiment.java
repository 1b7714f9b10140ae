package dev.warpline.cli;

import dev.warpline.engine.Origin;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.SourceFile;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.study.advice.Findings;
import dev.warpline.web.report.Baseline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A program on a GPU, and on the same GPU with other settings: simulated one after the other,
 * printed and written as they come, so that an early end loses nothing of what came before.
 */
final class Experiment {
  /** Causes that advice takes away, each in a simulation of its own. */
  private static final int RELIEFS = 4;

  private final Program program;
  private final Path input;
  private final OutputFiles files;
  private final Terminal terminal;
  private final Consumer<RunResult> text;
  private final Audience audience;

  /** Whether results are kept, with what they rest on; somebody who reads text needs none of it. */
  private boolean kept;

  /** Adds to the options of a run what depends on its input and GPU. */
  interface Preparation {
    RunOptions prepare(RunOptions options, Origin origin, String core) throws IOException;

    /** Whether it needs the origin; else it may be given none. */
    default boolean needsOrigin() {
      return false;
    }

    /** The simulation has ended, or was stopped. */
    default void ended(StopSignal stop) {}
  }

  /** A GPU with the settings that make it differ from the user's. */
  private record Variant(List<String> settings, GpuOptions.Described gpu, List<String> warnings) {}

  /**
   * @param input the program's path as the user named it
   * @param text prints a result for the user
   * @param audience who is shown how it gets on
   */
  Experiment(
      Program program,
      Path input,
      OutputFiles files,
      Terminal terminal,
      Consumer<RunResult> text,
      Audience audience) {
    this.program = program;
    this.input = input;
    this.files = files;
    this.terminal = terminal;
    this.text = text;
    this.audience = audience;
  }

  /**
   * Simulates, prints and writes.
   *
   * @param controls what further simulations were asked for
   * @param strict whether a setting without effect is an error
   * @param preparation what the first simulation needs to know of its origin
   * @return the exit code
   */
  int run(
      GpuOptions gpu,
      RunControls controls,
      boolean strict,
      RunOptions options,
      Preparation preparation)
      throws IOException {
    files.check(input);
    kept =
        files.any()
            || !files.baseline.isEmpty()
            || audience != Audience.TERMINAL
            || preparation.needsOrigin();
    String standard = gpu.named() ? null : program.standardGpu();
    Variant base = variant(gpu, standard, List.of(), strict);
    program.ready(1 + controls.alternatives().size() + (controls.advise ? RELIEFS : 0));
    if (standard != null) {
      terminal.err().println("no --gpu given, taking " + standard);
    }
    // A field that is not there is found now, not after the first simulation.
    List<Variant> others = new ArrayList<>();
    for (List<String> settings : controls.alternatives()) {
      try {
        others.add(variant(gpu, standard, settings, strict));
      } catch (DescriptionException e) {
        throw new DescriptionException(
            "--what-if " + String.join(",", settings) + ": " + e.getMessage());
      }
    }
    Origin origin = kept ? origin(base.gpu()) : null;
    try (Interrupt interrupt = new Interrupt(options.stop())) {
      RunOptions prepared =
          preparation.prepare(options, origin, program.core(base.gpu().description()));
      Attempt first = attempt(base, origin, prepared, interrupt);
      preparation.ended(options.stop());
      complain(first);
      if (first.result().kernels().isEmpty()) {
        if (first.failure() == null && files.any()) {
          throw new IOException(input + ": no kernel ran, so there is nothing to write");
        }
        return exitCode(first);
      }
      Answer answer = new Answer(first, first, first.result());
      answer = show(answer, others, origin, options, interrupt);
      if (controls.advise && answer.last().failure() == null) {
        answer =
            advise(
                answer,
                settings -> variant(gpu, standard, settings, false),
                (all, variant) -> further(all, variant, origin, options, interrupt));
      }
      files.print(answer.whole());
      terminal.out().flush();
      return exitCode(answer.last().failure() == null ? first : answer.last());
    }
  }

  /** What was simulated so far: the first, the last, and all of it as one result. */
  private record Answer(Attempt first, Attempt last, RunResult whole) {}

  /** Makes a GPU of the user's with other settings. */
  private interface Variants {
    Variant of(List<String> settings) throws IOException;
  }

  /** Simulates a variant and adds it to the answer. */
  private interface Step {
    Answer take(Answer answer, Variant variant) throws IOException;
  }

  private Variant variant(GpuOptions gpu, String standard, List<String> settings, boolean strict)
      throws IOException {
    GpuOptions.Described described = gpu.describe(standard, settings, kept);
    program.check(described.description());
    String core = program.core(described.description());
    files.checkCore(described.description(), core);
    List<String> warnings = gpu.warnings(core, settings);
    if (strict && !warnings.isEmpty()) {
      throw new DescriptionException(warnings);
    }
    return new Variant(settings, described, warnings);
  }

  private Origin origin(GpuOptions.Described gpu) throws IOException {
    List<String> words = new ArrayList<>(List.of("warpline"));
    for (String word : terminal.words()) {
      words.add(word.matches("[\\w./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'");
    }
    return Origin.of(
        String.join(" ", words), input, program.files(gpu.description()), gpu.configuration());
  }

  private Attempt attempt(Variant variant, Origin origin, RunOptions options, Interrupt interrupt) {
    interrupt.simulating(true);
    try (Audience.Show progress = audience.show()) {
      Attempt attempt = program.run(variant.gpu().description(), options, progress);
      RunResult result = withSources(attempt.result()).withWarnings(variant.warnings());
      if (kept) {
        Map<String, String> configuration = variant.gpu().configuration();
        result =
            result
                .withConfiguration(configuration)
                .withOrigin(origin.withConfiguration(configuration));
      }
      return new Attempt(result, attempt.failure(), attempt.failedChecks());
    } finally {
      interrupt.simulating(false);
    }
  }

  /** The text of the source lines is kept with the result: files change, and are not everywhere. */
  private RunResult withSources(RunResult result) {
    List<Path> folders = new ArrayList<>(files.source);
    Path beside = Files.isDirectory(input) ? input : input.toAbsolutePath().getParent();
    folders.add(beside);
    return result.withSources(SourceFile.of(result, folders));
  }

  private PrintWriter out() {
    return files.takesStandardOutput() ? terminal.err() : terminal.out();
  }

  /** Shows and writes the first result, then those of the alternatives. */
  private Answer show(
      Answer first, List<Variant> others, Origin origin, RunOptions options, Interrupt interrupt)
      throws IOException {
    if (!files.takesStandardOutput()) {
      text.accept(first.whole());
      if (files.lines != null) {
        LinesText.print(first.whole(), files.lines, out());
      }
      out().flush();
    }
    for (Baseline baseline : files.baselines()) {
      WhatIfText.baseline(baseline, first.whole(), out());
      out().flush();
    }
    audience.result(first.whole());
    files.write(first.whole(), title());
    Answer answer = first;
    for (Variant other : others) {
      if (answer.last().failure() != null) {
        break;
      }
      answer = further(answer, other, origin, options, interrupt);
      WhatIfText.alternative(
          first.whole(),
          new RunResult.Alternative(other.settings(), answer.last().result()),
          out());
      out().flush();
    }
    return answer;
  }

  /** Simulates once more with other settings and writes the files with what came out. */
  private Answer further(
      Answer answer, Variant other, Origin origin, RunOptions options, Interrupt interrupt)
      throws IOException {
    Attempt last = attempt(other, origin, options, interrupt);
    List<String> known = answer.first().result().warnings();
    complain(last.result().warnings().stream().filter(w -> !known.contains(w)));
    List<RunResult.Alternative> results = new ArrayList<>(answer.whole().alternatives());
    results.add(new RunResult.Alternative(other.settings(), last.result()));
    RunResult whole = answer.whole().withAlternatives(results);
    audience.result(whole);
    files.write(whole, title());
    return new Answer(answer.first(), last, whole);
  }

  /** Simulates without the causes that weigh most, and says what each costs. */
  private Answer advise(Answer before, Variants variants, Step step) throws IOException {
    Answer answer = before;
    for (List<String> settings : Findings.reliefs(before.whole(), RELIEFS)) {
      Variant variant;
      try {
        variant = variants.of(settings);
      } catch (DescriptionException e) {
        complain(Stream.of("--advise: " + String.join(",", settings) + ": " + e.getMessage()));
        continue;
      }
      answer = step.take(answer, variant);
      if (answer.last().failure() != null) {
        break;
      }
    }
    AdviceText.print(answer.whole(), out());
    out().flush();
    return answer;
  }

  private String title() {
    return input.getFileName().toString();
  }

  /** Says what is to be said of a result besides its numbers. */
  private void complain(Attempt attempt) {
    PrintWriter err = terminal.err();
    Set<String> warnings = new LinkedHashSet<>(attempt.result().warnings());
    attempt.result().kernels().forEach(kernel -> warnings.addAll(kernel.warnings()));
    complain(warnings.stream());
    attempt.failedChecks().forEach(check -> err.println("warpline: check failed: " + check));
    err.flush();
  }

  private void complain(Stream<String> warnings) {
    warnings.forEach(warning -> terminal.err().println("warning: " + warning));
    terminal.err().flush();
  }

  private int exitCode(Attempt attempt) {
    if (attempt.failure() != null) {
      int code = Main.report(attempt.failure(), terminal.err());
      int ended = attempt.result().kernels().size();
      if (ended > 0) {
        terminal
            .err()
            .println(
                "warpline: the results are those of the "
                    + (ended == 1 ? "kernel" : ended + " kernels")
                    + " that ended before, marked unfinished");
      }
      terminal.err().flush();
      return code;
    }
    return attempt.failedChecks().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
