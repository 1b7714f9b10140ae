package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** L2 counts lines that are written in part, as {@code scattered_stores.cu} showed. */
class PartialLinesTest {
  private L2Partition partition;
  private LineDirectory directory;
  private PartialLines lines;

  @BeforeEach
  void aPartitionWithMasksForTwoLines() throws IOException {
    FlowMemorySpec spec = Gpus.load("h200").flowMemory();
    partition = new L2Partition(1 << 20, 16, spec.l2Replacement(), spec.l2SetIndex().get());
    directory = new LineDirectory(new L2Partition[] {partition}, 1 << 13);
    lines = new PartialLines(partition, 2);
  }

  /** Writes a word of a sector. */
  private int write(long line, int sector) {
    return write(line, sector, 1);
  }

  private int write(long line, int sector, int words) {
    int slot = directory.find(line);
    int place = directory.place(slot, 0);
    if (place < 0) {
      place = allocate(slot, line);
    }
    if (partition.writeWords(place, 1 << sector, words << 8 * sector)) {
      lines.add(line, place);
    }
    return place;
  }

  private int allocate(int slot, long line) {
    int place = partition.allocate(partition.set(line), line);
    directory.put(slot, line, 0, place);
    return place;
  }

  @Test
  void sectorsOfALineNeedOneMask() {
    for (int sector = 0; sector < 4; sector++) {
      write(0, sector);
      write(128, sector);
    }
    assertThat(lines.full()).isFalse();
    write(256, 0);
    assertThat(lines.full()).isTrue();
  }

  @Test
  void theOldestMakesRoomWithAllItsSectors() {
    write(0, 0);
    write(128, 0);
    write(256, 0);
    int place = write(0, 3);
    assertThat(lines.oldest()).isEqualTo(0);
    assertThat(lines.place).isEqualTo(place);
    assertThat(partition.incomplete(place, 0)).isEqualTo(0b1001);
    partition.completed(place, 0b1001, 7);
    assertThat(lines.full()).isFalse();
    assertThat(lines.oldest()).isEqualTo(128);
  }

  @Test
  void aLineNeedsNoMaskOnceItIsWhole() {
    write(0, 0);
    write(128, 0);
    write(256, 0);
    write(0, 0, 0xff);
    assertThat(lines.full()).isFalse();
    assertThat(lines.oldest()).isEqualTo(128);
  }

  @Test
  void aSectorThatIsReadIsWhole() {
    int place = write(0, 0);
    write(128, 0);
    write(256, 0);
    partition.fill(place, 1, 7);
    assertThat(lines.full()).isFalse();
  }

  @Test
  void aLineThatLeavesL2TakesItsMaskAlong() {
    write(0, 0);
    write(128, 0);
    write(256, 0);
    for (long line = 1 << 20; directory.place(directory.find(0), 0) >= 0; line += 128) {
      if (partition.set(line) == partition.set(0)) {
        allocate(directory.find(line), line);
      }
    }
    assertThat(partition.partialLines).isEqualTo(2);
    assertThat(lines.oldest()).isEqualTo(128);
  }

  @Test
  void linesThatBecomeWholeDoNotPileUp() {
    write(0, 0);
    for (long line = 128; line < 100_000 * 128; line += 128) {
      write(line, 0);
      write(line, 0, 0xff);
    }
    write(100_000 * 128, 0);
    write(100_001 * 128, 0);
    assertThat(partition.partialLines).isEqualTo(2);
    assertThat(lines.oldest()).isEqualTo(100_000 * 128);
  }
}
