package dev.warpline.amd.samples;

import dev.warpline.isa.gcn.GcnTarget;

/**
 * A sample program: launches kernels of one source file of {@code examples/amd/src} and compares
 * what they leave in memory with results computed here.
 *
 * @param name main kernel
 * @param source source file without ending; its code objects are {@code
 *     examples/amd/co/SOURCE.TARGET.co}, and {@code samples.O0.co} and {@code samples.O3.co} hold
 *     all
 * @param body launches and checks; fails by assertion
 */
public record Sample(String name, String source, Body body) {
  /** What a sample does on a device. */
  @FunctionalInterface
  public interface Body {
    void run(SampleDevice device);
  }

  /** Whether the target has the instructions it needs. */
  public boolean runsOn(GcnTarget target) {
    return !source.equals("mfma") || target != GcnTarget.GFX900;
  }

  @Override
  public String toString() {
    return name;
  }
}
