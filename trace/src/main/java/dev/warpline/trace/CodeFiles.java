package dev.warpline.trace;

import dev.warpline.isa.ControlBits;
import dev.warpline.trace.Problem.Skipped;
import dev.warpline.trace.code.CodeFormatException;
import dev.warpline.trace.code.ControlSidecar;
import dev.warpline.trace.code.Cubin;
import dev.warpline.trace.code.SassListing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * The code beside a kernel's trace: {@code kernel-N.cubin}, else {@code kernel-N.ctrl}, and the
 * listing {@code kernel-N.sass}.
 */
final class CodeFiles {
  private final TraceFiles files;
  private final String stem;
  private final Diagnostics diagnostics;

  CodeFiles(TraceFiles files, String kernelFile, Diagnostics diagnostics) {
    this.files = files;
    this.stem = stem(kernelFile);
    this.diagnostics = diagnostics;
  }

  private static String stem(String kernelFile) {
    String base = Packing.of(kernelFile).strip(kernelFile);
    int dot = base.lastIndexOf('.');
    return dot > base.lastIndexOf('/') ? base.substring(0, dot) : base;
  }

  /** Whether code has control bits, rather than only a listing. */
  static boolean hasControlBits(KernelCode code) {
    return code != null && code.control(0) != ControlBits.ABSENT;
  }

  /** The code of a kernel, or null if there is none. */
  KernelCode find(String kernelName) throws IOException {
    KernelCode code = cubin(kernelName);
    String sidecar = stem + ".ctrl";
    if (code == null && files.has(sidecar)) {
      try {
        code = ControlSidecar.read(reader(sidecar), files.title(sidecar));
      } catch (CodeFormatException e) {
        ignore(sidecar, e);
      }
    }
    String listing = stem + ".sass";
    if (files.has(listing)) {
      try {
        SassListing sass = SassListing.read(reader(listing), files.title(listing));
        return code == null ? sass : sass.beside(code);
      } catch (CodeFormatException e) {
        ignore(listing, e);
      }
    }
    return code;
  }

  private KernelCode cubin(String kernelName) throws IOException {
    String file = stem + ".cubin";
    if (!files.has(file)) {
      return null;
    }
    try {
      KernelCode code = Cubin.read(files.bytes(file), files.title(file)).kernel(kernelName);
      if (code == null) {
        diagnostics.report(
            new Problem(
                files.title(file),
                0,
                0,
                "no kernel " + kernelName,
                "the code of the traced kernel",
                Skipped.NOTHING));
      }
      return code;
    } catch (CodeFormatException e) {
      ignore(file, e);
      return null;
    }
  }

  /** A kernel without its code still runs, so a damaged side file costs only the code. */
  private void ignore(String file, CodeFormatException cause) throws CodeFormatException {
    if (diagnostics.isStrict()) {
      throw cause;
    }
    diagnostics.warn(cause.getMessage() + "; " + file + " is not used");
  }

  private Reader reader(String file) throws IOException {
    return new InputStreamReader(
        new ByteArrayInputStream(files.bytes(file)), StandardCharsets.UTF_8);
  }
}
