package dev.warpline.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.GpuSource;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.Plan;
import dev.warpline.study.sweep.PointRun;
import dev.warpline.study.sweep.Study;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a machine makes of a task that has nothing of the study but the task's line. */
class TaskRunTest {
  @TempDir Path folder;
  private Path trace;

  /** Files by their hash, as an engine carries them, and how often each was asked for. */
  private final Map<String, byte[]> contents = new HashMap<>();

  private final List<String> asked = new ArrayList<>();
  private final Function<String, InputStream> engine =
      sha256 -> {
        asked.add(sha256);
        return new ByteArrayInputStream(contents.get(sha256));
      };

  @BeforeEach
  void makeATrace() throws IOException {
    trace = Files.createDirectories(folder.resolve("sweep/traces/t"));
    TinyProgram.write(trace, 1);
  }

  private Plan plan(String rest) throws IOException {
    Path file = folder.resolve("sweep/study.yaml");
    return Plan.of(Study.read(Files.writeString(file, "traces: [traces/t]\n" + rest)));
  }

  private Point point(String rest) throws IOException {
    return plan(rest).points().values().iterator().next();
  }

  private Task task(Point point) throws IOException {
    Task task = new TaskMaker().task(point);
    for (Parcel.Item item : task.trace().items()) {
      contents.put(item.sha256(), Files.readAllBytes(task.trace().source(item)));
    }
    return task;
  }

  private TaskRun machine(String name) throws IOException {
    return new TaskRun(new NodeCache(folder.resolve(name)));
  }

  private On.Ended ended(TaskRun machine, Point point, Task task) throws IOException {
    // An engine's threads know nothing of Warpline.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      return Answer.of(machine.apply(task.line(), engine)).ended(point);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  static Stream<String> presets() {
    return Gpus.names().stream();
  }

  @ParameterizedTest
  @MethodSource("presets")
  void theTextOfADescriptionSaysAllOfIt(String preset) throws IOException {
    assertThat(Gpus.ofText(Gpus.text(Gpus.load(preset)))).isEqualTo(Gpus.load(preset));
  }

  @Test
  void aResultIsThatOfThisMachineAndFilesComeOnce() throws IOException {
    Point first = point("gpus: [h200]\nset: {sm.count: 3}\n");
    Point second = point("gpus: [h200]\nset: {sm.count: 5}\n");
    RunResult here = PointRun.of(first, gpu(first), new StopSignal());
    Task one = task(first);
    Task two = task(second);
    // The machine sees nothing of what the study was planned from.
    Files.move(folder.resolve("sweep"), folder.resolve("elsewhere"));
    TaskRun machine = machine("cache");
    On.Ended there = ended(machine, first, one);
    assertThat(there.failure()).isNull();
    assertThat(ResultStore.text(there.result())).isEqualTo(ResultStore.text(here));
    assertThat(ended(machine, second, two).result()).isNotNull();
    assertThat(ended(machine("cache"), second, two).result()).isNotNull();
    assertThat(asked).doesNotHaveDuplicates().hasSize(one.trace().items().size());
  }

  @Test
  void aDescriptionOfOnesOwnTravelsWithWhatItRestsOn() throws IOException {
    Path sweep = folder.resolve("sweep");
    Files.writeString(sweep.resolve("base.yaml"), "inherits: h200\nsm: {count: 4}\n");
    Files.writeString(sweep.resolve("own.yaml"), "inherits: base.yaml\nname: own\n");
    Path standard = sweep.resolve("own-dram.yaml");
    try (InputStream in = Gpus.class.getResourceAsStream("dram/hbm3.yaml")) {
      Files.copy(in, standard);
    }
    Point point =
        point(
            "gpus: [own.yaml]\nset: {clocks.coreMHz: 1234, flowMemory.dram.standard: "
                + standard
                + "}\n");
    RunResult here = PointRun.of(point, gpu(point), new StopSignal());
    Task task = task(point);
    Files.move(sweep, folder.resolve("elsewhere"));
    On.Ended there = ended(machine("cache"), point, task);
    assertThat(there.failure()).isNull();
    assertThat(there.result().gpu()).isEqualTo("own");
    assertThat(there.result().coreMHz()).isEqualTo(1234);
    assertThat(ResultStore.text(there.result())).isEqualTo(ResultStore.text(here));
  }

