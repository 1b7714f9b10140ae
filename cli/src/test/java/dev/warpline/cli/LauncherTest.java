package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** The script {@code warpline}, run by bash, with a small program in Warpline's place. */
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "warpline");
  private static final Path BASH = Path.of("/bin/bash");
  private static final String THIS_JAVA = System.getProperty("java.home");

  /**
   * Says which collector works, its arguments, and whether it is to go without the optimising
   * compiler if that was asked.
   */
  private static final String PROGRAM =
      """
      import java.lang.management.ManagementFactory;
      public class Small {
        public static void main(String[] arguments) {
          System.out.println(ManagementFactory.getGarbageCollectorMXBeans().get(0).getName());
          System.out.println(String.join("|", arguments));
          if (System.getenv("ASK_QUICK") != null) {
            System.out.println(System.getProperty("warpline.quick"));
          }
        }
      }
      """;

  private record Outcome(int exit, String out, String err) {}

  @TempDir static Path shared;
  private static byte[] smallJar;

  @TempDir Path root;
  private Path built;

  @BeforeAll
  static void compile() throws IOException {
    assumeTrue(Files.isExecutable(BASH), "no bash here");
    Path source = Files.writeString(shared.resolve("Small.java"), PROGRAM);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "--release", "17", "-d", shared.toString(), source.toString());
    assertThat(failed).isZero();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Small");
    Path jar = shared.resolve("small.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry("Small.class"));
      out.write(Files.readAllBytes(shared.resolve("Small.class")));
    }
    smallJar = Files.readAllBytes(jar);
  }

  @BeforeEach
  void checkout() throws IOException {
    built = Files.createDirectories(root.resolve("cli/target"));
    Files.createDirectories(root.resolve("cli/src/main"));
    Files.copy(SCRIPT, root.resolve("warpline"));
    Files.createFile(root.resolve("pom.xml"));
    Files.createFile(root.resolve("cli/pom.xml"));
  }

  private void alreadyBuilt() throws IOException {
    Files.write(built.resolve("warpline.jar"), smallJar);
    Files.createFile(built.resolve("launcher.stamp"));
  }

  private Outcome launch(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(BASH.toString(), root + "/warpline"));
    command.addAll(List.of(arguments));
    Path out = shared.resolve("out");
    Path err = shared.resolve("err");
    ProcessBuilder process =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    process.environment().keySet().removeIf(name -> name.contains("JAVA") || name.contains("JDK"));
    process.environment().keySet().removeIf(name -> name.startsWith("WARPLINE"));
    process.environment().put("JAVA_HOME", THIS_JAVA);
    process.environment().putAll(environment);
    Process running = process.start();
    assertThat(running.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Outcome(running.exitValue(), Files.readString(out), Files.readString(err));
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(built)) {
      return files.filter(file -> file.toString().matches(".*\\.(jsa|aot).*")).sorted().toList();
    }
  }

  /** A folder with some of this machine's commands and scripts in place of others. */
  private Path commands(Map<String, String> scripts, String... real) throws IOException {
    Path folder = Files.createDirectory(root.resolve("commands"));
    for (String name : real) {
      for (String place : List.of("/usr/bin/", "/bin/")) {
        if (Files.exists(Path.of(place + name))) {
          script(folder.resolve(name), "exec " + place + name + " \"$@\"");
        }
      }
    }
    for (Map.Entry<String, String> script : scripts.entrySet()) {
      script(folder.resolve(script.getKey()), script.getValue());
    }
    return folder;
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!" + BASH + "\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void argumentsArriveAsTheyWereGivenAndTheSerialCollectorWorks() throws Exception {
    alreadyBuilt();
    Outcome run = launch(Map.of(), "run", "two words", "*");
    assertThat(run).isEqualTo(new Outcome(0, "Copy\nrun|two words|*\n", ""));
  }

  @Test
  void aLongArchiveIsKnownByItsEndAndGetsTheOptimisingCompilerAtOnce() throws Exception {
    alreadyBuilt();
    Path small = archive("small.tar.xz", 1, 1_000_000);
    Path large = archive("large.tar.xz", 1, 180_000_000);
    Path parts = archive("parts.tar.xz", 3, 60_000_000);
    Path cut =
        Files.write(root.resolve("cut.tar.xz"), new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z'});
    assertThat(
            List.of(
                quick("run", small), quick("run", cut), quick("run", root.resolve("none.tar.xz"))))
        .containsOnly("yes");
    assertThat(List.of(quick("run", large), quick("run", parts))).containsOnly("null");
    assertThat(quick("gpus", large)).isEqualTo("yes");
  }

  private String quick(String command, Path archive) throws Exception {
    Outcome run = launch(Map.of("ASK_QUICK", "1"), command, "--gpu", "h200", archive.toString());
    assertThat(run.exit()).isZero();
    return run.out().lines().toList().get(2);
  }

  /** Zeros in blocks, as xz packs a tar archive. */
  private Path archive(String name, int blocks, int bytes) throws IOException {
    Path file = root.resolve(name);
    try (XZOutputStream out =
        new XZOutputStream(Files.newOutputStream(file), new LZMA2Options(0))) {
      byte[] zeros = new byte[1_000_000];
      for (int block = 0; block < blocks; block++) {
        for (int left = bytes; left > 0; left -= zeros.length) {
          out.write(zeros);
        }
        out.endBlock();
      }
    }
    return file;
  }

  @Test
  void aCollectorMayBeChosen() throws Exception {
    alreadyBuilt();
    Map<String, String> names = Map.of("G1", "G1 Young", "Parallel", "PS ", "Serial", "Copy");
    for (Map.Entry<String, String> name : names.entrySet()) {
      String option = "-XX:+Use" + name.getKey() + "GC";
      for (String variable : List.of("WARPLINE_JAVA_OPTS", "JAVA_TOOL_OPTIONS")) {
        Outcome run = launch(Map.of(variable, "-Xmx200m " + option));
        assertThat(run.out()).as(variable + " " + option).startsWith(name.getValue());
        assertThat(run.exit()).isZero();
        if (variable.startsWith("WARPLINE")) {
          assertThat(run.err()).isEmpty();
        }
      }
    }
  }

  @Test
  void preparedClassesAreMadeOnceAndUsed() throws Exception {
    alreadyBuilt();
    launch(Map.of());
    assertThat(archives()).hasSize(1);
    Path archive = archives().get(0);
    Object made = Files.getLastModifiedTime(archive);
    Path log = root.resolve("classes.log");
    Outcome second = launch(Map.of("WARPLINE_JAVA_OPTS", "-Xlog:class+load:file=" + log));
    assertThat(second.err()).isEmpty();
    assertThat(Files.readString(log)).containsPattern("Small source: shared objects file");
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
  }

  @Test
  void anotherJavaHasItsOwnPreparedClassesAndNobodyComplains() throws Exception {
    alreadyBuilt();
    List<String> javas = new ArrayList<>(List.of(THIS_JAVA));
    // The same Java under another name and with another release is another one to the launcher.
    Path other = Files.createDirectories(root.resolve("java/bin"));
    script(other.resolve("java"), "exec '" + THIS_JAVA + "/bin/java' \"$@\"");
    Files.writeString(root.resolve("java/release"), "JAVA_VERSION=\"17.9\"\n");
    javas.add(root.resolve("java").toString());
    javas.addAll(installed());
    for (int round = 0; round < 2; round++) {
      for (String java : javas) {
        Outcome run = launch(Map.of("JAVA_HOME", java));
        assertThat(run).as(java).isEqualTo(new Outcome(0, "Copy\n\n", ""));
      }
    }
    assertThat(archives()).hasSize(javas.size());
  }

  /** Other Java installations of this machine that are new enough. */
  private static List<String> installed() throws IOException {
    Path folder = Path.of("/usr/lib/jvm");
    List<String> all = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> homes = Files.list(folder)) {
        for (Path home : homes.sorted().toList()) {
          boolean link = Files.isSymbolicLink(home);
          boolean here = home.equals(Path.of(THIS_JAVA));
          boolean known = Files.exists(home.resolve("release"));
          if (!link && !here && known && Files.isExecutable(home.resolve("bin/java"))) {
            String release = Files.readString(home.resolve("release"));
            if (release.matches("(?s).*JAVA_VERSION=\"(1[7-9]|[2-9][0-9])\\b.*")) {
              all.add(home.toString());
            }
          }
        }
      }
    }
    return all;
  }

  @Test
  void preparedClassesOfAnOlderJarOrADamagedFileDoNoHarm() throws Exception {
    alreadyBuilt();
    launch(Map.of());
    Files.write(archives().get(0), "damaged".getBytes(StandardCharsets.UTF_8));
    assertThat(launch(Map.of())).isEqualTo(new Outcome(0, "Copy\n\n", ""));
    Thread.sleep(1100);
    Files.write(built.resolve("warpline.jar"), smallJar);
    assertThat(launch(Map.of())).isEqualTo(new Outcome(0, "Copy\n\n", ""));
    assertThat(Files.size(archives().get(0))).isGreaterThan(1000);
  }

  @Test
  void optionsThatThePreparedClassesDoNotFitPrintNothing() throws Exception {
    alreadyBuilt();
    launch(Map.of());
    for (String java : Stream.concat(Stream.of(THIS_JAVA), installed().stream()).toList()) {
      Map<String, String> environment =
          Map.of("JAVA_HOME", java, "WARPLINE_JAVA_OPTS", "-XX:-UseCompressedOops");
      assertThat(launch(environment)).as(java).isEqualTo(new Outcome(0, "Copy\n\n", ""));
    }
  }

  @Test
  void withoutJavaTheLauncherSaysTheOneCommandThatInstallsIt() throws Exception {
    alreadyBuilt();
    Path path =
        commands(
            Map.of("apt-get", "exit 0", "apt-cache", "[ \"$2\" != openjdk-17-jdk-headless ]"),
            "id");
    Outcome run = launch(Map.of("JAVA_HOME", "", "PATH", path.toString()));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .contains("no Java found")
        .contains("apt-get install -y openjdk-21-jdk-headless maven\n");
  }

  /** What unpacking a release gives. */
  private void unpacked() throws IOException {
    Files.delete(root.resolve("pom.xml"));
    Files.delete(root.resolve("cli/pom.xml"));
    Files.write(root.resolve("warpline.jar"), smallJar);
  }

  @Test
  void aReleaseNeedsNoBuildAndPreparesItsClassesBesideTheJar() throws Exception {
    unpacked();
    Outcome run = launch(Map.of(), "a");
    assertThat(run).isEqualTo(new Outcome(0, "Copy\na\n", ""));
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files.filter(file -> file.toString().matches(".*\\.(jsa|aot)"))).hasSize(1);
    }
  }

  @Test
  void aReleaseWithItsOwnJavaTakesNoOther() throws Exception {
    unpacked();
    Path own = Files.createDirectories(root.resolve("runtime/bin"));
    script(own.resolve("java"), "echo own >&2; exec '" + THIS_JAVA + "/bin/java' \"$@\"");
    for (String java : List.of("", THIS_JAVA)) {
      Outcome run = launch(Map.of("JAVA_HOME", java, "WARPLINE_JAVA_OPTS", "-XX:+UseSerialGC"));
      assertThat(run).isEqualTo(new Outcome(0, "Copy\n\n", "own\n"));
    }
  }

  @Test
  void aJavaThatCannotPrepareAnythingIsAskedOnce() throws Exception {
    unpacked();
    Path own = Files.createDirectories(root.resolve("runtime/bin"));
    Path calls = root.resolve("calls");
    script(
        own.resolve("java"),
        "for word; do if [ \"$word\" = rehearse ]; then echo asked >>"
            + calls
            + "; exit 1; fi; done\n[ \"$2\" = -Xshare:dump ] && exit 1\nexec '"
            + THIS_JAVA
            + "/bin/java' \"$@\"");
    for (int start = 0; start < 2; start++) {
      assertThat(launch(Map.of())).isEqualTo(new Outcome(0, "Copy\n\n", ""));
    }
    assertThat(Files.readAllLines(calls)).containsExactly("asked");
  }

  @Test
  void aReleaseWithoutJavaSaysThatAJreIsEnough() throws Exception {
    unpacked();
    Path path = commands(Map.of("apt-get", "exit 0"));
    Outcome run = launch(Map.of("JAVA_HOME", "", "PATH", path.toString()));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("apt-get install default-jre-headless").doesNotContain("aven");
  }

  @Test
  void onAMacItSaysBrew() throws Exception {
    alreadyBuilt();
    Path path = commands(Map.of());
    Outcome run = launch(Map.of("JAVA_HOME", "", "PATH", path.toString(), "OSTYPE", "darwin23"));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("brew install --cask temurin && brew install maven\n");
  }

  @Test
  void aJavaThatIsTooOldIsNamed() throws Exception {
    alreadyBuilt();
    Path java = Files.createDirectories(root.resolve("old/bin")).resolve("java");
    script(java, "exit 9");
    Files.writeString(root.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");
    Outcome run =
        launch(
            Map.of(
                "JAVA_HOME",
                root.resolve("old").toString(),
                "PATH",
                commands(Map.of()).toString()));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("old/bin/java is Java 11; Warpline needs Java 17 or newer");
  }

  @Test
  void withoutMavenNothingCanBeBuiltAndItSaysHow() throws Exception {
    Path path = commands(Map.of("apt-get", "exit 0"), "id", "mkdir", "flock");
    Outcome run = launch(Map.of("PATH", path.toString()));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .contains("no Maven found")
        .contains("apt-get install -y openjdk-17-jdk-headless maven\n");
  }

  @Test
  void itBuildsOnceAndAgainAfterAChange() throws Exception {
    Path jar = Files.write(root.resolve("small.jar"), smallJar);
    Path calls = root.resolve("calls");
    String maven = "echo \"$*\" >>" + calls + "\ncp " + jar + " cli/target/warpline.jar";
    Path path = commands(Map.of("mvn", maven));
    Map<String, String> environment = Map.of("PATH", path + ":/usr/bin:/bin");
    assertThat(launch(environment, "a").out()).isEqualTo("Copy\na\n");
    assertThat(launch(environment, "b").err()).isEmpty();
    assertThat(Files.readAllLines(calls)).hasSize(1);
    Thread.sleep(1100);
    Files.createFile(root.resolve("cli/src/main/New.java"));
    assertThat(launch(environment, "c").err()).contains("building");
    assertThat(Files.readAllLines(calls)).hasSize(2);
  }

  @Test
  void aBuildThatFailsShowsWhyAndWhereTheLogIs() throws Exception {
    Path path = commands(Map.of("mvn", "echo no such symbol\nexit 1"));
    Outcome run = launch(Map.of("PATH", path + ":/usr/bin:/bin"));
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("no such symbol", "the build failed", "launcher.log");
  }
}
