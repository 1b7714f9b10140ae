package dev.warpline.memory.detailed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.DetailedMemorySpec.ChannelIndex;
import dev.warpline.memory.MemoryRequest;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AddressMapTest {
  private static final String ZEROS = "00000000.00000000.00000000.00000000.";
  private static final String V100 = "dramid@8;" + ZEROS + "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS";
  private static final String RTX = "dramid@8;" + ZEROS + "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS";

  private static MemoryRequest decode(AddressMap map, long address) {
    MemoryRequest request = new MemoryRequest();
    request.address = address;
    map.decode(request);
    return request;
  }

  @Test
  void theChannelNumberIsInsertedAtItsBit() {
    AddressMap map = new AddressMap(AddressMap.Spec.parse(V100, 32, 2, ChannelIndex.CONSECUTIVE));
    assertThat(decode(map, 3L << 8).slice).as("channel 3, first slice").isEqualTo(6);
    assertThat(decode(map, 3L << 8 | 1L << 13).slice).as("bank bit 0 picks it").isEqualTo(7);
    assertThat(decode(map, 5L << 17 | 1L << 13).bank).isEqualTo(5 << 1 | 1);
    assertThat(decode(map, 9L << 20).row).isEqualTo(9);
  }

  @Test
  void neighbouringSectorsShareSliceAndRow() {
    AddressMap map = new AddressMap(AddressMap.Spec.parse(RTX, 16, 2, ChannelIndex.IPOLY));
    MemoryRequest first = decode(map, 0x7f0012345000L);
    MemoryRequest second = decode(map, 0x7f0012345020L);
    assertThat(second.slice).isEqualTo(first.slice);
    assertThat(second.row).isEqualTo(first.row);
    assertThat(second.sliceAddress).isEqualTo(first.sliceAddress + 32);
  }

  @Property(tries = 60)
  void noTwoLinesOfASliceShareASliceAddress(
      @ForAll @IntRange(min = 0, max = 5) int indexing,
      @ForAll @IntRange(min = 0, max = 1 << 20) int block) {
    ChannelIndex index = ChannelIndex.values()[indexing];
    for (int channels : new int[] {16, 12}) {
      boolean scatters = index == ChannelIndex.RANDOM || index == ChannelIndex.PAE;
      boolean needsPowerOfTwo = index == ChannelIndex.XOR || index == ChannelIndex.IPOLY;
      if (scatters || channels == 12 && needsPowerOfTwo) {
        // Random scatter, Accel-Sim's PAE formula and folded hashes are not one to one.
        continue;
      }
      AddressMap map = new AddressMap(AddressMap.Spec.parse(RTX, channels, 2, index));
      Map<String, Long> seen = new HashMap<>();
      for (int i = 0; i < 2048; i++) {
        long address = ((long) block << 16) + i * 128L;
        MemoryRequest at = decode(map, address);
        assertThat(at.slice).isBetween(0, map.slices() - 1);
        assertThat(seen.put(at.slice + ":" + at.sliceAddress, address)).isNull();
      }
    }
  }

  @Test
  void consecutiveLinesSpreadEvenlyWhenTheChannelsAreNoPowerOfTwo() {
    AddressMap map = new AddressMap(AddressMap.Spec.parse(RTX, 12, 2, ChannelIndex.CONSECUTIVE));
    int[] count = new int[map.slices()];
    for (int i = 0; i < 24 * 100; i++) {
      count[decode(map, i * 128L).slice]++;
    }
    assertThat(count).containsOnly(100);
  }

  @Test
  void aMappingOfTheWrongLengthIsRefused() {
    assertThatThrownBy(
            () -> AddressMap.Spec.parse("dramid@8;RRRBBB", 16, 2, ChannelIndex.CONSECUTIVE))
        .hasMessageContaining("6 bits")
        .hasMessageContaining("expected 64");
  }
}
