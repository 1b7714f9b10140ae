package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * What an SM asks of the memory side, and what it is told. Memory answers the requests of one
 * window while the SM makes those of the next. Each request is a {@link
 * dev.warpline.memory.MemoryRequest} in a few words (docs/memory.md says which).
 */
public final class Requests {
  /** A read through L1 or past it. */
  public static final int READ = 0;

  /** A store. */
  public static final int WRITE = 1;

  /** An atomic whose value comes back. */
  public static final int ATOMIC = 2;

  /** An atomic without a result. */
  public static final int REDUCTION = 3;

  /** Beside {@link #WRITE}: to local memory. */
  public static final int LOCAL = 1 << 21;

  /** Who asks inside the SM, and is told. */
  public static final int LOADS = 0;

  public static final int STORES = 1;
  public static final int COPIES = 2;
  public static final int INSTRUCTIONS = 3;
  public static final int CONSTANT_OPERANDS = 4;
  public static final int CONSTANT_LOADS = 5;

  private static final int CLIENT_SHIFT = 28;

  /** A line that comes with the launch. */
  public static final int LAUNCHED = 0;

  /** Level that answered: L2 itself, the other partition, device memory, or a merged request. */
  public static final int FROM_L2 = 0;

  public static final int FROM_FAR = 1;
  public static final int FROM_DRAM = 2;
  public static final int MERGED = 3;

  /** The SM that asks. */
  final int sm;

  /** What it asks in this window; before that, the answers to what it asked two windows ago. */
  Batch open = new Batch();

  /** What it asked in the window before, which is answered while the SM goes on. */
  Batch sent = new Batch();

  // Lines of code and constants, asked of the GPC's cache.
  int lines;
  long[] lineTime = new long[16];
  long[] lineAddress = new long[16];
  int[] lineCount = new int[16];
  int[] lineWay = new int[16];
  int[] lineTag = new int[16];

  final Replies lineReplies = new Replies(16);

  public Requests(int sm) {
    this.sm = sm;
  }

  /**
   * Adds a request for sectors of one 128-byte line.
   *
   * @param time cycle it leaves the SM
   * @param line address of the line
   * @param kind {@link #READ} to {@link #REDUCTION}, {@link #LOCAL} if it is that
   * @param sectors bit i: sector i of the line
   * @param words bit i: 32-bit word i of the line is written in full (stores only)
   * @param repeats most lanes that hit one word (atomics only)
   * @param floating whether an atomic is on floating-point values
   * @param client {@link #LOADS} to {@link #COPIES}
   * @param number the client's own, handed back with the reply
   */
  public void add(
      long time,
      long line,
      int kind,
      int sectors,
      int words,
      int repeats,
      boolean floating,
      int client,
      int number) {
    int info = kind | sectors << 4 | repeats << 12 | (floating ? 1 << 20 : 0);
    open.add(time, line, info, words, client << CLIENT_SHIFT | number);
  }

  /**
   * Puts words into a store of this window.
   *
   * @param number the store's, as {@link #nextNumber} was before it was added
   * @return sectors that it did not write before, or -1 if there is no such store to this line;
   *     what is smaller than a word is not told apart and joins its like
   */
  public int join(long number, long line, int sectors, int words) {
    int i = open.find(number);
    if (i < 0 || open.line(i) != line) {
      return -1;
    }
    int before = open.words(i);
    if ((words == 0) != (before == 0) || (before & words) != 0) {
      return -1;
    }
    int info = open.info(i);
    int more = sectors & ~(info >>> 4);
    open.enlarge(i, info | sectors << 4, before | words, open.tag(i) + Integer.bitCount(more));
    return more;
  }

  /** A request leaves the SM no earlier than this. */
  public void postpone(long number, long time) {
    open.postpone(open.find(number), time);
  }

  /**
   * Asks the cache of the GPC for a line of code or constants.
   *
   * @param time cycle it leaves the SM
   * @param address of the line
   * @param count lines that come together, {@link #LAUNCHED} if a launch brings it
   * @param way cycles there and back
   * @param client {@link #INSTRUCTIONS} to {@link #CONSTANT_LOADS}
   * @param number the client's own, handed back with the reply
   */
  public void addLine(long time, long address, int count, int way, int client, int number) {
    growLines();
    lineTime[lines] = time;
    lineAddress[lines] = address;
    lineCount[lines] = count;
    lineWay[lines] = way;
    lineTag[lines++] = client << CLIENT_SHIFT | number;
  }

  /** Adds a request like one of another SM, but for another line. */
  public void addLike(Requests other, int i, long line) {
    Batch of = other.open;
    open.add(of.time(i), line, of.info(i), of.words(i), of.tag(i));
  }

  /** Asks the cache of the GPC for all lines that another SM asks for. */
  public void addLinesLike(Requests other) {
    for (int i = 0; i < other.lines; i++) {
      growLines();
      lineTime[lines] = other.lineTime[i];
      lineAddress[lines] = other.lineAddress[i];
      lineCount[lines] = other.lineCount[i];
      lineWay[lines] = other.lineWay[i];
      lineTag[lines++] = other.lineTag[i];
    }
  }

  private void growLines() {
    if (lines == lineTime.length) {
      int n = 2 * lines;
      lineTime = Arrays.copyOf(lineTime, n);
      lineAddress = Arrays.copyOf(lineAddress, n);
      lineCount = Arrays.copyOf(lineCount, n);
      lineWay = Arrays.copyOf(lineWay, n);
      lineTag = Arrays.copyOf(lineTag, n);
    }
  }

  /**
   * A window ended at a cycle: what leaves before is on its way, the rest is of the next window;
   * what was answered meanwhile may be read.
   *
   * @return requests that are on their way
   */
  public int send(long end) {
    swap();
    open.carryOn(sent, end);
    return sent.size;
  }

  /** What was sent has been answered already; that may be read, too. */
  public void deliver() {
    sent.replies.moveTo(open.replies);
  }

  /** What is sent and what is not change places, for once. */
  public void swap() {
    Batch other = sent;
    sent = open;
    open = other;
  }

  /** Forgets everything. */
  public void clear() {
    for (Batch batch : new Batch[] {open, sent}) {
      batch.clearRequests();
      batch.replies.clear();
    }
    lines = 0;
    lineReplies.clear();
  }

  /** The SM that asks. */
  public int sm() {
    return sm;
  }

  /** The line that a request of this window is for. */
  public long line(int i) {
    return open.line(i);
  }

  /** Requests of this window so far, those that leave later included. */
  public int size() {
    return open.size;
  }

  /** When a request of this window leaves the SM. */
  public long time(int i) {
    return open.time(i);
  }

  /** The next request's number; it is found by that as long as it has not left. */
  public long nextNumber() {
    return open.nextNumber();
  }

  /** Whether something was asked that the SM has not been told of yet. */
  public boolean awaitsReplies() {
    return open.size + sent.size + sent.replies.count() + open.replies.count() + lineReplies.count()
        > 0;
  }

  /** Answers of memory, after {@link #send} and before anything is asked in the window. */
  public Replies replies() {
    return open.replies;
  }

  /** Answers of the GPC's cache. */
  public Replies lineReplies() {
    return lineReplies;
  }

  static int client(int tag) {
    return tag >>> CLIENT_SHIFT;
  }

  static int number(int tag) {
    return tag & (1 << CLIENT_SHIFT) - 1;
  }
}
