package dev.warpline.nvidia.modern.constant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexedConstantsTest {
  @TempDir Path folder;

  /** What three blocks read whose index is four times a special register. */
  private List<ConstantAddresses> read(String special, String masks) throws IOException {
    StringBuilder trace =
        new StringBuilder(
            """
            -kernel name = k
            -kernel id = 1
            -grid dim = (3,1,1)
            -block dim = (32,1,1)
            -shmem = 0
            -nregs = 24
            -binary version = 90
            -cuda stream id = 0
            -shmem base_addr = 0x00007fc700000000
            -local mem base_addr = 0x00007fc6c5000000
            -nvbit version = 1.7.7.1
            -accelsim tracer version = 5
            -enable lineinfo = 0

            #traces format

            """);
    for (int block = 0; block < 3; block++) {
      trace
          .append("#BEGIN_TB\nthread block = ")
          .append(block)
          .append(",0,0\nwarp = 0\ninsts = 4\n");
      trace.append("0000 ffffffff 1 R0 S2R 0 0 0\n0010 ffffffff 1 R2 SHF.L.U32 2 R0 R255 0 2\n");
      trace.append("0020 ").append(masks.split(" ")[block]).append(" 1 R4 LDC 0 0 0\n");
      trace.append("0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n\n");
    }
    Files.writeString(folder.resolve("kernel-1.traceg"), trace);
    Files.writeString(
        folder.resolve("kernel-1.sass"),
        "0000\tS2R R0, "
            + special
            + " ;\n0010\tSHF.L.U32 R2, R0, 0x2, RZ ;\n0020\tLDC R4, c[0x3][R2] ;\n0030\tEXIT ;\n");
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    List<ConstantAddresses> found = new ArrayList<>();
    try (TraceSet set = Traces.open(folder);
        KernelTrace kernel = set.open((TraceCommand.Launch) set.commands().get(0))) {
      IndexedConstants constants =
          new IndexedConstants(kernel.code(), new Dim3(3, 1, 1), new Dim3(32, 1, 1));
      for (int block = 0; block < 3; block++) {
        BlockTrace buffer = new BlockTrace();
        kernel.requireBlock(block, buffer);
        found.add(constants.of(buffer));
      }
    }
    return found;
  }

  private static final String ALIKE = "ffffffff ffffffff ffffffff";

  @Test
  void blocksThatExecuteTheSameShareWhatTheirThreadsRead() throws IOException {
    List<ConstantAddresses> read = read("SR_TID.X", ALIKE);
    assertThat(read.get(0).words(0)).isEqualTo(32);
    assertThat(read.get(1)).isSameAs(read.get(0));
    assertThat(read.get(2)).isSameAs(read.get(0));
  }

  @Test
  void blocksThatExecuteOtherLanesDoNot() throws IOException {
    List<ConstantAddresses> read = read("SR_TID.X", "ffffffff 000000ff ffffffff");
    assertThat(read.get(1).words(0)).isEqualTo(8);
    assertThat(read.get(2).words(0)).isEqualTo(32);
  }

  @Test
  void whatComesFromTheBlocksNumberIsReadByEachBlock() throws IOException {
    List<ConstantAddresses> read = read("SR_CTAID.X", ALIKE);
    assertThat(read.get(1)).isNotSameAs(read.get(0));
    assertThat(read.get(0).words(0)).isEqualTo(1);
  }
}
