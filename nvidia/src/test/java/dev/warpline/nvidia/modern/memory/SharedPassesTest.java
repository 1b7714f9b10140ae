package dev.warpline.nvidia.modern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cycles of shared-memory loads with 32 warps, as {@code lds_patterns.cu} found them on an H200.
 */
class SharedPassesTest {
  static Arguments[] measured() {
    return new Arguments[] {
      row("32 bits, stride 4", 4, lane -> lane * 4, 1),
      row("64 bits, stride 8", 8, lane -> lane * 8, 2),
      row("64 bits, halves of the warp alike", 8, lane -> (lane & 15) * 8, 2),
      row("64 bits, pairs of lanes alike", 8, lane -> lane / 2 * 8, 1),
      row("64 bits, quarters of the warp alike", 8, lane -> (lane & 7) * 8, 2),
      row("64 bits, an address per half, one bank", 8, lane -> lane / 16 * 128, 2),
      row("64 bits, an address per half, two banks", 8, lane -> lane / 16 * 64, 1),
      row("64 bits, two addresses in turn", 8, lane -> (lane & 1) * 64, 1),
      row("64 bits, one address", 8, lane -> 0, 1),
      row("128 bits, stride 16", 16, lane -> lane * 16, 4),
      row("128 bits, quarters of the warp alike", 16, lane -> (lane & 7) * 16, 4),
      row("128 bits, fours of lanes alike", 16, lane -> lane / 4 * 16, 2),
      row("128 bits, halves of the warp alike", 16, lane -> (lane & 15) * 16, 4),
      row("128 bits, pairs of lanes alike", 16, lane -> lane / 2 * 16, 2),
      row("128 bits, an address per half", 16, lane -> lane / 16 * 128, 2),
      row("128 bits, two addresses in turn", 16, lane -> (lane & 1) * 16, 2),
      row("128 bits, an address per quarter", 16, lane -> lane / 8 * 16, 2),
      row("128 bits, an address per quarter, one bank", 16, lane -> lane / 8 * 128, 4),
      row("128 bits, one address", 16, lane -> 0, 2)
    };
  }

  private static Arguments row(String name, int bytes, IntUnaryOperator address, int cycles) {
    return Arguments.of(name, bytes, address, cycles);
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("measured")
  void aLoadTakesThePassesThatWereMeasured(
      String name, int bytes, IntUnaryOperator address, int cycles) {
    LaneAddresses lanes = new LaneAddresses();
    for (int lane = 0; lane < 32; lane++) {
      lanes.address[lane] = address.applyAsInt(lane);
    }
    assertThat(lanes.sharedPasses(-1, bytes, false)).isEqualTo(cycles);
  }
}
