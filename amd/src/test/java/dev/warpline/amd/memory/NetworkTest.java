package dev.warpline.amd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.AmdSpec.Topology;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private static Network network(Topology topology, double bytesPerCycle) {
    return new Network(new AmdSpec.Network(topology, bytesPerCycle, 3), 12, 4);
  }

  @Test
  void aLinkOfTheCrossbarMovesOneMessageAfterTheOther() {
    Network crossbar = network(Topology.CROSSBAR, 16);
    assertThat(crossbar.toUnit(5, 0, 64, 100)).isEqualTo(103);
    assertThat(crossbar.toUnit(5, 3, 64, 100)).as("64 bytes take 4 cycles").isEqualTo(107);
    assertThat(crossbar.toUnit(6, 3, 64, 100)).as("another compute unit").isEqualTo(103);
    assertThat(crossbar.toSlice(5, 3, 64, 100)).as("the other direction").isEqualTo(103);
  }

  @Test
  void messagesWithoutDataOnlyTakeTheirHops() {
    Network crossbar = network(Topology.CROSSBAR, 16);
    assertThat(crossbar.toUnit(5, 0, 64, 100)).isEqualTo(103);
    assertThat(crossbar.toUnit(5, 0, 0, 100)).isEqualTo(103);
  }

  @Test
  void aRingGoesTheShorterWayRound() {
    Network ring = network(Topology.RING, 16);
    int longest = 0;
    for (int unit = 0; unit < 12; unit++) {
      for (int slice = 0; slice < 4; slice++) {
        int hops = (int) (ring.toSlice(unit, slice, 0, 0) / 3);
        assertThat(hops).isBetween(1, 8);
        longest = Math.max(longest, hops);
      }
    }
    assertThat(longest).as("16 nodes").isGreaterThan(6);
  }

  @Test
  void aMeshHasShorterWaysThanARing() {
    assertThat(hops(network(Topology.MESH, 0))).isLessThan(hops(network(Topology.RING, 0)));
  }

  private static long hops(Network network) {
    long sum = 0;
    for (int unit = 0; unit < 12; unit++) {
      for (int slice = 0; slice < 4; slice++) {
        sum += network.toSlice(unit, slice, 0, 0) / 3;
      }
    }
    return sum;
  }
}
