package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpcodeTableTest {
  @ParameterizedTest
  @CsvSource({
    "35, kepler", "37, kepler", "52, pascal", "61, pascal", "70, volta", "72, volta",
    "75, turing", "80, ampere", "86, ampere86", "87, ampere86", "89, ada", "90, hopper",
    "100, blackwell", "103, blackwell", "120, blackwell120", "10, kepler"
  })
  void everyBinaryVersionHasATable(int version, String generation) {
    assertThat(OpcodeTable.forBinaryVersion(version).generation()).isEqualTo(generation);
  }

  @ParameterizedTest
  @CsvSource({"35, 102", "60, 152", "70, 127", "75, 165", "80, 174", "86, 174", "89, 174"})
  void theTablesHaveTheOpcodesOfThePublishedOnes(int version, int opcodes) {
    assertThat(OpcodeTable.forBinaryVersion(version).opcodes()).hasSize(opcodes);
  }

  @Test
  void aMnemonicIsLookedUpByItsFirstToken() {
    Opcode load = OpcodeTable.forBinaryVersion(90).lookup("LDG.E.64.STRONG.GPU");
    assertThat(load)
        .isEqualTo(
            new Opcode(
                "LDG",
                Category.LOAD,
                Pipe.LSU,
                MemorySpace.GLOBAL,
                true,
                false,
                false,
                false,
                Opcode.Result.REGISTER,
                Role.NONE,
                0,
                true));
    assertThat(load.isMemory()).isTrue();
  }

  @Test
  void aGenerationInheritsAndOverrides() {
    assertThat(category(70, "IMMA")).isEqualTo(Category.INT);
    assertThat(category(75, "IMMA")).isEqualTo(Category.SPEC3);
    assertThat(category(90, "IMMA")).isEqualTo(Category.SPEC3);
    assertThat(category(60, "BRA")).isEqualTo(Category.BRANCH);
    assertThat(category(70, "BRA")).isEqualTo(Category.SPEC1);
    assertThat(OpcodeTable.forBinaryVersion(70).lookup("SHL").known()).isFalse();
    assertThat(OpcodeTable.forBinaryVersion(75).lookup("SHL").known()).isTrue();
  }

  @Test
  void keplerLoadsAreNeverGeneric() {
    assertThat(OpcodeTable.forBinaryVersion(35).lookup("LD").space()).isEqualTo(MemorySpace.GLOBAL);
    assertThat(OpcodeTable.forBinaryVersion(60).lookup("LD.E").space())
        .isEqualTo(MemorySpace.GENERIC);
  }

  @Test
  void doublePrecisionHasAFixedLatencyOnlyWhereEverySubCoreHasAUnit() {
    for (int version : new int[] {70, 80, 90, 100}) {
      assertThat(OpcodeTable.forBinaryVersion(version).lookup("DFMA").fixedLatency()).isTrue();
    }
    for (int version : new int[] {75, 86, 89, 120}) {
      assertThat(OpcodeTable.forBinaryVersion(version).lookup("DFMA").fixedLatency()).isFalse();
    }
  }

  @Test
  void anUnknownOpcodeBehavesLikeASimpleInstruction() {
    Opcode unknown = OpcodeTable.forBinaryVersion(90).lookup("FROB.X");
    assertThat(unknown.known()).isFalse();
    assertThat(unknown.name()).isEqualTo("FROB");
    assertThat(unknown.category()).isEqualTo(Category.INT);
    assertThat(unknown.isMemory()).isFalse();
    assertThat(category(90, "UFROB")).isEqualTo(Category.SPEC4);
    assertThat(category(70, "UFROB")).isEqualTo(Category.INT);
  }

  private static Category category(int version, String mnemonic) {
    return OpcodeTable.forBinaryVersion(version).lookup(mnemonic).category();
  }
}
