package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.ControlBits;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class KernelBuilderTest {
  @Test
  void aBuiltKernelHasTheRowsMasksAndAddressesOfItsLines() {
    int control = ControlBits.of(4, false, 0, 7, 1, 0);
    MemoryKernel kernel =
        new KernelBuilder("k")
            .grid(2, 1, 1)
            .block(64, 1, 1)
            .line("0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0")
            .line("0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x1000 4 0", control)
            .line("0020 ffffffff 0 EXIT 0 0 0")
            .everyWarpTheSame()
            .build();

    BlockTrace block = new BlockTrace();
    assertThat(kernel.readBlock(1, block)).isTrue();
    assertThat(kernel.readBlock(2, new BlockTrace())).isFalse();
    assertThat(kernel.code().size()).isEqualTo(3);
    assertThat(kernel.hasControlBits()).isTrue();
    assertThat(kernel.code().get(1).control()).isEqualTo(control);
    assertThat(block.warps()).isEqualTo(2);
    assertThat(block.count(1)).isEqualTo(3);
    int load = block.start(1) + 1;
    assertThat(block.mask(load)).isEqualTo(15);
    long[] addresses = new long[32];
    Payload.addresses(block.data(), block.payload(load), block.mask(load), addresses);
    assertThat(addresses).startsWith(0x1000, 0x1004, 0x1008, 0x100c, 0);
  }

  @Test
  void aLineThatIsNoInstructionIsRefused() {
    KernelBuilder builder = new KernelBuilder("k").line("0000 ffffffff 1 4 IADD3 0 0 0");
    assertThatThrownBy(builder::build)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("k:1:17: found \"4\", expected a register such as R12");
  }
}
