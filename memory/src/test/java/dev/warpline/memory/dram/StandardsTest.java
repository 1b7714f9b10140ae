package dev.warpline.memory.dram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.DramStandard;
import dev.warpline.policy.PagePolicy;
import dev.warpline.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each DRAM standard takes, in cycles of its command clock. */
class StandardsTest {
  private static Banks banks(String standard, String pages) {
    PagePolicy policy = Policies.of(PagePolicy.class).maker(pages).get();
    return new Banks(Rules.of(DramStandard.known(standard)), policy);
  }

  private static Banks banks(String standard) {
    return banks(standard, "open");
  }

  /** A bank of the same group as bank 0. */
  private static int sameGroup(String standard) {
    return DramStandard.known(standard).bankGroups();
  }

  /**
   * From the request to its read command: the bank is closed; its row is open; another row is. The
   * last column is the way of the data.
   */
  @ParameterizedTest
  @CsvSource({
    "hbm2, 14, 0, 62, 16",
    "hbm2e, 23, 0, 101, 25",
    "hbm3, 23, 0, 101, 25",
    "hbm3e, 35, 0, 153, 37",
    "gddr6, 26, 0, 105, 26",
    "gddr6x, 36, 0, 144, 35"
  })
  void aRead(String standard, int closed, int open, int other, int data) {
    Banks banks = banks(standard);
    assertThat(banks.access(0, 7, false, 0)).isEqualTo(closed);
    assertThat(banks.access(0, 7, false, 100)).isEqualTo(100 + open);
    banks = banks(standard);
    banks.access(0, 7, false, 0);
    // The row must stay open for tRAS, is closed for tRP and opened in tRCD.
    assertThat(banks.access(0, 8, false, closed)).isEqualTo(other);
    assertThat(banks.conflicts).isEqualTo(1);
    assertThat(Rules.of(DramStandard.known(standard)).dataCycles(false)).isEqualTo(data);
  }

  @ParameterizedTest
  @CsvSource({
    "hbm2, 2, 4",
    "hbm2e, 2, 4",
    "hbm3, 2, 4",
    "hbm3e, 2, 4",
    "gddr6, 2, 3",
    "gddr6x, 2, 3"
  })
  void readsOfOneBankGroupAreFartherApart(String standard, int others, int same) {
    Banks banks = banks(standard);
    int neighbour = sameGroup(standard);
    for (int bank : List.of(0, 1, neighbour)) {
      banks.access(bank, 7, false, 0);
    }
    assertThat(banks.access(0, 7, false, 150)).isEqualTo(150);
    assertThat(banks.access(1, 7, false, 150)).isEqualTo(150 + others);
    long last = banks.access(neighbour, 7, false, 150);
    assertThat(last).isEqualTo(150 + Math.max(same, 2 * others));
    assertThat(banks.access(0, 7, false, 150)).isEqualTo(last + same);
  }

  /** Rows of five banks: the fifth waits until the first of four was opened long enough ago. */
  @ParameterizedTest
  @CsvSource({
    "hbm2, 4, 30",
    "hbm2e, 4, 26",
    "hbm3, 2, 26",
    "hbm3e, 2, 26",
    "gddr6, 7, 28",
    "gddr6x, 10, 40"
  })
  void rowsOpenOneAfterTheOther(String standard, int next, int fifth) {
    Banks banks = banks(standard);
    long first = banks.access(0, 7, false, 0);
    assertThat(banks.access(1, 7, false, 0)).isEqualTo(first + next);
    banks.access(2, 7, false, 0);
    banks.access(3, 7, false, 0);
    assertThat(banks.access(sameGroup(standard), 7, false, 0)).isEqualTo(first + fifth);
  }

  @ParameterizedTest
  @CsvSource({
    "hbm2, 14, 12",
    "hbm2e, 20, 19",
    "hbm3, 20, 19",
    "hbm3e, 30, 28",
    "gddr6, 24, 17",
    "gddr6x, 33, 24"
  })
  void turningRound(String standard, int readToWrite, int writeToRead) {
    Banks banks = banks(standard);
    banks.access(0, 7, false, 0);
    banks.access(1, 7, false, 0);
    assertThat(banks.access(0, 7, false, 150)).isEqualTo(150);
    assertThat(banks.access(1, 7, true, 150)).isEqualTo(150 + readToWrite);
    assertThat(banks.access(0, 7, false, 150)).isEqualTo(150 + readToWrite + writeToRead);
  }

  /**
   * Each bank is refreshed once in {@code every}; while bank 0 is, from its turn on, it cannot be
   * read: its row is closed, the refresh takes its time, the row is opened again.
   */
  @ParameterizedTest
  @CsvSource({
    "hbm2, 244, 188",
    "hbm2e, 390, 302",
    "hbm3, 195, 366",
    "hbm3e, 293, 550",
    "gddr6, 208, 157",
    "gddr6x, 282, 215"
  })
  void aBankThatIsRefreshedKeepsAReadWaiting(String standard, int first, int wait) {
    Banks banks = banks(standard);
    banks.access(0, 7, false, 0);
    banks.access(1, 7, false, 0);
    assertThat(banks.access(0, 7, false, first - 1)).isEqualTo(first - 1);
    banks = banks(standard);
    banks.access(0, 7, false, 0);
    banks.access(1, 7, false, 0);
    assertThat(banks.access(1, 7, false, first)).as("another bank goes on").isEqualTo(first);
    assertThat(banks.access(0, 7, false, first)).isEqualTo(first + wait);
    assertThat(banks.refreshes).isEqualTo(1);
  }

