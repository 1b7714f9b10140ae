package dev.warpline.amd.memory;

import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.MemoryRecorder;
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
    /**
     * The answer to a request.
     *
     * @param cycle when it is back at the asker
     * @param level who answered: {@link #L2}, {@link #MEMORY_CACHE} or {@link #DRAM}
     */
    void answer(Request kind, int cu, int reference, long cycle, int level);
  }

  /** Levels that answer, near to far; 0 is the asker's own cache. */
  public static final int L2 = 1;

  public static final int MEMORY_CACHE = 2;
  public static final int DRAM = 3;

  private final AmdSpec spec;
  private final SharedTlb tlb;
  private final Tcc[] dies;
  private final Network[] networks;
  private final int lineBytes;
  private final MemoryChannels channels;
  private final Arrivals lines = new Arrivals();
  private final Arrivals pages = new Arrivals();

  public MemoryHierarchy(AmdSpec spec, ClockSpec clocks) {
    this.spec = spec;
    tlb = new SharedTlb(spec.translation());
    channels = new MemoryChannels(spec, clocks);
    dies = new Tcc[spec.complexes()];
    Arrays.setAll(dies, i -> new Tcc(spec.tcc(), channels));
    int units = (spec.computeUnits() + dies.length - 1) / dies.length;
    networks = new Network[dies.length];
    Arrays.setAll(networks, i -> new Network(spec.network(), units, spec.tcc().slices()));
    lineBytes = spec.tcc().lineBytes();
  }

  /** Writes traffic down, per slice of all dies and per channel; null writes nothing. */
  public void record(MemoryRecorder recorder) {
    channels.record(recorder);
    for (int i = 0; i < dies.length; i++) {
      dies[i].record(recorder, i * spec.tcc().slices());
    }
  }

  /** Takes over the requests of a buffer and empties it. */
  public void accept(RequestBuffer buffer) {
    for (int i = 0; i < buffer.size(); i++) {
      long info = buffer.info(i);
      Arrivals to = RequestBuffer.kind(info).isPage() ? pages : lines;
      to.add(buffer.arrival(i), buffer.target(i), info);
    }
    buffer.clear();
  }

  /** Arrival of the first request that waits, or {@code Long.MAX_VALUE}. */
  public long nextArrival() {
    return Math.min(lines.next(), pages.next());
  }

  /** Serves every page that arrives before one horizon and every line before the other. */
  public void serve(long pageHorizon, long lineHorizon, Answers answers) {
    int duePages = pages.sortDue(pageHorizon);
    for (int i = 0; i < duePages; i++) {
      int number = pages.due(i);
      long done = tlb.translate(pages.target(number), pages.cycle(number));
      answer(pages.info(number), done, L2, answers);
    }
    if (duePages > 0) {
      pages.removeDue(pageHorizon);
    }
    int dueLines = lines.sortDue(lineHorizon);
    for (int i = 0; i < dueLines; i++) {
      int number = lines.due(i);
      serveLine(lines.target(number), lines.info(number), lines.cycle(number), answers);
    }
    if (dueLines > 0) {
      lines.removeDue(lineHorizon);
    }
  }

  private void serveLine(long line, long info, long cycle, Answers answers) {
    Request kind = RequestBuffer.kind(info);
    int cu = RequestBuffer.cu(info);
    Tcc die = dies[cu % dies.length];
    Network network = networks[cu % dies.length];
    int unit = cu / dies.length;
    int slice = die.slice(line);
    long at = network.toSlice(unit, slice, kind.isLoad() ? 0 : lineBytes, cycle);
    long served = die.serve(kind, line, RequestBuffer.weight(info), at);
    long done = network.toUnit(unit, slice, kind.isStore() ? 0 : lineBytes, served);
    answer(info, done, die.level, answers);
  }

  /** When a line is there that the command processor asks the first die for. */
  public long read(long address, long cycle) {
    return dies[0].serve(Request.SCALAR_LOAD, address / lineBytes, 0, cycle);
  }

  private static void answer(long info, long done, int level, Answers answers) {
    answers.answer(
        RequestBuffer.kind(info),
        RequestBuffer.cu(info),
        RequestBuffer.reference(info),
        done,
        level);
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
