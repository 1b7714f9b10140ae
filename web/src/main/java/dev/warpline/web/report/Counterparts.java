package dev.warpline.web.report;

import dev.warpline.engine.KernelResult;
import dev.warpline.isa.Demangler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which kernel of one run is which of another: first launches with the same number and name, then
 * those with the same name in their order, then those with the same number under another name.
 *
 * @param pairs in the order of the second run
 * @param unmatched those that have no counterpart, and those paired under another name, in words
 */
record Counterparts(List<Pair> pairs, List<String> unmatched) {
  /** The same kernel in both runs. */
  record Pair(KernelResult first, KernelResult second) {}

  private static final int NAMED = 5;

  static Counterparts of(List<KernelResult> first, List<KernelResult> second) {
    Map<Integer, KernelResult> byId = new LinkedHashMap<>();
    first.forEach(kernel -> byId.put(kernel.id(), kernel));
    Map<Integer, KernelResult> found = new HashMap<>();
    for (KernelResult kernel : second) {
      KernelResult same = byId.get(kernel.id());
      if (same != null && same.name().equals(kernel.name())) {
        found.put(kernel.id(), byId.remove(kernel.id()));
      }
    }
    Map<String, Deque<KernelResult>> byName = new HashMap<>();
    byId.values()
        .forEach(one -> byName.computeIfAbsent(one.name(), n -> new ArrayDeque<>()).add(one));
    for (KernelResult kernel : second) {
      Deque<KernelResult> left = byName.get(kernel.name());
      if (!found.containsKey(kernel.id()) && left != null && !left.isEmpty()) {
        KernelResult other = left.remove();
        byId.remove(other.id());
        found.put(kernel.id(), other);
      }
    }
    List<String> said = new ArrayList<>();
    List<String> alone = new ArrayList<>();
    List<Pair> pairs = new ArrayList<>();
    for (KernelResult kernel : second) {
      KernelResult other = found.get(kernel.id());
      if (other == null && byId.containsKey(kernel.id())) {
        other = byId.remove(kernel.id());
        said.add(name(kernel) + " is compared with " + name(other) + ", the same launch");
      }
      if (other == null) {
        alone.add(name(kernel));
      } else {
        pairs.add(new Pair(other, kernel));
      }
    }
    say(said, alone, "only in the second run: ");
    say(said, byId.values().stream().map(Counterparts::name).toList(), "only in the first run: ");
    return new Counterparts(pairs, said);
  }

  private static void say(List<String> said, List<String> names, String what) {
    if (!names.isEmpty()) {
      String shown = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
      int more = names.size() - NAMED;
      said.add(what + shown + (more > 0 ? " and " + more + " more" : ""));
    }
  }

  private static String name(KernelResult kernel) {
    return "kernel " + kernel.id() + " " + Demangler.shortName(kernel.name());
  }
}
