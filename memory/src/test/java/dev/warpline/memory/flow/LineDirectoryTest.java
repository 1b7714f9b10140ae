package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class LineDirectoryTest {
  private static final int LINES = 20_000;

  private final L2Partition[] partitions = new L2Partition[2];
  private LineDirectory directory;

  @BeforeEach
  void twoPartitionsOfFewLines() throws IOException {
    FlowMemorySpec spec = Gpus.load("h200").flowMemory();
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new L2Partition(1 << 20, 16, spec.l2Replacement(), spec.l2SetIndex().get());
    }
    directory = new LineDirectory(partitions, 1 << 14);
  }

  private void add(long line, int partition) {
    int slot = directory.find(line);
    assertThat(directory.place(slot, partition)).isNegative();
    int place = partitions[partition].allocate(partitions[partition].set(line), line);
    directory.put(slot, line, partition, place);
    assertThat(directory.place(directory.find(line), partition)).isEqualTo(place);
  }

  @Test
  void aLineIsFoundWhereItIs() {
    add(0, 1);
    add(128, 0);
    add(0, 0);
    assertThat(directory.place(directory.find(128), 1)).isNegative();
    assertThat(directory.find(256)).isEqualTo(LineDirectory.NONE);
    directory.clear();
    assertThat(directory.find(0)).isEqualTo(LineDirectory.NONE);
  }

  /** Neighbours, lines far apart and lines anywhere; many more than there is room for. */
  @Test
  void linesThatLeftAreNotFound() {
    Random random = new Random(1);
    for (int i = 0; i < LINES; i++) {
      long anywhere = random.nextLong() & -128;
      for (long line : new long[] {128L * i, 1L << 40 | (long) i << 20, anywhere}) {
        int partition = random.nextInt(2);
        if (directory.place(directory.find(line), partition) < 0) {
          add(line, partition);
        }
      }
    }
    int found = 0;
    for (int i = 0; i < LINES; i++) {
      int slot = directory.find(128L * i);
      for (int p = 0; p < partitions.length; p++) {
        int place = directory.place(slot, p);
        if (place >= 0) {
          assertThat(partitions[p].line(place)).isEqualTo(128L * i);
          found++;
        }
      }
    }
    assertThat(found).isBetween(1, (1 << 21) / 128);
  }

  /** Nearly as many lines as a power of two of slots: the table must be longer than that. */
  @Test
  @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
  void aFullL2OfAnySizeIsNotSortedAnewForEveryLine() throws IOException {
    FlowMemorySpec spec = Gpus.load("h200").flowMemory();
    int lines = 60 << 10;
    L2Partition whole =
        new L2Partition(128L * lines, 16, spec.l2Replacement(), spec.l2SetIndex().get());
    LineDirectory its = new LineDirectory(new L2Partition[] {whole}, lines);
    for (long line = 0; line < 128L * 20 * lines; line += 128) {
      its.put(its.find(line), line, 0, whole.allocate(whole.set(line), line));
    }
    long last = 128L * (20 * lines - 1);
    assertThat(its.place(its.find(last), 0)).isNotNegative();
  }
}
