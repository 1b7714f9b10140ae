package dev.warpline.nvidia.modern.energy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.OpcodeTable;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which event an instruction is, and how often; how many registers it reads. */
class InstructionEventsTest {
  @ParameterizedTest
  @CsvSource({
    "'FFMA R1, R2, R3, R3',FP32,8,2",
    "'IMAD R1, R2, R3, R3',MULTIPLY,8,2",
    "'IMAD.MOV.U32 R1, RZ, RZ, R3',ALU,8,1",
    "'IMAD.WIDE R4, R2, R3, R6',WIDE_MULTIPLY,8,4",
    "'IADD3 R1, R2, R3, RZ',ALU,8,2",
    "'HFMA2.MMA R1, -RZ, RZ, 0, 0',ALU,8,0",
    "'HFMA2 R1, R2, R3, R4',HALF,8,3",
    "'DFMA R4, R6, R8, R10',FP64,8,6",
    "'MUFU.RSQ R1, R2',SPECIAL,8,1",
    "'SHFL.BFLY PT, R1, R2, 0x1, 0x1f',SHUFFLE,8,1",
    "'LDG.E R1, desc[UR4][R2.64]',LOAD_STORE,8,2",
    "'UIADD3 UR4, UR4, 0x1, URZ',UNIFORM,1,0",
    "'BRA 0x10',CONTROL,1,0",
    "'HMMA.16816.F32 R8, R4, R6, R8',TENSOR_F16,2048,0",
    "'HMMA.1688.F32.TF32 R8, R4, R6, R8',TENSOR_TF32,1024,0",
    "'IMMA.16832.S8.S8 R8, R4, R6, R8',TENSOR_INT8,4096,0",
    "'HGMMA.64x256x16.F32 R24, gdesc[UR4], R24, gsb0',GROUP_F16,65536,0"
  })
  void anInstructionIsAnEventForEachLaneOrForTheWarp(
      String text, EnergyEvent event, double count, int registers) {
    Map<EnergyEvent, Double> counts = new EnumMap<>(EnergyEvent.class);
    Instruction in = Instruction.listed(0, 0, text, OpcodeTable.forBinaryVersion(90));
    InstructionEvents.of(in).add(1, 8, counts);
    assertThat(counts).containsEntry(EnergyEvent.ISSUE, 1.0).containsEntry(event, count);
    assertThat(counts.getOrDefault(EnergyEvent.REGISTER, 0.0)).isEqualTo(8 * registers);
    assertThat(counts).hasSize(registers == 0 ? 2 : 3);
  }
}
