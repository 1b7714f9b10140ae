package dev.warpline.nvidia.modern;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.memory.flow.Requests;
import java.util.AbstractList;
import java.util.Arrays;

/**
 * The SMs that are at work, in the order of their numbers. An SM is made when it first gets a
 * block, and takes part in a stretch from the first block it gets in it: a small kernel does not
 * pay for a large GPU.
 */
final class Sms extends AbstractList<Sm> {
  private final GpuDescription gpu;
  private final Topology topology;
  private final Sm[] all;
  private final Sm[] atWork;
  private final Requests[] requests;
  private final boolean[] started;

  /** By SM: the kernel whose block came last. */
  private final ModernKernel[] last;

  private int count;

  Sms(GpuDescription gpu, Topology topology) {
    this.gpu = gpu;
    this.topology = topology;
    all = new Sm[topology.sms()];
    atWork = new Sm[all.length];
    requests = new Requests[all.length];
    started = new boolean[all.length];
    last = new ModernKernel[all.length];
  }

  /** A stretch begins; no SM is at work yet. */
  void start(boolean cold) {
    count = 0;
    for (Sm sm : all) {
      if (cold && sm != null) {
        sm.forgetCode();
      }
    }
    Arrays.fill(started, false);
    Arrays.fill(last, null);
  }

  /** SM by its number, for a block of a kernel: it is at work from now on. */
  Sm forBlock(int sm, ModernKernel kernel) {
    if (!started[sm]) {
      start(sm, kernel);
    }
    if (last[sm] != kernel) {
      if (last[sm] != null && kernel.placer.divides) {
        all[sm].resizeL1(kernel.l1Bytes());
      }
      last[sm] = kernel;
      kernel.admitTo(all[sm]);
    }
    return all[sm];
  }

  private void start(int sm, ModernKernel kernel) {
    started[sm] = true;
    if (all[sm] == null) {
      all[sm] = new Sm(sm, topology.hops().get(sm), gpu.modern(), gpu.sm());
    }
    all[sm].startKernel(kernel.l1Bytes(), kernel.recorder(sm));
    int at = count++;
    while (at > 0 && atWork[at - 1].index() > sm) {
      atWork[at] = atWork[at - 1];
      requests[at] = requests[at - 1];
      at--;
    }
    atWork[at] = all[sm];
    requests[at] = all[sm].requests();
  }

  /** SM at work by its number. */
  Sm numbered(int sm) {
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
