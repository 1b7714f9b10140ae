package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.code.Cubin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Code as it is loaded: a cubin, the listing of its kernels, and where its variables lie. */
public final class EmulatedModule {
  private static final Pattern FUNCTION = Pattern.compile("\\s*Function : (\\S+).*");

  /** Programs that are kept ready. */
  private static final int KEPT = 16;

  private final String file;
  private final Cubin cubin;
  private final Map<String, Long> sections = new HashMap<>();
  private final Map<String, Long> variables = new HashMap<>();
  private final Map<String, String> listings = new HashMap<>();
  private final Map<String, Map<Integer, SassInstruction>> parsed = new HashMap<>();
  private final Map<String, KernelProgram> programs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, KernelProgram> eldest) {
          return size() > KEPT;
        }
      };

  private String listingFile = "";

  /**
   * @param content the cubin
   * @param file its name, for messages
   */
  public EmulatedModule(byte[] content, String file) throws IOException {
    this.file = file;
    cubin = Cubin.read(content, file);
  }

  /** Its code. */
  public Cubin cubin() {
    return cubin;
  }

  /**
   * Reads what {@code cuobjdump -sass} prints, and keeps the kernels that are wanted.
   *
   * @param name of the listing, for messages
   */
  public void listing(Reader text, String name, Set<String> wanted) throws IOException {
    listingFile = name;
    BufferedReader lines = new BufferedReader(text);
    StringBuilder current = null;
    String kernel = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher function = line.contains("Function :") ? FUNCTION.matcher(line) : null;
      if (function != null && function.matches()) {
        keep(kernel, current);
        kernel = function.group(1);
        current = wanted.contains(kernel) ? new StringBuilder() : null;
      } else if (current != null) {
        current.append(line).append('\n');
      }
    }
    keep(kernel, current);
  }

  private void keep(String kernel, StringBuilder text) {
    if (text != null) {
      listings.put(kernel, text.toString());
    }
  }

  /** Says where a variable lies; the others of its section lie around it. */
  public void variable(String name, long address) {
    variables.put(name, address);
    for (Cubin.Variable variable : cubin.variables()) {
      if (variable.name().equals(name)) {
        sections.putIfAbsent(variable.section(), address - variable.offset());
      }
    }
  }

  /** Forgets where its variables lie. */
  public void forgetVariables() {
    variables.clear();
    sections.clear();
  }

  /** Where a section of variables begins, or null if no variable of it is known. */
  Long section(String name) {
    return sections.get(name);
  }

  /** Says where a section of variables begins. */
  void section(String name, long address) {
    sections.put(name, address);
  }

  /** A kernel's code. */
  Cubin.Kernel kernel(String name) throws EmulationException {
    Cubin.Kernel kernel = cubin.kernel(name);
    if (kernel == null) {
      throw new EmulationException(
          file
              + ": found no kernel "
              + name
              + ", expected one of "
              + cubin.kernels().stream().map(Cubin.Kernel::name).limit(20).toList());
    }
    return kernel;
  }

  /** The instructions of a kernel by PC. */
  Map<Integer, SassInstruction> instructions(String kernel) throws EmulationException {
    Map<Integer, SassInstruction> known = parsed.get(kernel);
    if (known == null) {
      String text = listings.get(kernel);
      if (text == null) {
        throw new EmulationException(
            listingFile.isEmpty()
                ? file + ": has no listing (cuobjdump -sass), without which no kernel is executed"
                : listingFile + ": found no function " + kernel);
      }
      known = SassParser.parse(text, kernel, listingFile + ", " + kernel);
      parsed.put(kernel, known);
    }
    return known;
  }

  /** The program of a kernel; those of the kernels asked for last are kept. */
  KernelProgram program(String kernel) throws EmulationException {
    KernelProgram program = programs.get(kernel);
    if (program == null) {
      program = new KernelProgram(instructions(kernel));
      programs.put(kernel, program);
    }
    return program;
  }

  /** A code table for a kernel, without rows. */
  public ExecutedCode code(String kernel) throws EmulationException {
    return new ExecutedCode(cubin.architecture(), kernel(kernel));
  }

  /** What a trace says of a launch before its first block. */
  public KernelHeader header(KernelLaunch launch) throws EmulationException {
    Cubin.Kernel kernel = kernel(launch.kernel());
    return new KernelHeader(
        launch.kernel(),
        launch.number(),
        launch.grid(),
        launch.block(),
        sharedBytes(launch),
        kernel.registers(),
        cubin.architecture(),
        launch.stream(),
        EmulatedGpu.SHARED_BASE,
        EmulatedGpu.LOCAL_BASE,
        "none",
        tracerVersion(launch.kernel()),
        false,
        cluster(launch),
        Map.of());
  }

  /** The first version that records what the kernel does. */
  int tracerVersion(String kernel) throws EmulationException {
    if (!listings.containsKey(kernel)) {
      return 5;
    }
    return TraceLine.version(instructions(kernel).values());
  }

  /** Whether a kernel adds to real numbers in memory, so that the order of its blocks matters. */
  public boolean addsRealNumbers(String kernel) throws EmulationException {
    for (SassInstruction instruction : instructions(kernel).values()) {
      String mnemonic = instruction.mnemonic();
      boolean atomic =
          mnemonic.startsWith("RED")
              || mnemonic.startsWith("ATOM")
              || mnemonic.startsWith("UTMARED")
              || mnemonic.startsWith("UBLKRED");
      if (atomic && instruction.modifiers().stream().anyMatch(m -> m.matches("B?F(16|32|64).*"))) {
        return true;
      }
    }
    return false;
  }

  Dim3 cluster(KernelLaunch launch) throws EmulationException {
    Dim3 compiled = kernel(launch.kernel()).cluster();
    return launch.cluster().equals(Dim3.ONE) && compiled.count() > 1 ? compiled : launch.cluster();
  }

  int reserved() {
    return cubin.architecture() >= 90 ? BlockMemory.RESERVED : 0;
  }

  /** Static and dynamic shared memory of a block. */
  int sharedBytes(KernelLaunch launch) throws EmulationException {
    return Math.max(0, kernel(launch.kernel()).sharedBytes() - reserved()) + launch.dynamicShared();
  }

  String file() {
    return file;
  }

  /** The address of what is nowhere: functions of the driver, such as malloc. */
  static final int NOWHERE = 0x7ffffff0;

  /** The address of a symbol of a relocation, or {@link #NOWHERE}. */
  long address(Cubin.Relocation relocation) {
    Long variable = variables.get(relocation.symbol());
    if (variable != null) {
      return variable;
    }
    Long section = sections.get(relocation.of());
    return section == null ? NOWHERE : section + relocation.target();
  }

  /** Whether a kernel's code itself has places that get addresses; they are not filled in here. */
  void refuseRelocatedCode(String kernel, Map<Integer, SassInstruction> code)
      throws EmulationException {
    for (Cubin.Relocation relocation : cubin.relocations()) {
      if (relocation.section().equals(".text." + kernel)) {
        SassInstruction at = code.get((int) relocation.offset() & -SassInstruction.BYTES);
        throw new EmulationException(
            String.format(
                "%s: %s, PC %04x (%s): gets the address of %s when it is loaded (relocation %d),"
                    + " which is not emulated",
                file,
                kernel,
                relocation.offset() & -SassInstruction.BYTES,
                at == null ? "?" : at.text(),
                relocation.symbol().isEmpty() ? relocation.of() : relocation.symbol(),
                relocation.type()));
      }
    }
  }
}
