package dev.warpline.engine.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A kind of DRAM: how a channel is built and how far apart its commands must be. One file of the
 * folder {@code dram} each; a user's own is named by its path.
 */
public record DramStandard(
    @Field("what it is, in a line") String about,
    @Field(value = "command clock", unit = "MHz", least = 50, most = 20_000) double clockMHz,
    @Field(value = "data beats in a command clock", least = 1, most = 64) int beatsPerClock,
    @Field(
            value = "channels of a stack or chip, each with banks and a data bus of its own",
            least = 1,
            most = 1024)
        int channels,
    @Field(value = "data bus of a channel", unit = "bits", least = 8, most = 1024) int busBits,
    @Field(value = "burst", unit = "beats", least = 1, most = 64) int burst,
    @Field(value = "bank groups of a channel", least = 1, most = 64) int bankGroups,
    @Field(value = "banks of a group", least = 1, most = 64) int banksPerGroup,
    @Field("whether a row and a column command may go in the same cycle") boolean dualCommandBus,
    @Field(value = "rows of a bank", least = 1, most = 1 << 24) int rows,
    @Field(value = "row of a bank", unit = "bytes", least = 32, most = 1 << 20) int rowBytes,
    @Field("read command to data") Time readLatency,
    @Field("write command to data") Time writeLatency,
    @Field("least times between commands") List<Constraint> constraints,
    @Field("refresh") Refresh refresh) {

  private static final List<String> NAMES = List.of(resource("index.txt").strip().split("\\s+"));

  /** Those of {@link #names} that were read. */
  private static final Map<String, DramStandard> READ = new ConcurrentHashMap<>();

  /** What a controller tells a channel. */
  public enum Command {
    ACTIVATE,
    PRECHARGE,
    READ,
    WRITE,
    REFRESH
  }

  /** How far a constraint reaches. */
  public enum Scope {
    BANK,
    GROUP,
    CHANNEL
  }

  /** A time in cycles of the command clock or in nanoseconds; of two the longer one counts. */
  public record Time(
      @Field(value = "at least", unit = "command cycles", standard = "0") int cycles,
      @Field(value = "at least", unit = "ns", standard = "0") double ns) {
    public Time {
      Checks.require(cycles > 0 || ns > 0, "cycles, ns: found none, expected one of them");
    }

    /** In whole cycles of a clock. */
    public int at(double clockMHz) {
      return Math.max(cycles, (int) Math.ceil(ClockSpec.rounded(ns * clockMHz / 1000)));
    }
  }

  /** A command must wait after another one. */
  public record Constraint(
      @Field("commands before") List<Command> from,
      @Field("commands that wait") List<Command> to,
      @Field("where both are") Scope within,
      @Field(
              value = "counts from the end of the written data instead of the command",
              standard = "false")
          boolean afterData,
      @Field(
              value = "counts from the last but so many of the commands before; 1: from the last",
              standard = "1",
              least = 1,
              most = 64)
          int window,
      @Field(value = "at least", unit = "command cycles", standard = "0") int cycles,
      @Field(value = "at least", unit = "ns", standard = "0") double ns) {
    public Constraint {
      Checks.require(
          window == 1 || within == Scope.CHANNEL,
          "window: found " + window + ", expected 1 unless within is channel");
      Checks.require(
          !afterData || from.equals(List.of(Command.WRITE)),
          "afterData: found true, expected false unless from is [write]");
    }

    /** The wait without written data. */
    public Time time() {
      return new Time(cycles, ns);
    }
  }

  /** Rows lose their content with time. */
  public record Refresh(
      @Field(value = "each bank is refreshed so often (tREFI)", unit = "ns", least = 100)
          double everyNs,
      @Field(value = "and is busy for (tRFC)", unit = "ns", least = 1) double takesNs,
      @Field("one bank after the other, so that the others go on; else all banks at once")
          boolean perBank) {
    public Refresh {
      Checks.require(
          takesNs * 2 < everyNs,
          "takesNs: found " + takesNs + ", expected less than half of everyNs, " + everyNs);
    }
  }

  public DramStandard {
    Checks.require(
        burst % beatsPerClock == 0,
        "burst: found " + burst + ", expected a multiple of beatsPerClock, " + beatsPerClock);
    Checks.require(
        bankGroups * banksPerGroup <= Long.SIZE,
        "bankGroups, banksPerGroup: found "
            + bankGroups * banksPerGroup
            + " banks, expected at most 64");
    Checks.require(
        rowBytes % (busBits * burst / 8) == 0,
        "rowBytes: found "
            + rowBytes
            + ", expected a multiple of a burst's "
            + busBits * burst / 8
            + " bytes");
  }

  /** Banks of a channel. */
  public int banks() {
    return bankGroups * banksPerGroup;
  }

  /** Bytes of a burst. */
  public int burstBytes() {
    return busBits * burst / 8;
  }

  /** Command cycles of a burst on the data bus. */
  public int burstCycles() {
    return burst / beatsPerClock;
  }

  /** Peak of a channel at its own clock, in GB/s. */
  public double peakGigabytes() {
    return ClockSpec.rounded(clockMHz * beatsPerClock * busBits / 8 / 1000);
  }

  /** Names of those that come with Warpline. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Reads one.
   *
   * @param nameOrFile one of {@link #names}, or a file that ends in .yaml
   */
  public static DramStandard load(String nameOrFile) throws DescriptionException {
    if (NAMES.contains(nameOrFile)) {
      DramStandard read = READ.get(nameOrFile);
      if (read == null) {
        String file = nameOrFile + ".yaml";
        read = Binder.bind(DramStandard.class, Yaml.parse(resource(file), file, true));
        READ.put(nameOrFile, read);
      }
      return read;
    }
    try {
      if (nameOrFile.endsWith(".yaml")) {
        return Binder.read(DramStandard.class, Files.readString(Path.of(nameOrFile)), nameOrFile);
      }
    } catch (NoSuchFileException e) {
      throw new DescriptionException("no file " + nameOrFile + ": expected a DRAM standard");
    } catch (DescriptionException e) {
      throw e;
    } catch (IOException e) {
      throw new DescriptionException(nameOrFile + ": cannot be read: " + e.getMessage());
    }
    throw new DescriptionException(
        "found \""
            + nameOrFile
            + "\", expected a DRAM standard: one of "
            + String.join(", ", NAMES)
            + ", or a file of your own that ends in .yaml");
  }

  /** One that a description names, which was checked when it was read. */
  public static DramStandard known(String nameOrFile) {
    try {
      return load(nameOrFile);
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Refuses a description that names one which is not there or cannot be. */
  static void check(String nameOrFile) {
    try {
      load(nameOrFile);
    } catch (DescriptionException e) {
      throw new IllegalArgumentException("standard: " + e.getMessage());
    }
  }

  private static String resource(String name) {
    try (InputStream stream = DramStandard.class.getResourceAsStream("dram/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
