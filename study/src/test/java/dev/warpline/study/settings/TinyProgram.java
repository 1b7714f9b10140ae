package dev.warpline.study.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A traced program that touches every part of an SM and is over in no time: two kernels of the same
 * code, the first with control bits and a listing, the second without.
 */
public final class TinyProgram {
  private static final int WARPS = 2;

  /** Stall, write and read barrier, wait mask; listing; destinations, opcode, sources; address. */
  private static final String[][] CODE = {
    {"2 0 7 00", "S2R R0, SR_TID.X", "1 R0 S2R 0"},
    {"1 1 7 00", "LDC R1, c[0x0][0x28]", "1 R1 LDC 0"},
    {"6 7 7 01", "IMAD.WIDE R2, R0, R4, R6", "1 R2 IMAD.WIDE 3 R0 R4 R6"},
    {"4 2 7 00", "LDG.E R8, desc[UR4][R2.64]", "1 R8 LDG.E 1 R2", "4 1 0x7f2b5a000000 4"},
    {
      "4 3 7 00",
      "LDG.E.128 R12, desc[UR4][R2.64]",
      "1 R12 LDG.E.128 1 R2",
      "16 1 0x7f2b5a100000 512"
    },
    {"5 7 7 06", "FFMA R8, R8, R12, R13", "1 R8 FFMA 3 R8 R12 R13"},
    {"5 7 7 08", "FADD R9, R12, R14", "1 R9 FADD 2 R12 R14"},
    {"4 2 7 00", "MUFU.RCP R9, R9", "1 R9 MUFU.RCP 1 R9"},
    {"5 7 7 00", "HFMA2 R10, R8, R8, R8", "1 R10 HFMA2 3 R8 R8 R8"},
    {"8 3 7 04", "DFMA R16, R16, R18, R20", "1 R16 DFMA 3 R16 R18 R20"},
    {"9 7 7 00", "HMMA.16816.F32 R20, R8, R12, R20", "1 R20 HMMA.16816.F32 3 R8 R12 R20"},
    {"4 4 7 00", "SHFL.DOWN PT, R11, R8, 0x10, 0x1f", "1 R11 SHFL.DOWN 1 R8"},
    {"1 7 0 10", "STS [R0], R8", "0 STS 2 R0 R8", "4 1 0x10 4"},
    {"5 7 7 01", "BAR.SYNC.DEFER_BLOCKING 0x0", "0 BAR.SYNC.DEFER_BLOCKING 0"},
    {"4 1 7 00", "LDS R5, [R0+0x4]", "1 R5 LDS 1 R0", "4 1 0x14 8"},
    {"4 2 7 00", "ATOMS.ADD R7, [R0], R5", "1 R7 ATOMS.ADD 2 R0 R5", "4 1 0x10 4"},
    {
      "4 7 0 06",
      "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5",
      "0 RED.E.ADD.STRONG.GPU 2 R2 R5",
      "4 1 0x7f2b5a200000 0"
    },
    {
      "4 3 7 01",
      "ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R2.64], R5",
      "1 R6 ATOMG.E.ADD.STRONG.GPU 2 R2 R5",
      "4 1 0x7f2b5a300000 4"
    },
    {"1 7 0 08", "STG.E desc[UR4][R2.64], R6", "0 STG.E 2 R2 R6", "4 1 0x7f2b5a400000 128"},
    {"2 7 7 00", "STL [R1], R8", "0 STL 2 R1 R8", "4 1 0x7f2b85000100 4"},
    {"4 4 7 00", "LDL R4, [R1]", "1 R4 LDL 1 R1", "4 1 0x7f2b85000100 4"},
    {"8 7 7 11", "MEMBAR.SC.GPU", "0 MEMBAR.SC.GPU 0"},
    {"5 7 7 00", "EXIT", "0 EXIT 0"}
  };

  private TinyProgram() {}

  /** Writes the program into a folder. */
  public static Path write(Path folder, int blocks) throws IOException {
    StringBuilder listing = new StringBuilder();
    StringBuilder control = new StringBuilder("# control bits of tiny\n");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < CODE.length; i++) {
      String[] bits = CODE[i][0].split(" ");
      listing.append(String.format("%04x\t%s ;%n", 16 * i, CODE[i][1]));
      control.append(
          String.format("%04x %s 0 %s %s %s 0%n", 16 * i, bits[0], bits[1], bits[2], bits[3]));
      String memory = CODE[i].length > 3 ? CODE[i][3] : "0";
      lines.append(String.format("%04x ffffffff %s %s 0%n", 16 * i, CODE[i][2], memory));
    }
    for (int kernel = 1; kernel <= 2; kernel++) {
      Files.writeString(
          folder.resolve("kernel-" + kernel + ".traceg"), trace(kernel, blocks, lines.toString()));
    }
    Files.writeString(folder.resolve("kernel-1.sass"), listing);
    Files.writeString(folder.resolve("kernel-1.ctrl"), control);
    Files.writeString(
        folder.resolve("kernelslist.g"),
        "MemcpyHtoD,0x00007f2b5a000000,4096\nkernel-1.traceg\nkernel-2.traceg\n");
    return folder;
  }

  private static String trace(int kernel, int blocks, String lines) {
    StringBuilder text = new StringBuilder("-kernel name = tiny" + kernel + "\n");
    text.append("-kernel id = ").append(kernel);
    text.append("\n-grid dim = (").append(blocks);
    text.append(",1,1)\n-block dim = (").append(32 * WARPS).append(",1,1)\n");
    text.append("-shmem = 256\n-nregs = 24\n-binary version = 86\n-cuda stream id = 0\n");
    text.append("-shmem base_addr = 0x00007f2c00000000\n");
    text.append("-local mem base_addr = 0x00007f2b85000000\n");
    text.append("-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
    for (int b = 0; b < blocks; b++) {
      text.append("#BEGIN_TB\n\nthread block = ").append(b).append(",0,0\n\n");
      for (int w = 0; w < WARPS; w++) {
        text.append("warp = ").append(w).append("\ninsts = ").append(CODE.length).append('\n');
        text.append(lines).append('\n');
      }
      text.append("#END_TB\n\n");
    }
    return text.toString();
  }
}
