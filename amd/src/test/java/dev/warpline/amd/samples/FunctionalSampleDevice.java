package dev.warpline.amd.samples;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.exec.FunctionalDevice;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** Runs samples on the functional device. */
public final class FunctionalSampleDevice extends SampleDevice {
  static final Path CODE = Path.of("..", "examples", "amd", "co");

  private final FunctionalDevice device = new FunctionalDevice();
  private final FunctionalDevice.LoadedCode code;

  /**
   * @param level O0, O2 or O3
   */
  public FunctionalSampleDevice(Sample sample, GcnTarget target, String level) {
    this(CODE.resolve(fileName(sample, target, level)), target);
  }

  /** Takes the sample from any file. */
  FunctionalSampleDevice(Path file, GcnTarget target) {
    try {
      code = device.load(CodeObject.read(file, Optional.of(target)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The compiled sample: at -O2 a file per source and target, else all in one bundle. */
  public static CodeObject codeObject(Sample sample, GcnTarget target, String level)
      throws IOException {
    return CodeObject.read(CODE.resolve(fileName(sample, target, level)), Optional.of(target));
  }

  private static String fileName(Sample sample, GcnTarget target, String level) {
    return level.equals("O2")
        ? sample.source() + "." + target.processor() + ".co"
        : "samples." + level + ".co";
  }

  /** Wavefront instructions executed. */
  public long instructions() {
    return device.instructions();
  }

  @Override
  protected long allocate(int bytes) {
    return device.memory().allocate(bytes);
  }

  @Override
  protected void write(long address, byte[] data) {
    device.memory().copyIn(address, data);
  }

  @Override
  protected byte[] read(long address, int bytes) {
    return device.memory().copyOut(address, bytes);
  }

  @Override
  protected void launch(String name, int[] grid, int[] group, int dynamicLds, Object... arguments) {
    try {
      Kernel kernel = code.object().kernel(name);
      device.launch(code, kernel, grid, group, segment(kernel, dynamicLds, arguments));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The argument segment of a launch. */
  public static KernargSegment segment(Kernel kernel, int dynamicLds, Object... arguments) {
    KernargSegment segment = new KernargSegment(kernel).addDynamicLds(dynamicLds);
    for (int i = 0; i < arguments.length; i++) {
      Object value = arguments[i];
      if (value instanceof Float number) {
        segment.set(i, number);
      } else if (value instanceof Double number) {
        segment.set(i, number);
      } else if (value instanceof byte[] bytes) {
        segment.set(i, bytes);
      } else if (value instanceof Local local) {
        segment.setLocal(i, local.bytes());
      } else {
        segment.set(i, ((Number) value).longValue());
      }
    }
    return segment;
  }
}
