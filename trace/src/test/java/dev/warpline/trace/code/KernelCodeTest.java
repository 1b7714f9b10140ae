package dev.warpline.trace.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Disassembly;
import dev.warpline.isa.Registers;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelCodeTest {
  private static final String DSMEM = "_Z12dsmem_reducePKfPfi";

  @Test
  void aCubinNamesItsKernelsRegistersSharedMemoryAndCluster() throws IOException {
    Cubin cubin = cubin("dsmem_reduce.cubin");
    assertThat(cubin.architecture()).isEqualTo(90);
    assertThat(cubin.kernels()).extracting(Cubin.Kernel::name).containsExactly(DSMEM);
    Cubin.Kernel kernel = cubin.kernel(DSMEM);
    assertThat(kernel.registers()).isEqualTo(15);
    assertThat(kernel.sharedBytes()).isEqualTo(1024 + 1024);
    assertThat(kernel.cluster()).isEqualTo(new Dim3(4, 1, 1));
    assertThat(kernel.codeBytes()).isEqualTo(1408);
    assertThat(kernel.functions()).containsExactly(new Cubin.Function(DSMEM, 0, 1408));
    assertThat(cubin.kernel("absent")).isNull();
  }

  @Test
  void aKernelWithoutClustersHasClustersOfOneBlock() throws IOException {
    assertThat(cubin("bulk_stream.cubin").kernel("_Z11bulk_streamPKfPfi").cluster())
        .isEqualTo(Dim3.ONE);
  }

  @Test
  void theArchitectureOfAnOlderCubinIsTheLowByteOfItsFlags() throws IOException {
    byte[] bytes = bytes("bulk_stream.cubin");
    bytes[8] = 7;
    bytes[48] = 75;
    assertThat(Cubin.read(bytes, "old.cubin").architecture()).isEqualTo(75);
  }

  @Test
  void codeIsFoundByPc() throws IOException {
    Cubin.Kernel kernel = cubin("dsmem_reduce.cubin").kernel(DSMEM);
    KernelCode listing = listing("dsmem_reduce.sass");
    assertThat(listing.disassembly(0)).isEqualTo("LDC R1, c[0x0][0x28]");
    assertThat(kernel.low(0) & 0xfff).isEqualTo(0xb82);
    assertThat(listing.disassembly(0x10)).isEqualTo("S2R R0, SR_CTAID.X");
    assertThat(ControlBits.writeBarrier(kernel.control(0x10))).isEqualTo(0);
    assertThat(kernel.cluster()).isEqualTo(new Dim3(4, 1, 1));
    assertThat(kernel.has(0)).isTrue();
    assertThat(listing.has(0)).isTrue();
    for (int pc : new int[] {-16, 8, kernel.codeBytes(), Integer.MAX_VALUE - 15}) {
      assertThat(kernel.has(pc)).isFalse();
      assertThat(kernel.control(pc)).isEqualTo(ControlBits.ABSENT);
      assertThat(kernel.low(pc)).isZero();
      assertThat(kernel.high(pc)).isZero();
      assertThat(listing.has(pc)).isFalse();
      assertThat(listing.disassembly(pc)).isNull();
    }
  }

  @Test
  void everyListedExitIsAnExitInTheCode() throws IOException {
    Cubin.Kernel kernel = cubin("dsmem_reduce.cubin").kernel(DSMEM);
    SassListing listing = listing("dsmem_reduce.sass");
    int exits = 0;
    for (int pc = 0; pc < kernel.codeBytes(); pc += 16) {
      String text = listing.disassembly(pc);
      boolean exit = text != null && text.matches("(@!?U?P\\w+ )?EXIT.*");
      assertThat((kernel.low(pc) & 0xfff) == 0x94d).isEqualTo(exit);
      exits += exit ? 1 : 0;
    }
    assertThat(exits).isPositive();
  }

  @Test
  void aSidecarGivesTheControlBitsOfACubin() throws IOException {
    Cubin.Kernel kernel = cubin("dsmem_reduce.cubin").kernel(DSMEM);
    StringBuilder text = new StringBuilder();
    ControlSidecar.of(kernel).write(text);
    ControlSidecar sidecar =
        ControlSidecar.read(new StringReader(text.toString()), "kernel-1.ctrl");
    assertThat(sidecar.kernelName()).isEqualTo(DSMEM);
    for (int pc = 0; pc < kernel.codeBytes(); pc += 16) {
      assertThat(sidecar.control(pc)).isEqualTo(kernel.control(pc));
    }
    assertThat(sidecar.control(kernel.codeBytes())).isEqualTo(ControlBits.ABSENT);
  }

  @Test
  void aSidecarIsWrittenAsItWasRead() throws IOException {
    String text = new String(bytes("triton_matmul.ctrl"), StandardCharsets.UTF_8);
    StringBuilder written = new StringBuilder();
    ControlSidecar.read(new StringReader(text), "kernel-1.ctrl").write(written);
    assertThat(written.toString()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0008 1 0 7 7 00 0|found PC 0x8, expected a multiple of 16",
        "xyz0 1 0 7 7 00 0|found \"xyz0\", expected a PC that is a multiple of 16 (hex)",
        "0000 16 0 7 7 00 0|found \"16\", expected a stall count of 0 to 15",
        "0000 1 2 7 7 00 0|found \"2\", expected a yield flag of 0 or 1",
        "0000 1 0 8 7 00 0|found \"8\", expected a write barrier of 0 to 7",
        "0000 1 0 7 -1 00 0|found \"-1\", expected a read barrier of 0 to 7",
        "0000 1 0 7 7 40 0|found \"40\", expected a wait mask of 0 to 3f (hex)",
        "0000 1 0 7 7 00|found the end of the line, expected reuse bits of 0 to f (hex)",
        "0000 1 0 7 7 00 0 9|found \"9\", expected the end of the line"
      })
  void aBadSidecarLineIsNamed(String line, String message) {
    assertThatThrownBy(
            () -> ControlSidecar.read(new StringReader("# comment\n" + line), "kernel-1.ctrl"))
        .isInstanceOf(CodeFormatException.class)
        .hasMessage("kernel-1.ctrl:2: " + message);
  }

  @Test
  void constantsAreThoseOfTheListing() throws IOException {
    SassListing listing = listing("dsmem_reduce.sass");
    StringBuilder text = new StringBuilder();
    ConstantsSidecar.of(DSMEM, listing).write(text);
    assertThat(text)
        .startsWith("# constant operands of " + DSMEM + "\n# pc bank offset\n0000 0 28\n");
    ConstantsSidecar sidecar =
        ConstantsSidecar.read(new StringReader(text.toString()), "kernel-1.constants");
    assertThat(sidecar.kernelName()).isEqualTo(DSMEM);
    assertThat(sidecar.constant(0x10)).isSameAs(ConstantOperand.NONE);
    for (int pc : listing.pcs()) {
      assertThat(sidecar.constant(pc))
          .isEqualTo(Disassembly.of(listing.disassembly(pc)).constant());
    }
  }

  @Test
  void aConstantMayLieWhereARegisterSays() throws IOException {
    String text =
        "# constant operands of k\n# pc bank offset\n"
            + "0270 3 UR5\n0280 3 UR5+8\n0290 2 R0+1c\n02a0 2 R9+-4\n02b0 0 210\n";
    ConstantsSidecar sidecar = ConstantsSidecar.read(new StringReader(text), "kernel-1.constants");
    assertThat(sidecar.constant(0x280))
        .isEqualTo(new ConstantOperand(3, Registers.number("UR5"), 8));
    assertThat(sidecar.constant(0x290)).isEqualTo(new ConstantOperand(2, 0, 0x1c));
    assertThat(sidecar.constant(0x2a0)).isEqualTo(new ConstantOperand(2, 9, -4));
    assertThat(sidecar.constant(0x2b0).isFixed()).isTrue();
    StringBuilder written = new StringBuilder();
    sidecar.write(written);
    assertThat(written.toString()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000 0",
        "0000 0 28 1",
        "xyz 0 28",
        "0000 32 28",
        "0000 0x0 28",
        "0000 0 0x28",
        "0000 0 UR5+",
        "0000 0 P0+8",
        "0000 0 R300",
        "0000 0 123456"
      })
  void aBadLineOfConstantsIsNamed(String line) {
    assertThatThrownBy(
            () -> ConstantsSidecar.read(new StringReader("# c\n" + line), "kernel-1.constants"))
        .isInstanceOf(CodeFormatException.class)
        .hasMessage(
            "kernel-1.constants:2: found \""
                + line
                + "\", expected a PC (hex), a bank of 0 to 31, and an offset of up to 5 digits"
                + " (hex), a register or both (UR5+8)");
  }

  @Test
  void constantsOfOnePcTwiceAreRefused() {
    String text = "0000 0 28\n0000 0 2c\n";
    assertThatThrownBy(() -> ConstantsSidecar.read(new StringReader(text), "kernel-1.constants"))
        .hasMessage(
            "kernel-1.constants:2: found PC 0000 for the second time, expected each PC once");
  }

  @Test
  void aBadLineOfWordsIsNamed() {
    assertThatThrownBy(() -> CodeWords.read(new StringReader("0000 1\n"), "kernel-1.code"))
        .isInstanceOf(CodeFormatException.class)
        .hasMessage(
            "kernel-1.code:1: found \"0000 1\", expected a PC and two words of up to 16 digits,"
                + " hexadecimal");
  }

  @Test
  void aBadListingLineIsNamed() {
    assertThatThrownBy(() -> SassListing.read(new StringReader("0000 NOP ;\n"), "kernel-1.sass"))
        .isInstanceOf(CodeFormatException.class)
        .hasMessage(
            "kernel-1.sass:1: found \"0000 NOP ;\", expected a hexadecimal PC, a tab, an"
                + " instruction");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 63})
  void aFileThatIsNoElfIsRefused(int length) {
    assertThatThrownBy(() -> Cubin.read(new byte[length], "kernel-1.cubin"))
        .hasMessage("kernel-1.cubin: found no ELF header, expected a cubin (ELF64)");
  }

  @Test
  void anElfOfAnotherMachineIsRefused() throws IOException {
    byte[] bytes = bytes("bulk_stream.cubin");
    bytes[18] = 62;
    assertThatThrownBy(() -> Cubin.read(bytes, "a.out"))
        .hasMessage("a.out: found ELF machine 62, expected 190 (NVIDIA CUDA)");
  }

  @Property(tries = 2000, seed = "1")
  void aDamagedCubinIsReadOrRefusedButNeverCrashes(
      @ForAll @IntRange(min = 0, max = 7000) int at,
      @ForAll byte value,
      @ForAll @IntRange(min = 0, max = 7000) int length)
      throws IOException {
    byte[] bytes = bytes("bulk_stream.cubin");
    bytes[at % bytes.length] = value;
    byte[] cut = length % 3 == 0 ? Arrays.copyOf(bytes, Math.min(length, bytes.length)) : bytes;
    try {
      for (Cubin.Kernel kernel : Cubin.read(cut, "damaged.cubin").kernels()) {
        kernel.control(0);
      }
    } catch (CodeFormatException e) {
      assertThat(e).hasMessageStartingWith("damaged.cubin: found ");
    }
  }

  private static Cubin cubin(String name) throws IOException {
    return Cubin.read(bytes(name), name);
  }

  private static SassListing listing(String name) throws IOException {
    return SassListing.read(
        new StringReader(new String(bytes(name), StandardCharsets.UTF_8)), name);
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream stream = KernelCodeTest.class.getResourceAsStream(name)) {
      return stream.readAllBytes();
    }
  }
}
