package dev.warpline.amd.samples;

import java.util.List;
import java.util.stream.Stream;

/** All sample programs. */
public final class Samples {
  private Samples() {}

  public static List<Sample> all() {
    return Stream.of(
            DenseSamples.list(),
            ReductionSamples.list(),
            StencilSamples.list(),
            MeasuredSamples.list(),
            SortSamples.list(),
            PhysicsSamples.list(),
            GraphSamples.list(),
            SignalSamples.list(),
            ByteSamples.list(),
            NetworkSamples.list(),
            DoubleSamples.list(),
            PrivateSamples.list(),
            AtomicSamples.list(),
            IntegerSamples.list(),
            ProgramSamples.list(),
            WaveSamples.list(),
            HalfSamples.list(),
            MatrixCoreSamples.list())
        .flatMap(List::stream)
        .toList();
  }

  /** The sample of this name. */
  public static Sample named(String name) {
    return all().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }
}
