package dev.warpline.nvidia.emulate;

import dev.warpline.nvidia.emulate.TraceLaunchFile.Buffer;
import dev.warpline.nvidia.emulate.TraceLaunchFile.ConstantData;
import dev.warpline.nvidia.emulate.TraceLaunchFile.Launched;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TextWriter;
import dev.warpline.trace.code.Cubin;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Runs the kernels of a launch file and writes their traces. */
public final class Tracer {
  private final Path file;
  private final TraceLaunchFile launches;
  private final Path folder;
  private final EmulatedMemory memory = new EmulatedMemory();
  private final Map<String, Integer> sizes = new LinkedHashMap<>();
  private long instructions;

  /** Reads a launch file and prepares its memory. */
  public Tracer(Path file) throws IOException {
    this.file = file;
    launches = TraceLaunchFile.read(file);
    folder = file.toAbsolutePath().getParent();
    for (Map.Entry<String, Buffer> entry : launches.buffers().entrySet()) {
      Buffer buffer = entry.getValue();
      byte[] content = content(entry.getKey(), buffer);
      memory.add(entry.getKey(), buffer.address(), content.length);
      memory.write(buffer.address(), content, 0, content.length);
      sizes.put(entry.getKey(), content.length);
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
    for (Map.Entry<String, Buffer> entry : launches.buffers().entrySet()) {
      Buffer buffer = entry.getValue();
      if (buffer.random() != null || buffer.file() != null) {
        int bytes = sizes.get(entry.getKey());
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
                long found = memory.checksum(buffer.address(), sizes.get(name));
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
    Launched wanted = launches.launches().get(number - 1);
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
    int reserved = cubin.architecture() >= 90 ? BlockMemory.RESERVED : 0;
    int sharedBytes = Math.max(0, kernel.sharedBytes() - reserved) + wanted.dynamicShared();
    int version = TraceLine.version(instructions.values());
    Launch launch =
        new Launch(
            wanted.kernel(),
            wanted.gridSize(),
            wanted.blockSize(),
            kernel.cluster(),
            reserved + sharedBytes,
            launches.sharedBase(),
            launches.localBase(),
            constants(wanted, cubin, kernel, cubinFile),
            memory);
    Files.write(output.resolve("kernel-" + number + ".cubin"), cubinBytes);
    Files.writeString(output.resolve("kernel-" + number + ".sass"), listing(instructions));
    Path trace = output.resolve("kernel-" + number + ".traceg");
    long before = this.instructions;
    ExecutedCode rows = new ExecutedCode(cubin.architecture(), kernel);
    try (KernelTrace executed =
            new EmulatedKernel(
                header(
                    number, launch, cubin.architecture(), sharedBytes, kernel.registers(), version),
                launch,
                new KernelSteps(instructions, rows, version, launches.limit()),
                rows,
                false,
                done -> {
                  this.instructions = before + done;
                  progress.accept(this.instructions);
                });
        Writer out = Files.newBufferedWriter(trace)) {
      TextWriter.write(executed, out);
    }
  }

  private static String listing(Map<Integer, SassInstruction> instructions) {
    StringBuilder text = new StringBuilder();
    instructions.forEach(
        (pc, instruction) -> text.append(String.format("%04x\t%s ;\n", pc, instruction.text())));
    return text.toString();
  }

  private static KernelHeader header(
      int number, Launch launch, int architecture, int sharedBytes, int registers, int version) {
    return new KernelHeader(
        launch.kernel(),
        number,
        launch.grid(),
        launch.block(),
        sharedBytes,
        registers,
        architecture,
        0,
        launch.sharedBase(),
        launch.localBase(),
        "none",
        version,
        false,
        launch.cluster(),
        Map.of());
  }

  private ConstantBanks constants(Launched launch, Cubin cubin, Cubin.Kernel kernel, Path cubinFile)
      throws IOException {
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
            : bank0(launch, kernel.cluster(), kernel.parameterOffset(), kernel.parameterBytes()));
    return banks;
  }

  /** Constant bank 0 as drivers lay it out. */
  private byte[] bank0(Launched launch, Dim3 cluster, int offset, int expected)
      throws EmulationException {
    byte[] parameters = TraceLaunchFile.hex("parameters", launch.parameters());
    if (parameters.length < expected) {
      throw new EmulationException(
          String.format(
              "%s: %s: found %d bytes of parameters, expected %d",
              file, launch.kernel(), parameters.length, expected));
    }
    return Bank0.of(
        new KernelLaunch(
            0,
            launch.kernel(),
            launch.gridSize(),
            launch.blockSize(),
            cluster,
            launch.dynamicShared(),
            0,
            false,
            parameters,
            launches.limit()),
        cluster,
        launches.sharedBase(),
        launches.localBase(),
        0,
        offset);
  }
}
