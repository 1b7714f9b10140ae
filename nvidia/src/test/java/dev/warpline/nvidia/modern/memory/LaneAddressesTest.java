package dev.warpline.nvidia.modern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an access to global memory takes of L1's banks. */
class LaneAddressesTest {
  /** Lanes whose addresses are so far apart: lines, and passes as lines_banks.cu measured them. */
  @ParameterizedTest
  @CsvSource({
    "4, 4, 1, 1",
    "4, 8, 2, 2",
    "4, 32, 8, 8",
    "4, 128, 32, 32",
    "4, 132, 32, 1",
    "4, 4732, 32, 1",
    "4, 4736, 32, 32",
    "8, 8, 2, 2",
    "8, 136, 32, 2",
    "16, 16, 4, 4",
    "16, 512, 32, 32"
  })
  void wordsOfDifferentLinesComeTogetherIfTheirBanksDiffer(
      int bytes, int distance, int lines, int passes) {
    LaneAddresses lanes = new LaneAddresses();
    for (int i = 0; i < 32; i++) {
      lanes.address[i] = 0x10000 + (long) i * distance;
    }
    lanes.lines(-1, bytes);
    assertThat(lanes.lines.count).isEqualTo(lines);
    assertThat(lanes.bankPasses).isEqualTo(passes);
  }
}
