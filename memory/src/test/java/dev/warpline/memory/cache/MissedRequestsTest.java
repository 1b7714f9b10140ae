package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.memory.MemoryRequest;
import org.junit.jupiter.api.Test;

class MissedRequestsTest {
  private static MemoryRequest request(boolean atomic) {
    MemoryRequest request = new MemoryRequest();
    request.atomic = atomic;
    return request;
  }

  @Test
  void hasRoomForSoManySectorsAndRequests() {
    MissedRequests misses = new MissedRequests(2, 1);
    int entry = misses.add(0);
    assertThat(misses.canAdd()).isTrue();
    misses.add(32);
    assertThat(misses.canAdd()).isFalse();
    assertThat(misses.find(32)).isNotEqualTo(entry).isNotNegative();
    assertThat(misses.find(64)).isNegative();
    assertThat(misses.canMerge(entry)).isTrue();
    misses.await(entry, request(false));
    assertThat(misses.canMerge(entry)).isFalse();
    misses.markReady(entry, MemoryRequest.FROM_L2);
    misses.takeReady();
    assertThat(misses.canAdd()).isTrue();
    assertThat(misses.inUse()).isEqualTo(1);
    assertThat(misses.find(0)).isNegative();
  }

  @Test
  void handsOutEntryByEntryInTheOrderOfTheirData() {
    MissedRequests misses = new MissedRequests(4, 100);
    MemoryRequest[] late = new MemoryRequest[10];
    int first = misses.add(0);
    for (int i = 0; i < late.length; i++) {
      late[i] = request(i == 3);
      misses.await(first, late[i]);
    }
    MemoryRequest early = request(false);
    int second = misses.add(32);
    misses.await(second, early);
    assertThat(misses.hasAtomic(first)).isTrue();
    assertThat(misses.hasAtomic(second)).isFalse();
    misses.markReady(second, MemoryRequest.FROM_DRAM);
    misses.markReady(first, MemoryRequest.FROM_L2);
    assertThat(misses.takeReady()).isSameAs(early);
    assertThat(early.level).isEqualTo(MemoryRequest.FROM_DRAM);
    assertThat(misses.takeReady()).isSameAs(late[0]);
    // One that comes while the others are handed out is handed out after them.
    MemoryRequest last = request(false);
    misses.await(first, last);
    for (int i = 1; i < late.length; i++) {
      assertThat(misses.takeReady()).isSameAs(late[i]);
    }
    assertThat(misses.takeReady()).isSameAs(last);
    assertThat(misses.hasReady()).isFalse();
    assertThat(misses.inUse()).isZero();
  }
}