  @Test
  void aRefreshOfAllBanksKeepsAllWaiting() {
    DramStandard hbm2 = DramStandard.known("hbm2");
    DramStandard atOnce =
        new DramStandard(
            hbm2.about(),
            hbm2.clockMHz(),
            hbm2.beatsPerClock(),
            hbm2.channels(),
            hbm2.busBits(),
            hbm2.burst(),
            hbm2.bankGroups(),
            hbm2.banksPerGroup(),
            hbm2.dualCommandBus(),
            hbm2.rows(),
            hbm2.rowBytes(),
            hbm2.readLatency(),
            hbm2.writeLatency(),
            hbm2.constraints(),
            new DramStandard.Refresh(3900, 260, false));
    Banks banks = new Banks(Rules.of(atOnce), Policies.of(PagePolicy.class).maker("open").get());
    banks.access(0, 7, false, 0);
    assertThat(banks.access(5, 7, false, 3899)).isEqualTo(3899 + 14);
    // Its row may close 34 cycles after it was opened: then tRP, tRFC, tRCD.
    assertThat(banks.access(9, 7, false, 3900)).isEqualTo(3899 + 34 + 14 + 260 + 14);
    assertThat(banks.row(0)).isEqualTo(Banks.CLOSED);
  }

  @ParameterizedTest
  @CsvSource({
    "hbm2, 16, 256",
    "hbm2e, 25.6, 409.6",
    "hbm3, 25.6, 819.2",
    "hbm3e, 38.4, 1228.8",
    "gddr6, 28, 56",
    "gddr6x, 38, 76"
  })
  void aStreamOfOpenRowsReachesThePeak(String name, double channel, double stack) {
    DramStandard standard = DramStandard.known(name);
    assertThat(standard.peakGigabytes()).isEqualTo(channel);
    assertThat(standard.peakGigabytes() * standard.channels()).isEqualTo(stack);
    assertThat(standard.burstBytes()).isEqualTo(32);
    Banks banks = banks(name);
    banks.access(0, 7, false, 0);
    banks.access(1, 7, false, 0);
    long start = 100;
    long last = 0;
    int reads = 40;
    for (int i = 0; i < reads; i++) {
      last = banks.access(i % 2, 7, false, start);
    }
    double cycles = last - start + standard.burstCycles();
    double gigabytes = reads * standard.burstBytes() / cycles * standard.clockMHz() / 1000;
    assertThat(gigabytes).isEqualTo(channel);
  }

  @Test
  void atHalfTheClockNanosecondsStay() {
    DramStandard standard = DramStandard.known("hbm3");
    Rules half = new Rules(standard, standard.clockMHz() / 2);
    Banks banks = new Banks(half, Policies.of(PagePolicy.class).maker("open").get());
    // 14.375 ns are 11.5 cycles of 800 MHz, so 12; a burst is two cycles as before.
    assertThat(banks.access(0, 7, false, 0)).isEqualTo(12);
    banks.access(1, 7, false, 0);
    assertThat(banks.access(0, 7, false, 60)).isEqualTo(60);
    assertThat(banks.access(1, 7, false, 60)).isEqualTo(62);
  }

  /** After a read of a row: what one of the same row takes later, and what one of another. */
  @ParameterizedTest
  @CsvSource({"open, 0, 28", "closed, 14, 14", "timeout:50, 14, 28", "timeout:500, 0, 28"})
  void thePagePolicyDecidesWhatTheNextReadFinds(String pages, int same, int other) {
    Banks banks = banks("hbm2", pages);
    assertThat(banks.access(0, 7, false, 0)).isEqualTo(14);
    assertThat(banks.access(0, 7, false, 100)).isEqualTo(100 + same);
    banks = banks("hbm2", pages);
    banks.access(0, 7, false, 0);
    assertThat(banks.access(0, 8, false, 60)).isEqualTo(60 + other);
  }

  @Test
  void anAdaptiveBankClosesRowsWhenNobodyComesBackToThem() {
    Banks banks = banks("hbm2", "adaptive");
    for (int row = 0; row < 4; row++) {
      banks.access(0, row, false, 100 * row);
    }
    long conflicts = banks.conflicts;
    for (int row = 4; row < 10; row++) {
      assertThat(banks.access(0, row, false, 1000 + 100 * row)).isEqualTo(1000 + 100 * row + 14);
    }
    assertThat(banks.conflicts).isEqualTo(conflicts);
    for (int i = 0; i < 4; i++) {
      banks.access(0, 50, false, 3000 + 100 * i);
    }
    assertThat(banks.access(0, 50, false, 3500)).as("it learns again").isEqualTo(3500);
  }
}
