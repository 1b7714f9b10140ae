package dev.warpline.trace;

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

  /** What was found wrong so far, in the list and in the kernels read. */
  Diagnostics diagnostics();

  @Override
  void close() throws IOException;
}
