package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.TraceLaunchFile.Buffer;
import dev.warpline.nvidia.emulate.TraceLaunchFile.ConstantData;
import dev.warpline.nvidia.emulate.TraceLaunchFile.KernelLaunch;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.code.Cubin;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Runs the kernels of a launch file and writes their traces. */
public final class Tracer {
  /** Where parameters begin on Hopper, if a cubin does not say. */
  private static final int HOPPER_PARAMETERS = 0x210;

  private static final int STACK_POINTER = 0x28;

  /** Where the stacks of threads begin, as in traces of real kernels. */
  private static final int STACK_TOP = 0xfffcd0;

  private static final int WRITE_BUFFER = 1 << 20;

  private final Path file;
  private final TraceLaunchFile launches;
  private final Path folder;
  private final EmulatedMemory memory = new EmulatedMemory();
  private long instructions;

  /** Reads a launch file and prepares its memory. */
  public Tracer(Path file) throws IOException {
    this.file = file;
    launches = TraceLaunchFile.read(file);
    folder = file.toAbsolutePath().getParent();
    for (Map.Entry<String, Buffer> entry : launches.buffers().entrySet()) {
      Buffer buffer = entry.getValue();
      byte[] content = content(entry.getKey(), buffer);
      memory.add(new EmulatedMemory.Buffer(entry.getKey(), buffer.address(), content));
    }
  }

  private byte[] content(String name, Buffer buffer) throws IOException {
    if (buffer.random() != null) {
      return buffer.random().generate(buffer.bytes());
    }
    if (buffer.file() == null) {
      return new byte[buffer.bytes()];
    }
    byte[] content = Files.readAllBytes(folder.resolve(buffer.file()));
    if (buffer.bytes() != 0 && content.length > buffer.bytes()) {
      throw new EmulationException(
          file
              + ": buffer "
              + name
              + ": found a file of "
              + content.length
              + " bytes for "
              + buffer.bytes());
    }
    return buffer.bytes() == 0 ? content : java.util.Arrays.copyOf(content, buffer.bytes());
  }

  /**
   * Traces all launches into a folder: {@code kernelslist.g}, and per launch {@code
   * kernel-N.traceg} with its cubin and listing.
   *
   * @param progress told the number of warp instructions so far
   * @return what is wrong with the final contents of buffers, in words; empty: nothing
   */
  public List<String> trace(Path output, LongConsumer progress) throws IOException {
    Files.createDirectories(output);
    StringBuilder list = new StringBuilder();
    for (Buffer buffer : launches.buffers().values()) {
      if (buffer.random() != null || buffer.file() != null) {
        int bytes = memory.at(buffer.address(), 1).content.length;
        list.append(String.format("MemcpyHtoD,0x%016x,%d\n", buffer.address(), bytes));
      }
    }
    for (int number = 1; number <= launches.launches().size(); number++) {
      trace(number, output, progress);
      list.append("kernel-").append(number).append(".traceg\n");
    }
    Files.writeString(output.resolve("kernelslist.g"), list);
    return wrongBuffers();
  }

  /** Warp instructions executed. */
  public long instructions() {
    return instructions;
  }

  /** How many buffers have a checksum to compare with. */
  public long checked() {
    return launches.buffers().values().stream().filter(b -> b.checksum() != null).count();
  }

  private List<String> wrongBuffers() {
    List<String> wrong = new ArrayList<>();
    launches
        .buffers()
        .forEach(
            (name, buffer) -> {
              if (buffer.checksum() != null) {
                long found = memory.at(buffer.address(), 1).checksum();
                if (found != buffer.expected()) {
                  wrong.add(
                      String.format(
                          "buffer %s: checksum 0x%016x, expected 0x%016x",
                          name, found, buffer.expected()));
                }
              }
            });
    return wrong;
  }

