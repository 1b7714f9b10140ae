package dev.warpline.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.study.sweep.Sweep;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine;

/** One command of a {@link Session}, on a thread of its own. */
final class SessionCall implements Audience {
  /** What ends by itself soon or can be stopped, and leaves standard output alone. */
  static final Set<String> COMMANDS =
      Set.of("run", "sweep", "results", "gpus", "inspect", "disasm");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long PAUSE_NANOS = 100_000_000;

  private final long id;
  private final List<String> words;
  private final Path folder;
  private final Consumer<ObjectNode> events;
  private final Runnable ended;
  private final StopSignal stop = new StopSignal();
  private final Thread thread;
  private RunResult result;

  /**
   * @param words the command and its arguments
   * @param folder where relative paths begin
   * @param events is told what happens
   * @param ended is run before the end is told
   */
  SessionCall(
      long id, List<String> words, Path folder, Consumer<ObjectNode> events, Runnable ended) {
    this.id = id;
    this.words = words;
    this.folder = folder;
    this.events = events;
    this.ended = ended;
    thread = new Thread(this::run, "call " + id);
  }

  void start() {
    thread.start();
  }

  void stop(String why) {
    stop.stop(why);
  }

  void await(long milliseconds) {
    try {
      thread.join(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    StringWriter text = new StringWriter();
    StringWriter messages = new StringWriter();
    int code = execute(new PrintWriter(text, true), new PrintWriter(messages, true));
    ObjectNode done = event("done").put("code", code);
    done.put("text", text.toString());
    done.put("messages", messages.toString());
    if (result != null) {
      done.set("result", Results.tree(result));
    }
    ended.run();
    events.accept(done);
  }

  private int execute(PrintWriter out, PrintWriter err) {
    CommandLine root = Main.commandLine();
    root.setOut(out).setErr(err);
    root.registerConverter(Path.class, folder::resolve);
    if (!COMMANDS.contains(words.get(0))) {
      err.println(
          "warpline: session: "
              + words.get(0)
              + ": expected one of "
              + String.join(", ", COMMANDS.stream().sorted().toList()));
      return ExitCode.USAGE;
    }
    RunCommand run = root.getSubcommands().get("run").getCommand();
    run.audience = this;
    run.controls.stop = stop;
    SweepCommand sweep = root.getSubcommands().get("sweep").getCommand();
    sweep.audience = this;
    sweep.stop = stop;
    return root.execute(words.toArray(String[]::new));
  }

  private ObjectNode event(String what) {
    return JSON.createObjectNode().put("id", id).put("event", what);
  }

  @Override
  public void result(RunResult whole) {
    result = whole;
  }

  @Override
  public void points(Sweep.State state) {
    events.accept(
        event("points")
            .put("done", state.count().done())
            .put("failed", state.count().failed())
            .put("all", state.count().all()));
  }

  @Override
  public Show show() {
    return new Telling();
  }

  /** Tells how a simulation gets on, a few times a second. */
  private final class Telling implements Show {
    private int kernel;
    private String name;
    private long blocks;
    private long next;

    @Override
    public void kernelStarted(int number, String kernelName, long count) {
      kernel = number;
      name = kernelName;
      blocks = count;
      advanced(0, 0, 0, 0);
    }

    @Override
    public void advanced(
        long cycles, long blocksDone, long warpInstructions, long expectedInstructions) {
      if (System.nanoTime() - next < 0) {
        return;
      }
      next = System.nanoTime() + PAUSE_NANOS;
      events.accept(
          event("progress")
              .put("kernel", kernel)
              .put("name", name)
              .put("cycles", cycles)
              .put("blocksDone", blocksDone)
              .put("blocks", blocks)
              .put("warpInstructions", warpInstructions)
              .put(
                  "share",
                  Progress.share(blocksDone, blocks, warpInstructions, expectedInstructions)));
    }

    @Override
    public void kernelFinished(KernelResult finished) {
      advanced(finished.cycles(), blocks, finished.warpInstructions(), finished.warpInstructions());
    }

    @Override
    public void close() {}
  }
}
