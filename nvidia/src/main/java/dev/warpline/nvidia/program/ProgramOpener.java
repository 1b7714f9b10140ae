package dev.warpline.nvidia.program;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceOpener;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens hand-written programs wherever a trace is taken. */
public final class ProgramOpener implements TraceOpener {
  @Override
  public boolean opens(Path path) {
    return ProgramFile.isProgram(path);
  }

  @Override
  public TraceSet open(Path path, Diagnostics diagnostics) throws IOException {
    return ProgramFile.open(path, diagnostics);
  }

  @Override
  public List<Path> files(Path path) throws IOException {
    try (ProgramTraceSet set = ProgramFile.open(path, Diagnostics.lenient())) {
      return set.files().stream().filter(Files::isRegularFile).toList();
    }
  }
}
