package dev.warpline.engine;

import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.SmActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps the result of every kernel as it ends, whatever becomes of the run afterwards. */
public final class FinishedKernels implements Progress {
  private final Progress watcher;
  private final List<KernelResult> kernels = new ArrayList<>();

  /**
   * @param watcher told everything too
   */
  public FinishedKernels(Progress watcher) {
    this.watcher = watcher;
  }

  /** The kernels that have ended so far. */
  public synchronized List<KernelResult> kernels() {
    return List.copyOf(kernels);
  }

  @Override
  public void kernelStarted(int id, String name, long blocks) {
    watcher.kernelStarted(id, name, blocks);
  }

  @Override
  public void advanced(
      long cycles, long blocksDone, long warpInstructions, long expectedInstructions) {
    watcher.advanced(cycles, blocksDone, warpInstructions, expectedInstructions);
  }

  @Override
  public boolean watchesSms() {
    return watcher.watchesSms();
  }

  @Override
  public void sms(long cycles, List<SmActivity> activity) {
    watcher.sms(cycles, activity);
  }

  @Override
  public void levels(long cycles, Map<Level, Double> levels) {
    watcher.levels(cycles, levels);
  }

  @Override
  public boolean asksWhoWaits() {
    return watcher.asksWhoWaits();
  }

  @Override
  public void waiting(String who) {
    watcher.waiting(who);
  }

  @Override
  public void reported() {
    watcher.reported();
  }

  @Override
  public long pauseNanos() {
    return watcher.pauseNanos();
  }

  @Override
  public void kernelFinished(KernelResult result) {
    synchronized (this) {
      kernels.add(result);
    }
    watcher.kernelFinished(result);
  }
}
