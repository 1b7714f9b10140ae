package dev.warpline.amd.hip;

import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a HIP program: starts it with Warpline's library in front of AMD's, and is its GPU until it
 * ends. Programs that it starts in turn get a GPU of their own.
 */
public final class HipRun {
  /** The environment variable by which the library finds the socket. */
  private static final String SOCKET = "WARPLINE_HIP_SOCKET";

  /** What a process ended by signal n returns, in a shell. */
  private static final int SIGNAL = 128;

  /**
   * What came of it.
   *
   * @param result the kernels
   * @param exitCode the program's
   */
  public record Outcome(RunResult result, int exitCode) {}

  private final List<String> command;
  private final GpuDescription gpu;
  private final boolean functional;
  private final Path cache;
  private final Consumer<String> complaints;
  private final List<HipSession> sessions = new ArrayList<>();
  private IOException broken;
  private Path output;

  /**
   * @param command the program and its arguments
   * @param functional whether kernels are only executed, without time
   * @param cache where the library is built
   * @param complaints told what the user should know, as it happens
   */
  public HipRun(
      List<String> command,
      GpuDescription gpu,
      boolean functional,
      Path cache,
      Consumer<String> complaints) {
    this.command = List.copyOf(command);
    this.gpu = gpu;
    this.functional = functional;
    this.cache = cache;
    this.complaints = complaints;
  }

  /** Standard output and standard error of the program go to a file. */
  HipRun writeOutputTo(Path file) {
    output = file;
    return this;
  }

  /** Refuses a GPU that runs no HIP. */
  public void check() throws IOException {
    if (gpu.amd() == null) {
      throw new IOException(
          "HIP programs run on GPUs of AMD, and "
              + gpu.name()
              + " is one of NVIDIA; expected e.g. --gpu mi300a");
    }
  }

  /** Runs the program to its end. */
  public Outcome run(RunOptions options, Progress progress) throws IOException {
    check();
    long start = System.nanoTime();
    Path library = HipLibrary.folder(cache);
    Path folder = Files.createTempDirectory("warpline-hip");
    Path socket = folder.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Process process = start(library, socket);
      Thread hook = endWithWarpline(process);
      Thread acceptor = new Thread(() -> accept(server, options, progress), "hip");
      acceptor.start();
      int code;
      try {
        code = process.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnfinishedSimulationException("interrupted");
      } finally {
        end(process);
        server.close();
        join(acceptor);
        forget(hook);
      }
      return outcome(code, options, start);
    } finally {
      Files.deleteIfExists(socket);
      Files.deleteIfExists(folder);
    }
  }

  private Process start(Path library, Path socket) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    if (output != null) {
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
    }
    Map<String, String> environment = builder.environment();
    String before = environment.get("LD_LIBRARY_PATH");
    environment.put(
        "LD_LIBRARY_PATH",
        before == null || before.isEmpty()
            ? library.toString()
            : library + File.pathSeparator + before);
    environment.put(SOCKET, socket.toString());
    return builder.start();
  }

  /** Ends a program that still runs, and what it started. */
  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Lets a program end when Warpline does, at once if that is ending already. */
  private static Thread endWithWarpline(Process process) {
    Thread hook = new Thread(() -> end(process));
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      end(process); // Ctrl-C came while the program was started.
    }
    return hook;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Ctrl-C: Warpline is ending, and the hook has ended the program.
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Serves one program after the other, until the socket is closed. */
  private void accept(ServerSocketChannel server, RunOptions options, Progress progress) {
    while (true) {
      try {
        SocketChannel channel = server.accept();
        try (HipSession session =
            new HipSession(
                gpu, options, progress, functional, new HipConnection(channel), complaints)) {
          sessions.add(session);
          session.run();
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        broken = e;
      }
    }
  }

  private Outcome outcome(int code, RunOptions options, long start) throws IOException {
    if (broken != null) {
      throw broken;
    }
    List<KernelResult> kernels = new ArrayList<>();
    List<Activity> activities = new ArrayList<>();
    long instructions = 0;
    UnfinishedSimulationException unfinished = null;
    boolean stopped = options.stop().reason() != null;
    if (sessions.isEmpty() && !stopped) {
      complaints.accept(
          command.get(0) + ": called nothing of HIP, expected a program that libamdhip64 serves");
    }
    List<String> warnings = new ArrayList<>();
    for (HipSession session : sessions) {
      kernels.addAll(session.results());
      activities.addAll(session.activities());
      instructions += session.instructions();
      unfinished = unfinished == null ? session.unfinished() : unfinished;
      if (session.wentOn()) {
        warnings.add(
            "the program was silent for a while with work in its streams; the simulation went on"
                + " without it, so times may differ from run to run");
      }
      if (!session.saidGoodbye() && session.unfinished() == null && !stopped) {
        complaints.accept(
            command.get(0)
                + ": ended ("
                + (code > SIGNAL ? "signal " + (code - SIGNAL) : "exit code " + code)
                + ") without leaving HIP, "
                + session.whereItStood());
      }
    }
    if (stopped) {
      unfinished = new UnfinishedSimulationException(options.stop().reason());
    }
    if (kernels.isEmpty() && !sessions.isEmpty() && unfinished == null) {
      complaints.accept(command.get(0) + ": launched no kernel");
    }
    if (unfinished != null) {
      throw new UnfinishedSimulationException(unfinished.getMessage(), kernels);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Runtime runtime = Runtime.getRuntime();
    RunResult result =
        new RunResult(
            gpu.name(),
            functional ? RunResult.FUNCTIONAL : "gcn",
            gpu.clocks().coreMHz(),
            kernels,
            new RunResult.Simulation(
                options.threads(),
                seconds,
                seconds == 0 ? 0 : instructions / seconds,
                runtime.totalMemory() - runtime.freeMemory()));
    return new Outcome(result.withActivities(activities).withWarnings(warnings), code);
  }
}
