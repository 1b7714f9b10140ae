package dev.warpline.engine;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.engine.profile.KernelProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a simulation says of one kernel. Everything here is a pure function of the inputs: no
 * wall-clock time.
 *
 * @param id launch number, from 1
 * @param name kernel name as in the program (mangled for C++)
 * @param start core cycle at which it was launched, counted from the program's first launch
 * @param cycles core cycles from launch to the end of the last block
 * @param warpInstructions warp (wavefront) instructions executed
 * @param threadInstructions the same, each counted once per active lane
 * @param occupancy resident warps per warp slot, averaged over the time an SM had any, 0 to 1
 * @param limiter what limits the blocks resident on an SM: threads, registers, shared memory,
 *     blocks, grid
 * @param statistics counters by dotted name, e.g. {@code l1.sectorHits}, in a fixed order
 * @param stalls where warps waited: warp-cycles by the key of their {@link
 *     dev.warpline.engine.profile.StallReason}; empty on the classic core, whose profile has them
 * @param warnings what was not modelled or not understood, in words
 * @param profile where the time went, per instruction and over time; null unless it was asked for
 * @param sampling what an estimate rests on; null if all of the kernel was simulated
 * @param energy what it costs in joules; null unless the GPU's description says what events cost
 */
public record KernelResult(
    int id,
    String name,
    long start,
    long cycles,
    long warpInstructions,
    long threadInstructions,
    double occupancy,
    String limiter,
    Map<String, Number> statistics,
    Map<String, Long> stalls,
    List<String> warnings,
    KernelProfile profile,
    Sampling sampling,
    KernelEnergy energy) {

  /** A profile that does not add up is never shown without a warning. */
  public KernelResult {
    List<String> wrong = profile == null ? List.of() : profile.discrepancies();
    if (!wrong.isEmpty() && !warnings.containsAll(wrong)) {
      List<String> all = new ArrayList<>(warnings);
      all.addAll(wrong);
      warnings = all;
    }
  }

  /** A result of all that was asked for. */
  public KernelResult(
      int id,
      String name,
      long start,
      long cycles,
      long warpInstructions,
      long threadInstructions,
      double occupancy,
      String limiter,
      Map<String, Number> statistics,
      Map<String, Long> stalls,
      List<String> warnings,
      KernelProfile profile) {
    this(
        id,
        name,
        start,
        cycles,
        warpInstructions,
        threadInstructions,
        occupancy,
        limiter,
        statistics,
        stalls,
        warnings,
        profile,
        null,
        null);
  }

  /** A result without a profile. */
  public KernelResult(
      int id,
      String name,
      long start,
      long cycles,
      long warpInstructions,
      long threadInstructions,
      double occupancy,
      String limiter,
      Map<String, Number> statistics,
      Map<String, Long> stalls,
      List<String> warnings) {
    this(
        id,
        name,
        start,
        cycles,
        warpInstructions,
        threadInstructions,
        occupancy,
        limiter,
        statistics,
        stalls,
        warnings,
        null);
  }

  /** The same result without the slices of a timeline. */
  KernelResult withoutTimeline() {
    return profile == null || profile.timeline().isEmpty()
        ? this
        : new KernelResult(
            id,
            name,
            start,
            cycles,
            warpInstructions,
            threadInstructions,
            occupancy,
            limiter,
            statistics,
            stalls,
            warnings,
            profile.withoutTimeline(),
            sampling,
            energy);
  }

  /** What another launch of the same work is taken to be: this one, at another time. */
  public KernelResult as(int launch, String ofName, long at, long itsCycles, Sampling estimate) {
    return new KernelResult(
        launch,
        ofName,
        at,
        itsCycles,
        warpInstructions,
        threadInstructions,
        occupancy,
        limiter,
        statistics,
        stalls,
        warnings,
        profile,
        estimate,
        energy == null || cycles == 0 ? energy : energy.lasting((double) itsCycles / cycles));
  }

  /** Warp instructions of it that were simulated. */
  public long simulatedInstructions() {
    return sampling == null ? warpInstructions : sampling.simulatedInstructions();
  }

  /** Core cycle of its end, counted from the program's first launch. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public long end() {
    return start + cycles;
  }

  /** Warp instructions per core cycle over the whole GPU. */
  public double ipc() {
    return cycles == 0 ? 0 : (double) warpInstructions / cycles;
  }
}
