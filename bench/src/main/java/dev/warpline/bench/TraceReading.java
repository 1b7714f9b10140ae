package dev.warpline.bench;

import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.CacheWriter;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TextWriter;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reading a whole kernel, on one thread, from plain text and from the trace cache. The two counters
 * are what to look at: megabytes of text and millions of warp instructions per second of processor
 * time, so that other work on the machine changes them little.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgs = "-Xmx1g")
@Warmup(iterations = 1, time = 5)
// One iteration: JMH adds up event counters over iterations.
@Measurement(iterations = 1, time = 10)
public class TraceReading {
  /** Bundled kernels: regular, divergent, with bulk copies. */
  @Param({"sgemm_tiled", "mandelbrot", "wgmma_s4"})
  public String kernel;

  private Path folder;
  private Path text;
  private Path cache;
  private double textMegabytes;

  /** What a second of processor time brings. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Work {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private double megabytes;
    private double millions;
    private long start;

    /** JMH asks for it at the beginning of each iteration. */
    @Setup(Level.Iteration)
    public void clear() {
      megabytes = 0;
      millions = 0;
      start = threads.getCurrentThreadCpuTime();
    }

    public double megabytesOfText() {
      return megabytes / seconds();
    }

    public double millionWarpInstructions() {
      return millions / seconds();
    }

    private double seconds() {
      return (threads.getCurrentThreadCpuTime() - start) / 1e9;
    }
  }

  /** Unpacks the bundled cache to text, and packs it again. */
  @Setup
  public void prepare() throws IOException {
    Path bundled = find("examples/traces").resolve(kernel + Traces.CACHE_SUFFIX);
    folder = Files.createTempDirectory("warpline-bench");
    try (TraceSet trace = Traces.open(bundled)) {
      TextWriter.write(trace, folder, done -> {});
    }
    text = folder.resolve("kernelslist.g");
    cache = folder.resolve("copy" + Traces.CACHE_SUFFIX);
    try (TraceSet trace = Traces.openSource(text, Diagnostics.strict())) {
      CacheWriter.write(trace, "", cache, done -> {});
    }
    textMegabytes = Files.size(folder.resolve("kernel-1.traceg")) / 1e6;
  }

  private static Path find(String name) throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(name))) {
        return at.resolve(name);
      }
    }
    throw new IOException("no " + name + " in this folder or above it");
  }

  @TearDown
  public void delete() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    }
  }

  @Benchmark
  public long text(Work work) throws IOException {
    try (TraceSet trace = Traces.openSource(text, Diagnostics.strict())) {
      return read(trace, work);
    }
  }

  @Benchmark
  public long cache(Work work) throws IOException {
    try (TraceSet trace = Traces.open(cache, Diagnostics.strict())) {
      return read(trace, work);
    }
  }

  private long read(TraceSet trace, Work work) throws IOException {
    long instructions = 0;
    BlockTrace block = new BlockTrace();
    for (TraceCommand command : trace.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        try (KernelTrace opened = trace.open(launch)) {
          for (long id = 0; id < opened.header().grid().count(); id++) {
            if (opened.readBlock(id, block)) {
              instructions += block.instructions();
            }
          }
        }
      }
    }
    work.megabytes += textMegabytes;
    work.millions += instructions / 1e6;
    return instructions;
  }
}
