package dev.warpline.amd.dispatch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;

/** What the dispatcher knows of one compute unit: free wave slots, registers, LDS and barriers. */
final class CuResources {
  @Counter("attempts that found too few vector registers")
  long blockedByVectorRegisters;

  @Counter("attempts that found too few scalar registers")
  long blockedByScalarRegisters;

  @Counter("attempts that found too few wave slots")
  long blockedByWaveSlots;

  @Counter("attempts that found too little LDS")
  long blockedByLds;

  @Counter("attempts that found no barrier slot")
  long blockedByBarriers;

  private final AmdSpec spec;
  private final int slotsPerSimd;
  private final RegisterAllocator[] vector;
  private final RegisterAllocator[] scalar;
  private final boolean[] taken;
  private final int[] vectorStart;
  private final int[] scalarStart;
  private final int[] placed;
  private final boolean[] simdWasEmpty;
  private int ldsUsed;
  private int barriersUsed;

  CuResources(AmdSpec spec) {
    this.spec = spec;
    int simds = spec.waves().simds();
    slotsPerSimd = spec.waves().slotsPerSimd();
    vector = new RegisterAllocator[simds];
    scalar = new RegisterAllocator[simds];
    for (int i = 0; i < simds; i++) {
      AmdSpec.Registers r = spec.registers();
      vector[i] = new RegisterAllocator(r.vectorRegisters(), r.vectorGranule(), r.policy());
      scalar[i] = new RegisterAllocator(r.scalarRegisters(), r.scalarGranule(), r.policy());
    }
    int slots = simds * slotsPerSimd;
    taken = new boolean[slots];
    vectorStart = new int[slots];
    scalarStart = new int[slots];
    placed = new int[slots];
    simdWasEmpty = new boolean[simds];
  }

  /**
   * Takes the resources of a group of {@code waves} waves, or none of them. Waves spread over the
   * SIMDs first. The slots, numbered simd * slotsPerSimd + slot, are left in {@link #placed}.
   */
  boolean place(GroupDemand demand, int waves) {
    int lds = roundedLds(demand.ldsBytes());
    if (ldsUsed + lds > spec.lds().bytes()) {
      blockedByLds++;
      return false;
    }
    if (waves > 1 && barriersUsed == spec.waves().barrierSlots()) {
      blockedByBarriers++;
      return false;
    }
    int count = 0;
    boolean noVector = false;
    boolean noScalar = false;
    for (int s = 0; s < vector.length; s++) {
      simdWasEmpty[s] = vector[s].isEmpty();
    }
    for (int j = 0; j < slotsPerSimd && count < waves; j++) {
      for (int simd = 0; simd < vector.length && count < waves; simd++) {
        int slot = simd * slotsPerSimd + j;
        if (taken[slot]) {
          continue;
        }
        int v = vector[simd].allocate(demand.vectorRegisters(), simdWasEmpty[simd]);
        if (v < 0) {
          noVector = true;
          continue;
        }
        int s = scalar[simd].allocate(demand.scalarRegisters(), simdWasEmpty[simd]);
        if (s < 0) {
          noScalar = true;
          vector[simd].free(v, demand.vectorRegisters());
          continue;
        }
        taken[slot] = true;
        vectorStart[slot] = v;
        scalarStart[slot] = s;
        placed[count++] = slot;
      }
    }
    if (count < waves) {
      for (int i = 0; i < count; i++) {
        freeWave(placed[i], demand);
      }
      if (noVector) {
        blockedByVectorRegisters++;
      } else if (noScalar) {
        blockedByScalarRegisters++;
      } else {
        blockedByWaveSlots++;
      }
      return false;
    }
    ldsUsed += lds;
    if (waves > 1) {
      barriersUsed++;
    }
    return true;
  }

  /** What the first failed attempt lacked, in a word. */
  String blocker() {
    if (blockedByLds > 0) {
      return "LDS";
    }
    if (blockedByBarriers > 0) {
      return "barriers";
    }
    if (blockedByVectorRegisters + blockedByScalarRegisters > 0) {
      return "registers";
    }
    return "waves";
  }

  int placed(int wave) {
    return placed[wave];
  }

  void freeWave(int slot, GroupDemand demand) {
    int simd = slot / slotsPerSimd;
    taken[slot] = false;
    vector[simd].free(vectorStart[slot], demand.vectorRegisters());
    scalar[simd].free(scalarStart[slot], demand.scalarRegisters());
  }

  void freeGroup(GroupDemand demand, int waves) {
    ldsUsed -= roundedLds(demand.ldsBytes());
    if (waves > 1) {
      barriersUsed--;
    }
  }

  private int roundedLds(int bytes) {
    int granule = spec.lds().granule();
    return (bytes + granule - 1) / granule * granule;
  }
}
