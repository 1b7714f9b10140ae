package dev.warpline.nvidia.modern.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How stores leave an SM of the H200. */
class WayOutTest {
  private static final long LINE = 0x1000;
  private static final long OTHER = 0x2000;

  private ModernCoreSpec.LoadStore spec;
  private Requests requests;
  private WayOut way;

  @BeforeEach
  void start() throws IOException {
    spec = Gpus.load("h200").modern().loadStore();
    requests = new Requests(0);
    way = new WayOut(spec, requests);
    way.startKernel();
    // The first access of a kernel waits for the way to open.
    store(0, OTHER, 0);
  }

  private void store(long when, long line, int word) {
    way.nextStore();
    way.store(when, line, 1 << word / 8, 1 << word, false);
  }

  @Test
  void aStoreRightBehindAnotherToItsLineLeavesWithIt() {
    store(1000, LINE, 0);
    store(1002, LINE, 9);
    assertThat(sent()).isEqualTo(1);
  }

  @Test
  void aStoreThatComesLaterLeavesByItself() {
    store(1000, LINE, 0);
    store(1040, LINE, 1);
    assertThat(sent()).isEqualTo(2);
  }

  @Test
  void aStoreBetweenThemKeepsTwoStoresApart() {
    store(1000, LINE, 0);
    store(1002, OTHER, 0);
    store(1004, LINE, 1);
    assertThat(sent()).isEqualTo(3);
  }

  @Test
  void aWordThatIsWrittenAgainIsAStoreOfItsOwn() {
    store(1000, LINE, 0);
    store(1002, LINE, 0);
    assertThat(sent()).isEqualTo(2);
  }

  private int sent() {
    return requests.size() - 1;
  }

  @Test
  void aLineTakesFourCyclesPartsOfItOneMore() {
    way.nextStore();
    way.store(1000, LINE, 15, -1, false);
    assertThat(portFree()).isEqualTo(1004);
    way.nextStore();
    way.store(2000, LINE, 15, 0x01010101, false);
    assertThat(portFree()).isEqualTo(2005);
    store(3000, LINE, 0);
    assertThat(portFree()).isEqualTo(3002);
  }

  private long portFree() {
    return way.takesStoresAt() + spec.storePortAhead();
  }
}
