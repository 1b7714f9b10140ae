package dev.warpline.amd.code;

import dev.warpline.amd.code.ElfFile.Relocation;
import dev.warpline.amd.code.ElfFile.Segment;
import dev.warpline.amd.code.ElfFile.Symbol;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A linked AMD code object (versions 4 to 6; 3 differs in nothing that matters here): its kernels
 * and the memory image to load.
 *
 * <p>To load it, allocate {@link #imageBytes} bytes at a multiple of {@link #ALIGNMENT} and copy
 * {@link #image} of that address there; all addresses of symbols and kernels are relative to it.
 */
public final class CodeObject {
  public static final int ALIGNMENT = 4096;

  private static final int NT_AMDGPU_METADATA = 32;
  private static final int R_AMDGPU_ABS64 = 3;
  private static final int R_AMDGPU_RELATIVE64 = 13;
  private static final int STT_FUNC = 2;
  private static final int STT_OBJECT = 1;
  private static final long MAX_IMAGE = 256 << 20;

  private final String file;
  private final FileBytes bytes;
  private final ElfFile elf;
  private final GcnTarget target;
  private final List<Kernel> kernels;
  private final int imageBytes;

  private CodeObject(String file, byte[] data) throws CodeObjectException {
    this.file = file;
    bytes = new FileBytes(file, data);
    elf = new ElfFile(bytes);
    int machine = elf.flags() & 0xff;
    target =
        GcnTarget.ofElfMachine(machine)
            .orElseThrow(
                () ->
                    new CodeObjectException(
                        file,
                        String.format("EF_AMDGPU_MACH 0x%x", machine),
                        "gfx900 (0x2c), gfx90a (0x3f) or gfx942 (0x4c)"));
    if (elf.abiVersion() < 1 || elf.abiVersion() > 4) {
      throw new CodeObjectException(
          file, "code object ABI version " + elf.abiVersion(), "1 to 4 (code object v3 to v6)");
    }
    imageBytes = measureImage();
    kernels = readKernels();
  }

  /**
   * Reads a code object, or the one for the given target out of an offload bundle.
   *
   * @param wanted target to take from a bundle or to insist on; empty: the only one there
   */
  public static CodeObject read(Path path, Optional<GcnTarget> wanted) throws IOException {
    return parse(path.toString(), Files.readAllBytes(path), wanted);
  }

  /** Reads a code object that has one target. */
  public static CodeObject read(Path path) throws IOException {
    return read(path, Optional.empty());
  }

  /**
   * Reads all code objects of a file that are for one target. A HIP program has one for each of its
   * source files.
   *
   * @param wanted target to take or to insist on; empty: the only one there
   */
  public static List<CodeObject> readAll(Path path, Optional<GcnTarget> wanted) throws IOException {
    return parseAll(path.toString(), Files.readAllBytes(path), wanted);
  }

  /**
   * Parses the bytes of a code object, offload bundle or HIP program with one code object for the
   * target.
   *
   * @param file name for messages
   */
  public static CodeObject parse(String file, byte[] data, Optional<GcnTarget> wanted)
      throws CodeObjectException {
    List<CodeObject> all = parseAll(file, data, wanted);
    if (all.size() != 1) {
      throw new CodeObjectException(
          file,
          all.size()
              + " code objects, of the kernels "
              + all.stream()
                  .flatMap(object -> object.kernels.stream().map(Kernel::name))
                  .collect(Collectors.joining(", ")),
          "one");
    }
    return all.get(0);
  }

  private static List<CodeObject> parseAll(String file, byte[] data, Optional<GcnTarget> wanted)
      throws CodeObjectException {
    if (OffloadBundle.isBundle(data)) {
      return List.of(fromBundle(file, data, wanted));
    }
    if (FatBinary.isHostFile(file, data)) {
      List<byte[]> bundles = FatBinary.bundles(file, data);
      List<CodeObject> objects = new ArrayList<>();
      for (int i = 0; i < bundles.size(); i++) {
        String name = bundles.size() == 1 ? file : file + "(bundle " + (i + 1) + ")";
        objects.add(fromBundle(name, bundles.get(i), wanted));
      }
      return objects;
    }
    CodeObject object = new CodeObject(file, linked(file, data));
    if (wanted.isPresent() && wanted.get() != object.target) {
      throw new CodeObjectException(
          file, "code for " + object.target.processor(), "code for " + wanted.get().processor());
    }
    return List.of(object);
  }

  private static byte[] linked(String file, byte[] data) throws CodeObjectException {
    if (!Linker.isUnlinked(file, data)) {
      return data;
    }
    String path = System.getenv("PATH");
    return new Linker(path == null ? "" : path).link(file, data);
  }

  /** The targets a file has code for that can be run. */
  public static List<GcnTarget> targets(String file, byte[] data) throws CodeObjectException {
    if (FatBinary.isHostFile(file, data)) {
      return targets(file, FatBinary.bundles(file, data).get(0));
    }
    if (!OffloadBundle.isBundle(data)) {
      return List.of(new CodeObject(file, linked(file, data)).target);
    }
    List<GcnTarget> targets = new ArrayList<>();
    for (OffloadBundle.Entry entry : OffloadBundle.entries(file, data)) {
      GcnTarget.ofProcessor(entry.processor()).ifPresent(targets::add);
    }
    return targets;
  }

  private static CodeObject fromBundle(String file, byte[] data, Optional<GcnTarget> wanted)
      throws CodeObjectException {
    List<OffloadBundle.Entry> entries = OffloadBundle.entries(file, data);
    List<OffloadBundle.Entry> fitting =
        entries.stream()
            .filter(
                e ->
                    GcnTarget.ofProcessor(e.processor())
                        .filter(t -> wanted.isEmpty() || wanted.get() == t)
                        .isPresent())
            .toList();
    long targets = fitting.stream().map(OffloadBundle.Entry::processor).distinct().count();
    if (targets != 1) {
      String found =
          entries.stream().map(OffloadBundle.Entry::id).collect(Collectors.joining(", "));
      throw new CodeObjectException(
          file,
          "a bundle of " + (found.isEmpty() ? "nothing" : found),
          wanted
              .map(t -> "one entry for " + t.processor())
              .orElse("one entry for gfx900, gfx90a or gfx942, or a choice among them"));
    }
    // The GPUs here replay no page faults, so code that says nothing of it or is made without fits.
    OffloadBundle.Entry best = fitting.get(0);
    for (OffloadBundle.Entry entry : fitting) {
      if (best.id().contains("xnack+") && !entry.id().contains("xnack+")) {
        best = entry;
      }
    }
    String name = file + "(" + best.id() + ")";
    return new CodeObject(name, linked(name, best.data()));
  }

  /** The file it came from, for messages. */
  public String file() {
    return file;
  }

  public GcnTarget target() {
    return target;
  }

  /** Code object version: 3 to 6. */
  public int version() {
    return elf.abiVersion() + 2;
  }

  /** Kernels in the order of the metadata. */
  public List<Kernel> kernels() {
    return kernels;
  }

  /** The kernel of this name. */
  public Kernel kernel(String name) throws CodeObjectException {
    for (Kernel kernel : kernels) {
      if (kernel.name().equals(name)) {
        return kernel;
      }
    }
    throw new CodeObjectException(
        file,
        "no kernel " + name,
        kernels.stream().map(Kernel::name).collect(Collectors.joining(" or ")));
  }

  /** A global variable, function or kernel by symbol name: address relative to the load address. */
  public Optional<Long> symbolAddress(String name) {
    return elf.symbols().stream()
        .filter(s -> s.section() != 0 && s.name().equals(name))
        .map(Symbol::address)
        .findFirst();
  }

  /**
   * A variable of the program.
   *
   * @param address relative to the load address
   */
  public record Variable(long address, long bytes) {}

  /** The variable of this name. */
  public Optional<Variable> variable(String name) {
    return elf.symbols().stream()
        .filter(s -> s.section() != 0 && s.type() == STT_OBJECT && s.name().equals(name))
        .map(s -> new Variable(s.address(), s.size()))
        .findFirst();
  }

  /**
   * A function of the code.
   *
   * @param address relative to the load address
   */
  public record Function(String name, long address, long bytes) {}

  /** Functions, kernels among them, by address. */
  public List<Function> functions() {
    return elf.symbols().stream()
        .filter(s -> s.type() == STT_FUNC && s.section() != 0)
        .map(s -> new Function(s.name(), s.address(), s.size()))
        .sorted(java.util.Comparator.comparingLong(Function::address))
        .toList();
  }

  /**
   * A part of the image.
   *
   * @param address relative to the load address
   */
  public record Range(long address, long bytes) {}

  /** Where the image holds instructions. */
  public List<Range> executableRanges() {
    return elf.segments().stream()
        .filter(s -> s.type() == ElfFile.PT_LOAD && s.executable())
        .map(s -> new Range(s.address(), s.fileSize()))
        .toList();
  }

  /**
   * Instruction words, copied.
   *
   * @param address relative to the load address, in an executable segment
   */
  public int[] words(long address, long length) throws CodeObjectException {
    if ((address & 3) != 0 || (length & 3) != 0) {
      throw new CodeObjectException(
          file, String.format("code of %d bytes at 0x%x", length, address), "multiples of 4");
    }
    long offset = elf.fileOffset("code", address, length);
    int[] words = new int[(int) (length / 4)];
    for (int i = 0; i < words.length; i++) {
      words[i] = bytes.i32("code", offset + 4L * i);
    }
    return words;
  }

  /** Bytes of memory the loaded code object takes. */
  public int imageBytes() {
    return imageBytes;
  }

  /** The memory image for a load address: segments in place, the rest zero, relocations applied. */
  public byte[] image(long loadAddress) throws CodeObjectException {
    ByteBuffer image = ByteBuffer.allocate(imageBytes).order(ByteOrder.LITTLE_ENDIAN);
    for (Segment segment : elf.segments()) {
      if (segment.type() == ElfFile.PT_LOAD) {
        byte[] data = bytes.copy("segment", segment.fileOffset(), segment.fileSize());
        image.put((int) segment.address(), data);
      }
    }
    for (Relocation relocation : elf.relocations()) {
      long at = relocation.address();
      if (at < 0 || at + 8 > imageBytes) {
        throw new CodeObjectException(
            file, String.format("a relocation at 0x%x lies outside the image", at));
      }
      image.putLong((int) at, relocate(relocation, loadAddress));
    }
    return image.array();
  }

  private long relocate(Relocation relocation, long loadAddress) throws CodeObjectException {
    return switch (relocation.type()) {
      case R_AMDGPU_RELATIVE64 -> loadAddress + relocation.addend();
      case R_AMDGPU_ABS64 ->
          loadAddress + definedSymbol(relocation.symbol()).address() + relocation.addend();
      default ->
          throw new CodeObjectException(
              file, "relocation type " + relocation.type(), "3 (ABS64) or 13 (RELATIVE64)");
    };
  }

  private Symbol definedSymbol(int index) throws CodeObjectException {
    List<Symbol> symbols = elf.dynamicSymbols();
    if (index < 0 || index >= symbols.size()) {
      throw new CodeObjectException(
          file, "a relocation names symbol " + index + " of " + symbols.size());
    }
    Symbol symbol = symbols.get(index);
    if (symbol.section() == 0) {
      throw new CodeObjectException(
          file, "undefined symbol " + symbol.name(), "a code object that needs no other");
    }
    return symbol;
  }

  private int measureImage() throws CodeObjectException {
    long end = 0;
    for (Segment segment : elf.segments()) {
      if (segment.type() == ElfFile.PT_LOAD) {
        long last = segment.address() + segment.memorySize();
        if (segment.address() < 0
            || segment.memorySize() < segment.fileSize()
            || last < segment.address()
            || last > MAX_IMAGE) {
          throw new CodeObjectException(
              file,
              String.format(
                  "a segment of 0x%x bytes at 0x%x", segment.memorySize(), segment.address()),
              "segments within the first 256 MiB");
        }
        end = Math.max(end, last);
      }
    }
    if (end == 0) {
      throw new CodeObjectException(file, "no loadable segment", "a linked code object");
    }
    return (int) end;
  }

  private List<Kernel> readKernels() throws CodeObjectException {
    byte[] note = elf.note("AMDGPU", NT_AMDGPU_METADATA);
    List<Kernel> list = new ArrayList<>();
    if (note != null) {
      for (Object entry : asList(asMap(MessagePack.read(file, note)).get("amdhsa.kernels"))) {
        Map<?, ?> metadata = asMap(entry);
        String symbol = text(metadata, ".symbol");
        list.add(kernel(text(metadata, ".name"), symbol, metadata));
      }
    } else {
      // Hand-written assembly may lack metadata: every descriptor is a kernel without arguments.
      for (Symbol symbol : elf.symbols()) {
        if (symbol.type() == STT_OBJECT && symbol.name().endsWith(".kd") && symbol.section() != 0) {
          String name = symbol.name().substring(0, symbol.name().length() - 3);
          list.add(kernel(name, symbol.name(), Map.of()));
        }
      }
    }
    return List.copyOf(list);
  }

  private Kernel kernel(String name, String descriptorSymbol, Map<?, ?> metadata)
      throws CodeObjectException {
    long address =
        symbolAddress(descriptorSymbol)
            .orElseThrow(
                () ->
                    new CodeObjectException(
                        file, "no symbol " + descriptorSymbol, "the descriptor of kernel " + name));
    long offset = elf.fileOffset("descriptor of " + name, address, KernelDescriptor.BYTES);
    KernelDescriptor descriptor = KernelDescriptor.read(bytes, offset);
    new DescriptorCheck(file, name, metadata).check(descriptor, target);
    long entry = address + descriptor.entryOffset();
    boolean executable = false;
    for (Segment segment : elf.segments()) {
      executable |=
          segment.type() == ElfFile.PT_LOAD
              && segment.executable()
              && entry >= segment.address()
              && entry < segment.address() + segment.fileSize();
    }
    if (!executable || (entry & 3) != 0) {
      throw new CodeObjectException(
          file,
          String.format("entry of kernel %s at 0x%x", name, entry),
          "a multiple of 4 in an executable segment");
    }
    long codeBytes =
        elf.symbols().stream()
            .filter(s -> s.type() == STT_FUNC && s.address() == entry)
            .mapToLong(Symbol::size)
            .findFirst()
            .orElse(0);
    List<KernelArgument> arguments = new ArrayList<>();
    if (metadata.containsKey(".args")) {
      for (Object entryOfArgs : asList(metadata.get(".args"))) {
        arguments.add(argument(name, asMap(entryOfArgs)));
      }
      Signature.addTypes(name, arguments);
    }
    int kernargBytes = number(metadata, ".kernarg_segment_size", descriptor.kernargBytes());
    for (KernelArgument argument : arguments) {
      if (argument.offset() < 0
          || argument.size() < 0
          || argument.offset() > kernargBytes - argument.size()) {
        throw new CodeObjectException(
            file,
            "argument " + argument + " of kernel " + name,
            "an argument within " + kernargBytes + " bytes");
      }
    }
    List<Integer> required = new ArrayList<>();
    if (metadata.containsKey(".reqd_workgroup_size")) {
      for (Object size : asList(metadata.get(".reqd_workgroup_size"))) {
        required.add(asNumber(".reqd_workgroup_size", size));
      }
    }
    return new Kernel(
        name,
        descriptor,
        address,
        entry,
        codeBytes,
        List.copyOf(arguments),
        kernargBytes,
        number(metadata, ".vgpr_count", descriptor.vgprs(target)),
        number(metadata, ".agpr_count", 0),
        number(metadata, ".sgpr_count", descriptor.sgprs()),
        number(metadata, ".max_flat_workgroup_size", 1024),
        List.copyOf(required));
  }

  private KernelArgument argument(String kernel, Map<?, ?> metadata) throws CodeObjectException {
    if (!metadata.containsKey(".offset") || !metadata.containsKey(".size")) {
      throw new CodeObjectException(
          file, "an argument of kernel " + kernel + " without .offset or .size");
    }
    Object name = metadata.get(".name");
    Object type = metadata.get(".type_name");
    return new KernelArgument(
        name == null ? "" : name.toString(),
        number(metadata, ".offset", 0),
        number(metadata, ".size", 0),
        text(metadata, ".value_kind"),
        type == null ? "" : type.toString());
  }

  private Map<?, ?> asMap(Object value) throws CodeObjectException {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new CodeObjectException(file, "metadata value " + value, "a map");
  }

  private List<?> asList(Object value) throws CodeObjectException {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new CodeObjectException(file, "metadata value " + value, "an array");
  }

  private String text(Map<?, ?> map, String key) throws CodeObjectException {
    if (map.get(key) instanceof String value) {
      return value;
    }
    throw new CodeObjectException(file, "metadata " + key + " = " + map.get(key), "a text");
  }

  private int number(Map<?, ?> map, String key, int otherwise) throws CodeObjectException {
    return map.containsKey(key) ? asNumber(key, map.get(key)) : otherwise;
  }

  private int asNumber(String key, Object value) throws CodeObjectException {
    if (value instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return number.intValue();
    }
    throw new CodeObjectException(file, "metadata " + key + " = " + value, "a number");
  }
}
