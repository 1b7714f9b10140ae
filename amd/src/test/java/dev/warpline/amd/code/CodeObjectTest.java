package dev.warpline.amd.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodeObjectTest {
  static final Path CODE = Path.of("..", "examples", "amd", "co");

  static byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(CODE.resolve(name));
  }

  private static CodeObject read(String name) throws IOException {
    return CodeObject.read(CODE.resolve(name));
  }

  private static CodeObjectException failure(byte[] data) {
    try {
      CodeObject.parse("bad.co", data, Optional.empty()).image(0);
    } catch (CodeObjectException e) {
      return e;
    }
    throw new AssertionError("the file was read without complaint");
  }

  /** A row of listing.tsv: what llvm-objdump printed for a sample. */
  record Listed(String file, GcnTarget target, int instructions, String digest) {
    CodeObject object() throws IOException {
      return CodeObject.read(CODE.resolve(file), Optional.of(target));
    }
  }

  static List<Listed> listed() throws IOException {
    return Files.readAllLines(CODE.resolve("listing.tsv")).stream()
        .map(line -> line.split("\t"))
        .map(
            c ->
                new Listed(
                    c[0], GcnTarget.ofProcessor(c[1]).orElseThrow(), Integer.parseInt(c[2]), c[3]))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("listed")
  void theListingOfASampleIsThatOfLlvmObjdump(Listed sample) throws Exception {
    StringWriter text = new StringWriter();
    new CodeListing(sample.object()).write(new PrintWriter(text));
    List<String> instructions =
        text.toString()
            .lines()
            .filter(line -> line.startsWith("\t"))
            .map(line -> line.substring(1, line.indexOf(" //")).stripTrailing())
            .toList();
    assertThat(instructions).hasSize(sample.instructions);
    String joined = instructions.stream().map(i -> i + "\n").collect(Collectors.joining());
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(joined.getBytes(StandardCharsets.UTF_8));
    assertThat(HexFormat.of().formatHex(digest)).isEqualTo(sample.digest);
  }

  @ParameterizedTest
  @MethodSource("listed")
  void descriptorsHoldTheRegisterCountsOfTheMetadata(Listed sample) throws IOException {
    for (Kernel kernel : sample.object().kernels()) {
      KernelDescriptor descriptor = kernel.descriptor();
      int granule = sample.target.vgprGranule();
      assertThat(descriptor.vgprs(sample.target))
          .as(kernel.name())
          .isEqualTo(Math.max(1, (kernel.vgprs() + granule - 1) / granule) * granule);
      assertThat(descriptor.sgprs()).isEqualTo((kernel.sgprs() + 15) / 16 * 16);
      assertThat(descriptor.kernargBytes()).isEqualTo(kernel.kernargBytes());
      assertThat(descriptor.hasKernargPointer()).isTrue();
    }
  }

  @Test
  void aKernelHasItsArgumentsAndEntry() throws IOException {
    CodeObject object = read("stream.gfx942.co");
    assertThat(object.target()).isEqualTo(GcnTarget.GFX942);
    assertThat(object.version()).isEqualTo(5);
    Kernel kernel = object.kernel("vector_add");
    assertThat(kernel.explicitArguments())
        .extracting(KernelArgument::kind)
        .containsExactly("global_buffer", "global_buffer", "global_buffer", "by_value");
    assertThat(kernel.explicitArguments())
        .extracting(KernelArgument::offset)
        .containsExactly(0, 8, 16, 24);
    assertThat(kernel.arguments())
        .extracting(KernelArgument::kind)
        .contains("hidden_group_size_x", "hidden_block_count_x");
    assertThat(kernel.descriptor().userSgprs()).isEqualTo(2);
    assertThat(kernel.descriptor().hasGroupId(0)).isTrue();
    assertThat(kernel.entryAddress() % 256).isZero();
    assertThat(object.symbolAddress("vector_add")).contains(kernel.entryAddress());
    assertThat(object.symbolAddress("vector_add.kd")).contains(kernel.descriptorAddress());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream.v4.gfx900.co", "stream.v6.gfx942.co"})
  void otherVersionsAreReadAlike(String file) throws IOException {
    CodeObject object = read(file);
    assertThat(object.version()).isEqualTo(file.contains("v4") ? 4 : 6);
    assertThat(object.kernels())
        .extracting(Kernel::name)
        .containsExactly("vector_add", "relu", "saxpy", "copy4", "strided_sum");
  }

  @Test
  void version4ReadsTheGroupSizeThroughTheDispatchPacket() throws IOException {
    KernelDescriptor v4 = read("stream.v4.gfx900.co").kernel("vector_add").descriptor();
    KernelDescriptor v5 = read("stream.gfx900.co").kernel("vector_add").descriptor();
    assertThat(v4.hasDispatchPointer()).isTrue();
    assertThat(v5.hasDispatchPointer()).isFalse();
  }

  @Test
  void aBundleGivesTheCodeOfTheTargetAskedFor() throws IOException {
    Path bundle = CODE.resolve("stream.bundle.co");
    CodeObject object = CodeObject.read(bundle, Optional.of(GcnTarget.GFX90A));
    assertThat(object.target()).isEqualTo(GcnTarget.GFX90A);
    assertThat(object.image(0)).isEqualTo(read("stream.gfx90a.co").image(0));
    assertThat(CodeObject.targets("bundle", Files.readAllBytes(bundle)))
        .containsExactly(GcnTarget.GFX90A, GcnTarget.GFX942);
  }

  @Test
  void aBundleOfSeveralTargetsNeedsATarget() {
    assertThatThrownBy(() -> read("stream.bundle.co"))
        .isInstanceOf(CodeObjectException.class)
        .hasMessageContaining("stream.bundle.co")
        .hasMessageContaining("hipv4-amdgcn-amd-amdhsa--gfx90a");
  }

  @Test
  void aTargetThatIsNotInTheFileIsAnError() {
    assertThatThrownBy(
            () -> CodeObject.read(CODE.resolve("stream.gfx900.co"), Optional.of(GcnTarget.GFX942)))
        .hasMessageContaining("found code for gfx900, expected code for gfx942");
    assertThatThrownBy(
            () -> CodeObject.read(CODE.resolve("stream.bundle.co"), Optional.of(GcnTarget.GFX900)))
        .hasMessageContaining("expected one entry for gfx900");
  }

  @Test
  void anUnknownKernelIsAnErrorThatNamesTheKnownOnes() throws IOException {
    CodeObject object = read("stream.gfx900.co");
    assertThatThrownBy(() -> object.kernel("vectoradd"))
        .hasMessageContaining("no kernel vectoradd")
        .hasMessageContaining("vector_add or relu");
  }

  @Test
  void aPointerInTheDataIsRelocatedToTheLoadAddress() throws IOException {
    CodeObject object = read("program.gfx942.co");
    long base = 0x7f00_0000_0000L;
    ByteBuffer image = ByteBuffer.wrap(object.image(base)).order(ByteOrder.LITTLE_ENDIAN);
    long self = object.symbolAddress("self").orElseThrow();
    long visits = object.symbolAddress("visits").orElseThrow();
    assertThat(image.getLong((int) self)).isEqualTo(base + visits);
    long scale = object.symbolAddress("scale").orElseThrow();
    assertThat(image.getInt((int) scale)).isEqualTo(3);
    assertThat(image.getInt((int) visits)).isZero();
  }

  @Test
  void functionsOfATableAreRelocatedIntoTheCode() throws IOException {
    CodeObject object = read("program.gfx900.co");
    long base = 0x10000;
    ByteBuffer image = ByteBuffer.wrap(object.image(base)).order(ByteOrder.LITTLE_ENDIAN);
    int table = (int) (long) object.symbolAddress("table").orElseThrow();
    for (int i = 0; i < 3; i++) {
      long function = image.getLong(table + 8 * i) - base;
      assertThat(object.executableRanges())
          .anyMatch(r -> function >= r.address() && function < r.address() + r.bytes());
    }
  }

  @Test
  void otherFilesAreRejectedWithTheReason() throws IOException {
    assertThat(failure(new byte[0]))
        .hasMessage("bad.co: found no ELF magic, expected an AMD code object");
    byte[] object = bytes("stream.gfx900.co");
    byte[] intel = object.clone();
    intel[18] = 62;
    assertThat(failure(intel)).hasMessageContaining("ELF machine 62");
    byte[] relocatable = object.clone();
    relocatable[16] = 1;
    assertThat(failure(relocatable)).hasMessageContaining("not linked");
    byte[] navi = object.clone();
    navi[48] = 0x36;
    assertThat(failure(navi)).hasMessageContaining("EF_AMDGPU_MACH 0x36");
    byte[] old = object.clone();
    old[8] = 0;
    assertThat(failure(old)).hasMessageContaining("ABI version 0");
  }

  @Test
  void aFileCutOffAnywhereIsRejected() throws IOException {
    byte[] object = bytes("half.gfx942.co");
    for (int length = 0; length < object.length - 64; length += 97) {
      assertThat(failure(Arrays.copyOf(object, length))).hasMessageStartingWith("bad.co");
    }
  }
}
