package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.CacheSpec.Allocate;
import dev.warpline.engine.gpu.CacheSpec.Write;
import dev.warpline.engine.gpu.CacheSpec.WriteAllocate;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Replacement;
import org.junit.jupiter.api.Test;

class DataCacheTest {
  private final RequestPool pool = new RequestPool();
  private long now;

  private static CacheSpec spec(int sets, int ways, Write write, WriteAllocate walloc) {
    return new CacheSpec(
        true,
        sets,
        128,
        ways,
        Chosen.of(Replacement.class, "lru"),
        write,
        Allocate.ON_MISS,
        walloc,
        Chosen.of(AddressHash.class, "linear"),
        8,
        2,
        8,
        32);
  }

  private DataCache writeBack(int sets, int ways) {
    CacheSpec spec = spec(sets, ways, Write.WRITE_BACK, WriteAllocate.LAZY_FETCH_ON_READ);
    return new DataCache(spec, ways, 0, 2, false, pool);
  }

  private DataCache writeThrough(int ways, int dirtyPercent) {
    CacheSpec spec = spec(1, ways, Write.WRITE_THROUGH, WriteAllocate.LAZY_FETCH_ON_READ);
    return new DataCache(spec, ways, dirtyPercent, 1, false, pool);
  }

  private MemoryRequest read(long address) {
    MemoryRequest request = pool.take();
    request.address = address;
    request.kind = AccessKind.GLOBAL_ACC_R.ordinal();
    request.bytes = 32;
    return request;
  }

  private MemoryRequest write(long address, int bytes) {
    MemoryRequest request = read(address);
    request.kind = AccessKind.GLOBAL_ACC_W.ordinal();
    request.write = true;
    request.byteMask = bytes;
    return request;
  }

  private void bring(DataCache cache, long address) {
    assertThat(cache.access(read(address), now++)).isEqualTo(CacheOutcome.MISS);
    cache.fill(cache.missQueue().pop(), now++);
    cache.misses().takeReady();
  }

  @Test
  void aSectorHitsOnceItsDataHaveArrived() {
    DataCache cache = writeBack(4, 2);
    MemoryRequest first = read(0x1000);
    assertThat(cache.access(first, 0)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.access(read(0x1000), 1)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.count(AccessKind.GLOBAL_ACC_R, CacheOutcome.HIT_RESERVED)).isEqualTo(1);
    assertThat(cache.count(AccessKind.GLOBAL_ACC_R, CacheOutcome.MSHR_HIT)).isEqualTo(1);
    assertThat(cache.missQueue().size()).as("merged misses ask once").isEqualTo(1);
    cache.fill(cache.missQueue().pop(), 2);
    assertThat(cache.misses().takeReady()).isSameAs(first);
    assertThat(cache.access(read(0x1000), 3)).isEqualTo(CacheOutcome.HIT);
  }

  @Test
  void anotherSectorOfAPresentLineIsASectorMiss() {
    DataCache cache = writeBack(4, 2);
    bring(cache, 0x1000);
    assertThat(cache.access(read(0x1020), now++)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.count(AccessKind.GLOBAL_ACC_R, CacheOutcome.SECTOR_MISS)).isEqualTo(1);
  }

  @Test
  void onlySoManyRequestsWaitForOneSector() {
    DataCache cache = writeBack(4, 2);
    cache.access(read(0), 0);
    cache.access(read(0), 1);
    assertThat(cache.access(read(0), 2)).isEqualTo(CacheOutcome.RESERVATION_FAIL);
    assertThat(cache.failCount(AccessKind.GLOBAL_ACC_R, CacheOutcome.MSHR_MERGE_FAIL)).isEqualTo(1);
  }

  @Test
  void aSetFullOfLinesUnderWayTakesNoOther() {
    DataCache cache = writeBack(1, 2);
    cache.access(read(0x000), 0);
    cache.access(read(0x080), 1);
    assertThat(cache.access(read(0x100), 2)).isEqualTo(CacheOutcome.RESERVATION_FAIL);
    assertThat(cache.failCount(AccessKind.GLOBAL_ACC_R, CacheOutcome.LINE_ALLOC_FAIL)).isEqualTo(1);
  }

  @Test
  void aReadMissNeedsTwoFreePlacesInTheMissQueue() {
    DataCache cache = writeBack(64, 2);
    int accepted = 0;
    while (cache.access(read(accepted * 0x80L), accepted) == CacheOutcome.MISS) {
      accepted++;
    }
    assertThat(accepted).as("queue of 8").isEqualTo(7);
    assertThat(cache.failCount(AccessKind.GLOBAL_ACC_R, CacheOutcome.MISS_QUEUE_FULL)).isEqualTo(1);
  }

