package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.hsa.AqlPacket;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.hsa.Signal;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.amd.launch.LaunchFile.Order;
import dev.warpline.engine.StopSignal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Steps on the timed GPU: packets in its queues. */
final class TimedDevice implements LaunchDevice {
  private static final int QUEUE_SIZE = 64;

  private final HsaDevice device;
  private final StopSignal stop;
  private final Map<Integer, HsaQueue> queues = new HashMap<>();
  private final Map<CodeObject, LoadedCode> codes = new HashMap<>();
  private final NamedSignals<Signal> signals;

  TimedDevice(HsaDevice device, StopSignal stop) {
    this.device = device;
    this.stop = stop;
    signals = new NamedSignals<>(() -> device.createSignal(1));
  }

  @Override
  public DeviceMemory memory() {
    return device.memory();
  }

  @Override
  public boolean replays() {
    return device.replays();
  }

  @Override
  public long load(CodeObject object) throws CodeObjectException {
    LoadedCode code = device.load(object);
    codes.put(object, code);
    return code.base();
  }

  private HsaQueue queue(int number) {
    return queues.computeIfAbsent(number, q -> device.createQueue(QUEUE_SIZE));
  }

  private Signal completed(Order order) {
    return order.signal() == null ? null : signals.completedByNext(order.signal());
  }

  /** Lets the packets behind wait for what the order names. */
  private void await(Order order) {
    List<String> all = order.after();
    for (int i = 0; i < all.size(); i += AqlPacket.Barrier.MAX_SIGNALS) {
      await(order, all.subList(i, Math.min(all.size(), i + AqlPacket.Barrier.MAX_SIGNALS)), false);
    }
    if (!order.afterAny().isEmpty()) {
      await(order, order.afterAny(), true);
    }
  }

  private void await(Order order, List<String> names, boolean any) {
    long[] addresses = names.stream().mapToLong(n -> signals.awaited(n).address()).toArray();
    device.submit(queue(order.queue()), new AqlPacket.Barrier(order.barrier(), any, addresses, 0));
  }

  @Override
  public void launch(Order order, Launch launch, int number, boolean chosen, Place place) {
    await(order);
    LoadedCode code = codes.get(launch.code());
    if (chosen) {
      device.dispatch(
          queue(order.queue()),
          code,
          launch.kernel(),
          launch.grid(),
          launch.group(),
          launch.arguments(),
          completed(order),
          order.barrier(),
          launch.acquire(),
          launch.release());
    } else {
      device.execute(
          queue(order.queue()),
          code,
          launch.kernel(),
          launch.grid(),
          launch.group(),
          launch.arguments(),
          count -> stop.check(),
          completed(order));
    }
  }

  @Override
  public void transfer(Order order, Transfer transfer, boolean wait, Place place) {
    await(order);
    Signal done = completed(order);
    if (wait && done == null) {
      done = device.createSignal(1);
    }
    device.transfer(queue(order.queue()), transfer, done, order.barrier());
    if (wait) {
      device.waitFor(done);
    }
  }

  @Override
  public void barrier(Order order, Place place) {
    await(order);
    Signal done = completed(order);
    if (done != null || order.after().isEmpty() && order.afterAny().isEmpty()) {
      device.submit(
          queue(order.queue()),
          new AqlPacket.Barrier(true, false, new long[0], done == null ? 0 : done.address()));
    }
  }

  @Override
  public void waitFor(List<String> names, Place place) {
    for (String name : names) {
      device.waitFor(signals.awaited(name));
    }
  }

  @Override
  public void waitFor(int queue, Place place) {
    device.drain(queue(queue));
  }

  @Override
  public void waitForAll(Place place) {
    device.drain();
  }

  /** A message in which signals have the names of the launch file. */
  String withNames(String message) {
    String text = message;
    for (Map.Entry<String, Signal> signal : signals.all().entrySet()) {
      text = text.replace(String.format("0x%x", signal.getValue().address()), signal.getKey());
    }
    return text;
  }
}
