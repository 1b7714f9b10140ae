package dev.warpline.amd.memory;

import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Serves the compute units' requests in the order of their arrival, whoever sent them; requests
 * that arrive together in the order of the compute units.
 */
public final class MemoryHierarchy {
  /** Where answers go. */
  public interface Answers {
    /** A request has its answer, which is back at the asker when it is ready. */
    void answer(MemoryRequest request);
  }

  private final AmdSpec spec;
  private final SharedTlb tlb;
  private final Tcc[] dies;
  private final Network[] networks;
  private final int lineBytes;
  private final int pageShift;
  private final MemoryChannels channels;
  private final Arrivals lines = new Arrivals();
  private final Arrivals pages = new Arrivals();

  /** What the command processor asks. */
  private final MemoryRequest commandRead = new MemoryRequest();

  public MemoryHierarchy(AmdSpec spec, ClockSpec clocks) {
    this.spec = spec;
    tlb = new SharedTlb(spec.translation());
    channels = new MemoryChannels(spec, clocks);
    dies = new Tcc[spec.dies()];
    Arrays.setAll(dies, i -> new Tcc(spec.tcc(), channels));
    int units = (spec.computeUnits() + dies.length - 1) / dies.length;
    networks = new Network[dies.length];
    Arrays.setAll(networks, i -> new Network(spec.network(), units, spec.tcc().slices()));
    lineBytes = spec.tcc().lineBytes();
    pageShift = Integer.numberOfTrailingZeros(spec.translation().pageBytes());
  }

  /** Writes traffic down, per slice of all dies and per channel; null writes nothing. */
  public void record(MemoryRecorder recorder) {
    channels.record(recorder);
    for (int i = 0; i < dies.length; i++) {
      dies[i].record(recorder, i * spec.tcc().slices());
    }
  }

  /** Takes over what compute units have sent. */
  public void accept(Outbox outbox) {
    while (!outbox.isEmpty()) {
      MemoryRequest request = outbox.take();
      (request.translation ? pages : lines).add(request);
    }
  }

  /** Arrival of the first request that waits, or {@code Long.MAX_VALUE}. */
  public long nextArrival() {
    return Math.min(lines.next(), pages.next());
  }

  /** Serves every page that arrives before one horizon and every line before the other. */
  public void serve(long pageHorizon, long lineHorizon, Answers answers) {
    int duePages = pages.sortDue(pageHorizon);
    for (int i = 0; i < duePages; i++) {
      MemoryRequest request = pages.due(i);
      request.ready = tlb.translate(request.address >>> pageShift, request.ready);
      answers.answer(request);
    }
    if (duePages > 0) {
      pages.removeDue(pageHorizon);
    }
    int dueLines = lines.sortDue(lineHorizon);
    for (int i = 0; i < dueLines; i++) {
      MemoryRequest request = lines.due(i);
      serveLine(request);
      answers.answer(request);
    }
    if (dueLines > 0) {
      lines.removeDue(lineHorizon);
    }
  }

  private void serveLine(MemoryRequest request) {
    int cu = request.port;
    Tcc die = dies[cu % dies.length];
    Network network = networks[cu % dies.length];
    int unit = cu / dies.length;
    request.slice = die.slice(request);
    int there = request.write || request.atomic ? lineBytes : 0;
    int back = request.write ? 0 : lineBytes;
    request.ready = network.toSlice(unit, request.slice, there, request.ready);
    die.serve(request);
    request.ready = network.toUnit(unit, request.slice, back, request.ready);
  }

  /** When a line is there that the command processor asks the first die for. */
  public long read(long address, long cycle) {
    commandRead.address = address;
    commandRead.ready = cycle;
    commandRead.slice = dies[0].slice(commandRead);
    dies[0].serve(commandRead);
    return commandRead.ready;
  }

  /**
   * Writes the TCCs back; returns when that is done. What one die has written the others no longer
   * hold: the memory side knows which die has which line.
   */
  public long release(long cycle) {
    long done = cycle;
    for (Tcc die : dies) {
      done = Math.max(done, die.release(cycle, line -> drop(line, die)));
    }
    return done;
  }

  private void drop(long line, Tcc writer) {
    for (Tcc die : dies) {
      if (die != writer) {
        die.drop(line);
      }
    }
  }

  /** Writes the TCCs back and empties them; returns when that is done. */
  public long invalidate(long cycle) {
    long done = release(cycle);
    for (Tcc die : dies) {
      die.dropAll();
    }
    return done;
  }

  /** Counters by dotted name. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = new LinkedHashMap<>();
    Counters.sum(Arrays.asList(dies)).forEach((name, value) -> all.put("tcc." + name, value));
    Counters.sum(Arrays.asList(networks))
        .forEach((name, value) -> all.put("network." + name, value));
    Counters.of(channels).forEach((name, value) -> all.put("memory." + name, value));
    Counters.of(tlb).forEach((name, value) -> all.put("l2tlb." + name, value));
    return all;
  }
}
