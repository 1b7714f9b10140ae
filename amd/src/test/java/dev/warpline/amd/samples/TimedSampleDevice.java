package dev.warpline.amd.samples;

import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.hsa.Signal;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.CRC32;

/** Runs samples through HSA queues on the timed compute units: gem5's, eight of them. */
final class TimedSampleDevice extends SampleDevice implements AutoCloseable {
  private final HsaDevice device;
  private final LoadedCode code;
  private final HsaQueue queue;
  private final CRC32 image = new CRC32();
  private final java.util.List<long[]> allocations = new java.util.ArrayList<>();

  TimedSampleDevice(Sample sample, GcnTarget target, String level, int threads) {
    this(sample, spec(target), ClockSpec.all(1000), target, level, threads);
  }

  TimedSampleDevice(
      Sample sample, AmdSpec spec, ClockSpec clocks, GcnTarget target, String level, int threads) {
    device = new HsaDevice(spec, clocks, threads, 0);
    queue = device.createQueue(16);
    try {
      code = device.load(FunctionalSampleDevice.codeObject(sample, target, level));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AmdSpec spec(GcnTarget target) {
    try {
      return Binder.read(
          AmdSpec.class,
          "{target: " + target.processor() + ", computeUnits: 8}",
          "the samples' GPU");
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  long cycles() {
    return device.cycle();
  }

  long instructions() {
    return device.instructions();
  }

  Map<String, Number> statistics() {
    return device.statistics();
  }

  /** A sum over all memory the sample allocated. */
  long memoryImage() {
    for (long[] allocation : allocations) {
      image.update(read(allocation[0], (int) allocation[1]));
    }
    return image.getValue();
  }

  @Override
  protected long allocate(int bytes) {
    long address = device.memory().allocate(bytes);
    allocations.add(new long[] {address, bytes});
    return address;
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
      Kernel kernel = code.kernel(name);
      Signal done = device.createSignal(1);
      device.dispatch(
          queue,
          code,
          kernel,
          grid,
          group,
          FunctionalSampleDevice.segment(kernel, dynamicLds, arguments),
          done);
      device.waitFor(done);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