  private void trace(int number, Path output, LongConsumer progress) throws IOException {
    KernelLaunch wanted = launches.launches().get(number - 1);
    String stem = wanted.code().equals("kernel-N") ? "kernel-" + number : wanted.code();
    Path code = folder.resolve(launches.code());
    Path listing = code.resolve(stem + ".sass");
    Map<Integer, SassInstruction> instructions =
        SassParser.parse(Files.readString(listing), wanted.kernel(), listing.toString());
    Path cubinFile = code.resolve(stem + ".cubin");
    byte[] cubinBytes = Files.readAllBytes(cubinFile);
    Cubin cubin = Cubin.read(cubinBytes, cubinFile.toString());
    Cubin.Kernel kernel = cubin.kernel(wanted.kernel());
    if (kernel == null) {
      throw new EmulationException(
          cubinFile
              + ": found no kernel "
              + wanted.kernel()
              + ", expected one of "
              + cubin.kernels().stream().map(Cubin.Kernel::name).toList());
    }
    if (!kernel.cluster().equals(Dim3.ONE)) {
      throw new EmulationException(
          cubinFile + ": " + kernel.name() + ": clusters of blocks are not emulated");
    }
    int reserved = cubin.architecture() >= 90 ? BlockMemory.RESERVED : 0;
    int sharedBytes = Math.max(0, kernel.sharedBytes() - reserved) + wanted.dynamicShared();
    Launch launch =
        new Launch(
            wanted.kernel(),
            wanted.gridSize(),
            wanted.blockSize(),
            reserved + sharedBytes,
            launches.sharedBase(),
            launches.localBase(),
            constants(wanted, cubin, kernel, cubinFile),
            memory);
    Files.write(output.resolve("kernel-" + number + ".cubin"), cubinBytes);
    Files.writeString(output.resolve("kernel-" + number + ".sass"), listing(instructions));
    Path trace = output.resolve("kernel-" + number + ".traceg");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(trace), WRITE_BUFFER)) {
      out.write(
          header(number, launch, cubin.architecture(), sharedBytes, kernel.registers())
              .getBytes(StandardCharsets.US_ASCII));
      run(launch, new KernelSteps(instructions, launches.limit()), out, progress);
    }
  }

  private void run(Launch launch, KernelSteps program, OutputStream out, LongConsumer progress)
      throws IOException {
    Block block = new Block(launch);
    long before = instructions;
    for (int z = 0; z < launch.grid().z(); z++) {
      for (int y = 0; y < launch.grid().y(); y++) {
        for (int x = 0; x < launch.grid().x(); x++) {
          block.run(x, y, z, program);
          block.write(out);
          instructions = before + program.executed();
          progress.accept(instructions);
        }
      }
    }
  }

  private static String listing(Map<Integer, SassInstruction> instructions) {
    StringBuilder text = new StringBuilder();
    instructions.forEach(
        (pc, instruction) -> text.append(String.format("%04x\t%s ;\n", pc, instruction.text())));
    return text.toString();
  }

  private String header(
      int number, Launch launch, int architecture, int sharedBytes, int registers) {
    return String.join(
        "\n",
        "-kernel name = " + launch.kernel(),
        "-kernel id = " + number,
        "-grid dim = " + launch.grid(),
        "-block dim = " + launch.block(),
        "-shmem = " + sharedBytes,
        "-nregs = " + registers,
        "-binary version = " + architecture,
        "-cuda stream id = 0",
        String.format("-shmem base_addr = 0x%016x", launch.sharedBase()),
        String.format("-local mem base_addr = 0x%016x", launch.localBase()),
        "-nvbit version = none",
        "-accelsim tracer version = 5",
        "-enable lineinfo = 0",
        "",
        "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs]"
            + " mem_width [adrrescompress?] [mem_addresses] immediate",
        "",
        "");
  }

  private ConstantBanks constants(
      KernelLaunch launch, Cubin cubin, Cubin.Kernel kernel, Path cubinFile) throws IOException {
    ConstantBanks banks = new ConstantBanks();
    for (Cubin.Constants constants : cubin.constants()) {
      boolean ours = constants.kernel() == null || constants.kernel().equals(launch.kernel());
      if (ours && constants.relocated()) {
        throw new EmulationException(
            cubinFile
                + ": constant bank "
                + constants.bank()
                + " holds addresses of __device__ variables, which are not emulated");
      }
      if (ours && constants.bank() != 0) {
        banks.put(constants.bank(), 0, constants.bytes());
      }
    }
    for (ConstantData data : launches.constants()) {
      byte[] content =
          data.random() != null
              ? data.random().generate(data.bytes())
              : data.hex() != null
                  ? TraceLaunchFile.hex("constants", data.hex())
                  : Files.readAllBytes(folder.resolve(data.file()));
      banks.put(data.bank(), data.offset(), content);
    }
    banks.put(
        0,
        0,
        launch.bank0() != null
            ? TraceLaunchFile.hex("bank0", launch.bank0())
            : bank0(launch, kernel.parameterOffset(), kernel.parameterBytes()));
    return banks;
  }

  /** Constant bank 0 as drivers lay it out. */
  private byte[] bank0(KernelLaunch launch, int offset, int expected) throws EmulationException {
    byte[] parameters = TraceLaunchFile.hex("parameters", launch.parameters());
    if (parameters.length < expected) {
      throw new EmulationException(
          String.format(
              "%s: %s: found %d bytes of parameters, expected %d",
              file, launch.kernel(), parameters.length, expected));
    }
    int start = offset == 0 ? HOPPER_PARAMETERS : offset;
    byte[] bank = new byte[start + parameters.length];
    Dim3 block = launch.blockSize();
    Dim3 grid = launch.gridSize();
    int[] sizes = {block.x(), block.y(), block.z(), grid.x(), grid.y(), grid.z()};
    for (int i = 0; i < sizes.length; i++) {
      Bytes.word(bank, 4 * i, sizes[i]);
    }
    Bytes.doubleWord(bank, 0x18, launches.sharedBase());
    Bytes.doubleWord(bank, 0x20, launches.localBase());
    Bytes.word(bank, STACK_POINTER, STACK_TOP);
    System.arraycopy(parameters, 0, bank, start, parameters.length);
    return bank;
  }
}
