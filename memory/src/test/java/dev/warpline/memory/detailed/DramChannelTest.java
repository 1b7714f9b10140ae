package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Gpus;
import dev.warpline.memory.MemoryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** GDDR6 of the RTX 3070: CL 24, RCD 24, RP 24, RAS 55, CCD 4, CCDL 6, RRD 12. */
class DramChannelTest {
  private DramSpec spec;
  private DramChannel dram;
  private long now;

  @BeforeEach
  void channel() throws IOException {
    spec = DramSpec.of(Gpus.load("rtx3070").detailedMemory().dram());
    dram = new DramChannel(spec);
  }

  private static MemoryRequest read(int bank, int row) {
    MemoryRequest request = new MemoryRequest();
    request.bank = bank;
    request.row = row;
    request.bytes = 32;
    return request;
  }

  /** Cycles until so many reads have returned, each with its cycle. */
  private List<Long> returns(int count) {
    List<Long> cycles = new ArrayList<>();
    while (cycles.size() < count) {
      dram.cycle(now);
      while (!dram.returned().isEmpty()) {
        dram.returned().pop();
        cycles.add(now);
      }
      now++;
      assertThat(now).isLessThan(10_000);
    }
    return cycles;
  }

  @Test
  void aReadOfAClosedRowTakesActivateAndReadLatency() {
    dram.push(read(0, 5));
    // Cycle 0 activates, cycle 24 reads, the data have passed at 48.
    assertThat(returns(1)).containsExactly(48L);
  }

  @Test
  void aReadOfTheOpenRowTakesTheReadLatencyAlone() {
    dram.push(read(0, 5));
    returns(1);
    long start = now;
    dram.push(read(0, 5));
    assertThat(returns(1)).containsExactly(start + 24);
  }

  @Test
  void readsOfOneRowFollowEachOtherAtTheGroupsColumnTime() {
    dram.push(read(0, 5));
    dram.push(read(0, 5));
    dram.push(read(0, 5));
    assertThat(returns(3)).containsExactly(48L, 54L, 60L);
  }

  @Test
  void readsInDifferentBankGroupsFollowEachOtherFaster() {
    dram.push(read(0, 5));
    dram.push(read(1, 5));
    returns(2);
    long start = now;
    dram.push(read(0, 5));
    dram.push(read(1, 5));
    assertThat(returns(2)).containsExactly(start + 24, start + 28);
  }

  @Test
  void anotherRowWaitsUntilTheOpenOneMayClose() {
    dram.push(read(0, 5));
    dram.push(read(0, 6));
    // RAS 55 after the activate, RP 24, RC 78 at least between activates, then RCD and CL.
    assertThat(returns(2)).containsExactly(48L, 55L + 24 + 24 + 24);
  }

  @Test
  void requestsToTheOpenRowGoFirst() {
    dram.push(read(0, 5));
    returns(1);
    MemoryRequest other = read(0, 6);
    MemoryRequest same = read(0, 5);
    dram.push(other);
    dram.push(same);
    List<MemoryRequest> order = new ArrayList<>();
    while (order.size() < 2) {
      dram.cycle(now++);
      while (!dram.returned().isEmpty()) {
        order.add(dram.returned().pop());
      }
    }
    assertThat(order).containsExactly(same, other);
  }

  @Test
  void aWriteBackOfFourSectorsNeedsFourBursts() {
    MemoryRequest back = read(0, 5);
    back.write = true;
    back.bytes = 128;
    dram.push(back);
    MemoryRequest done = null;
    while (done == null) {
      done = dram.cycle(now++);
    }
    assertThat(done).isSameAs(back);
    assertThat(dram.writeBursts).isEqualTo(4);
    assertThat(dram.isIdle()).isTrue();
  }

  @Test
  void aReadAfterAWriteWaitsForTheBusToTurn() {
    MemoryRequest write = read(0, 5);
    write.write = true;
    dram.push(write);
    MemoryRequest done = null;
    while (done == null) {
      done = dram.cycle(now++);
    }
    dram.push(read(0, 5));
    // Row to write 24-9 = 15; write to read 8+4+10 = 22 later; then the read latency.
    assertThat(returns(1)).containsExactly(15L + 22 + 24);
  }

  @Test
  void aRefreshClosesRowsAndKeepsTheBanksBusy() throws IOException {
    spec =
        DramSpec.of(
            Gpus.load(
                    "rtx3070",
                    List.of(
                        "detailedMemory.dram.refreshInterval=300",
                        "detailedMemory.dram.refreshCycles=50"))
                .detailedMemory()
                .dram());
    dram = new DramChannel(spec);
    dram.push(read(0, 5));
    returns(1);
    now = 300;
    dram.push(read(0, 5));
    // The row was open, but the refresh of cycle 300 closed it for 50 cycles.
    assertThat(returns(1)).containsExactly(300L + 50 + 24 + 24);
  }

  @Test
  void theSchedulerHoldsSoManyRequests() {
    for (int i = 0; i < 64; i++) {
      assertThat(dram.isFull(false)).isFalse();
      dram.push(read(0, i));
    }
    assertThat(dram.isFull(false)).isTrue();
  }
}