  @Test
  void theLeastRecentlyUsedLineLeaves() {
    DataCache cache = writeBack(1, 2);
    bring(cache, 0x000);
    bring(cache, 0x080);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
    bring(cache, 0x100);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x080), now++)).isEqualTo(CacheOutcome.MISS);
  }

  @Test
  void aPartlyWrittenSectorIsFetchedWhenItIsRead() {
    DataCache cache = writeBack(4, 2);
    assertThat(cache.access(write(0x1000, 0xF), 0)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.missQueue().isEmpty()).as("the write itself fetches nothing").isTrue();
    assertThat(cache.access(read(0x1000), 1)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.count(AccessKind.GLOBAL_ACC_R, CacheOutcome.SECTOR_MISS)).isEqualTo(1);
    cache.fill(cache.missQueue().pop(), 2);
    assertThat(cache.access(read(0x1000), 3)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.dirtyLines()).as("the written bytes stay dirty").isEqualTo(1);
  }

  @Test
  void aFullyWrittenSectorCanBeReadAtOnce() {
    DataCache cache = writeBack(4, 2);
    cache.access(write(0x1000, 0x0000FFFF), 0);
    cache.access(write(0x1000, 0xFFFF0000), 1);
    assertThat(cache.access(read(0x1000), 2)).isEqualTo(CacheOutcome.HIT);
  }

  @Test
  void aModifiedLineIsWrittenBackWithItsModifiedSectorsOnly() {
    DataCache cache = writeBack(1, 1);
    cache.access(write(0x000, -1), 0);
    cache.access(write(0x040, -1), 1);
    cache.access(read(0x100), 2);
    MemoryRequest back = cache.missQueue().pop();
    assertThat(back.write).isTrue();
    assertThat(back.address).isZero();
    assertThat(back.sectors).isEqualTo(0b101);
    assertThat(back.bytes).isEqualTo(64);
    assertThat(cache.missQueue().pop().address).isEqualTo(0x100);
  }

  @Test
  void writingThroughMarksTheLineAndPassesTheWriteOn() {
    DataCache cache = writeThrough(4, 0);
    MemoryRequest first = write(0x1000, -1);
    assertThat(cache.access(first, 0)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.passedOn()).isTrue();
    assertThat(cache.missQueue().pop()).isSameAs(first);
    assertThat(cache.access(write(0x1000, -1), 1)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.passedOn()).isTrue();
  }

  @Test
  void dirtyLinesAreSparedUntilEnoughOfThemExist() {
    DataCache cache = writeThrough(4, 50);
    cache.access(write(0x000, -1), now++);
    cache.missQueue().pop();
    bring(cache, 0x080);
    bring(cache, 0x100);
    bring(cache, 0x180);
    // One of four lines is dirty: the oldest line is spared, the oldest clean one leaves.
    bring(cache, 0x200);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x080), now++)).isEqualTo(CacheOutcome.MISS);
  }

  @Test
  void anAtomicMakesItsSectorDirtyWhenTheDataArrive() {
    DataCache cache = writeBack(4, 2);
    MemoryRequest atomic = read(0x1000);
    atomic.atomic = true;
    cache.access(atomic, 0);
    cache.fill(cache.missQueue().pop(), 1);
    assertThat(cache.dirtyLines()).isEqualTo(1);
  }

  @Test
  void aReadThatJoinsAnswersBeingHandedOutReservesNothing() {
    DataCache cache = writeBack(1, 1);
    cache.access(read(0x000), 0);
    cache.fill(cache.missQueue().pop(), 1);
    // Before the answer is handed out, another line takes the only place ...
    cache.access(write(0x080, -1), 2);
    assertThat(cache.access(read(0x000), 3)).isEqualTo(CacheOutcome.MISS);
    cache.misses().takeReady();
    cache.misses().takeReady();
    // ... and the line that came back is not stuck: it can leave again.
    assertThat(cache.access(read(0x100), 4)).isEqualTo(CacheOutcome.MISS);
  }

  @Test
  void invalidatingForgetsEverythingButAnswersStillComeBack() {
    DataCache cache = writeBack(4, 2);
    MemoryRequest waiting = read(0x1000);
    cache.access(waiting, 0);
    cache.invalidate();
    cache.fill(cache.missQueue().pop(), 1);
    assertThat(cache.misses().takeReady()).isSameAs(waiting);
    assertThat(cache.access(read(0x1000), 2)).isEqualTo(CacheOutcome.MISS);
  }

  @Test
  void aPreloadedRangeHits() {
    DataCache cache = writeBack(4, 2);
    MemoryRequest sector = read(0x1020);
    cache.preload(sector);
    assertThat(cache.access(read(0x1020), 0)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x1000), 0)).isEqualTo(CacheOutcome.MISS);
  }

  private static CacheSpec policy(
      Chosen<Replacement> replacement, Write write, Allocate allocate, WriteAllocate walloc) {
    CacheSpec base = spec(1, 2, write, walloc);
    return new CacheSpec(
        true,
        1,
        128,
        2,
        replacement,
        write,
        allocate,
        walloc,
        Chosen.of(AddressHash.class, "linear"),
        base.mshrEntries(),
        base.mshrMerge(),
        base.missQueue(),
        32);
  }

  private DataCache cache(CacheSpec spec) {
    return new DataCache(spec, spec.ways(), 0, 2, false, pool);
  }

  @Test
  void firstInFirstOutDoesNotCareWhoWasUsed() {
    DataCache cache =
        cache(
            policy(
                Chosen.of(Replacement.class, "fifo"),
                Write.WRITE_BACK,
                Allocate.ON_MISS,
                WriteAllocate.LAZY_FETCH_ON_READ));
    bring(cache, 0x000);
    bring(cache, 0x080);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
    bring(cache, 0x100);
    assertThat(cache.access(read(0x080), now++)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.MISS);
  }

  @Test
  void aLineThatWasEvictedByAWriteCanComeBack() {
    DataCache cache =
        cache(
            policy(
                Chosen.of(Replacement.class, "lru"),
                Write.WRITE_EVICT,
                Allocate.ON_MISS,
                WriteAllocate.NONE));
    for (int i = 0; i < 10; i++) {
      bring(cache, 0x000);
      assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
      assertThat(cache.access(write(0x000, 0xF), now++)).isEqualTo(CacheOutcome.HIT);
      assertThat(cache.passedOn()).isTrue();
      assertThat(cache.isWritten()).isFalse();
      cache.missQueue().pop();
    }
    bring(cache, 0x080);
    bring(cache, 0x100);
    assertThat(cache.access(read(0x080), now++))
        .as("both ways are free")
        .isEqualTo(CacheOutcome.HIT);
  }

  @Test
  void aLineAllocatedWhenItsDataComeStaysReadableWhenItIsWritten() {
    DataCache cache =
        cache(
            policy(
                Chosen.of(Replacement.class, "lru"),
                Write.WRITE_THROUGH,
                Allocate.ON_FILL,
                WriteAllocate.NONE));
    bring(cache, 0x000);
    assertThat(cache.access(write(0x000, 0xF), now++)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x000), now++)).isEqualTo(CacheOutcome.HIT);
  }

  @Test
  void aWriteThatFetchesIsDoneWhenItsSectorComes() {
    DataCache cache =
        cache(
            policy(
                Chosen.of(Replacement.class, "lru"),
                Write.WRITE_BACK,
                Allocate.ON_MISS,
                WriteAllocate.FETCH_ON_WRITE));
    MemoryRequest part = write(0x000, 0xF);
    assertThat(cache.access(part, now++)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.isWritten()).isFalse();
    cache.fill(cache.missQueue().pop(), now++);
    assertThat(cache.misses().takeReady().kind).isEqualTo(AccessKind.L2_WR_ALLOC_R.ordinal());
    assertThat(cache.misses().takeReady()).isSameAs(part);
    assertThat(cache.access(write(0x020, -1), now++)).isEqualTo(CacheOutcome.MISS);
    assertThat(cache.isWritten()).as("a whole sector needs no read").isTrue();
  }

  @Test
  void droppingModifiedLinesKeepsTheOthers() {
    DataCache cache = writeBack(4, 2);
    bring(cache, 0x1000);
    cache.access(write(0x2000, -1), now++);
    assertThat(cache.dirtyLines()).isEqualTo(1);
    cache.dropModified();
    assertThat(cache.dirtyLines()).isZero();
    assertThat(cache.missQueue().isEmpty()).as("nothing is written back").isTrue();
    assertThat(cache.access(read(0x1000), now++)).isEqualTo(CacheOutcome.HIT);
    assertThat(cache.access(read(0x2000), now++)).isEqualTo(CacheOutcome.MISS);
  }
}
