package dev.warpline.amd.launch;

import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a launch file says. Paths are relative to the file. */
public record LaunchFile(
    @Field("code object; {target} stands for the GPU's instruction set, e.g. gfx942") String code,
    @Field(value = "buffers in device memory by name", standard = "{}") Map<String, Buffer> buffers,
    @Field("kernel launches, in order") List<KernelLaunch> launches,
    @Field(value = "what buffers must hold at the end", standard = "[]") List<Check> checks,
    @Field(value = "buffers to write to files at the end", standard = "[]") List<Output> outputs) {

  /** Type of a buffer's elements. */
  public enum ElementType {
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8);

    private final int bytes;

    ElementType(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  /** A buffer; zeros unless something else is said. */
  public record Buffer(
      @Field(
              value = "size; 0: as long as the file",
              unit = "bytes",
              standard = "0",
              most = 1L << 40)
          long bytes,
      @Field(value = "contents that follow a rule", optional = true) Pattern pattern,
      @Field(value = "random contents", optional = true) RandomValues random,
      @Field(value = "contents of a file", optional = true) String file) {
    public Buffer {
      int sources = (pattern != null ? 1 : 0) + (random != null ? 1 : 0) + (file != null ? 1 : 0);
      if (sources > 1) {
        throw new IllegalArgumentException("expected at most one of pattern, random and file");
      }
      if (bytes == 0 && file == null) {
        throw new IllegalArgumentException("expected a size in bytes, or a file");
      }
    }
  }

  /** Element i is start + step * (i mod period). */
  public record Pattern(
      @Field("type of an element") ElementType type,
      @Field(value = "first element", standard = "0", least = -1e300, most = 1e300) double start,
      @Field(value = "difference between neighbours", standard = "0", least = -1e300, most = 1e300)
          double step,
      @Field(
              value = "elements after which it begins again; 0: never",
              standard = "0",
              most = 1L << 40)
          long period) {
    double value(long index) {
      return start + step * (period == 0 ? index : index % period);
    }
  }

  /** Evenly distributed numbers, the same for the same seed. */
  public record RandomValues(
      @Field("type of an element") ElementType type,
      @Field(value = "seed", standard = "0", least = -1e300, most = 1e300) long seed,
      @Field(value = "least value", standard = "0", least = -1e300, most = 1e300) double from,
      @Field(value = "values stay below this", standard = "1", least = -1e300, most = 1e300)
          double to) {
    public RandomValues {
      if (!(from < to)) {
        throw new IllegalArgumentException("expected from < to, found " + from + " and " + to);
      }
    }
  }

  /** One kernel launch, or several alike. */
  public record KernelLaunch(
      @Field("name of the kernel, as the code object has it") String kernel,
      @Field(value = "work-items along x, y, z", least = 1, most = Integer.MAX_VALUE)
          List<Integer> grid,
      @Field(value = "work-items of a group along x, y, z", least = 1, most = 1024)
          List<Integer> group,
      @Field(
              value =
                  "arguments in order: a buffer, a buffer and an offset (a+64), a number, lds N",
              standard = "[]")
          List<String> arguments,
      @Field(value = "times it is launched", standard = "1", least = 1, most = 1_000_000)
          int repeat,
      @Field(
              value = "dynamic LDS without an argument",
              unit = "bytes",
              standard = "0",
              most = 1 << 24)
          int dynamicLds,
      @Field(value = "queue it goes to", standard = "0", most = 1023) int queue,
      @Field(value = "does not wait for earlier launches of its queue", standard = "false")
          boolean concurrent,
      @Field(value = "reach of the fence before it starts: none, agent, system", standard = "agent")
          FenceScope acquire,
      @Field(value = "reach of the fence after it ends: none, agent, system", standard = "agent")
          FenceScope release) {
    int[] gridSizes() {
      return sizes(grid);
    }

    int[] groupSizes() {
      return sizes(group);
    }

    private static int[] sizes(List<Integer> list) {
      int[] sizes = {1, 1, 1};
      for (int d = 0; d < list.size(); d++) {
        sizes[d] = list.get(d);
      }
      return sizes;
    }

    public KernelLaunch {
      if (grid.isEmpty() || grid.size() > 3 || group.isEmpty() || group.size() > 3) {
        throw new IllegalArgumentException("grid and group: expected one to three numbers each");
      }
    }
  }

  /** What a buffer must hold at the end. Exactly one of pattern, file, buffer and functional. */
  public record Check(
      @Field("buffer that is checked") String buffer,
      @Field("type of its elements") ElementType type,
      @Field(value = "a rule its elements follow", optional = true) Pattern pattern,
      @Field(value = "file with what it must hold", optional = true) String file,
      @Field(value = "buffer it must equal", optional = true) String equals,
      @Field(value = "must hold what the same launches give without timing", standard = "false")
          boolean functional,
      @Field(
              value = "relative (below 1: absolute) difference allowed",
              standard = "0",
              most = 1e300)
          double tolerance) {
    public Check {
      int sources =
          (pattern != null ? 1 : 0)
              + (file != null ? 1 : 0)
              + (equals != null ? 1 : 0)
              + (functional ? 1 : 0);
      if (sources != 1) {
        throw new IllegalArgumentException(
            "expected one of pattern, file, equals and functional, found " + sources);
      }
    }
  }

  /** A buffer that is written to a file. */
  public record Output(
      @Field("buffer") String buffer, @Field("file it is written to") String file) {}

  /** Reads a launch file. */
  public static LaunchFile read(Path path) throws IOException {
    return Binder.read(LaunchFile.class, Files.readString(path), path.toString());
  }
}
