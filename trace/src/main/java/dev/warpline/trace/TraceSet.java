package dev.warpline.trace;

import dev.warpline.trace.program.StreamProgram;
import java.io.IOException;
import java.util.List;

/** A traced program: its command list and its kernels. */
public interface TraceSet extends AutoCloseable {
  /** Where it was read from, for messages. */
  String name();

  /** The commands in file order. */
  List<TraceCommand> commands();

  /** Opens the kernel of a launch command. */
  KernelTrace open(TraceCommand.Launch launch) throws IOException;

  /** The header of a launch command's kernel; what is wrong with it is found when it is opened. */
  default KernelHeader header(TraceCommand.Launch launch) throws IOException {
    try (KernelTrace kernel = open(launch)) {
      return kernel.header();
    }
  }

  /**
   * What the program asks for beside its kernels, and in which streams: for a kernel list what its
   * commands and its kernels' headers say.
   */
  default StreamProgram program() throws IOException {
    return StreamProgram.ofList(this);
  }

  /**
   * About how many warp instructions all its kernels have, as far as that can be said without
   * reading them; -1 if it cannot.
   */
  default long expectedInstructions() throws IOException {
    return -1;
  }

  /** What was found wrong so far, in the list and in the kernels read. */
  Diagnostics diagnostics();

  @Override
  void close() throws IOException;
}
