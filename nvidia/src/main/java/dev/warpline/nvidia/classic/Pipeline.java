package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;

/** The registers between issue, operand collectors and execution units. */
final class Pipeline {
  /** Issue to collector, by unit kind. */
  final PipelineRegister[] issued = new PipelineRegister[UnitKind.COUNT];

  /** Collector to execution, by unit kind. */
  final PipelineRegister[] collected = new PipelineRegister[UnitKind.COUNT];

  /** Kinds with anything in {@link #issued} or {@link #collected}. */
  int issuedKinds;

  int collectedKinds;

  /** Whether an execution unit has taken an instruction since the collectors asked last. */
  boolean started;

  private final boolean subCores;
  private final int schedulers;

  /** Per scheduler, kinds whose slot between issue and collector is taken. */
  private final int[] blocked;

  Pipeline(ClassicCoreSpec spec) {
    subCores = spec.frontEnd().subCoreModel();
    schedulers = spec.frontEnd().schedulers();
    blocked = new int[schedulers];
    ClassicCoreSpec.PipelineWidths w = spec.widths();
    set(UnitKind.SP, w.idOcSp(), w.ocExSp());
    set(UnitKind.DP, w.idOcDp(), w.ocExDp());
    set(UnitKind.INT, w.idOcInt(), w.ocExInt());
    set(UnitKind.SFU, w.idOcSfu(), w.ocExSfu());
    set(UnitKind.MEMORY, w.idOcMem(), w.ocExMem());
    for (int i = 0; i < 8; i++) {
      boolean present = i < spec.units().specialized().size();
      set(
          UnitKind.SPECIALIZED + i,
          present ? spec.units().specialized().get(i).idOc() : 0,
          present ? spec.units().specialized().get(i).ocEx() : 0);
    }
  }

  private void set(int kind, int toCollector, int toExecution) {
    // With sub-cores every scheduler has a slot of its own.
    int least = subCores ? schedulers : 1;
    issued[kind] = new PipelineRegister(Math.max(least, toCollector));
    collected[kind] = new PipelineRegister(Math.max(least, toExecution));
  }

  /** Kinds that a scheduler cannot issue to. */
  int blockedKinds(int scheduler) {
    return blocked[subCores ? scheduler : 0];
  }

  void issue(int kind, int scheduler, int instruction) {
    PipelineRegister register = issued[kind];
    int slot = subCores ? scheduler : register.freeSlot();
    register.putYoungest(slot, instruction);
    issuedKinds |= 1 << kind;
    if (subCores) {
      blocked[scheduler] |= 1 << kind;
    } else if (register.isFull()) {
      blocked[0] |= 1 << kind;
    }
  }

  /** A collector takes an instruction. */
  void take(int kind, int slot) {
    PipelineRegister register = issued[kind];
    register.clear(slot);
    blocked[subCores ? slot : 0] &= ~(1 << kind);
    if (register.full == 0) {
      issuedKinds &= ~(1 << kind);
    }
  }

  /** Whether a collector can hand an instruction on. */
  boolean canDispatch(int kind, int scheduler) {
    return subCores ? collected[kind].isFree(scheduler) : !collected[kind].isFull();
  }

  void dispatch(int kind, int scheduler, int instruction) {
    PipelineRegister register = collected[kind];
    register.put(subCores ? scheduler : register.freeSlot(), instruction);
    collectedKinds |= 1 << kind;
  }

  /** An execution unit takes an instruction. */
  void start(int kind, int slot) {
    collected[kind].clear(slot);
    started = true;
    if (collected[kind].full == 0) {
      collectedKinds &= ~(1 << kind);
    }
  }

  boolean isEmpty() {
    return (issuedKinds | collectedKinds) == 0;
  }
}
