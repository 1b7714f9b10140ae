package dev.warpline.trace;

import dev.warpline.isa.ControlBits;
import dev.warpline.trace.Problem.Skipped;
import dev.warpline.trace.SideFiles.SideFile;
import dev.warpline.trace.code.CodeFormatException;
import dev.warpline.trace.code.CodeWords;
import dev.warpline.trace.code.ConstantsSidecar;
import dev.warpline.trace.code.ControlSidecar;
import dev.warpline.trace.code.Cubin;
import dev.warpline.trace.code.SassListing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The code beside a kernel's trace: {@code kernel-N.cubin}, else the words {@code kernel-N.code}
 * and the control bits {@code kernel-N.ctrl}; the constants {@code kernel-N.constants}; and the
 * listing {@code kernel-N.sass}, which says those, too.
 */
final class CodeFiles {
  private final TraceFiles files;
  private final String stem;
  private final Diagnostics diagnostics;

  /** The kernel whose code was asked for last, and that code. */
  private String known;

  private KernelCode code;

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
    if (!kernelName.equals(known)) {
      code = read(kernelName);
      known = kernelName;
    }
    return code;
  }

  private KernelCode read(String kernelName) throws IOException {
    List<SideFile> found = new ArrayList<>();
    KernelCode cubin = cubin(kernelName);
    if (cubin != null) {
      found.add(new SideFile(files.title(stem + ".cubin"), cubin));
    } else {
      add(
          ".code",
          (text, title) -> {
            CodeWords words = CodeWords.read(text, title);
            return isOf(words.kernelName(), kernelName, title) ? words : null;
          },
          found);
      add(
          ".ctrl",
          (text, title) -> {
            ControlSidecar sidecar = ControlSidecar.read(text, title);
            return isOf(sidecar.kernelName(), kernelName, title) ? sidecar : null;
          },
          found);
    }
    add(
        ".constants",
        (text, title) -> {
          ConstantsSidecar sidecar = ConstantsSidecar.read(text, title);
          return isOf(sidecar.kernelName(), kernelName, title) ? sidecar : null;
        },
        found);
    add(".sass", SassListing::read, found);
    return found.isEmpty() ? null : new SideFiles(found);
  }

  /** Reads a kind of side file. */
  private interface SideReader {
    /** Its content, or null if it is of no use. */
    KernelCode read(Reader text, String title) throws IOException;
  }

  private void add(String suffix, SideReader reader, List<SideFile> found) throws IOException {
    String file = stem + suffix;
    if (!files.has(file)) {
      return;
    }
    try {
      KernelCode code = reader.read(reader(file), files.title(file));
      if (code != null) {
        found.add(new SideFile(files.title(file), code));
      }
    } catch (CodeFormatException e) {
      ignore(file, e);
    }
  }

  private boolean isOf(String named, String traced, String title) throws TraceFormatException {
    if (named.isEmpty() || named.equals(traced)) {
      return true;
    }
    reportOther(title, "the code of " + Quote.of(named), traced);
    return false;
  }

  private void reportOther(String title, String found, String traced) throws TraceFormatException {
    diagnostics.report(
        new Problem(
            title,
            0,
            0,
            found,
            "that of the traced kernel " + Quote.of(traced) + " (not used)",
            Skipped.NOTHING));
  }

  private KernelCode cubin(String kernelName) throws IOException {
    String file = stem + ".cubin";
    if (!files.has(file)) {
      return null;
    }
    try {
      Cubin cubin = Cubin.read(files.bytes(file), files.title(file));
      if (diagnostics.isStrict() && cubin.lineProblem() != null) {
        throw cubin.lineProblem();
      }
      cubin.tellOfLineProblem(problem -> warn("its line information", problem));
      KernelCode code = cubin.kernel(kernelName);
      if (code == null) {
        reportOther(files.title(file), "no code of such a name", kernelName);
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
    warn(file, cause);
  }

  private void warn(String file, CodeFormatException cause) {
    diagnostics.warn(cause.getMessage() + "; " + file + " is not used");
  }

  private Reader reader(String file) throws IOException {
    return new InputStreamReader(
        new ByteArrayInputStream(files.bytes(file)), StandardCharsets.UTF_8);
  }
}
