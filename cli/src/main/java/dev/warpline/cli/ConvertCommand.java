package dev.warpline.cli;

import dev.warpline.engine.WholeFile;
import dev.warpline.trace.CacheWriter;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TextWriter;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import dev.warpline.trace.code.ConstantsSidecar;
import dev.warpline.trace.code.ControlSidecar;
import dev.warpline.trace.code.Cubin;
import dev.warpline.trace.code.SassListing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Converts traces, and cubins to control-bit sidecars. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    description = {
      "Convert a trace to a compact cache (.wlt), or back to text.",
      "",
      "A cache beside its trace is used in its place from then on; it is much smaller and faster to"
          + " read, and holds the same instructions."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ConvertCommand implements Callable<Integer> {
  /** What to write. */
  enum Target {
    CACHE,
    TEXT
  }

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "TRACE",
      description = {
        "Any trace that 'warpline inspect' reads; with --control-sidecar, a cubin (its kernels'"
            + " control bits) or a trace with cubins beside it."
      })
  Path trace;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = {
        "Where to write: a .wlt file (default: beside the trace), a folder with --to text, a .ctrl"
            + " file or folder with --control-sidecar."
      })
  Path output;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description = {
        "cache (default) or text: kernelslist.g and .traceg files in a folder, with what is known"
            + " of their code beside them."
      })
  Target target = Target.CACHE;

  @Option(
      names = "--lenient",
      description = {
        "Leave out what cannot be read, and say so in the cache, instead of failing at it."
      })
  boolean lenient;

  @Option(
      names = "--control-sidecar",
      description = {
        "Write kernel-N.ctrl files: the control bits of cubins, without their code; and where a"
            + " listing kernel-N.sass is there, kernel-N.constants files: where it reads constants."
      })
  boolean controlSidecar;

  @Override
  public Integer call() throws IOException {
    if (controlSidecar) {
      sidecars();
      return ExitCode.OK;
    }
    Diagnostics diagnostics = lenient ? Diagnostics.lenient() : Diagnostics.strict();
    boolean fromCache = trace.toString().endsWith(Traces.CACHE_SUFFIX);
    PrintWriter out = spec.commandLine().getOut();
    try (TraceSet set =
            fromCache ? Traces.open(trace, diagnostics) : Traces.openSource(trace, diagnostics);
        ProgressLine progress = new ProgressLine()) {
      long[] instructions = new long[1];
      java.util.function.LongConsumer count =
          done -> {
            instructions[0] = done;
            progress.show(String.format(Locale.ROOT, "%,d warp instructions", done));
          };
      Path target = output != null ? output : defaultOutput(fromCache);
      if (this.target == Target.TEXT) {
        WholeFile.checkFolder(target);
        WholeFile.writeFolder(target, folder -> TextWriter.write(set, folder, count));
      } else {
        WholeFile.check(target);
        try {
          CacheWriter.write(set, fromCache ? "" : Traces.fingerprint(trace), target, count);
        } catch (IOException e) {
          throw WholeFile.named(target, e);
        }
      }
      progress.close();
      out.printf(
          Locale.ROOT,
          "%s: %,d warp instructions, %,d bytes%n",
          target,
          instructions[0],
          size(target));
      TraceOptions.printMessages(set, spec.commandLine().getErr());
    }
    out.flush();
    return ExitCode.OK;
  }

  private Path defaultOutput(boolean fromCache) {
    if (target == Target.CACHE) {
      if (fromCache) {
        throw new ParameterException(
            spec.commandLine(), "a cache is converted to a cache only with -o OUT");
      }
      return Traces.cachePath(trace);
    }
    throw new ParameterException(spec.commandLine(), "--to text needs -o FOLDER");
  }

  private static long size(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return Files.size(path);
    }
    try (var files = Files.list(path)) {
      long sum = 0;
      for (Path file : (Iterable<Path>) files::iterator) {
        sum += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
      return sum;
    }
  }

  private void sidecars() throws IOException {
    List<Path> cubins = new ArrayList<>();
    if (Files.isDirectory(trace)) {
      try (var files = Files.list(trace)) {
        files.filter(file -> file.toString().endsWith(".cubin")).sorted().forEach(cubins::add);
      }
    } else {
      cubins.add(trace);
    }
    if (cubins.isEmpty()) {
      throw new IOException(trace + ": found no file that ends in .cubin");
    }
    for (Path cubin : cubins) {
      sidecar(cubin);
    }
  }

  private void sidecar(Path file) throws IOException {
    Cubin cubin = Cubin.read(Files.readAllBytes(file), file.toString());
    String wanted = tracedKernel(file);
    List<Cubin.Kernel> kernels =
        cubin.kernels().stream()
            .filter(kernel -> wanted == null || kernel.name().equals(wanted))
            .toList();
    if (kernels.size() != 1) {
      throw new IOException(
          file
              + ": found "
              + kernels.size()
              + " kernels, expected one, or a trace "
              + stem(file)
              + ".traceg beside it that names the one");
    }
    Path target = output != null ? output : Path.of(stem(file) + ".ctrl");
    if (Files.isDirectory(target)) {
      target = target.resolve(Path.of(stem(file) + ".ctrl").getFileName());
    }
    StringBuilder text = new StringBuilder();
    ControlSidecar.of(kernels.get(0)).write(text);
    WholeFile.writeText(target, text);
    spec.commandLine().getOut().println(target + ": control bits of " + kernels.get(0).name());
    constants(Path.of(stem(file) + ".sass"), kernels.get(0).name(), target);
    spec.commandLine().getOut().flush();
  }

  /** Writes the constants that the listing beside a cubin shows, beside its control bits. */
  private void constants(Path listing, String kernel, Path control) throws IOException {
    if (!Files.isRegularFile(listing)) {
      return;
    }
    StringBuilder text = new StringBuilder();
    try (Reader reader = Files.newBufferedReader(listing)) {
      ConstantsSidecar.of(kernel, SassListing.read(reader, listing.toString())).write(text);
    }
    String name = control.getFileName().toString();
    String stem = name.endsWith(".ctrl") ? name.substring(0, name.length() - 5) : name;
    Path target = control.resolveSibling(stem + ".constants");
    WholeFile.writeText(target, text);
    spec.commandLine().getOut().println(target + ": constant operands of " + kernel);
  }

  private static String stem(Path file) {
    String path = file.toString();
    return path.endsWith(".cubin") ? path.substring(0, path.length() - 6) : path;
  }

  /** The kernel that the trace beside a cubin is of, or null. */
  private static String tracedKernel(Path cubin) throws IOException {
    for (String suffix : List.of(".traceg", ".traceg.xz", ".traceg.zst", ".traceg.gz", ".trace")) {
      Path beside = Path.of(stem(cubin) + suffix);
      if (Files.isRegularFile(beside)) {
        try (TraceSet set = Traces.open(beside);
            var kernel = set.open((dev.warpline.trace.TraceCommand.Launch) set.commands().get(0))) {
          return kernel.header().name();
        }
      }
    }
    return null;
  }
}
