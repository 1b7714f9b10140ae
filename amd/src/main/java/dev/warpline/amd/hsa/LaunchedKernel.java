package dev.warpline.amd.hsa;

import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.cu.CodeImage;
import dev.warpline.amd.cu.WaveFactory;
import dev.warpline.amd.cu.WaveProfile;
import dev.warpline.amd.dispatch.DispatchTask;
import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.Dispatch;
import dev.warpline.amd.exec.GroupState;
import dev.warpline.amd.exec.WaveLauncher;
import dev.warpline.amd.exec.WaveState;
import dev.warpline.engine.profile.KernelRecorder;
import java.util.Map;

/**
 * A kernel the command processor has taken up: how its waves begin, and what was so far counted.
 */
final class LaunchedKernel {
  /** Makes groups and waves of whatever kernel a task belongs to. */
  static final WaveFactory WAVES =
      new WaveFactory() {
        @Override
        public CodeImage code(GroupPlacement placement) {
          return of(placement.task()).image;
        }

        @Override
        public WaveProfile profile(GroupPlacement placement) {
          LaunchedKernel launched = of(placement.task());
          return launched.recorder == null
              ? null
              : new WaveProfile(
                  launched.recorder.sm(placement.cu()),
                  launched.dispatch.entry(),
                  launched.kernel.codeBytes());
        }

        @Override
        public GroupState group(GroupPlacement placement) {
          DispatchTask task = placement.task();
          long index = placement.index();
          return of(task)
              .launcher
              .group(
                  task.coordinate(index, 0), task.coordinate(index, 1), task.coordinate(index, 2));
        }

        @Override
        public WaveState wave(GroupPlacement placement, GroupState group, int wave) {
          return of(placement.task()).launcher.wave(group, wave, placement.scratchSlots()[wave]);
        }
      };

  /** Launch number, from 1. */
  final int number;

  final Kernel kernel;
  final Dispatch dispatch;
  final long signal;
  final long scratchBytes;
  final FenceScope acquire;
  final FenceScope release;

  /** Counters and stalls when it started. */
  Map<String, Number> statisticsBefore;

  long[] stallsBefore;
  long launchCycle;

  /** Another kernel ran at the same time, so counters hold both. */
  boolean shared;

  /** Where its time is written down, null if nowhere. */
  KernelRecorder recorder;

  /** Whether somebody asked for its profile. */
  boolean profiled;

  private final CodeImage image;
  private final WaveLauncher launcher;

  LaunchedKernel(
      int number,
      Kernel kernel,
      CodeImage image,
      Dispatch dispatch,
      DeviceMemory memory,
      long signal,
      long scratchBytes,
      FenceScope acquire,
      FenceScope release,
      int window) {
    this.number = number;
    this.kernel = kernel;
    this.image = image;
    this.dispatch = dispatch;
    this.signal = signal;
    this.scratchBytes = scratchBytes;
    this.acquire = acquire;
    this.release = release;
    launcher = new WaveLauncher(dispatch, memory, window);
  }

  CodeImage image() {
    return image;
  }

  static LaunchedKernel of(DispatchTask task) {
    return (LaunchedKernel) task.kernel();
  }
}
