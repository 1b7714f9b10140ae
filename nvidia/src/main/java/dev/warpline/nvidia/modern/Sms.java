package dev.warpline.nvidia.modern;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.KernelHeader;
import java.util.AbstractList;

/**
 * The SMs that a kernel uses, in the order of their numbers. An SM is made when it first gets a
 * block, and takes part in a kernel from the first block it gets of it: a small kernel does not pay
 * for a large GPU.
 */
final class Sms extends AbstractList<Sm> {
  private final GpuDescription gpu;
  private final Topology topology;
  private final Sm[] all;
  private final Sm[] atWork;
  private final Requests[] requests;
  private final boolean[] started;
  private int count;

  private CodeRows code;
  private KernelHeader header;
  private int l1Bytes;
  private KernelRecorder recorder;

  Sms(GpuDescription gpu, Topology topology) {
    this.gpu = gpu;
    this.topology = topology;
    all = new Sm[topology.sms()];
    atWork = new Sm[all.length];
    requests = new Requests[all.length];
    started = new boolean[all.length];
  }

  /** A kernel starts; no SM is at work yet. */
  void startKernel(CodeRows code, KernelHeader header, int l1Bytes, KernelRecorder recorder) {
    this.code = code;
    this.header = header;
    this.l1Bytes = l1Bytes;
    this.recorder = recorder;
    count = 0;
    java.util.Arrays.fill(started, false);
  }

  /** SM by its number, for a block: it is at work from now on. */
  Sm numbered(int sm) {
    if (!started[sm]) {
      started[sm] = true;
      if (all[sm] == null) {
        all[sm] = new Sm(sm, topology.hops().get(sm), gpu.modern(), gpu.sm());
      }
      all[sm].startKernel(code, header, l1Bytes, recorder == null ? null : recorder.sm(sm));
      int at = count++;
      while (at > 0 && atWork[at - 1].index() > sm) {
        atWork[at] = atWork[at - 1];
        requests[at] = requests[at - 1];
        at--;
      }
      atWork[at] = all[sm];
      requests[at] = all[sm].requests();
    }
    return all[sm];
  }

  /** Blocks on an SM, by its number. */
  int residentBlocks(int sm) {
    return started[sm] ? all[sm].blocks().resident() : 0;
  }

  /** Where the SMs of the GPU are. */
  Topology topology() {
    return topology;
  }

  @Override
  public Sm get(int i) {
    return atWork[i];
  }

  @Override
  public int size() {
    return count;
  }

  /** What the SMs at work ask for, in their order. */
  Requests[] requests() {
    return requests;
  }
}