  @Test
  void jarsOfUsersTravel() throws IOException {
    Path jar = folder.resolve("sweep/own.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("own/Policy.class"));
      zip.write(1);
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    Point point;
    Task task;
    try (URLClassLoader users = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(users);
      point = point("gpus: [h200]\nset: {sm.count: 1}\n");
      task = task(point);
    } finally {
      thread.setContextClassLoader(before);
    }
    contents.put(Parcel.sha256(jar), Files.readAllBytes(jar));
    Files.delete(jar);
    assertThat(task.plugins()).hasSize(1);
    assertThat(ended(machine("cache"), point, task).result()).isNotNull();
    Task without = new Task(point, task.gpu(), task.standards(), task.trace(), List.of());
    assertThat(Answer.of(machine("cache").apply(without.line(), engine)).refusal())
        .contains("another build");
  }

  @Test
  void aFailureNamesTheTraceWhereTheUserHasIt() throws IOException {
    Path kernel = trace.resolve("kernel-2.traceg");
    Files.writeString(kernel, Files.readString(kernel).replace("(1,1,1)", "(2,1,1)"));
    Point point = point("gpus: [h200]\n");
    On.Ended there = ended(machine("cache"), point, task(point));
    assertThat(there.result()).isNull();
    assertThatThrownBy(() -> PointRun.of(point, gpu(point), new StopSignal()))
        .satisfies(e -> assertThat(there.failure()).isEqualTo(PointRun.words((Exception) e)));
  }

  @Test
  void otherContentThanPlannedIsRefused() throws IOException {
    Point point = point("gpus: [h200]\n");
    Task task = task(point);
    Files.writeString(
        trace.resolve("kernel-2.traceg"), "\n", java.nio.file.StandardOpenOption.APPEND);
    Answer answer = Answer.of(machine("cache").apply(task.line()));
    assertThat(answer.result()).isNull();
    assertThat(answer.failure())
        .contains("kernel-2.traceg: found other content than when the study was planned");
    assertThat(folder.resolve("cache")).isDirectoryNotContaining(Files::isDirectory);
  }

  @Test
  void anotherBuildOfWarplineSimulatesNothing() throws IOException {
    Point point = point("gpus: [h200]\n");
    Point other =
        new Point(
            point.trace(),
            point.gpu(),
            point.core(),
            point.settings(),
            point.kernels(),
            point.maxCycles(),
            point.traceSha256(),
            point.descriptionSha256(),
            "another");
    Answer answer = Answer.of(machine("cache").apply(task(other).line(), engine));
    assertThat(answer.refusal()).contains("found another build of Warpline");
    StopSignal stop = new StopSignal();
    Pending pending = new Pending(stop);
    List<On.Ended> told = new ArrayList<>();
    pending.add(other, told::add);
    assertThat(pending.answered(answer.line())).isTrue();
    assertThat(stop.reason()).contains("another build");
    assertThat(told).singleElement().matches(end -> end.result() == null && end.failure() == null);
  }

  @Test
  void theFirstAnswerCountsAndDamagedOnesDoNot() throws IOException {
    Point point = point("gpus: [h200]\nset: {sm.count: 1}\n");
    String line = machine("cache").apply(task(point).line(), engine);
    Pending pending = new Pending(new StopSignal());
    List<On.Ended> told = new ArrayList<>();
    pending.add(point, told::add);
    assertThat(pending.answered(line.substring(0, line.length() / 2))).isFalse();
    assertThat(told).isEmpty();
    assertThat(pending.answered(line)).isTrue();
    assertThat(pending.answered(line)).isTrue();
    assertThat(told).hasSize(1);
  }

  @Test
  void anInterruptEndsTheSimulation() throws Exception {
    Point point = point("gpus: [h200]\n");
    String line = task(point).line();
    TaskRun machine = machine("cache");
    List<Throwable> thrown = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              try {
                machine.apply(line, engine);
              } catch (RuntimeException e) {
                thrown.add(e);
              }
            });
    thread.start();
    thread.join();
    assertThat(thrown)
        .singleElement()
        .isInstanceOfAny(UnfinishedSimulationException.class, UncheckedIOException.class);
  }

  private static GpuDescription gpu(Point point) throws IOException {
    return new GpuSource(point.gpu()).load(point.settings());
  }
}
