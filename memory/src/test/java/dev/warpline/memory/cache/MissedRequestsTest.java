package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.memory.MemoryRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MissedRequestsTest {
  /** Against a plain map of lists: whoever waits is answered once, in order of arrival. */
  @Property(tries = 200)
  void everyRequestIsHandedOutOnceInOrder(
      @ForAll @Size(max = 200) List<@IntRange(max = 30) Integer> steps) {
    MissedRequests table = new MissedRequests(6, 3);
    Map<Long, List<MemoryRequest>> waiting = new HashMap<>();
    Deque<MemoryRequest> expected = new ArrayDeque<>();
    List<Long> open = new ArrayList<>();
    for (int step : steps) {
      long sector = step % 10 * 32L;
      if (step < 20) {
        int entry = table.find(sector);
        List<MemoryRequest> list = open.contains(sector) ? waiting.get(sector) : null;
        assertThat(entry >= 0).isEqualTo(waiting.containsKey(sector));
        if (list != null && table.canMerge(entry)) {
          list.add(request(sector));
          table.await(entry, list.get(list.size() - 1));
        } else if (entry < 0 && table.canAdd()) {
          List<MemoryRequest> fresh = new ArrayList<>(List.of(request(sector)));
          waiting.put(sector, fresh);
          open.add(sector);
          table.await(table.add(sector), fresh.get(0));
        }
      } else if (step < 25 && !open.isEmpty()) {
        long done = open.remove(step % open.size());
        table.markReady(table.find(done), MemoryRequest.FROM_L2);
        expected.addAll(waiting.get(done));
      } else if (table.hasReady()) {
        MemoryRequest next = table.takeReady();
        assertThat(next).isSameAs(expected.poll());
        waiting.get(next.address).remove(next);
        if (waiting.get(next.address).isEmpty()) {
          waiting.remove(next.address);
        }
      }
      assertThat(table.hasReady()).isEqualTo(!expected.isEmpty());
      assertThat(table.inUse()).isEqualTo(waiting.size());
    }
  }

  private static MemoryRequest request(long address) {
    MemoryRequest request = new MemoryRequest();
    request.address = address;
    return request;
  }
}
