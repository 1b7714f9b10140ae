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

  /** What was found wrong so far, in the list and in the kernels read. */
  Diagnostics diagnostics();

  @Override
  void close() throws IOException;
}
