package dev.warpline.trace;

import static dev.warpline.trace.TraceText.block;
import static dev.warpline.trace.TraceText.header;
import static dev.warpline.trace.TraceText.kernel;
import static dev.warpline.trace.TraceText.open;
import static dev.warpline.trace.TraceText.warp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What strict and lenient reading say of each malformed input. */
class MalformedTraceTest {
  private static final String EXIT = "0020 ffffffff 0 EXIT 0 0 0";

  @Test
  void anUnknownOpcodeIsReportedOnceAndTakenAsAnIntegerInstruction() throws IOException {
    String odd = "0010 ffffffff 1 R4 FROB.X 1 R2 0 0";
    check(
        kernel(block(0, warp(0, odd, odd, "0030 ffffffff 0 FROB 0 0 0", EXIT))),
        "kernel-1.traceg:22:20: found opcode \"FROB\", expected an opcode of this GPU generation"
            + " (taken as a simple integer instruction)",
        Skipped.NOTHING,
        4);
  }

  @Test
  void anUnknownBinaryVersionIsReported() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT))).replace("version = 86", "version = 91"),
        "kernel-1.traceg:7:1: found binary version 91, expected one of 35 37 50 52 53 60 61 62 70"
            + " 72 75 80 86 87 89 90 100 101 103 120 121 (the opcodes of the nearest older one are"
            + " used)",
        Skipped.NOTHING,
        1);
  }

  @Test
  void moreLinesThanAnnouncedAreReadAndReported() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT, EXIT).replace("insts = 2", "insts = 1"))),
        "kernel-1.traceg:21:1: found insts = 1, expected insts = 2, as many as there are lines",
        Skipped.NOTHING,
        2);
  }

  @Test
  void fewerLinesThanAnnouncedDoNotMixWarps() throws IOException {
    String text = kernel(block(0, warp(0, EXIT).replace("insts = 1", "insts = 9") + warp(1, EXIT)));
    check(
        text,
        "kernel-1.traceg:21:1: found insts = 9, expected insts = 1, as many as there are lines",
        Skipped.NOTHING,
        2);
  }

  @Test
  void aBlockThatBeginsInsideAnotherIsReported() throws IOException {
    String first = block(0, warp(0, EXIT)).replace("#END_TB\n", "");
    String text = kernel(first, block(1, warp(0, EXIT)));
    check(
        text,
        "kernel-1.traceg:26:1: found #BEGIN_TB, expected #END_TB of the thread block that began on"
            + " line 18",
        Skipped.NOTHING,
        1);
    KernelTrace kernel = open(text, Diagnostics.lenient());
    BlockTrace block = new BlockTrace();
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(kernel.readBlock(1, block)).isTrue();
    assertThat(block.count(0)).isEqualTo(1);
  }

  @Test
  void aTruncatedFileGivesWhatIsThereAndSaysWhereItEnds() throws IOException {
    String text = kernel(block(0, warp(0, EXIT, EXIT)));
    String cut = text.substring(0, text.lastIndexOf("0020"));
    check(
        cut,
        "kernel-1.traceg:21:1: found insts = 2, expected insts = 1, as many as there are lines",
        Skipped.NOTHING,
        1);
    String whole = text.substring(0, text.indexOf("#END_TB"));
    check(
        whole,
        "kernel-1.traceg:25:1: found the end of the file at byte "
            + whole.length()
            + ", expected #END_TB",
        Skipped.NOTHING,
        2);
  }

  @Test
  void aMemoryInstructionWithoutAddressesIsReported() throws IOException {
    check(
        kernel(block(0, warp(0, "0010 ffffffff 1 R4 LDG.E 1 R2 0 0", EXIT))),
        "kernel-1.traceg:22:20: found \"LDG.E\" with memory width 0, expected a memory width and"
            + " addresses",
        Skipped.NOTHING,
        2);
  }

  @Test
  void aLineThatIsNoInstructionIsLeftOut() throws IOException {
    bad("0010 fffffff 0 EXIT 0 0 0", 6, "\"fffffff\"", "a lane mask of 8 hexadecimal digits");
    bad("0010 ffffffff", 6, "\"ffffffff\"", "a lane mask of 8 hexadecimal digits");
    bad("001x ffffffff 0 EXIT 0 0 0", 1, "\"001x\"", "a PC of up to 8 hexadecimal digits");
    bad("0010 ffffffff x EXIT 0 0 0", 15, "\"x\"", "a number of destinations");
    bad("0010 ffffffff 1 Q4 IADD3 0 0 0", 17, "\"Q4\"", "a register such as R12");
    bad("0010 ffffffff 0 12 0 0 0", 17, "\"12\"", "an opcode");
    bad("0010 ffffffff 0 EXIT -1 0 0", 22, "\"-1\"", "a number of sources");
    bad("0010 ffffffff 0 EXIT 2 R1", 26, "end of line", "a register such as R12");
    bad("0010 ffffffff 0 EXIT 0", 23, "end of line", "a memory width");
    bad("0010 ffffffff 0 EXIT 0 0 0 junk", 28, "\"junk\"", "end of line");
    bad("0010 ffffffff 1 R4 LDG.E 1 R2 4", 32, "end of line", "an address mode");
    bad("0010 ffffffff 1 R4 LDG.E 1 R2 4 7 0x0", 33, "\"7\"", "an address mode 0, 1 or 2");
    bad("0010 00000003 1 R4 LDG.E 1 R2 4 1 zz 4", 35, "\"zz\"", "an address in hexadecimal");
    bad("0010 00000003 1 R4 LDG.E 1 R2 4 1 0x10", 39, "end of line", "a stride");
    bad("0010 00000003 1 R4 LDG.E 1 R2 4 0 0x10", 39, "end of line", "an address in hexadecimal");
    bad("0010 00000007 1 R4 LDG.E 1 R2 4 2 0x10 4", 41, "end of line", "an address difference");
  }

  @Test
  void aWarpOutsideTheBlockIsLeftOut() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT) + warp(2, EXIT))),
        "kernel-1.traceg:24:1: found \"warp = 2\", expected a warp from 0 to 1",
        Skipped.WARP,
        1);
  }

  @Test
  void aWarpThatComesTwiceCountsOnce() throws IOException {
    check(
        kernel(block(0, warp(1, EXIT) + warp(1, EXIT))),
        "kernel-1.traceg:24:1: found \"warp = 1\" for the second time, expected each warp once",
        Skipped.WARP,
        1);
  }

  @Test
  void anInstructionBeforeTheFirstWarpIsLeftOut() throws IOException {
    check(
        kernel(block(0, EXIT + "\n")),
        "kernel-1.traceg:20:1: found \"0020\" before the first warp, expected warp = <number>",
        Skipped.INSTRUCTION,
        0);
  }

  @Test
  void anInstsLineNeedsANumber() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT).replace("insts = 1", "insts = many"))),
        "kernel-1.traceg:21:1: found an insts line without a number, expected insts = <count>",
        Skipped.NOTHING,
        1);
  }

  @Test
  void aBlockOutsideTheGridIsLeftOut() throws IOException {
    check(
        kernel(block(4, warp(0, EXIT)), block(0, warp(0, EXIT))),
        "kernel-1.traceg:18:1: found \"thread block = 4,0,0\", expected thread block = x,y,z inside"
            + " the grid (4,1,1)",
        Skipped.BLOCK,
        1);
  }

  @Test
  void aBlockThatComesTwiceCountsOnce() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT, EXIT)), block(1, warp(0, EXIT)), block(0, warp(0, EXIT))),
        "kernel-1.traceg:39:1: found thread block 0 for the second time, expected each thread block"
            + " once",
        Skipped.BLOCK,
        2);
  }

  @Test
  void aHeaderWithoutRegistersIsReported() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT))).replace("-nregs = 16\n", ""),
        "kernel-1.traceg: found no header line -nregs, expected \"-nregs = ...\"",
        Skipped.NOTHING,
        1);
  }

  @Test
  void linesOfNoKindAreReported() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT) + "hello\n")),
        "kernel-1.traceg:24:1: found \"hello\", expected an instruction, warp =, insts = or"
            + " #END_TB",
        Skipped.INSTRUCTION,
        1);
    check(
        kernel("hello\n", block(0, warp(0, EXIT))),
        "kernel-1.traceg:16:1: found \"hello\", expected #BEGIN_TB or the end of the file",
        Skipped.INSTRUCTION,
        1);
  }

  @Test
  void aPrefixThatContradictsItsBlockIsReported() throws IOException {
    check(
        header(1) + block(0, warp(0, "1 0 0 0 0010 ffffffff 0 EXIT 0 0")),
        "kernel-1.traceg:22:1: found \"1 0 0 0 0010 ffffffff 0 EXIT 0 0\", expected block and warp"
            + " of the lines above, then a PC",
        Skipped.INSTRUCTION,
        0);
  }

  @Test
  void aKernelWithoutGridOrBlockCannotBeRead() {
    hopeless(
        kernel().replace("-grid dim = (4,1,1)\n", ""),
        "kernel-1.traceg: found no such header line, expected \"-grid dim = (x,y,z)\" for -grid dim");
    hopeless(
        kernel().replace("(64,1,1)", "(64,0,1)"),
        "kernel-1.traceg:4:14: found \"(64,0,1)\", expected (x,y,z) with three positive numbers for"
            + " -block dim");
    hopeless(
        kernel().replace("(64,1,1)", "(64,64,1)"),
        "kernel-1.traceg: found (64,64,1), expected at most 1024 threads for -block dim");
    hopeless(
        kernel().replace("tracer version = 5", "tracer version = 7"),
        "kernel-1.traceg:12:28: found \"7\", expected a version from 0 to 6 for -accelsim tracer"
            + " version");
  }

  @Test
  void aHeaderLineWithoutItsValueIsReported() throws IOException {
    check(
        kernel(block(0, warp(0, EXIT))).replace("-nregs = 16", "-nregs = lots"),
        "kernel-1.traceg:6:10: found \"lots\", expected a number for -nregs",
        Skipped.NOTHING,
        1);
    check(
        kernel(block(0, warp(0, EXIT))).replace("-nregs = 16", "-nregs 16"),
        "kernel-1.traceg:6:1: found \"-nregs 16\", expected a header line such as \"-nregs = 32\"",
        Skipped.NOTHING,
        1);
  }

  @Test
  void aRawLineOutsideTheGridIsLeftOut() throws IOException {
    String text = header(5) + "9 0 0 0 0010 ffffffff 0 EXIT 0 0 0\n0 0 0 1 " + EXIT + "\n";
    String message =
        "kernel-1.trace:16:1: found \"9 0 0 0 0010 ffffffff 0 EXIT 0 0 0\", expected block x y z"
            + " inside the grid (4,1,1), a warp below 2, then an instruction";
    assertThatThrownBy(() -> readAll(open("kernel-1.trace", text, Diagnostics.strict())))
        .hasMessage(message);
    Diagnostics lenient = Diagnostics.lenient();
    assertThat(readAll(open("kernel-1.trace", text, lenient))).isEqualTo(1);
    assertThat(lenient.messages()).containsExactly(message);
  }

  @Test
  void aCopyCommandNeedsAddressAndSize() throws IOException {
    String message =
        "kernelslist.g:2:1: found \"MemcpyHtoD,0x10\", expected MemcpyHtoD,<hexadecimal"
            + " address>,<decimal bytes>";
    byte[] list = "kernel-1.traceg\nMemcpyHtoD,0x10\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> CommandList.read("kernelslist.g", list, Diagnostics.strict()))
        .hasMessage(message);
    Diagnostics lenient = Diagnostics.lenient();
    assertThat(CommandList.read("kernelslist.g", list, lenient)).hasSize(1);
    assertThat(lenient.messages()).containsExactly(message);
    assertThat(lenient.count(Skipped.COMMAND)).isEqualTo(1);
  }

  @Test
  void unknownCommandsAreKeptAndNeverFail() throws IOException {
    byte[] list =
        "MemcpyHtoD,0x10,32\nMemcpyDtoH,0x10,32\nncclAllReduce,7\nkernel-1.traceg\n"
            .getBytes(StandardCharsets.UTF_8);
    Diagnostics strict = Diagnostics.strict();
    assertThat(CommandList.read("kernelslist.g", list, strict))
        .containsExactly(
            new TraceCommand.MemcpyHtoD(16, 32),
            new TraceCommand.Other(2, "MemcpyDtoH,0x10,32"),
            new TraceCommand.Other(3, "ncclAllReduce,7"),
            new TraceCommand.Launch(0, "kernel-1.traceg"));
    assertThat(strict.messages())
        .containsExactly("kernelslist.g:3: unknown command \"ncclAllReduce,7\" ignored");
  }

  @Test
  void aMissingKernelFileIsNamed() {
    assertThatThrownBy(
            () ->
                TraceText.open(
                    new MemoryFiles(java.util.Map.of()), "kernel-7.traceg", Diagnostics.lenient()))
        .hasMessage("kernel-7.traceg: found no such file, expected the trace of a kernel");
  }

  private static void bad(String line, int column, String found, String expected)
      throws IOException {
    check(
        kernel(block(0, warp(0, line, EXIT))),
        "kernel-1.traceg:22:" + column + ": found " + found + ", expected " + expected,
        Skipped.INSTRUCTION,
        1);
  }

  private static void hopeless(String text, String message) {
    assertThatThrownBy(() -> open(text, Diagnostics.strict())).hasMessage(message);
    assertThatThrownBy(() -> open(text, Diagnostics.lenient()))
        .isInstanceOfSatisfying(
            TraceFormatException.class,
            e -> assertThat(e.problem().skipped()).isEqualTo(Skipped.KERNEL))
        .hasMessage(message);
  }

  /** Strict reading fails with a message; lenient reading says the same and reads the rest. */
  private static void check(String text, String message, Skipped skipped, int instructions)
      throws IOException {
    assertThatThrownBy(() -> readAll(open(text, Diagnostics.strict())))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(message);
    Diagnostics lenient = Diagnostics.lenient();
    assertThat(readAll(open(text, lenient))).isEqualTo(instructions);
    assertThat(lenient.messages()).contains(message);
    assertThat(lenient.count(skipped)).isPositive();
  }

  /** Reads every block; the instructions of block 0. */
  private static int readAll(KernelTrace kernel) throws IOException {
    BlockTrace block = new BlockTrace();
    kernel.readBlock(0, block);
    int instructions = block.instructions();
    for (long id = 1; id < kernel.header().grid().count(); id++) {
      kernel.readBlock(id, block);
    }
    return instructions;
  }
}
