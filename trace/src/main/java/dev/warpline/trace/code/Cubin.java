package dev.warpline.trace.code;

import dev.warpline.isa.ControlBits;
import dev.warpline.isa.SourcePlace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kernels of a cubin: NVIDIA's ELF file of compiled GPU code. */
public final class Cubin {
  private static final int CUDA_MACHINE = 190;
  private static final int OBJECT = 1;
  private static final int FUNCTION = 2;
  private static final int FIRST_ABI_WITH_SM_IN_BITS_8_TO_15 = 8;

  /** From Volta on an instruction is 128 bits and carries its control bits itself. */
  private static final int FIRST_ARCHITECTURE_WITH_CONTROL_BITS = 70;

  private static final int FIRST_ARCHITECTURE_WITH_REGISTERS_IN_INFO = 90;

  private static final String TEXT = ".text.";
  private static final Pattern CONSTANTS = Pattern.compile("\\.nv\\.constant(\\d+)(\\.(.+))?");

  private final int architecture;
  private final Map<String, Kernel> kernels;
  private final List<Constants> constants;
  private final List<Data> data;
  private final List<Variable> variables;
  private final List<Relocation> relocations;
  private final LineInformation lines;

  private Cubin(
      int architecture,
      Map<String, Kernel> kernels,
      List<Constants> constants,
      List<Data> data,
      List<Variable> variables,
      List<Relocation> relocations,
      LineInformation lines) {
    this.architecture = architecture;
    this.kernels = Collections.unmodifiableMap(kernels);
    this.constants = constants;
    this.data = data;
    this.variables = variables;
    this.relocations = relocations;
    this.lines = lines;
  }

  /**
   * Reads a cubin.
   *
   * @param content the whole file
   * @param file its name, for messages
   */
  public static Cubin read(byte[] content, String file) throws CodeFormatException {
    Elf elf = new Elf(content, file);
    if (elf.machine() != CUDA_MACHINE) {
      throw new CodeFormatException(
          file, "ELF machine " + elf.machine(), CUDA_MACHINE + " (NVIDIA CUDA)");
    }
    int architecture =
        elf.abiVersion() >= FIRST_ABI_WITH_SM_IN_BITS_8_TO_15
            ? elf.flags() >>> 8 & 0xff
            : elf.flags() & 0xff;
    Map<String, NvInfo> infos = NvInfo.readAll(elf, file);
    Map<String, Integer> shared = new LinkedHashMap<>();
    for (Elf.Section section : elf.sections()) {
      if (section.name().startsWith(".nv.shared.")) {
        shared.put(section.name().substring(11), (int) section.size());
      }
    }
    LineInformation lines = new LineInformation(elf, file);
    Map<Integer, List<Function>> functions = functions(elf);
    Map<String, Kernel> kernels = new LinkedHashMap<>();
    for (int i = 0; i < elf.sections().size(); i++) {
      Elf.Section section = elf.sections().get(i);
      if (!section.name().startsWith(TEXT)) {
        continue;
      }
      String name = section.name().substring(TEXT.length());
      NvInfo info = infos.getOrDefault(name, NvInfo.NONE);
      int registers =
          architecture >= FIRST_ARCHITECTURE_WITH_REGISTERS_IN_INFO
              ? info.registers()
              : section.info() >>> 24;
      kernels.put(
          name,
          new Kernel(
              name,
              architecture,
              registers,
              shared.getOrDefault(name, 0),
              info,
              functions.getOrDefault(i, List.of()),
              lines,
              i,
              elf.content(section)));
    }
    return new Cubin(
        architecture, kernels, constants(elf), data(elf), variables(elf), relocations(elf), lines);
  }

  /** Sections {@code .nv.global} and {@code .nv.global.init}. */
  private static List<Data> data(Elf elf) throws CodeFormatException {
    List<Data> found = new ArrayList<>();
    for (Elf.Section section : elf.sections()) {
      if (section.name().startsWith(".nv.global") && section.size() > 0) {
        ByteBuffer content = elf.content(section);
        byte[] bytes = new byte[content.limit()];
        content.get(0, bytes);
        found.add(new Data(section.name(), section.size(), bytes));
      }
    }
    return List.copyOf(found);
  }

