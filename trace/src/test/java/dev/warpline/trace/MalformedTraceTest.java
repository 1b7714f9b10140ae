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
    String text =
        header(5, "(1,1,1)", false) + "9 0 0 0 0010 ffffffff 0 EXIT 0 0 0\n0 0 0 1 " + EXIT + "\n";
    String message =
        "kernel-1.trace:16:1: found \"9 0 0 0 0010 ffffffff 0 EXIT 0 0 0\", expected block x y z"
            + " inside the grid (1,1,1), a warp below 2, then an instruction";
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
  void commandsThatAreNotSimulatedAreNamedOncePerKindAndNeverFail() throws IOException {
    byte[] list =
        "MemcpyHtoD,0x10,32\nMemcpyDtoH,0x10,32\nncclAllReduce,7\nkernel-1.traceg\nMemcpyDtoH,0,4"
            .getBytes(StandardCharsets.UTF_8);
    Diagnostics strict = Diagnostics.strict();
    assertThat(CommandList.read("kernelslist.g", list, strict))
        .containsExactly(
            new TraceCommand.MemcpyHtoD(16, 32),
            new TraceCommand.Other(2, "MemcpyDtoH,0x10,32"),
            new TraceCommand.Other(3, "ncclAllReduce,7"),
            new TraceCommand.Launch(0, "kernel-1.traceg"),
            new TraceCommand.Other(5, "MemcpyDtoH,0,4"));
    assertThat(strict.messages())
        .containsExactly(
            "kernelslist.g:2: MemcpyDtoH is not simulated (2 such lines)",
            "kernelslist.g:3: ncclAllReduce is not simulated");
  }

  @Test
  void blocksBeyondTheGridAreNamedAlthoughNobodyAsksForThem() throws IOException {
    check(
        header(5, "(1,1,1)", false) + block(0, warp(0, EXIT)) + block(1, warp(0, EXIT)),
        "kernel-1.traceg:29:1: found \"thread block = 1,0,0\", expected thread block = x,y,z inside"
            + " the grid (1,1,1)",
        Skipped.BLOCK,
        1);
  }

  @Test
  void whatFollowsTheLastBlockIsNamed() throws IOException {
    check(
        header(5, "(1,1,1)", false) + block(0, warp(0, EXIT)) + "hello\n",
        "kernel-1.traceg:27:1: found \"hello\", expected #BEGIN_TB or the end of the file",
        Skipped.INSTRUCTION,
        1);
    check(
        header(5, "(1,1,1)", false) + block(0, warp(0, EXIT)) + block(0, warp(0, EXIT)),
        "kernel-1.traceg:27:1: found thread block 0 for the second time, expected each thread block"
            + " once",
        Skipped.BLOCK,
        1);
  }

  @Test
  void missingBlocksAreCountedAndTheFirstIsNamed() throws IOException {
    String message =
        "found 2 of 4 thread blocks, the first missing is 1,0,0, expected all blocks of the grid"
            + " (4,1,1)";
    check(
        kernel(block(0, warp(0, EXIT)), block(3, warp(0, EXIT))),
        "kernel-1.traceg: " + message,
        Skipped.NOTHING,
        1);
    check(
        kernel(block(3, warp(0, EXIT)), block(0, warp(0, EXIT))),
        "kernel-1.traceg: " + message,
        Skipped.NOTHING,
        1);
    String raw = header(5) + "0 0 0 0 " + EXIT + "\n3 0 0 0 " + EXIT + "\n";
    assertThatThrownBy(() -> readAll(open("kernel-1.trace", raw, Diagnostics.strict())))
        .hasMessage("kernel-1.trace: " + message);
    MemoryFiles binary = new MemoryFiles(java.util.Map.of());
    String six =
        header(6) + block(0, warp(0, EXIT + " NoVal")) + block(3, warp(0, EXIT + " NoVal"));
    binary.put("kernel-1.tracez", BinarySample.of(six, 4));
    assertThatThrownBy(() -> open(binary, "kernel-1.tracez", Diagnostics.strict()))
        .hasMessage("kernel-1.tracez: " + message);
  }

  @Test
  void aGridThatTheFileCannotHoldIsRefusedAtOnce() {
    String text = kernel(block(0, warp(0, EXIT)));
    for (String grid : new String[] {"(2147483647,65535,65535)", "(1000,1,1)"}) {
      String message =
          " thread blocks, expected a grid that fits into a file of "
              + (text.length() - "(4,1,1)".length() + grid.length())
              + " bytes";
      for (String file : new String[] {"kernel-1.traceg", "kernel-1.trace"}) {
        assertThatThrownBy(() -> open(file, text.replace("(4,1,1)", grid), Diagnostics.lenient()))
            .isInstanceOf(TraceFormatException.class)
            .hasMessageStartingWith(file + ": found the grid " + grid)
            .hasMessageEndingWith(message);
      }
    }
    MemoryFiles binary = new MemoryFiles(java.util.Map.of());
    String huge = header(6, "(2147483647,65535,65535)", false) + block(0, warp(0, EXIT));
    assertThatThrownBy(
            () -> {
              binary.put("kernel-1.tracez", BinarySample.of(huge, 4));
              open(binary, "kernel-1.tracez", Diagnostics.lenient());
            })
        .hasMessageEndingWith("expected a grid that fits into a file with 1 thread blocks");
  }

  @Test
  void aHeaderLineGivenTwiceIsNamedAndTheLastCounts() throws IOException {
    String text =
        kernel(block(0, warp(0, EXIT))).replace("-nregs = 16", "-nregs = 16\n-nregs = 24");
    check(
        text,
        "kernel-1.traceg:7:1: found \"-nregs = 24\" after line 6 with the same key, expected each"
            + " header line once (the last counts)",
        Skipped.NOTHING,
        1);
    assertThat(open(text, Diagnostics.lenient()).header().registers()).isEqualTo(24);
  }

  @Test
  void headerNumbersThatNoGpuHasAreErrorsAlways() {
    absurd("-nregs = 16", "-nregs = -1", 6, 10, "a number from 0 to 256 for -nregs");
    absurd("-nregs = 16", "-nregs = 300", 6, 10, "a number from 0 to 256 for -nregs");
    absurd("-shmem = 128", "-shmem = -128", 5, 10, "a number from 0 to 1048576 for -shmem");
    absurd("-shmem = 128", "-shmem = 999999999", 5, 10, "a number from 0 to 1048576 for -shmem");
    absurd(
        "-kernel id = 1", "-kernel id = -7", 2, 14, "a number from 0 to 2147483647 for -kernel id");
    absurd("= 86", "= -86", 7, 19, "a number from 0 to 999 for -binary version");
    absurd(
        "-shmem = 128",
        "-shmem = 99999999999999999999999",
        5,
        10,
        "a number of at most 64 bits for -shmem");
    absurd("(4,1,1)", "(4,-1,1)", 3, 13, "(x,y,z) with three positive numbers for -grid dim");
    absurd("(4,1,1)", "(4,1,70000)", 3, 13, "at most (2147483647,65535,65535) for -grid dim");
    absurd("(64,1,1)", "(1,1,65)", 4, 14, "at most (1024,1024,64) for -block dim");
    hopeless(
        kernel().replace("-nregs = 16", "-nregs = 16\n-cluster dim = (8,8,8)"),
        "kernel-1.traceg: found (8,8,8), expected at most 32 blocks for -cluster dim");
  }

  private static void absurd(String line, String bad, int number, int column, String expected) {
    hopeless(
        kernel().replace(line, bad),
        "kernel-1.traceg:"
            + number
            + ":"
            + column
            + ": found \""
            + bad.substring(bad.indexOf('=') + 1).strip()
            + "\", expected "
            + expected);
  }

  @Test
  void aHeaderValueEndsWhereAccelSimStopsReadingIt() throws IOException {
    String text =
        kernel(block(0, warp(0, EXIT)))
            .replace("version = 86", "version = 70  # comment")
            .replace("(4,1,1)", "(1,1,1) # one")
            .replace("tracer version = 5", "tracer version = 5.1\t# five");
    KernelHeader header = open(text, Diagnostics.strict()).header();
    assertThat(header.binaryVersion()).isEqualTo(70);
    assertThat(header.grid()).isEqualTo(Dim3.ONE);
    assertThat(header.tracerVersion()).isEqualTo(5);
    check(
        kernel(block(0, warp(0, EXIT))).replace("-nregs = 16", "-nregs = 16 32"),
        "kernel-1.traceg:6:10: found \"16 32\", expected nothing but a comment after the value of"
            + " -nregs",
        Skipped.NOTHING,
        1);
  }

  @Test
  void aByteOrderMarkTabsAndIndentationAreRead() throws IOException {
    String text =
        "\ufeff"
            + header(5, "(1,1,1)", false).replace(" = ", "\t=\t")
            + block(0, warp(0, "0010 ffffffff 1 R4 IADD3 2 R2 R3 0 0", EXIT))
                .replace(" ", "\t")
                .replace("thread\tblock", "thread block")
                .replace("\n", "\n \t");
    KernelTrace kernel = open(text, Diagnostics.strict());
    assertThat(kernel.header().name()).isEqualTo("_Z3addPfi");
    assertThat(kernel.header().registers()).isEqualTo(16);
    BlockTrace block = new BlockTrace();
    assertThat(kernel.readBlock(0, block)).isTrue();
    assertThat(block.count(0)).isEqualTo(2);
    byte[] list = "\ufeff\tkernel-1.traceg\t\r\n".getBytes(StandardCharsets.UTF_8);
    assertThat(CommandList.read("kernelslist.g", list, Diagnostics.strict()))
        .containsExactly(new TraceCommand.Launch(0, "kernel-1.traceg"));
  }

  @Test
  void registersEndAtR255() throws IOException {
    bad("0010 ffffffff 1 R256 IADD3 0 0 0", 17, "\"R256\"", "a register from R0 to R255");
    bad("0010 ffffffff 1 R255 IADD3 1 R999 0 0", 30, "\"R999\"", "a register from R0 to R255");
  }

  @Test
  void onePcWithTwoOpcodesIsNamed() throws IOException {
    check(
        kernel(
            block(
                0,
                warp(
                    0,
                    "0010 ffffffff 1 R4 IADD3 1 R2 0 0",
                    "0010 ffffffff 1 R4 FADD 1 R2 0 0",
                    EXIT))),
        "kernel-1.traceg:23:20: found \"FADD\" at PC 0x10 where IADD3 was, expected one opcode per PC"
            + " (code of two functions, or of another kernel?)",
        Skipped.NOTHING,
        3);
  }

  @Test
  void theCodeOfAnotherKernelIsNamedAndNotUsed() throws IOException {
    String text = header(5, "(1,1,1)", false) + block(0, warp(0, EXIT));
    String message =
        "found the code of \"other\", expected that of the traced kernel \"_Z3addPfi\" (not used)";
    beside(
        text, ".ctrl", "# control bits of other\n0020 1 0 7 7 00 0\n", "kernel-1.ctrl: " + message);
    beside(text, ".code", "# code of other\n0020 1 2\n", "kernel-1.code: " + message);
    beside(
        text,
        ".constants",
        "# constant operands of other\n0020 0 28\n",
        "kernel-1.constants: " + message);
    beside(
        text,
        ".sass",
        "0020\tIADD3 R1, R2, R3 ;\n",
        "kernel-1.traceg:22:17: found \"EXIT\" at PC 0x20, expected \"IADD3 R1, R2, R3\" as in"
            + " kernel-1.sass (what it says of this PC is not used)");
  }

  @Test
  void codeThatLacksAnExecutedPcIsNamed() throws IOException {
    String text = header(5, "(1,1,1)", false) + block(0, warp(0, EXIT));
    for (String[] file :
        new String[][] {
          {".ctrl", "0000 1 0 7 7 00 0\n"}, {".code", "0000 1 2\n"}, {".sass", "0000\tNOP ;\n"}
        }) {
      beside(
          text,
          file[0],
          file[1],
          "kernel-1.traceg:22:17: found \"EXIT\" at PC 0x20, expected a PC that kernel-1"
              + file[0]
              + " has, too (is it of another kernel?)");
    }
  }

  /** Strict reading refuses a side file; lenient reading says why and takes nothing from it. */
  private static void beside(String text, String suffix, String content, String message)
      throws IOException {
    MemoryFiles files =
        new MemoryFiles(java.util.Map.of("kernel-1.traceg", text, "kernel-1" + suffix, content));
    assertThatThrownBy(() -> readAll(open(files, "kernel-1.traceg", Diagnostics.strict())))
        .hasMessage(message);
    Diagnostics lenient = Diagnostics.lenient();
    KernelTrace kernel = open(files, "kernel-1.traceg", lenient);
    assertThat(readAll(kernel)).isEqualTo(1);
    assertThat(lenient.messages()).containsExactly(message);
    assertThat(kernel.code().get(0).control()).isEqualTo(dev.warpline.isa.ControlBits.ABSENT);
    assertThat(kernel.code().get(0).low()).isZero();
    assertThat(kernel.code().get(0).disassembly()).isNull();
  }

  @Test
  void aListReachesNothingOutsideItsFolder() {
    for (String line :
        new String[] {
          "/etc/kernel-1.traceg",
          "../kernel-1.traceg",
          "a/../../kernel-1.traceg",
          "C:/kernel-1.trace"
        }) {
      refusedList(
          "MemcpyHtoD,0x10,32\n" + line,
          "kernelslist.g:2:1: found \""
              + line
              + "\", expected a file in the folder of the list, without / or .. before");
    }
  }

  @Test
  void aFileThatIsNoListSaysWhatItIs() {
    String expected = ", expected a kernel list: text with lines such as kernel-1.traceg";
    refusedList(
        "\u007fELF\2\1\1", "kernelslist.g: found an ELF file (a program or a cubin)" + expected);
    refusedList("k\0e", "kernelslist.g: found binary data (a zero at byte 1)" + expected);
    refusedList(" {\"kernels\": []}", "kernelslist.g: found JSON" + expected);
    refusedList("", "kernelslist.g: found no kernel" + expected);
    refusedList(
        "MemcpyHtoD,0x10,32\n# kernel-1.traceg\n", "kernelslist.g: found no kernel" + expected);
  }

  @Test
  void aListWithoutALineOfUseSaysWhatStandsInIt() throws IOException {
    byte[] list = "dear reader\nkernle-1.tracg\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> CommandList.read("kernelslist.g", list, Diagnostics.strict()))
        .hasMessage(
            "kernelslist.g:1:1: found \"dear reader\", expected a kernel's file or a command such as"
                + " MemcpyHtoD");
    assertThatThrownBy(() -> CommandList.read("kernelslist.g", list, Diagnostics.lenient()))
        .hasMessage(
            "kernelslist.g: found no kernel, on line 1 \"dear reader\", expected a kernel list: text"
                + " with lines such as kernel-1.traceg");
  }

  @Test
  void aCopyOfLessThanNothingOrMoreThanAllIsNoCopy() throws IOException {
    for (String line :
        new String[] {"MemcpyHtoD,0x10,-32", "MemcpyHtoD,0x10,9223372036854775807"}) {
      byte[] list = ("kernel-1.traceg\n" + line).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> CommandList.read("kernelslist.g", list, Diagnostics.strict()))
          .hasMessageStartingWith("kernelslist.g:2:1: found \"" + line + "\"");
    }
  }

  private static void refusedList(String text, String message) {
    for (Diagnostics diagnostics :
        new Diagnostics[] {Diagnostics.strict(), Diagnostics.lenient()}) {
      assertThatThrownBy(
              () ->
                  CommandList.read(
                      "kernelslist.g", text.getBytes(StandardCharsets.UTF_8), diagnostics))
          .isInstanceOf(TraceFormatException.class)
          .hasMessage(message);
    }
  }

  @Test
  void aKernelWithoutABlockOrAnInstructionCannotBeUsed() throws IOException {
    KernelTrace kernel = open(kernel(block(0, warp(0, "junk"))), Diagnostics.lenient());
    assertThatThrownBy(() -> kernel.requireBlock(1, new BlockTrace()))
        .hasMessage(
            "kernel 1 (_Z3addPfi): found no thread block 1,0,0 in the trace, expected all blocks of"
                + " the grid (4,1,1)");
    assertThatThrownBy(() -> KernelTrace.requireInstructions(kernel.header(), 0))
        .hasMessage(
            "kernel 1 (_Z3addPfi): found no instruction that can be used, expected a kernel that"
                + " executes something");
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
