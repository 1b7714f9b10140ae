package dev.warpline.memory.flow;

import java.util.Arrays;

/**
 * What an SM asks of the memory side in a window, and what it is told; arrays that are reused. Each
 * request is a {@link dev.warpline.memory.MemoryRequest} in columns (docs/memory.md says which).
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

  int size;
  long[] time = new long[256];
  long[] line = new long[256];
  int[] info = new int[256];
  int[] tag = new int[256];
  int[] words = new int[256];

  /** Of the first so many requests: their set and slice in L2. */
  int located;

  int[] set = new int[256];
  int[] slice = new int[256];

  // Lines of code and constants, asked of the GPC's cache.
  int lines;
  long[] lineTime = new long[16];
  long[] lineAddress = new long[16];
  int[] lineCount = new int[16];
  int[] lineWay = new int[16];
  int[] lineTag = new int[16];

  int replies;
  long[] replyTime = new long[256];
  int[] replyTag = new int[256];
  byte[] replyLevel = new byte[256];

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
    grow();
    this.time[size] = time;
    this.line[size] = line;
    this.words[size] = words;
    info[size] = kind | sectors << 4 | repeats << 12 | (floating ? 1 << 20 : 0);
    tag[size++] = client << CLIENT_SHIFT | number;
  }

  /**
   * Puts words into a store of this window.
   *
   * @param i the store's number, as {@link #size} was before it was added
   * @return sectors that it did not write before, or -1 if there is no such store to this line;
   *     what is smaller than a word is not told apart and joins its like
   */
  public int join(int i, long line, int sectors, int words) {
    boolean here = i < size && this.line[i] == line && (info[i] & 3) == WRITE;
    if (!here || (words == 0) != (this.words[i] == 0) || (this.words[i] & words) != 0) {
      return -1;
    }
    int more = sectors & ~(info[i] >>> 4);
    info[i] |= sectors << 4;
    this.words[i] |= words;
    tag[i] += Integer.bitCount(more);
    return more;
  }

  /** A request leaves the SM no earlier than this. */
  public void postpone(int i, long time) {
    this.time[i] = Math.max(this.time[i], time);
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
    grow();
    time[size] = other.time[i];
    this.line[size] = line;
    words[size] = other.words[i];
    info[size] = other.info[i];
    tag[size++] = other.tag[i];
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

  private void grow() {
    if (size == time.length) {
      int n = 2 * size;
      time = Arrays.copyOf(time, n);
      line = Arrays.copyOf(line, n);
      info = Arrays.copyOf(info, n);
      tag = Arrays.copyOf(tag, n);
      words = Arrays.copyOf(words, n);
      set = Arrays.copyOf(set, n);
      slice = Arrays.copyOf(slice, n);
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

  void reply(long time, int tag, int level) {
    if (replies == replyTime.length) {
      int n = 2 * replies;
      replyTime = Arrays.copyOf(replyTime, n);
      replyTag = Arrays.copyOf(replyTag, n);
      replyLevel = Arrays.copyOf(replyLevel, n);
    }
    replyTime[replies] = time;
    replyTag[replies] = tag;
    replyLevel[replies++] = (byte) level;
  }

  /** The SM that asks. */
  public int sm() {
    return sm;
  }

  /** The line that a request is for. */
  public long line(int i) {
    return line[i];
  }

  /** Requests not yet taken. */
  public int size() {
    return size;
  }

  /** Replies of the last window; one for each request, stores included. */
  public int replies() {
    return replies;
  }

  /** When a reply reaches the SM (for a store: when its place in the queue is free again). */
  public long replyTime(int i) {
    return replyTime[i];
  }

  /** Who asked. */
  public int replyClient(int i) {
    return client(replyTag[i]);
  }

  static int client(int tag) {
    return tag >>> CLIENT_SHIFT;
  }

  /** The client's number of the request. */
  public int replyNumber(int i) {
    return replyTag[i] & (1 << CLIENT_SHIFT) - 1;
  }

  /** Who answered. */
  public int replyLevel(int i) {
    return replyLevel[i];
  }

  /** Forgets the replies once they were read. */
  public void clearReplies() {
    replies = 0;
  }
}
