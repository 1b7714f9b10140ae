package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.memory.MemoryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A GDDR6 channel that is stepped at its command clock. */
class StandardChannelTest {
  private static StandardChannel channel(String... settings) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "detailedMemory.dram.standard=gddr6",
                "clocks.dramMHz=1750",
                "detailedMemory.dram.ratedMHz=1750"));
    all.addAll(List.of(settings));
    GpuDescription gpu = Gpus.load("rtx3070", all);
    return new StandardChannel(gpu.detailedMemory().dram(), gpu.clocks().dramMHz());
  }

  private static MemoryRequest read(int bank, int row) {
    MemoryRequest request = new MemoryRequest();
    request.bank = bank;
    request.row = row;
    request.bytes = 32;
    return request;
  }

  /** When each request comes back, in the order they were sent. */
  private static List<Long> serve(StandardChannel channel, MemoryRequest... requests) {
    List<MemoryRequest> sent = List.of(requests);
    sent.forEach(channel::push);
    Long[] back = new Long[requests.length];
    for (long cycle = 0; !channel.isIdle(); cycle++) {
      MemoryRequest written = channel.cycle(cycle);
      if (written != null) {
        back[sent.indexOf(written)] = cycle;
      }
      while (!channel.returned().isEmpty()) {
        back[sent.indexOf(channel.returned().pop())] = cycle;
      }
    }
    return List.of(back);
  }

  @Test
  void aReadOpensItsRowAndHasItsDataAfterTheLatency() throws IOException {
    StandardChannel channel = channel();
    // 26 to the read, 24 to the data, 2 for the burst.
    assertThat(serve(channel, read(0, 1))).containsExactly(52L);
    assertThat(channel.activates).isEqualTo(1);
    assertThat(channel.readBursts).isEqualTo(1);
  }

  @Test
  void firstReadyServesTheOpenRowBeforeAnOlderRequestForAnother() throws IOException {
    StandardChannel channel = channel("detailedMemory.dram.scheduler=fr-fcfs");
    List<Long> back = serve(channel, read(0, 1), read(0, 2), read(0, 1));
    assertThat(back.get(2)).isEqualTo(52 + 3);
    assertThat(back.get(1)).isEqualTo(26 + 53 + 26 + 26);
    assertThat(channel.precharges).isEqualTo(1);
  }

  @Test
  void inOrderClosesTheRowForTheOlderRequest() throws IOException {
    StandardChannel channel = channel("detailedMemory.dram.scheduler=fcfs");
    List<Long> back = serve(channel, read(0, 1), read(0, 2), read(0, 1));
    assertThat(back).isSorted();
    assertThat(channel.precharges).isEqualTo(2);
    assertThat(channel.activates).isEqualTo(3);
  }

  @Test
  void banksWorkSideBySideAndShareTheDataBus() throws IOException {
    List<Long> back = serve(channel(), read(0, 1), read(1, 1), read(2, 1));
    // Rows open seven cycles after each other.
    assertThat(back).containsExactly(52L, 59L, 66L);
  }

  @Test
  void aWriteIsDoneWhenItsDataHavePassed() throws IOException {
    MemoryRequest write = read(0, 1);
    write.write = true;
    // 16 to the write, 6 to the data, 2 for the burst.
    assertThat(serve(channel(), write)).containsExactly(24L);
  }
}
