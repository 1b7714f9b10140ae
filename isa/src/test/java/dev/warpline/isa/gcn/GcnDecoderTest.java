package dev.warpline.isa.gcn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

class GcnDecoderTest {
  /** Words and what LLVM's disassembler makes of them. */
  private record Encoded(GcnTarget target, int[] words, String text) {}

  private static List<Encoded> samples() throws IOException {
    List<Encoded> samples = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                GcnDecoderTest.class.getResourceAsStream("samples.tsv"), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("#")) {
          continue;
        }
        String[] columns = line.split("\t");
        for (String processor : columns[0].split(",")) {
          samples.add(
              new Encoded(
                  GcnTarget.ofProcessor(processor).orElseThrow(), words(columns[1]), columns[2]));
        }
      }
    }
    return samples;
  }

  private static int[] words(String hex) {
    String[] words = hex.split(" ");
    int[] values = new int[words.length];
    for (int i = 0; i < words.length; i++) {
      values[i] = Integer.parseUnsignedInt(words[i], 16);
    }
    return values;
  }

  private static GcnInstruction decode(GcnTarget target, String hex) {
    return GcnDecoder.decode(target, words(hex), 0);
  }

  @Test
  void everySampleDisassemblesToTheTextOfLlvm() throws IOException {
    SoftAssertions softly = new SoftAssertions();
    for (Encoded sample : samples()) {
      GcnInstruction instruction = GcnDecoder.decode(sample.target, sample.words, 0);
      softly.assertThat(instruction.toString()).as("%s", sample.target).isEqualTo(sample.text);
      softly.assertThat(instruction.size).as(sample.text).isEqualTo(4 * sample.words.length);
    }
    softly.assertAll();
  }

  @Test
  void everyRowOfTheOpcodeTableIsDecodedFromASampleOnEachTargetThatHasIt() throws IOException {
    Set<String> decoded = new HashSet<>();
    for (Encoded sample : samples()) {
      GcnInstruction instruction = GcnDecoder.decode(sample.target, sample.words, 0);
      GcnEncoding row = instruction.encoding();
      decoded.add(sample.target + " " + row.format() + " " + row.number() + " " + row.name());
    }
    Set<String> rows = new HashSet<>();
    for (GcnEncoding row : GcnOpcodeTable.standard().encodings()) {
      for (GcnTarget target : GcnTarget.values()) {
        if ((row.targets() >> target.ordinal() & 1) != 0) {
          rows.add(target + " " + row.format() + " " + row.number() + " " + row.name());
        }
      }
    }
    assertThat(rows).hasSizeGreaterThan(4400);
    assertThat(decoded).containsAll(rows);
  }

  @Test
  void anAddOfTwoVectorsHasItsOperands() {
    GcnInstruction add = decode(GcnTarget.GFX900, "02287928"); // v_add_f32_e32 v20, v40, v60
    assertThat(add.opcode.mnemonic()).isEqualTo("v_add_f32");
    assertThat(add.vdst).isEqualTo(GcnOperand.VGPR0 + 20);
    assertThat(add.src0).isEqualTo(GcnOperand.VGPR0 + 40);
    assertThat(add.src1).isEqualTo(GcnOperand.VGPR0 + 60);
    assertThat(add.src2).isEqualTo(GcnOperand.NONE);
    assertThat(add.opcode.unit()).isEqualTo(GcnUnit.VECTOR_ALU);
    assertThat(add.opcode.reads(ImplicitRegisters.EXEC)).isTrue();
    assertThat(add.readsDestination).isFalse();
  }

  @Test
  void bothEncodingsOfAnOpcodeAreTheSameOpcode() {
    GcnInstruction e32 = decode(GcnTarget.GFX942, "02287928");
    GcnInstruction e64 = decode(GcnTarget.GFX942, "d1010014 00027928");
    assertThat(e64.opcode).isSameAs(e32.opcode);
    assertThat(e64.size).isEqualTo(8);
  }

  @Test
  void theCarryOfThe32BitEncodingIsVcc() {
    GcnInstruction add = decode(GcnTarget.GFX900, "32287928"); // v_add_co_u32_e32
    assertThat(add.sdst).isEqualTo(GcnOperand.VCC);
    assertThat(add.sdstWidth).isEqualTo(2);
  }

  @Test
  void aLiteralFollowsTheInstruction() {
    GcnInstruction mov = decode(GcnTarget.GFX900, "be8200ff 12345678");
    assertThat(mov.src0).isEqualTo(GcnOperand.LITERAL);
    assertThat(mov.literal).isEqualTo(0x12345678);
    assertThat(mov.size).isEqualTo(8);
  }

  @Test
  void aGlobalLoadWithScalarBaseTakesA32BitVectorOffset() {
    GcnInstruction load = decode(GcnTarget.GFX90A, "dc509ff8 500a0014");
    assertThat(load.src0Width).isEqualTo(1);
    assertThat(load.src2).isEqualTo(10);
    assertThat(load.src2Width).isEqualTo(2);
    assertThat(load.offset).isEqualTo(-8);
    assertThat(load.opcode.isLoad()).isTrue();
    assertThat(load.opcode.accessBytes()).isEqualTo(4);
  }

  @Test
  void anAtomicReturnsTheOldValueOnlyWhenAsked() {
    GcnInstruction silent = decode(GcnTarget.GFX900, "dd048000 007f2814");
    GcnInstruction returning = decode(GcnTarget.GFX900, "dd058000 507f2814");
    assertThat(silent.returnsOldValue()).isFalse();
    assertThat(silent.src1Width).isEqualTo(2); // new value and comparand
    assertThat(returning.returnsOldValue()).isTrue();
    assertThat(returning.vdst).isEqualTo(GcnOperand.VGPR0 + 80);
    assertThat(returning.vdstWidth).isEqualTo(1);
  }

  @Test
  void anAccumulateReadsItsDestination() {
    assertThat(decode(GcnTarget.GFX942, "76287928").readsDestination).isTrue(); // v_fmac_f32
  }

  @Test
  void aMatrixProductNamesAccumulationRegisters() {
    GcnInstruction mfma = decode(GcnTarget.GFX90A, "d3c58014 1d427928");
    assertThat(mfma.opcode.isMatrix()).isTrue();
    assertThat(mfma.vdst).isEqualTo(GcnOperand.AGPR0 + 20);
    assertThat(mfma.vdstWidth).isEqualTo(4);
    assertThat(mfma.src0).isEqualTo(GcnOperand.AGPR0 + 40);
    assertThat(mfma.opcode.reads(ImplicitRegisters.EXEC)).isFalse();
  }

  @Test
  void waitCountsAreTakenApart() {
    GcnInstruction wait = decode(GcnTarget.GFX900, "bf8c3fff");
    assertThat(wait.vmcnt()).isEqualTo(15);
    assertThat(wait.expcnt()).isEqualTo(7);
    assertThat(wait.lgkmcnt()).isEqualTo(15);
    assertThat(decode(GcnTarget.GFX900, "bf8cc07f").vmcnt()).isEqualTo(63);
  }

  @Test
  void aPairOfLdsReadsHasTwoOffsetsInElements() {
    GcnInstruction read = decode(GcnTarget.GFX900, "d86e0201 02000001");
    assertThat(read.offset).isEqualTo(1);
    assertThat(read.offset1).isEqualTo(2);
    assertThat(read.opcode.elements()).isEqualTo(2);
    assertThat(read.opcode.accessBytes()).isEqualTo(4);
  }

  @Test
  void anOpcodeOfAnotherTargetIsRejected() {
    assertThatThrownBy(() -> decode(GcnTarget.GFX900, "d3c50014 05427928"))
        .isInstanceOf(GcnDecodeException.class)
        .hasMessageContaining("gfx900")
        .hasMessageContaining("0xd3c50014")
        .hasMessageContaining("VOP3P has no opcode 69");
  }

  @Test
  void aCutOffInstructionIsRejected() {
    assertThatThrownBy(() -> decode(GcnTarget.GFX900, "d1010014"))
        .isInstanceOf(GcnDecodeException.class)
        .hasMessageContaining("cut off");
  }

  @Test
  void theIdOfAnOpcodeIsItsPosition() {
    List<GcnOpcode> opcodes = GcnOpcodeTable.standard().opcodes();
    for (int i = 0; i < opcodes.size(); i++) {
      assertThat(opcodes.get(i).id()).isEqualTo(i);
      assertThat(GcnOpcodeTable.standard().opcode(opcodes.get(i).mnemonic()))
          .isSameAs(opcodes.get(i));
    }
  }
}