  private static List<Variable> variables(Elf elf) {
    return elf.symbols().stream()
        .filter(symbol -> symbol.type() == OBJECT && symbol.section() < elf.sections().size())
        .map(
            symbol ->
                new Variable(
                    symbol.name(),
                    elf.sections().get(symbol.section()).name(),
                    symbol.value(),
                    symbol.size()))
        .toList();
  }

  private static List<Relocation> relocations(Elf elf) throws CodeFormatException {
    List<Relocation> found = new ArrayList<>();
    for (Elf.Relocation one : elf.relocations()) {
      int at = one.symbol().section();
      found.add(
          new Relocation(
              one.section().name(),
              one.offset(),
              one.type(),
              one.symbol().name(),
              at > 0 && at < elf.sections().size() ? elf.sections().get(at).name() : "",
              one.symbol().value() + one.addend()));
    }
    return List.copyOf(found);
  }

  /** Sections such as {@code .nv.constant3} and {@code .nv.constant2.KERNEL}. */
  private static List<Constants> constants(Elf elf) throws CodeFormatException {
    List<Constants> found = new ArrayList<>();
    Set<String> filled = new HashSet<>();
    for (Elf.Section section : elf.sections()) {
      if (section.size() > 0 && section.name().startsWith(".rel")) {
        filled.add(section.name());
      }
    }
    for (Elf.Section section : elf.sections()) {
      Matcher name = CONSTANTS.matcher(section.name());
      if (name.matches()) {
        ByteBuffer content = elf.content(section);
        byte[] bytes = new byte[(int) Math.max(section.size(), content.limit())];
        content.get(0, bytes, 0, content.limit());
        boolean relocated =
            filled.contains(".rel" + section.name()) || filled.contains(".rela" + section.name());
        found.add(new Constants(Integer.parseInt(name.group(1)), name.group(3), bytes, relocated));
      }
    }
    return List.copyOf(found);
  }

  /** Those of every section that has some. */
  private static Map<Integer, List<Function>> functions(Elf elf) {
    Map<Integer, List<Function>> found = new HashMap<>();
    for (Elf.Symbol symbol : elf.symbols()) {
      if (symbol.type() == FUNCTION) {
        found
            .computeIfAbsent(symbol.section(), section -> new ArrayList<>())
            .add(new Function(symbol.name(), (int) symbol.value(), (int) symbol.size()));
      }
    }
    return found;
  }

  /** SM number that the code was compiled for, e.g. 90. */
  public int architecture() {
    return architecture;
  }

  /** All kernels and out-of-line device functions, in file order. */
  public Collection<Kernel> kernels() {
    return kernels.values();
  }

  /** A kernel by its mangled name, or null. */
  public Kernel kernel(String name) {
    return kernels.get(name);
  }

  /** What is wrong with the source lines, which are not used then; null if nothing is. */
  public CodeFormatException lineProblem() {
    return lines.problem();
  }

  /** Who is to know that the source lines are damaged, once somebody asks for them. */
  public void tellOfLineProblem(Consumer<CodeFormatException> whom) {
    lines.tell(whom);
  }

  /** The constant banks' initial contents. */
  public List<Constants> constants() {
    return constants;
  }

  /**
   * Initial contents of a constant bank.
   *
   * @param kernel the kernel they belong to, null for all
   * @param relocated whether addresses must be filled in when the code is loaded
   */
  public record Constants(int bank, String kernel, byte[] bytes, boolean relocated) {
    /** The name of its section. */
    public String section() {
      return ".nv.constant" + bank + (kernel == null ? "" : "." + kernel);
    }
  }

  /** The sections of {@code __device__} variables. */
  public List<Data> data() {
    return data;
  }

