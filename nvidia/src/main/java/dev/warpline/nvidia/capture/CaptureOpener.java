package dev.warpline.nvidia.capture;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceOpener;
import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Opens captures wherever a trace is taken. */
public final class CaptureOpener implements TraceOpener {
  @Override
  public boolean opens(Path path) {
    return Capture.is(path);
  }

  @Override
  public TraceSet open(Path path, Diagnostics diagnostics) throws IOException {
    return new CaptureTraceSet(path, diagnostics);
  }

  @Override
  public List<Path> files(Path path) throws IOException {
    return Capture.files(path);
  }
}
