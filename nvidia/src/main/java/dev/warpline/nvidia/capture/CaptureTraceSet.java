package dev.warpline.nvidia.capture;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.isa.CodeTable;
import dev.warpline.nvidia.emulate.EmulatedKernel;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.program.StreamProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * A captured program as a trace: its kernels are executed block by block as they are asked for. A
 * kernel that is opened while one before it is still read has that one executed to its end first;
 * one that comes before what was executed has the program executed again from its beginning.
 */
public final class CaptureTraceSet implements TraceSet {
  private final Capture capture;
  private final CaptureModules modules;
  private final Diagnostics diagnostics;
  private final List<TraceCommand> commands = new ArrayList<>();

  /** Lines of the launches that are executed, by their index. */
  private final List<Integer> lines = new ArrayList<>();

  private Replay replay;

  /** The kernel that the replay stands at. */
  private OpenKernel current;

  /** Launches whose results were compared with the recorded ones before. */
  private final BitSet told = new BitSet();

  /** Opens a capture. */
  public CaptureTraceSet(Path path, Diagnostics diagnostics) throws IOException {
    capture = Capture.open(path);
    this.diagnostics = diagnostics;
    modules = new CaptureModules(capture);
    int skipped = 0;
    List<CaptureEvent> events = capture.events();
    for (int line = 0; line < events.size(); line++) {
      CaptureEvent event = events.get(line);
      if (event instanceof CaptureEvent.Copy copy && copy.kind().equals("HtoD")) {
        commands.add(new TraceCommand.MemcpyHtoD(copy.to(), copy.bytes()));
      } else if (event instanceof CaptureEvent.Launch launch && launch.skipped() == null) {
        commands.add(
            new TraceCommand.Launch(lines.size(), "kernel-" + (lines.size() + 1) + ".traceg"));
        lines.add(line);
      } else if (event instanceof CaptureEvent.Launch) {
        skipped++;
      }
    }
    if (skipped > 0) {
      diagnostics.warn(
          capture.name() + ": " + skipped + " launches were left out when it was recorded");
    }
    restart();
  }

  private void restart() {
    replay = new Replay(capture, modules, this::tell, false);
    current = null;
  }

  /** Says once of each launch what is wrong with its results. */
  private void tell(KernelOutcome outcome) {
    if (outcome.exact() || told.get(outcome.number())) {
      return;
    }
    told.set(outcome.number());
    diagnostics.warn(
        String.format(
            Locale.ROOT,
            "%s: kernel %d (%s): %s%s: %s",
            capture.name(),
            outcome.number(),
            outcome.kernel(),
            outcome.result() == KernelOutcome.Result.FAILED
                ? "could not be executed"
                : "results differ from those of the GPU",
            outcome.inputDiffered() ? " (so did what it read)" : "",
            outcome.details().isEmpty() ? "" : outcome.details().get(0)));
  }

  /** The capture. */
  public Capture capture() {
    return capture;
  }

  @Override
  public String name() {
    return capture.name();
  }

  @Override
  public List<TraceCommand> commands() {
    return List.copyOf(commands);
  }

  @Override
  public StreamProgram program() throws IOException {
    return CapturedProgram.of(capture).program();
  }

  private CaptureEvent.Launch event(int index) {
    return (CaptureEvent.Launch) capture.events().get(lines.get(index));
  }

  @Override
  public KernelHeader header(TraceCommand.Launch launch) throws IOException {
    return modules.header(event(launch.index()), launch.index() + 1);
  }

  @Override
  public KernelTrace open(TraceCommand.Launch launch) throws IOException {
    return new OpenKernel(launch.index(), header(launch), modules.code(event(launch.index())));
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public void close() throws IOException {
    capture.close();
  }

  /** A kernel that is read; it is executed from its first block on that is asked for. */
  private final class OpenKernel implements KernelTrace {
    private final int index;
    private final KernelHeader header;
    private final BitSet given = new BitSet();
    private final ExecutedCode rows;
    private EmulatedKernel kernel;
    private boolean closed;

    OpenKernel(int index, KernelHeader header, ExecutedCode rows) {
      this.index = index;
      this.header = header;
      this.rows = rows;
    }

    @Override
    public KernelHeader header() {
      return header;
    }

    @Override
    public CodeTable code() {
      return rows.table();
    }

    @Override
    public boolean isIndependent() {
      return false;
    }

    @Override
    public boolean hasControlBits() {
      return rows.hasControlBits();
    }

    @Override
    public boolean readBlock(long blockId, BlockTrace into) throws IOException {
      if (blockId < 0 || blockId >= header.grid().count()) {
        return false;
      }
      if (kernel == null || given.get((int) blockId)) {
        start();
      }
      given.set((int) blockId);
      return kernel.readBlock(blockId, into);
    }

    /** Goes to the launch, from the beginning of the program if that is behind. */
    private void start() throws IOException {
      if (current != null && current != this) {
        current.finish(!current.closed);
      }
      int line = lines.get(index);
      if (replay.position() > line || kernel != null) {
        restart();
      }
      replay.moveTo(line, done -> {});
      kernel = replay.begin(event(index), rows, done -> {});
      given.clear();
      current = this;
    }

    /** Executes what is left, and keeps it if somebody may still ask for it. */
    private void finish(boolean keeps) throws IOException {
      if (current != this) {
        return;
      }
      current = null;
      String failure = null;
      try {
        if (keeps) {
          kernel.executeAhead();
        } else {
          kernel.execute();
        }
      } catch (UnfinishedSimulationException | dev.warpline.nvidia.emulate.EmulationException e) {
        failure = e.getMessage();
      }
      replay.end(kernel, 0, failure);
      int line = replay.position();
      while (line < capture.events().size()
          && capture.events().get(line) instanceof CaptureEvent.Wrote) {
        line++;
      }
      replay.moveTo(line, done -> {});
    }

    @Override
    public void close() throws IOException {
      closed = true;
      if (kernel != null) {
        finish(false);
        kernel.close();
      }
    }
  }
}
