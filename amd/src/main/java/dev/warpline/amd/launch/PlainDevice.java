package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.ExecutionFault;
import dev.warpline.amd.exec.FunctionalDevice;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.amd.launch.LaunchFile.Order;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Steps without time: each is done as soon as its queue and its signals let it, so in the order of
 * the file but for packets that wait for later ones.
 */
final class PlainDevice implements LaunchDevice {
  /** A signal without time. */
  private static final class Flag {
    private boolean complete;
  }

  private interface Work {
    void run() throws IOException;
  }

  private record Task(List<Flag> after, List<Flag> afterAny, Work work, Flag signal, Place place) {
    boolean isReady() {
      return after.stream().allMatch(f -> f.complete)
          && (afterAny.isEmpty() || afterAny.stream().anyMatch(f -> f.complete));
    }
  }

  private final FunctionalDevice device;
  private final List<KernelResult> results;
  private final Progress progress;
  private final Map<CodeObject, FunctionalDevice.LoadedCode> codes = new HashMap<>();
  private final Map<Integer, Deque<Task>> queues = new TreeMap<>();
  private final NamedSignals<Flag> signals = new NamedSignals<>(Flag::new);
  private long cpuNanos;

  /**
   * @param results where the kernels that are looked at are listed
   */
  PlainDevice(FunctionalDevice device, List<KernelResult> results, Progress progress) {
    this.device = device;
    this.results = results;
    this.progress = progress;
  }

  /** Processor time that kernels took. */
  long cpuNanos() {
    return cpuNanos;
  }

  @Override
  public DeviceMemory memory() {
    return device.memory();
  }

  @Override
  public long load(CodeObject object) throws CodeObjectException {
    FunctionalDevice.LoadedCode code = device.load(object);
    codes.put(object, code);
    return code.base();
  }

  private void submit(Order order, Place place, Work work) throws IOException {
    List<Flag> after = order.after().stream().map(signals::awaited).toList();
    List<Flag> afterAny = order.afterAny().stream().map(signals::awaited).toList();
    Flag signal = order.signal() == null ? null : signals.completedByNext(order.signal());
    queues
        .computeIfAbsent(order.queue(), q -> new ArrayDeque<>())
        .add(new Task(after, afterAny, work, signal, place));
    work();
  }

  /** Does all that can be done. */
  private void work() throws IOException {
    boolean progressed = true;
    while (progressed) {
      progressed = false;
      for (Deque<Task> queue : queues.values()) {
        while (!queue.isEmpty() && queue.peek().isReady()) {
          Task task = queue.remove();
          task.work.run();
          if (task.signal != null) {
            task.signal.complete = true;
          }
          progressed = true;
        }
      }
    }
  }

  @Override
  public void launch(Order order, Launch launch, int number, boolean chosen, Place place)
      throws IOException {
    submit(order, place, () -> execute(launch, number, chosen, place));
  }

  private void execute(Launch launch, int number, boolean chosen, Place place)
      throws LaunchException {
    long before = device.instructions();
    long cpuStart = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      device.launch(
          codes.get(launch.code()),
          launch.kernel(),
          launch.grid(),
          launch.group(),
          launch.arguments());
    } catch (ExecutionFault | IllegalArgumentException e) {
      throw new LaunchException(place.toString(), e);
    }
    cpuNanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuStart;
    if (!chosen) {
      return;
    }
    long count = device.instructions() - before;
    KernelResult result =
        new KernelResult(
            number,
            launch.kernel().name(),
            0,
            0,
            count,
            64 * count,
            0,
            "",
            Map.of("cu.instructions", count),
            Map.of(),
            List.of());
    results.add(result);
    progress.kernelFinished(result);
  }

  @Override
  public void transfer(Order order, Transfer transfer, boolean wait, Place place)
      throws IOException {
    submit(order, place, () -> transfer.move().run());
    if (wait) {
      waitFor(order.queue(), place);
    }
  }

  @Override
  public void barrier(Order order, Place place) throws IOException {
    submit(order, place, () -> {});
  }

  @Override
  public void waitFor(List<String> names, Place place) throws IOException {
    for (String name : names) {
      if (!signals.awaited(name).complete) {
        throw place.found("a wait for signal " + name, "something before it that completes it");
      }
    }
  }

  @Override
  public void waitFor(int queue, Place place) throws IOException {
    if (queues.containsKey(queue)) {
      requireEmpty(List.of(queues.get(queue)), place);
    }
  }

  @Override
  public void waitForAll(Place place) throws IOException {
    requireEmpty(queues.values(), place);
  }

  private static void requireEmpty(Collection<Deque<Task>> all, Place place)
      throws LaunchException {
    for (Deque<Task> queue : all) {
      if (!queue.isEmpty()) {
        throw new LaunchException(
            place.toString(),
            "waits for ever: "
                + queue.peek().place()
                + " waits for a signal that nothing before completes");
      }
    }
  }
}
