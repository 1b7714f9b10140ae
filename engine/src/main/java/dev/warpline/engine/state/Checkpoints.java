package dev.warpline.engine.state;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Checkpoints of a run: where and when they are written, and the one it goes on from. A file holds
 * what the run was (so that no other goes on from it), a plan (what must be open again), the state,
 * and a checksum of all of it.
 */
public final class Checkpoints {
  private static final long MAGIC = 0x57_4c_63_68_65_63_6b_31L; // "WLcheck1"

  /** Bytes of the checksum at a file's end. */
  private static final int SUM = 8;

  private final Map<String, String> run;
  private Path file;
  private long everyNanos;
  private long everyCycles;
  private long dueTime = Long.MAX_VALUE;
  private long dueCycle = Long.MAX_VALUE;

  /** The checkpoint to go on from, until the machine has taken it. */
  private Path from;

  private long written;

  /**
   * @param run what the run is, by name: results of runs that differ in one of these are not the
   *     same
   */
  public Checkpoints(Map<String, String> run) {
    this.run = new LinkedHashMap<>(run);
  }

  /** Writes to a file when the run is stopped. */
  public void writeTo(Path path) {
    file = path;
  }

  /** Writes every so many seconds, too. */
  public void everySeconds(double seconds) {
    everyNanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    dueTime = System.nanoTime() + everyNanos;
  }

  /** Writes every so many core cycles, too. */
  public void everyCycles(long cycles) {
    everyCycles = cycles;
    dueCycle = cycles;
  }

  /**
   * Goes on from a checkpoint.
   *
   * @throws IOException if it is damaged, or of another run
   */
  public void resume(Path path) throws IOException {
    long body = Files.size(path) - SUM;
    CRC32C sum = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
      if (body < SUM || in.readLong() != MAGIC) {
        throw new StateException(path + ": is no checkpoint of this version of Warpline");
      }
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      byte[] piece = new byte[1 << 16];
      for (long left = body; left > 0; ) {
        int n = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (n < 0) {
          throw new EOFException(path + ": ends too early");
        }
        sum.update(piece, 0, n);
        left -= n;
      }
      if (new DataInputStream(in).readLong() != sum.getValue()) {
        throw new StateException(path + ": is damaged or cut off: its checksum does not fit");
      }
    }
    try (DataInputStream in = open(path)) {
      compare(path, in);
    }
    from = path;
  }

  private void compare(Path path, DataInputStream in) throws IOException {
    Map<String, String> its = new LinkedHashMap<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      its.put(name, in.readUTF());
    }
    for (Map.Entry<String, String> mine : run.entrySet()) {
      String found = its.get(mine.getKey());
      if (!mine.getValue().equals(found)) {
        throw new StateException(
            path
                + ": is of another run: "
                + mine.getKey()
                + " was "
                + found
                + ", now it is "
                + mine.getValue());
      }
    }
  }

  /** What follows the magic, unpacked. */
  private static DataInputStream open(Path path) throws IOException {
    InputStream file = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
    file.skipNBytes(SUM);
    return new DataInputStream(new BufferedInputStream(new InflaterInputStream(file), 1 << 16));
  }

  /** Whether the run goes on from a checkpoint that nobody has taken yet. */
  public boolean isResumed() {
    return from != null;
  }

  /** Whether it is time to write, at a cycle from which the run could go on. */
  public boolean isDue(long cycle, StopSignal stop) {
    return file != null
        && (cycle >= dueCycle
            || everyNanos != 0 && System.nanoTime() >= dueTime
            || stop.reason() != null);
  }

  /** Checkpoints written so far. */
  public long written() {
    return written;
  }

  /**
   * Writes one.
   *
   * @param plan what a machine must know before it can be built anew: a record
   * @param outside what it then has, and is not written
   * @param root the machine
   */
  public void write(long cycle, Record plan, List<?> outside, Object root) throws IOException {
    WholeFile.write(
        file,
        raw -> {
          CheckedOutputStream checked = new CheckedOutputStream(raw, new CRC32C());
          new DataOutputStream(checked).writeLong(MAGIC);
          Deflater deflater = new Deflater(Deflater.BEST_SPEED);
          try {
            DeflaterOutputStream packed = new DeflaterOutputStream(checked, deflater, 1 << 16);
            write(packed, plan, outside, root);
            packed.finish();
          } finally {
            deflater.end();
          }
          new DataOutputStream(raw).writeLong(checked.getChecksum().getValue());
        });
    written++;
    if (everyCycles > 0) {
      dueCycle = cycle + everyCycles;
    }
    dueTime = everyNanos == 0 ? Long.MAX_VALUE : System.nanoTime() + everyNanos;
  }

  private void write(OutputStream packed, Record plan, List<?> outside, Object root)
      throws IOException {
    DataOutputStream out = new DataOutputStream(packed);
    out.writeInt(run.size());
    for (Map.Entry<String, String> one : run.entrySet()) {
      out.writeUTF(one.getKey());
      out.writeUTF(one.getValue());
    }
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    new StateWriter(bytes, List.of()).write(new Object[] {plan});
    out.writeInt(bytes.size());
    bytes.writeTo(out);
    new StateWriter(new java.io.BufferedOutputStream(out, 1 << 16), outside).write(root);
  }

  /** The plan of the checkpoint that the run goes on from. */
  public <T extends Record> T plan(Class<T> type) throws IOException {
    try (DataInputStream in = open(from)) {
      compare(from, in);
      Object[] holder = {null};
      byte[] bytes = in.readNBytes(in.readInt());
      new StateReader(new ByteArrayInputStream(bytes), List.of()).read(holder);
      if (!type.isInstance(holder[0])) {
        throw new StateException(from + ": is of another core");
      }
      return type.cast(holder[0]);
    }
  }

  /** Puts the state into a machine that was built anew. */
  public void restore(List<?> outside, Object root) throws IOException {
    try (DataInputStream in = open(from)) {
      compare(from, in);
      in.skipNBytes(in.readInt());
      new StateReader(in, outside).read(root);
    } catch (StateException | ZipException e) {
      throw new IOException(from + ": " + e.getMessage(), e);
    }
    from = null;
  }
}
