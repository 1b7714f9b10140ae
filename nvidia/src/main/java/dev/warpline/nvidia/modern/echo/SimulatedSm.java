package dev.warpline.nvidia.modern.echo;

import dev.warpline.trace.BlockTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** An SM that is simulated, with its echoes and the blocks that are there. */
final class SimulatedSm {
  final int sm;
  private final List<Echo> echoes = new ArrayList<>();

  /** By echo: blocks that came before the simulated SM had one for them. */
  private final List<Deque<PlacedBlock>> waiting = new ArrayList<>();

  /** By echo: blocks that go with one that is there. */
  private int[] paired = new int[0];

  private final List<PlacedBlock> resident = new ArrayList<>();
  long lastEnd;

  SimulatedSm(int sm) {
    this.sm = sm;
  }

  void add(Echo echo) {
    echoes.add(echo);
    waiting.add(new ArrayDeque<>());
    paired = new int[echoes.size()];
  }

  List<Echo> echoes() {
    return echoes;
  }

  /** A block arrives here. */
  void place(PlacedBlock block, GlobalRows global, Deque<BlockTrace> spare) {
    resident.add(block);
    for (int e = 0; e < echoes.size(); e++) {
      if (!waiting.get(e).isEmpty()) {
        pair(block, e, waiting.get(e).remove(), global, spare);
      }
    }
  }

  /** A block arrives at an echo. */
  void placeEcho(int e, PlacedBlock block, GlobalRows global, Deque<BlockTrace> spare) {
    for (PlacedBlock here : resident) {
      if (here.echoes[e] == null) {
        pair(here, e, block, global, spare);
        return;
      }
    }
    waiting.get(e).add(block);
  }

  private void pair(
      PlacedBlock here, int e, PlacedBlock block, GlobalRows global, Deque<BlockTrace> spare) {
    here.echoes[e] = block;
    paired[e]++;
    echoes.get(e).pair(here.trace, block.trace, global);
    spare.add(block.trace);
    block.trace = null;
  }

  /** A block here ends; it is told which. */
  PlacedBlock end(int place, long when) {
    lastEnd = Math.max(lastEnd, when);
    for (int i = 0; i < resident.size(); i++) {
      PlacedBlock block = resident.get(i);
      if (block.place == place) {
        resident.remove(i);
        for (int e = 0; e < paired.length; e++) {
          if (block.echoes[e] != null) {
            paired[e]--;
          }
        }
        return block;
      }
    }
    throw new IllegalStateException("no block at place " + place + " of SM " + sm);
  }

  /** Whether an echo has a block that does what one here does. */
  boolean asks(int e) {
    return paired[e] > 0;
  }

  /** Whether every block here has one on the echo that does the same. */
  boolean asksAll(int e) {
    return paired[e] >= resident.size();
  }

  /** Blocks of an echo that wait; they do not any more. */
  List<PlacedBlock> takeWaiting(int e) {
    List<PlacedBlock> these = List.copyOf(waiting.get(e));
    waiting.get(e).clear();
    return these;
  }

  List<PlacedBlock> resident() {
    return resident;
  }
}
