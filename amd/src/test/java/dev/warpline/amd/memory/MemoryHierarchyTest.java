package dev.warpline.amd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.memory.Client;
import dev.warpline.memory.MemoryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MemoryHierarchyTest {
  private static final long LINE = 0x7000_0000L;

  private final Outbox outbox = new Outbox();
  private final List<MemoryRequest> answered = new ArrayList<>();
  private MemoryHierarchy memory;

  @BeforeEach
  void build() throws IOException {
    GpuDescription gpu = Gpus.load("mi300a");
    memory = new MemoryHierarchy(gpu.amd(), gpu.clocks());
  }

  private List<MemoryRequest> serve(long before) {
    answered.clear();
    memory.accept(outbox);
    memory.serve(before, before, answered::add);
    return answered;
  }

  @Test
  void aRequestComesBackAsTheReplyAndSaysWhenAndFromWhere() {
    MemoryRequest request = outbox.send(100, Client.SCALARS, 5, LINE, 7);
    assertThat(serve(1000)).containsExactly(request);
    assertThat(request.client).isEqualTo(Client.SCALARS);
    assertThat(request.port).isEqualTo(5);
    assertThat(request.number).isEqualTo(7);
    assertThat(request.level).isEqualTo(MemoryRequest.FROM_DRAM);
    long first = request.ready - 100;
    outbox.giveBack(request);
    MemoryRequest again = outbox.send(5000, Client.DATA, 5, LINE, 8);
    assertThat(again).as("used again").isSameAs(request);
    serve(6000);
    assertThat(again.level).isEqualTo(MemoryRequest.FROM_L2);
    assertThat(again.ready - 5000).isPositive().isLessThan(first);
  }

  @Test
  void requestsAreServedInTheOrderOfTheirArrivalNotOfTheirSending() {
    MemoryRequest late = outbox.send(300, Client.DATA, 0, LINE, 1);
    MemoryRequest early = outbox.send(200, Client.DATA, 1, LINE + 4096, 2);
    MemoryRequest next = outbox.send(400, Client.DATA, 2, LINE + 8192, 3);
    assertThat(serve(400)).containsExactly(early, late);
    assertThat(memory.nextArrival()).isEqualTo(400);
    assertThat(serve(401)).containsExactly(next);
  }

  @Test
  void aPageIsTranslatedAndReadsNothing() {
    MemoryRequest page = outbox.send(100, Client.INSTRUCTIONS, 0, LINE, 3);
    page.translation = true;
    assertThat(serve(200)).containsExactly(page);
    assertThat(memory.statistics().get("l2tlb.accesses").longValue()).isEqualTo(1);
    assertThat(memory.statistics().get("tcc.loads").longValue()).isZero();
  }

  @Test
  void whatIsWrittenOrAddedCountsAsThat() {
    outbox.send(100, Client.DATA, 0, LINE, 1).write = true;
    MemoryRequest atomic = outbox.send(200, Client.DATA, 0, LINE, 2);
    atomic.atomic = true;
    atomic.lanes = 64;
    serve(300);
    assertThat(memory.statistics().get("tcc.stores").longValue()).isEqualTo(1);
    assertThat(memory.statistics().get("tcc.atomics").longValue()).isEqualTo(1);
  }
}
