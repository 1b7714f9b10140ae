package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.DetailedMemorySpec.Arbiter;
import dev.warpline.memory.MemoryRequest;
import org.junit.jupiter.api.Test;

class CrossbarTest {
  private static Crossbar islip(int inputs, int outputs) {
    return new Crossbar(new Crossbar.Spec(inputs, outputs, 8, 8, Arbiter.ISLIP, 1, 40, false));
  }

  @Test
  void anOutputTakesOnePacketACycleAndServesInputsInTurn() {
    Crossbar crossbar = islip(3, 2);
    for (int input = 0; input < 3; input++) {
      crossbar.inject(input, packet(input, 1), 40);
      crossbar.inject(input, packet(input, 1), 40);
    }
    StringBuilder order = new StringBuilder();
    for (int cycle = 0; cycle < 6; cycle++) {
      crossbar.transfer(cycle);
      assertThat(crossbar.output(1).size()).isEqualTo(1);
      order.append(crossbar.output(1).pop().warp);
    }
    assertThat(order).hasToString("012012");
    assertThat(crossbar.isBusy()).isFalse();
  }

  @Test
  void anInputMaySendToSeveralAscendingOutputsInOneCycle() {
    Crossbar crossbar = islip(1, 3);
    crossbar.inject(0, packet(0, 0), 40);
    crossbar.inject(0, packet(0, 2), 40);
    crossbar.inject(0, packet(0, 1), 40);
    crossbar.transfer(0);
    assertThat(crossbar.output(0).size()).isEqualTo(1);
    assertThat(crossbar.output(2).size()).isEqualTo(1);
    assertThat(crossbar.output(1).isEmpty()).as("1 comes after 2: next cycle").isTrue();
  }

  @Test
  void aFullOutputBlocksTheHeadAndWhatStandsBehindIt() {
    Crossbar crossbar = new Crossbar(new Crossbar.Spec(1, 2, 8, 1, Arbiter.ISLIP, 1, 40, false));
    crossbar.inject(0, packet(0, 0), 40);
    crossbar.inject(0, packet(0, 0), 40);
    crossbar.inject(0, packet(0, 1), 40);
    crossbar.transfer(0);
    crossbar.transfer(1);
    assertThat(crossbar.output(1).isEmpty()).isTrue();
    crossbar.output(0).pop();
    crossbar.transfer(2);
    assertThat(crossbar.output(1).size()).isEqualTo(1);
  }

  @Test
  void roundRobinSendsOnePacketPerInputACycle() {
    Crossbar crossbar =
        new Crossbar(new Crossbar.Spec(2, 3, 8, 8, Arbiter.ROUND_ROBIN, 1, 40, false));
    crossbar.inject(0, packet(0, 0), 40);
    crossbar.inject(0, packet(0, 1), 40);
    crossbar.inject(1, packet(1, 0), 40);
    crossbar.transfer(0);
    assertThat(crossbar.output(0).size() + crossbar.output(1).size()).isEqualTo(1);
    crossbar.transfer(1);
    assertThat(crossbar.output(0).size() + crossbar.output(1).size()).isEqualTo(3);
  }

  @Test
  void moreThanSixtyFourInputsAreServedInTurn() {
    Crossbar crossbar = islip(132, 1);
    for (int input = 0; input < 132; input++) {
      crossbar.inject(input, packet(input, 0), 40);
    }
    for (int cycle = 0; cycle < 132; cycle++) {
      crossbar.transfer(cycle);
      assertThat(crossbar.output(0).pop().warp).isEqualTo(cycle);
    }
  }

  @Test
  void pointersMoveOnlyInEverySoManiethCycle() {
    Crossbar crossbar = new Crossbar(new Crossbar.Spec(3, 1, 8, 8, Arbiter.ISLIP, 2, 40, false));
    for (int input = 0; input < 3; input++) {
      crossbar.inject(input, packet(input, 0), 40);
      crossbar.inject(input, packet(input, 0), 40);
    }
    StringBuilder order = new StringBuilder();
    for (int cycle = 0; cycle < 6; cycle++) {
      crossbar.transfer(cycle);
      order.append(crossbar.output(0).pop().warp);
    }
    assertThat(order).hasToString("001122");
  }

  @Test
  void aPacketCountsAsManyFlitsAsItNeeds() {
    Crossbar crossbar = new Crossbar(new Crossbar.Spec(1, 1, 8, 8, Arbiter.ISLIP, 1, 32, false));
    crossbar.inject(0, packet(0, 0), 8);
    crossbar.inject(0, packet(0, 0), 40);
    assertThat(crossbar.injectedPackets).isEqualTo(2);
    assertThat(crossbar.injectedFlits).isEqualTo(3);
  }

  @Test
  void repliesGoToTheirPorts() {
    Crossbar crossbar = new Crossbar(new Crossbar.Spec(1, 2, 8, 8, Arbiter.ISLIP, 1, 40, true));
    MemoryRequest reply = packet(0, 0);
    reply.port = 1;
    crossbar.inject(0, reply, 40);
    crossbar.transfer(0);
    assertThat(crossbar.output(1).peek()).isSameAs(reply);
  }

  private static MemoryRequest packet(int number, int slice) {
    MemoryRequest packet = new MemoryRequest();
    packet.warp = number;
    packet.slice = slice;
    return packet;
  }
}