  /** The variables: {@code __device__} and {@code __constant__}. */
  public List<Variable> variables() {
    return variables;
  }

  /** The places that get addresses when the code is loaded. */
  public List<Relocation> relocations() {
    return relocations;
  }

  /**
   * A section of variables.
   *
   * @param bytes its size
   * @param content what it holds at first, shorter or empty where that is zeros
   */
  public record Data(String section, long bytes, byte[] content) {}

  /** A variable: its section, and where it lies in that. */
  public record Variable(String name, String section, long offset, long bytes) {}

  /**
   * A place that gets an address when the code is loaded.
   *
   * @param section where
   * @param offset in that section
   * @param type how the address goes there; 2 is all 64 bits of it
   * @param symbol whose address
   * @param of the section of the symbol, empty if it is in none
   * @param target offset in that section
   */
  public record Relocation(
      String section, long offset, int type, String symbol, String of, long target) {
    /** A 32-bit address. */
    public static final int WORD = 1;

    /** A 64-bit address. */
    public static final int DOUBLE_WORD = 2;
  }

  /** A function inside a code section: the kernel itself or a helper that it calls. */
  public record Function(String name, int offset, int size) {}

  /** The code of one {@code .text.} section. */
  public static final class Kernel implements KernelCode {
    private static final int INSTRUCTION_BYTES = 16;

    private final String name;
    private final int registers;
    private final int sharedBytes;
    private final NvInfo info;
    private final List<Function> functions;
    private final boolean hasControlBits;
    private final LineInformation lines;
    private final int section;
    private final ByteBuffer text;

    /** Null until somebody asks where an instruction comes from. */
    private NavigableMap<Integer, SourcePlace> places;

    Kernel(
        String name,
        int architecture,
        int registers,
        int sharedBytes,
        NvInfo info,
        List<Function> functions,
        LineInformation lines,
        int section,
        ByteBuffer text) {
      this.name = name;
      this.registers = registers;
      this.sharedBytes = sharedBytes;
      this.info = info;
      this.functions = List.copyOf(functions);
      this.hasControlBits = architecture >= FIRST_ARCHITECTURE_WITH_CONTROL_BITS;
      this.lines = lines;
      this.section = section;
      this.text = text;
    }

    /** Mangled name. */
    public String name() {
      return name;
    }

    /** Registers per thread, 0 if the file does not say. */
    public int registers() {
      return registers;
    }

    /** Static shared memory of a block. */
    public int sharedBytes() {
      return sharedBytes;
    }

    /** Where parameters begin in constant bank 0, 0 if the file does not say. */
    public int parameterOffset() {
      return info.parameterOffset();
    }

    /** Bytes of parameters. */
    public int parameterBytes() {
      return info.parameterBytes();
    }

    /** The functions of this section. */
    public List<Function> functions() {
      return functions;
    }

    /** Bytes of code, padding included. */
    public int codeBytes() {
      return text.limit();
    }

    @Override
    public Dim3 cluster() {
      return info.cluster();
    }

    @Override
    public synchronized SourcePlace source(int pc) {
      if (places == null) {
        places = lines.of(section);
      }
      Map.Entry<Integer, SourcePlace> entry = has(pc) ? places.floorEntry(pc) : null;
      return entry == null || entry.getValue().line() == 0 ? null : entry.getValue();
    }

    @Override
    public int control(int pc) {
      return hasControlBits && has(pc) ? ControlBits.fromHighWord(high(pc)) : ControlBits.ABSENT;
    }

    @Override
    public long low(int pc) {
      return has(pc) ? text.getLong(pc) : 0;
    }

    @Override
    public long high(int pc) {
      return has(pc) ? text.getLong(pc + 8) : 0;
    }

    @Override
    public boolean has(int pc) {
      return pc >= 0 && pc % INSTRUCTION_BYTES == 0 && pc <= text.limit() - INSTRUCTION_BYTES;
    }
  }
}
