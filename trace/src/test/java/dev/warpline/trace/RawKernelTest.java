package dev.warpline.trace;

import static dev.warpline.trace.TraceText.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RawKernelTest {
  private final BlockTrace block = new BlockTrace();

  @Test
  void linesOfInterleavedBlocksAndWarpsAreSorted() throws IOException {
    String text =
        header(5, "(2,1,1)", false)
            + "1 0 0 1 0010 ffffffff 0 NOP 0 0 0 \n"
            + "0 0 0 0 0010 ffffffff 0 NOP 0 0 0 \n"
            + "1 0 0 1 0020 ffffffff 0 EXIT 0 0 0 \n"
            + "1 0 0 0 0030 ffffffff 0 EXIT 0 0 0 \n";
    KernelTrace kernel = TraceText.open("kernel-1.trace", text, Diagnostics.strict());
    assertThat(kernel.readBlock(1, block)).isTrue();
    assertThat(block.count(0)).isEqualTo(1);
    assertThat(block.count(1)).isEqualTo(2);
    assertThat(kernel.code().get(block.row(block.start(1))).text()).isEqualTo("NOP");
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(kernel.readBlock(2, block)).isFalse();
  }

  @Test
  void smAndWarpSlotColumnsAndLineInformationMayFollowThePrefix() throws IOException {
    for (String columns : List.of("", "12 3 ")) {
      String text =
          header(4, "(1,1,1)", true) + "0 0 0 1 " + columns + "77 0010 ffffffff 0 EXIT 0 0 0 \n";
      KernelTrace kernel = TraceText.open("kernel-1.trace", text, Diagnostics.strict());
      assertThat(kernel.readBlock(0, block)).isTrue();
      assertThat(kernel.code().get(block.row(0)).sourceLine()).isEqualTo(77);
    }
  }

  @Test
  void versionSixNamesTheCluster() throws IOException {
    String text =
        header(6, "(1,1,1)", false) + "0 0 0 0  0 0 0 1 0 0 1 0010 ffffffff 0 EXIT 0 0 0 0 NoVal\n";
    KernelTrace kernel = TraceText.open("kernel-1.trace", text, Diagnostics.strict());
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(block.clusterRank()).isEqualTo(1);
  }

  @Test
  void theTwoLinesOfACopyJoinAlthoughOtherWarpsComeBetween() throws IOException {
    String copy = "0150 ffffffff 0 LDGSTS.E 2 R3 R18 4 1 ";
    String text =
        (header(5, "(1,1,1)", false)
                + "0 0 0 0 "
                + copy
                + "0x400 4 0\n0 0 0 1 "
                + copy
                + "0x500 4 0\n")
            + ("0 0 0 0 " + copy + "0x7f0000000000 4 0\n0 0 0 1 " + copy + "0x7f0000000100 4 0\n");
    KernelTrace kernel = TraceText.open("kernel-1.trace", text, Diagnostics.strict());
    kernel.readBlock(0, block);
    assertThat(block.count(0)).isEqualTo(1);
    assertThat(KernelAssert.payloads(block, block.start(1)))
        .isEqualTo("1:[" + 0x7f0000000100L + ", 4]1:[1280, 4]");
  }

  @Test
  void aRawTraceIsTheSameAsItsGroupedForm() throws IOException {
    for (long seed = 0; seed < 20; seed++) {
      String grouped = TraceText.random(seed, 1);
      KernelTrace expected = TraceText.open(grouped, Diagnostics.strict());
      KernelTrace raw =
          TraceText.open("kernel-1.trace", ungroup(grouped, seed), Diagnostics.strict());
      BlockTrace a = new BlockTrace();
      for (long id = 0; id < expected.header().grid().count(); id++) {
        boolean there = expected.readBlock(id, block) && block.instructions() > 0;
        assertThat(raw.readBlock(id, a)).isEqualTo(there);
        if (there) {
          KernelAssert.assertSameBlock(raw, a, expected, block);
        }
      }
    }
  }

  /** Interleaves the warps of a grouped trace of version 1, whose lines name block and warp. */
  private static String ungroup(String text, long seed) {
    List<List<String>> warps = new ArrayList<>(new TreeMap<String, List<String>>().values());
    StringBuilder result = new StringBuilder();
    for (String line : text.split("\n")) {
      if (line.startsWith("warp")) {
        warps.add(new ArrayList<>());
      } else if (!line.isEmpty() && Character.isDigit(line.charAt(0))) {
        warps.get(warps.size() - 1).add(line);
      } else if (line.startsWith("-") || line.startsWith("#traces")) {
        result.append(line).append('\n');
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int warp = 0; warp < warps.size(); warp++) {
      order.addAll(Collections.nCopies(warps.get(warp).size(), warp));
    }
    Collections.shuffle(order, new Random(seed));
    int[] next = new int[warps.size()];
    for (int warp : order) {
      result.append(warps.get(warp).get(next[warp]++)).append('\n');
    }
    return result.toString();
  }

  @Test
  void whatExceedsTheBudgetGoesToAFileAndComesBackInOrder() throws IOException {
    try (BlockSpool spool = new BlockSpool(2000)) {
      for (int i = 0; i < 1000; i++) {
        byte[] line = ("line " + i).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        spool.add(i % 7, i % 7, i % 3, i, line, 0, 0, line.length);
      }
      ByteBuffer records = spool.read(5);
      int expected = 5;
      for (int at = 0; at < records.limit(); at = BlockSpool.next(records, at)) {
        assertThat(records.getInt(at)).isEqualTo(expected % 3);
        assertThat(records.getLong(at + 4)).isEqualTo(expected);
        expected += 7;
      }
      assertThat(expected).isGreaterThan(990);
      assertThat(spool.clusterRank(5)).isEqualTo(5);
      assertThat(spool.read(7)).isNull();
    }
  }
}
