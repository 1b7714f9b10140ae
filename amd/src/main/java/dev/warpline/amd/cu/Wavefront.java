package dev.warpline.amd.cu;

import dev.warpline.amd.exec.WaveState;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.profile.StallReason;
import java.util.Arrays;

/** One wave slot of a compute unit: the resident wave's place in the pipeline. */
final class Wavefront {
  /** What the wave is doing, as the scoreboard check sees it. */
  enum Phase {
    STOPPED,
    RUNNING,
    WAITCNT,
    BARRIER,
    SLEEP
  }

  /** A register whose writer has no known end. */
  static final long PENDING = Long.MAX_VALUE;

  final int slot;
  final int simd;

  /** Its number among the slots of its SIMD. */
  final int place;

  /** The scalar ALU its SIMD uses. */
  final int scalarUnit;

  /** Where sets of waves have it: a word and a bit of that. */
  final int word;

  final long bit;

  Phase phase = Phase.STOPPED;
  WaveState state;
  ResidentGroup group;
  CodeImage code;
  long age;

  /** Instruction buffer: a ring of decoded instructions, the next to execute first. */
  private final TimedInstruction[] buffer;

  private final long[] sequence;
  private int first;
  int buffered;

  /** PC of the first buffered instruction, and of the next to decode. */
  long bufferPc;

  long decodePc;

  /** Buffered instructions that end fetching. */
  int fetchEnds;

  /** The last decoded instruction never falls through. */
  boolean decodeStopped;

  /** The first buffered instruction is in the schedule or dispatch list. */
  boolean headTaken;

  /** Fetch buffer: address of its first line, lines in it. */
  long fetchStart;

  int fetchLines;
  boolean fetchPending;
  boolean dropFetch;
  long fetchLine;

  /** When its instruction came into a schedule list. */
  long listedAt;

  /** Unit on whose ready list the wave is, or -1. */
  int readyUnit = -1;

  /** Counters of instructions in flight, and what s_waitcnt waits for. */
  int vmCount;

  int lgkmCount;
  int expCount;
  int vmLimit;
  int lgkmLimit;
  int expLimit;
  boolean waitArmed;

  /** Window in which a memory access of the wave was last put off, see {@link Executor}. */
  long keptInWindow = -1;

  /** Vector memory instructions in flight. */
  int vectorRequests;

  /** End of s_sleep; the next instruction may not issue before {@link #notBefore} (s_nop). */
  long sleepUntil;

  long notBefore;

  /** What s_setprio said, where that counts. */
  int priority;

  /** Cycle from which a register may be used; a slot that never had a wave has none. */
  long[] vectorReady;

  long[] scalarReady;

  /** What the scoreboard check said last, and since when. */
  int status;

  long statusSince;
  long startCycle;

  /** Where its time is written down, null if nowhere. */
  WaveProfile profile;

  /** Row of the profile issued last. */
  int lastRow;

  /** What it waits for at the moment; until when its time has reasons. */
  StallReason cause;

  long charged;

  /** What the instructions behind lgkmcnt are: LDS, scalar loads or flat accesses. */
  StallReason lgkmCause = StallReason.SHARED;

  Wavefront(int slot, AmdSpec spec) {
    AmdSpec.Issue issue = spec.issue();
    this.slot = slot;
    simd = slot / spec.waves().slotsPerSimd();
    place = slot % spec.waves().slotsPerSimd();
    int scalar = simd % issue.scalarUnits();
    scalarUnit =
        scalar == 0 ? TimedInstruction.SCALAR_ALU : TimedInstruction.MORE_SCALAR_ALUS + scalar - 1;
    word = slot / Long.SIZE;
    bit = 1L << slot;
    int ring = Integer.highestOneBit(issue.instructionBuffer()) * 2;
    buffer = new TimedInstruction[ring];
    sequence = new long[ring];
  }

  void start(WaveState wave, ResidentGroup residentGroup, CodeImage image, long waveAge, long now) {
    phase = Phase.RUNNING;
    state = wave;
    group = residentGroup;
    code = image;
    age = waveAge;
    flush(wave.pc);
    vmCount = 0;
    lgkmCount = 0;
    expCount = 0;
    waitArmed = false;
    vectorRequests = 0;
    sleepUntil = 0;
    notBefore = 0;
    priority = 0;
    headTaken = false;
    readyUnit = -1;
    startCycle = now;
    statusSince = now;
    status = Stall.IB_EMPTY.ordinal();
    cause = Stall.IB_EMPTY.reason;
    charged = now;
    if (vectorReady == null) {
      vectorReady = new long[512];
      scalarReady = new long[128];
    } else {
      Arrays.fill(vectorReady, 0);
      Arrays.fill(scalarReady, 0);
    }
  }

  /** Empties the buffers; fetching starts again at {@code pc}. */
  void flush(long pc) {
    first = 0;
    buffered = 0;
    fetchEnds = 0;
    decodeStopped = false;
    bufferPc = pc;
    decodePc = pc;
    fetchLines = 0;
    if (fetchPending) {
      dropFetch = true;
    }
  }

  void push(TimedInstruction instruction, long number) {
    int at = (first + buffered) & (buffer.length - 1);
    buffer[at] = instruction;
    sequence[at] = number;
    buffered++;
    if (instruction.endsFetch) {
      fetchEnds++;
    }
    decodePc += instruction.size;
  }

  TimedInstruction head() {
    return buffer[first];
  }

  long headSequence() {
    return sequence[first];
  }

  /** The instruction the scoreboard looks at: the second while the first is on its way. */
  TimedInstruction next() {
    if (!headTaken) {
      return buffered > 0 ? buffer[first] : null;
    }
    return buffered > 1 ? buffer[(first + 1) & (buffer.length - 1)] : null;
  }

  /** The first instruction has executed and fallen through. */
  void pop() {
    TimedInstruction done = buffer[first];
    first = (first + 1) & (buffer.length - 1);
    buffered--;
    if (done.endsFetch) {
      fetchEnds--;
    }
    bufferPc += done.size;
  }

  /** Cycle from which all of these registers may be used. */
  static long readyAt(long[] ready, short[] registers) {
    long latest = 0;
    for (short register : registers) {
      latest = Math.max(latest, ready[register]);
    }
    return latest;
  }

  static void setReady(long[] ready, short[] registers, long cycle) {
    for (short register : registers) {
      ready[register] = cycle;
    }
  }

  boolean countersMet() {
    return vmCount <= vmLimit && lgkmCount <= lgkmLimit && expCount <= expLimit;
  }

  boolean countersZero() {
    return vmCount == 0 && lgkmCount == 0 && expCount == 0;
  }
}
