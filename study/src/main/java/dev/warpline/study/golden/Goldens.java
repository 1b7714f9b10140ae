package dev.warpline.study.golden;

import dev.warpline.study.golden.GoldenResult.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The golden results of a checkout: compares them with what the simulator says now. */
public final class Goldens {
  /** An example on a GPU and core whose result is not what it was; null where there is none. */
  public record Change(String example, Place place, GoldenResult before, GoldenResult now) {
    private static final int SHOWN = 12;

    /** In words, with the first of the values that differ. */
    @Override
    public String toString() {
      String what = example + " on " + place + ": ";
      if (before == null) {
        return what + "new, cycles " + now.get(GoldenResult.CYCLES);
      }
      if (now == null) {
        return what + "no longer run, cycles were " + before.get(GoldenResult.CYCLES);
      }
      List<GoldenResult.Difference> all = now.since(before);
      List<String> shown = all.stream().limit(SHOWN).map(Object::toString).toList();
      String more = all.size() > SHOWN ? ", and " + (all.size() - SHOWN) + " more values" : "";
      return what + String.join(", ", shown) + more;
    }
  }

  private final Path examples;
  private final Path folder;
  private final Path changelog;

  /**
   * @param root folder of the checkout
   */
  public Goldens(Path root) {
    this.examples = root.resolve("examples");
    this.folder = examples.resolve("goldens");
    this.changelog = root.resolve("CHANGELOG.md");
  }

  /** The stored results of an example, empty if there are none. */
  public List<GoldenResult> stored(String example) throws IOException {
    Path file = file(example);
    return Files.exists(file) ? GoldenFile.read(file) : List.of();
  }

  private Path file(String example) {
    return folder.resolve(example + ".tsv");
  }

  /**
   * Runs examples, one per processor at a time, and compares.
   *
   * @param which of the examples by name, on which of their places
   * @param done told of each as it ends
   * @return the changes, in the order of the examples
   */
  public List<Change> check(BiPredicate<String, Place> which, Consumer<String> done)
      throws IOException, InterruptedException {
    List<Change> changes = new ArrayList<>();
    for (Map.Entry<String, List<GoldenResult>> now : run(which, done).entrySet()) {
      changes.addAll(changes(now.getKey(), which, now.getValue()));
    }
    for (String example : orphans()) {
      for (GoldenResult before : stored(example)) {
        changes.add(new Change(example, before.place(), before, null));
      }
    }
    return changes;
  }

  private List<Change> changes(
      String example, BiPredicate<String, Place> which, List<GoldenResult> results)
      throws IOException {
    Map<Place, GoldenResult> before = new LinkedHashMap<>();
    for (GoldenResult result : stored(example)) {
      if (which.test(example, result.place())) {
        before.put(result.place(), result);
      }
    }
    List<Change> changes = new ArrayList<>();
    for (GoldenResult now : results) {
      GoldenResult was = before.remove(now.place());
      if (was == null || !now.since(was).isEmpty()) {
        changes.add(new Change(example, now.place(), was, now));
      }
    }
    before.forEach((place, was) -> changes.add(new Change(example, place, was, null)));
    return changes;
  }

  /**
   * Runs everything and stores what comes out as a new edition, if anything changed; adds a line to
   * the changelog.
   *
   * @param reason why results changed, in words for the changelog
   * @return the changes
   */
  public List<Change> rewrite(String reason, Consumer<String> done)
      throws IOException, InterruptedException {
    List<Change> changes = new ArrayList<>();
    Map<String, List<GoldenResult>> all = run((example, place) -> true, done);
    for (Map.Entry<String, List<GoldenResult>> now : all.entrySet()) {
      changes.addAll(changes(now.getKey(), (example, place) -> true, now.getValue()));
    }
    Files.createDirectories(folder);
    for (String example : orphans()) {
      for (GoldenResult before : stored(example)) {
        changes.add(new Change(example, before.place(), before, null));
      }
      Files.delete(file(example));
    }
    for (Map.Entry<String, List<GoldenResult>> now : all.entrySet()) {
      GoldenFile.write(file(now.getKey()), now.getValue());
    }
    boolean first = !Files.exists(folder.resolve(Edition.FILE));
    Edition last = first ? new Edition(0, "", "") : Edition.read(folder);
    String digest = Edition.digest(folder);
    if (!digest.equals(last.digest())) {
      Edition next = new Edition(last.number() + 1, reason, digest);
      next.write(folder);
      next.note(changelog);
    }
    return changes;
  }

  /** What is wrong with the stored files themselves, without running anything. */
  public List<String> complaints() throws IOException {
    List<String> all = new ArrayList<>();
    Edition edition = Edition.read(folder);
    if (!edition.digest().equals(Edition.digest(folder))) {
      all.add(
          folder
              + " was changed by hand after edition "
              + edition.number()
              + "; 'warpline goldens --rewrite --reason TEXT' changes it");
    }
    if (!Files.readAllLines(changelog).contains(edition.line())) {
      all.add(changelog + " lacks the line \"" + edition.line() + "\"");
    }
    return all;
  }

  /** Stored results of examples that are gone. */
  private List<String> orphans() throws IOException {
    List<String> names = Example.in(examples).stream().map(Example::name).toList();
    List<String> orphans = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName()).replace(".tsv", "");
        if (!file.endsWith(Edition.FILE) && !names.contains(name)) {
          orphans.add(name);
        }
      }
    }
    return orphans;
  }

  private Map<String, List<GoldenResult>> run(
      BiPredicate<String, Place> which, Consumer<String> done)
      throws IOException, InterruptedException {
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Map<String, List<Future<GoldenResult>>> begun = new LinkedHashMap<>();
      for (Example example : Example.in(examples)) {
        List<Future<GoldenResult>> results = new ArrayList<>();
        begun.put(example.name(), results);
        for (Place place : example.places()) {
          if (which.test(example.name(), place)) {
            Callable<GoldenResult> run = () -> example.run(place);
            results.add(workers.submit(run));
          }
        }
      }
      Map<String, List<GoldenResult>> all = new LinkedHashMap<>();
      for (Map.Entry<String, List<Future<GoldenResult>>> example : begun.entrySet()) {
        List<GoldenResult> results = new ArrayList<>();
        for (Future<GoldenResult> result : example.getValue()) {
          results.add(result.get());
        }
        all.put(example.getKey(), results);
        done.accept(example.getKey());
      }
      return all;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      workers.shutdownNow();
    }
  }
}
