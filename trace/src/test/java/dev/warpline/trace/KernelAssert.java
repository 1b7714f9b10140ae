package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.util.Arrays;

/** Says that two kernels executed the same. */
final class KernelAssert {
  private KernelAssert() {}

  static void assertSame(KernelTrace actual, KernelTrace expected) throws IOException {
    assertThat(actual.header()).isEqualTo(expected.header());
    BlockTrace a = new BlockTrace();
    BlockTrace b = new BlockTrace();
    for (long id = 0; id < expected.header().grid().count(); id++) {
      boolean there = expected.readBlock(id, b);
      assertThat(actual.readBlock(id, a)).as("block " + id + " is there").isEqualTo(there);
      if (there) {
        assertSameBlock(actual, a, expected, b);
      }
    }
  }

  static void assertSameBlock(
      KernelTrace actual, BlockTrace a, KernelTrace expected, BlockTrace b) {
    assertThat(a.blockId()).isEqualTo(b.blockId());
    assertThat(a.warps()).isEqualTo(b.warps());
    assertThat(a.clusterRank()).isEqualTo(b.clusterRank());
    assertThat(a.instructions()).isEqualTo(b.instructions());
    for (int warp = 0; warp < a.warps(); warp++) {
      assertThat(a.count(warp)).as("instructions of warp " + warp).isEqualTo(b.count(warp));
      for (int i = 0; i < a.count(warp); i++) {
        int x = a.start(warp) + i;
        int y = b.start(warp) + i;
        String where = "block " + a.blockId() + " warp " + warp + " instruction " + i;
        assertThat(describe(actual.code().get(a.row(x))))
            .as(where)
            .isEqualTo(describe(expected.code().get(b.row(y))));
        assertThat(a.mask(x)).as(where).isEqualTo(b.mask(y));
        assertThat(payloads(a, x)).as(where).isEqualTo(payloads(b, y));
      }
    }
  }

  /** All of an instruction but its row number, which depends on the order of reading. */
  static String describe(Instruction i) {
    return String.join(
        " ",
        Integer.toHexString(i.pc()),
        "source " + i.source(),
        Arrays.toString(i.destinations()),
        i.text(),
        i.opcode().toString(),
        Arrays.toString(i.sources()),
        "width " + i.recordedWidth(),
        i.immediate() + " " + i.immediate2(),
        i.commitsGroup() ? "commits" : "",
        "control " + i.control(),
        Long.toHexString(i.low()) + " " + Long.toHexString(i.high()),
        String.valueOf(i.disassembly()),
        "constant " + i.constant());
  }

  /** The payload words of a dynamic instruction, as text. */
  static String payloads(BlockTrace block, int index) {
    StringBuilder text = new StringBuilder();
    int at = block.payload(index);
    while (at >= 0) {
      int length = Payload.length(block.data(), at);
      text.append(Payload.kind(block.data(), at)).append(':');
      text.append(
          Payload.kind(block.data(), at) == Payload.LIST
              ? addresses(block, index, at)
              : Arrays.toString(Arrays.copyOfRange(block.data(), at + 1, at + length)));
      at = Payload.next(block.data(), at);
    }
    return text.toString();
  }

  private static String addresses(BlockTrace block, int index, int at) {
    long[] lanes = new long[32];
    Payload.addresses(block.data(), at, block.mask(index), lanes);
    return Payload.listed(block.data(), at) + Arrays.toString(lanes);
  }
}
