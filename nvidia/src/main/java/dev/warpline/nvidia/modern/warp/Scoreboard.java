package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.Registers;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import java.util.Arrays;

/**
 * Dependences of code without control bits, for registers of every kind. A register that will be
 * written holds back its readers and writers until then; one that instructions of variable latency
 * have yet to read holds back its writers. How many such readers a register may have is limited by
 * the hardware's counters.
 */
public final class Scoreboard {
  private static final int REGISTERS = CodeRow.REGISTERS;
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();

  private final int slots;
  private final ModernCoreSpec.Issue spec;

  // By warp and register: when its value is there, and what is waited for until then.
  private long[] writtenAt;
  private byte[] writeReason;

  // When the last known reader has read it; readers whose time is not known yet.
  private long[] readAt;
  private int[] openReads;
  private byte[] readReason;

  // Only where readers are limited: all of a warp that may not have read yet.
  private int[][] readRegister;
  private long[][] readTime;
  private final int[] readers;

  /** What the last {@link #readyAt} waits for. */
  byte why;

  int register;

  Scoreboard(int slots, ModernCoreSpec.Issue spec) {
    this.slots = slots;
    this.spec = spec;
    readers = new int[slots];
  }

  void start(int w, CodeRows code) {
    if (code.controlled) {
      return;
    }
    if (writtenAt == null) {
      writtenAt = new long[slots * REGISTERS];
      writeReason = new byte[slots * REGISTERS];
      readAt = new long[slots * REGISTERS];
      openReads = new int[slots * REGISTERS];
      readReason = new byte[slots * REGISTERS];
      readRegister = new int[slots][64];
      readTime = new long[slots][64];
    }
    Arrays.fill(writtenAt, w * REGISTERS, (w + 1) * REGISTERS, 0);
    Arrays.fill(readAt, w * REGISTERS, (w + 1) * REGISTERS, 0);
    Arrays.fill(openReads, w * REGISTERS, (w + 1) * REGISTERS, 0);
    readers[w] = 0;
  }

  void known(int w, CodeRow row, long result, long sourcesFree, byte reason) {
    written(w, row, result, reason);
    if (!row.fixed) {
      for (int r : row.reads) {
        int at = w * REGISTERS + r;
        if (sourcesFree >= readAt[at]) {
          readAt[at] = sourcesFree;
          readReason[at] = reason;
        }
        addReader(w, r, sourcesFree);
      }
    }
  }

  void unknown(int w, CodeRow row, byte reason) {
    written(w, row, Warps.NEVER, reason);
    for (int r : row.reads) {
      int at = w * REGISTERS + r;
      openReads[at]++;
      readReason[at] = reason;
      addReader(w, r, Warps.NEVER);
    }
  }

  void written(int w, CodeRow row, long when, byte reason) {
    for (int r : row.writes) {
      writtenAt[w * REGISTERS + r] = when;
      writeReason[w * REGISTERS + r] = reason;
    }
  }

  void read(int w, CodeRow row, long when, byte reason) {
    for (int r : row.reads) {
      int at = w * REGISTERS + r;
      openReads[at]--;
      if (when >= readAt[at]) {
        readAt[at] = when;
        readReason[at] = reason;
      }
      if (spec.readers() > 0) {
        for (int i = 0; i < readers[w]; i++) {
          if (readRegister[w][i] == r && readTime[w][i] == Warps.NEVER) {
            readTime[w][i] = when;
            break;
          }
        }
      }
    }
  }

  private void addReader(int w, int register, long until) {
    if (spec.readers() == 0) {
      return;
    }
    if (readers[w] == readRegister[w].length) {
      readRegister[w] = Arrays.copyOf(readRegister[w], 2 * readers[w]);
      readTime[w] = Arrays.copyOf(readTime[w], 2 * readers[w]);
    }
    readRegister[w][readers[w]] = register;
    readTime[w][readers[w]++] = until;
  }

  void delay(int w, CodeRow row, long said, long when) {
    for (int r : row.writes) {
      if (writtenAt[w * REGISTERS + r] == said) {
        writtenAt[w * REGISTERS + r] = when;
      }
    }
  }

  /** When nothing that an instruction reads or writes holds it back; not before {@code ready}. */
  long readyAt(int w, CodeRow row, long now, long ready) {
    boolean counted = !row.fixed && spec.readers() > 0;
    if (counted) {
      forgetReaders(w, now);
    }
    for (int r : row.reads) {
      int at = w * REGISTERS + r;
      long when = writtenAt[at];
      if (when > now) {
        when = Math.min(Warps.NEVER, when + distance(row, r, writeReason[at]));
      }
      if (when > ready) {
        ready = when;
        why = writeReason[at];
        register = r;
      }
      if (counted) {
        when = roomAt(w, r);
        if (when > ready) {
          ready = when;
          why = readReason[at];
          register = r;
        }
      }
    }
    for (int r : row.writes) {
      int at = w * REGISTERS + r;
      if (writtenAt[at] > ready) {
        ready = writtenAt[at];
        why = writeReason[at];
        register = r;
      }
      long read = openReads[at] > 0 ? Warps.NEVER : readAt[at];
      if (read > ready) {
        ready = read;
        why = readReason[at];
        register = r;
      }
    }
    return ready;
  }

  /** How much longer than to a plain reader a fixed-latency result takes to an instruction. */
  private int distance(CodeRow row, int register, byte reason) {
    if (reason != WAIT) {
      return 0;
    }
    boolean plain = row.fixed && row.unit != CodeRow.UNIT_BRANCH;
    if (Registers.isPredicate(register)) {
      return plain && !row.guarded ? 0 : beyond(spec.guardCycles());
    }
    if (Registers.isUniform(register) && row.unit != CodeRow.UNIT_UNIFORM) {
      return beyond(plain ? spec.uniformCycles() : spec.uniformFarCycles());
    }
    return 0;
  }

  private int beyond(int cycles) {
    return Math.max(0, cycles - spec.resultCycles());
  }

  private void forgetReaders(int w, long now) {
    int kept = 0;
    for (int i = 0; i < readers[w]; i++) {
      if (readTime[w][i] > now) {
        readRegister[w][kept] = readRegister[w][i];
        readTime[w][kept++] = readTime[w][i];
      }
    }
    readers[w] = kept;
  }

  /** When a register can have one more reader. */
  private long roomAt(int w, int register) {
    int count = 0;
    for (int i = 0; i < readers[w]; i++) {
      count += readRegister[w][i] == register ? 1 : 0;
    }
    if (count < spec.readers()) {
      return 0;
    }
    // The earliest of those that must have read before there is room.
    long room = 0;
    for (int wanted = count - spec.readers(); wanted >= 0; ) {
      long next = Warps.NEVER;
      int same = 0;
      for (int i = 0; i < readers[w]; i++) {
        long when = readTime[w][i];
        if (readRegister[w][i] == register && when > room) {
          same = when < next ? 1 : when == next ? same + 1 : same;
          next = Math.min(next, when);
        }
      }
      room = next;
      wanted -= same;
    }
    return room;
  }
}
