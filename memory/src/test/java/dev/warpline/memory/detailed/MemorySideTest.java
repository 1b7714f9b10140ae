package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.MemoryRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySideTest {
  private static final int PORTS = 4;
  private static final int WINDOW = 16;
  private MemorySide memory;
  private long now;

  @BeforeEach
  void memory() throws IOException {
    start(List.of());
  }

  private void start(List<String> settings) throws IOException {
    GpuDescription gpu = Gpus.load("rtx3070", settings);
    memory = new MemorySide(gpu.detailedMemory(), gpu.clocks(), PORTS, WINDOW);
  }

  private MemoryRequest send(int port, long address, boolean write) {
    MemoryRequest request = new MemoryRequest();
    request.address = address;
    request.kind = (write ? AccessKind.GLOBAL_ACC_W : AccessKind.GLOBAL_ACC_R).ordinal();
    request.write = write;
    request.byteMask = write ? -1 : 0;
    request.bytes = 32;
    request.port = port;
    request.ready = now + 1;
    memory.addresses().decode(request);
    memory.outbox(port).push(request);
    return request;
  }

  private void window(Workers workers) {
    memory.takeRequests();
    now += WINDOW;
    memory.runChannels(now, now + WINDOW, workers);
  }

  @Test
  void anL2MissPaysTheFixedDelaysAndTheDram() {
    try (Workers workers = new Workers(1)) {
      memory.runChannels(0, WINDOW, workers);
      send(0, 0x1000, false);
      while (memory.replies(0).isEmpty()) {
        window(workers);
      }
      // 187 before the L2, 254 before the DRAM, 48 DRAM cycles at 3.09 a core cycle, queues
      // between.
      assertThat(memory.replies(0).peek().ready - 1)
          .isBetween(187L + 254 + 48 / 3, 187L + 254 + 30);
    }
  }

  @Test
  void anL2HitIsAnsweredAfterTheFixedDelay() {
    try (Workers workers = new Workers(1)) {
      memory.preload(0x1000, 32);
      memory.runChannels(0, WINDOW, workers);
      send(0, 0x1000, false);
      while (memory.replies(0).isEmpty()) {
        window(workers);
      }
      assertThat(memory.replies(0).peek().ready - 1).isBetween(187L, 195L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fr-fcfs",
        "fcfs",
        "fr-fcfs detailedMemory.dram.standard=gddr6",
        "fcfs detailedMemory.dram.standard=gddr6 detailedMemory.dram.pages=closed",
        "fr-fcfs detailedMemory.dram.standard=hbm2 detailedMemory.dram.pages=timeout:100"
      })
  void everyRequestIsAnsweredOnce(String scheduler) throws IOException {
    String settings = "detailedMemory.dram.ratedMHz=3500.5 detailedMemory.dram.scheduler=";
    start(List.of((settings + scheduler).split(" ")));
    Random random = new Random(7);
    List<MemoryRequest> sent = new ArrayList<>();
    List<MemoryRequest> answered = new ArrayList<>();
    try (Workers workers = new Workers(2)) {
      memory.runChannels(0, WINDOW, workers);
      for (int w = 0; w < 400; w++) {
        for (int port = 0; port < PORTS; port++) {
          for (int i = 0; i < 12 && w < 300 && memory.room(port) > 0; i++) {
            sent.add(send(port, random.nextInt(1 << 22) & -32L, random.nextInt(3) == 0));
          }
        }
        window(workers);
        for (int port = 0; port < PORTS; port++) {
          while (!memory.replies(port).isEmpty()) {
            assertThat(memory.replies(port).peek().port).isEqualTo(port);
            answered.add(memory.replies(port).pop());
          }
        }
      }
      for (int w = 0; w < 20_000 && !memory.isDrained(); w++) {
        window(workers);
        for (int port = 0; port < PORTS; port++) {
          while (!memory.replies(port).isEmpty()) {
            answered.add(memory.replies(port).pop());
          }
        }
      }
    }
    assertThat(memory.isDrained()).isTrue();
    assertThat(answered).hasSameSizeAs(sent).containsExactlyInAnyOrderElementsOf(sent);
  }
}
