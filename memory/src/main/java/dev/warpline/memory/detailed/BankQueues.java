package dev.warpline.memory.detailed;

import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;

/**
 * The requests that wait for each bank, oldest first. First-ready scheduling: while a row is being
 * served its requests go first; otherwise requests to the open row; otherwise the oldest one's row.
 */
final class BankQueues {
  private static final int NO_ROW = -1;

  private final boolean firstReady;
  private final MemoryRequest[][] queue;
  private final int[] count;
  private final int[] servingRow;
  private int total;

  /** Banks with a waiting request, a bit each. */
  private long waiting;

  BankQueues(int banks, boolean firstReady) {
    this.firstReady = firstReady;
    queue = new MemoryRequest[banks][8];
    count = new int[banks];
    servingRow = new int[banks];
    Arrays.fill(servingRow, NO_ROW);
  }

  int size() {
    return total;
  }

  long waitingBanks() {
    return waiting;
  }

  void add(MemoryRequest request, int bank) {
    if (count[bank] == queue[bank].length) {
      queue[bank] = Arrays.copyOf(queue[bank], count[bank] * 2);
    }
    queue[bank][count[bank]++] = request;
    waiting |= 1L << bank;
    total++;
  }

  /** Takes the next request for a bank whose open (or last open) row is {@code openRow}. */
  MemoryRequest take(int bank, int openRow) {
    MemoryRequest[] requests = queue[bank];
    int n = count[bank];
    int at = 0;
    if (firstReady) {
      if (servingRow[bank] == NO_ROW) {
        servingRow[bank] = indexOf(requests, n, 0, openRow) < n ? openRow : requests[0].row;
      }
      at = indexOf(requests, n, 0, servingRow[bank]);
      if (indexOf(requests, n, at + 1, servingRow[bank]) == n) {
        servingRow[bank] = NO_ROW;
      }
    }
    MemoryRequest request = requests[at];
    System.arraycopy(requests, at + 1, requests, at, n - at - 1);
    requests[n - 1] = null;
    count[bank] = n - 1;
    total--;
    if (n == 1) {
      waiting &= ~(1L << bank);
    }
    return request;
  }

  private static int indexOf(MemoryRequest[] requests, int n, int from, int row) {
    for (int i = from; i < n; i++) {
      if (requests[i].row == row) {
        return i;
      }
    }
    return n;
  }
}
