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
    way = new WayOut(spec, requests, 4);
    way.startKernel();
    // The first access of a kernel waits for the way to open.
    store(0, OTHER, 0);
  }

  private void store(long when, long line, int word) {
    store(0, when, line, word);
  }

  /** Stores a word as a sub-core; whether L1 keeps what it has of the line. */
  private boolean store(int subCore, long when, long line, int word) {
    way.nextStore(subCore, when);
    return way.store(
        subCore,
        when,
        line,
        1 << word / 8,
        1 << word,
        spec.storeJoinCycles(),
        spec.storeSettleCycles(),
        false);
  }

  @Test
  void aStoreRightBehindAnotherToItsLineLeavesWithIt() {
    store(1000, LINE, 0);
    store(1002, LINE, 9);
    assertThat(sent()).isEqualTo(1);
  }

  @Test
  void tenCyclesAfterAnotherAStoreStillJoinsItElevenAfterNot() {
    store(1000, LINE, 0);
    store(1010, LINE, 1);
    store(1020, LINE, 2);
    assertThat(sent()).isEqualTo(1);
    store(1031, LINE, 3);
    assertThat(sent()).isEqualTo(2);
  }

  @Test
  void storesOfOtherSubCoresInBetweenDoNotMatter() {
    store(0, 1000, LINE, 0);
    store(1, 1002, OTHER, 0);
    store(0, 1004, LINE, 1);
    store(1, 1006, OTHER, 1);
    assertThat(sent()).isEqualTo(2);
  }

  @Test
  void aStoreTooLateToJoinAndTooEarlyToFindTheOtherWrittenLeavesOnlyItsOwnWords() {
    assertThat(store(0, 1000, LINE, 0)).isTrue();
    assertThat(store(0, 1010, LINE, 1)).isTrue();
    assertThat(store(0, 1021, LINE, 2)).isFalse();
    assertThat(store(0, 1038, LINE, 3)).isFalse();
    assertThat(store(0, 1056, LINE, 4)).isTrue();
  }

  @Test
  void twoStoresInBetweenAreLongEnough() {
    store(0, 1000, LINE, 0);
    store(0, 1001, OTHER, 0);
    assertThat(store(0, 1002, LINE, 1)).isFalse();
    store(0, 1003, OTHER, 1);
    store(0, 1004, OTHER + 128, 1);
    assertThat(store(0, 1005, LINE, 2)).isTrue();
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
    way.nextStore(0, 1000);
    way.store(0, 1000, LINE, 15, -1, 10, 18, false);
    assertThat(portFree()).isEqualTo(1004);
    way.nextStore(0, 2000);
    way.store(0, 2000, LINE, 15, 0x01010101, 10, 18, false);
    assertThat(portFree()).isEqualTo(2005);
    store(3000, LINE, 0);
    assertThat(portFree()).isEqualTo(3002);
  }

  private long portFree() {
    return way.takesStoresAt() + spec.storePortAhead();
  }
}
