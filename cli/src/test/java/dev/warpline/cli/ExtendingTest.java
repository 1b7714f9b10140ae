package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.Opcode;
import dev.warpline.isa.OpcodeTable;
import dev.warpline.isa.Pipe;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/extending.md are taken out of the page and do what it says. */
class ExtendingTest {
  private static final Path ROOT = Path.of("..");
  private static final Path TRACE = ROOT.resolve("examples/traces/cpasync.tar.xz");
  private static final String SERVICE = "META-INF/services/dev.warpline.policy.WarpScheduler";

  /** A block of code with a file name behind its language, and the heading it stands under. */
  private record Example(String section, String language, String file, String text) {}

  @TempDir Path folder;

  private static List<Example> examples() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/extending.md"));
    Matcher part =
        Pattern.compile(
                "^## ([^\n]+)$|^```(\\w+) (\\S+)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(page);
    List<Example> examples = new ArrayList<>();
    String section = "";
    while (part.find()) {
      if (part.group(2) == null) {
        section = part.group(1);
      } else {
        examples.add(new Example(section, part.group(2), part.group(3), part.group(4)));
      }
    }
    return examples;
  }

  private static String example(String file) throws IOException {
    return examples().stream()
        .filter(example -> example.file().equals(file))
        .findFirst()
        .orElseThrow()
        .text();
  }

  /** Compiles sources against what the tests run with. */
  private Path compiled(String name, Map<String, String> sources) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(name));
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve(name + "-sources").resolve(source.getKey());
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    java.io.StringWriter messages = new java.io.StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean done =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of("-proc:none", "-cp", classPath(), "-d", classes.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(done).as(messages.toString()).isTrue();
    }
    return classes;
  }

  /** Surefire may hide the class path behind a jar that lists it. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** A jar of every example that is a class or a file beside it. */
  private Path jar() throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (Example example : examples()) {
      if (example.language().equals("java")) {
        sources.put(example.file(), example.text());
      } else if (example.file().startsWith("META-INF/")) {
        entries.put(example.file(), example.text().getBytes());
      }
    }
    Path classes = compiled("plugin", sources);
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        entries.put(name, Files.readAllBytes(file));
      }
    }
    return jar("my.jar", entries);
  }

  private Path jar(String name, Map<String, byte[]> entries) throws IOException {
    Path jar = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }

  private static long cycles(String policy, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("run", TRACE.toString(), "--gpu", "rtx3070", "--core", "classic"));
    arguments.addAll(List.of("--set", "classic.frontEnd.policy=" + policy, "--csv", "-"));
    arguments.addAll(List.of(more));
    Warpline run = Warpline.run(arguments.toArray(new String[0]));
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    int column = List.of(lines.get(0).split(",")).indexOf("cycles");
    return Long.parseLong(lines.get(1).split(",")[column]);
  }

  @Test
  void theSchedulerOfThePageDecides() throws IOException {
    String jar = jar().toString();
    long laggard = cycles("laggard", "--plugin", jar);
    assertThat(Set.of(laggard, cycles("lrr"), cycles("gto"))).hasSize(3);
    assertThat(cycles("laggard:1000000", "--plugin", jar, "--threads", "2"))
        .as("a warp that may run far ahead")
        .isNotEqualTo(laggard);
  }

  @Test
  void wordsOfTheMachineItselfAreListedBesidePolicies() {
    assertThat(Warpline.run("gpus", "policies").out())
        .contains("dependences: what an instruction waits for before it issues")
        .contains("fields: modern.issue.dependences")
        .containsPattern("control-bits +the compiler's stall counts")
        .contains("write policy: what a cache does with the data of a write")
        .containsPattern("classic.l1.cache.write.*detailedMemory.l2.cache.write")
        .containsPattern("write-back +keeps it, modified")
        .containsPattern("lazy-fetch-on-read +takes a place")
        .contains("prefetcher: which lines of code are asked for ahead of their use");
  }

  @Test
  void aSchedulerOfAJarIsListedAndKnownOnlyWithIt() throws IOException {
    String jar = jar().toString();
    assertThat(Warpline.run("gpus", "policies", "--plugin", jar).out())
        .contains("warp scheduler: which of its warps a scheduler issues from")
        .contains("classic.frontEnd.policy")
        .containsPattern("gto +the warp that issued last, then the oldest\n")
        .containsPattern("laggard +the warp furthest behind; .* \\[example\\.Laggard\\]\n");
    assertThat(Warpline.run("gpus", "policies").out()).doesNotContain("laggard");
    String set = "classic.frontEnd.policy=laggard:-1";
    Warpline wrong =
        Warpline.run("run", TRACE.toString(), "--gpu", "rtx3070", "--set", set, "--plugin", jar);
    assertThat(wrong.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(wrong.err())
        .contains("--set " + set)
        .contains("expected how far one may run ahead, as laggard:4");
  }

  @Test
  void aJarWithoutAPolicyIsRefusedByName() throws IOException {
    Path none = folder.resolve("none.jar");
    refused(none, "no such file or folder");
    refused(folder, "found a folder, expected a jar");
    refused(Files.writeString(folder.resolve("text.jar"), "no jar"), "found no jar");
    refused(jar("empty.jar", Map.of("a.txt", new byte[1])), "found no policy, expected");
    refused(jar("lost.jar", Map.of(SERVICE, "example.Lost\n".getBytes())), "example.Lost");
    Map<String, String> twin =
        Map.of(
            "example/Twin.java",
            example("example/Laggard.java")
                .replace("Laggard", "Twin")
                .replace("\"laggard\"", "\"gto\""));
    Path classes = compiled("twin", twin);
    refused(
        jar(
            "twin.jar",
            Map.of(
                SERVICE,
                "example.Twin\n".getBytes(),
                "example/Twin.class",
                Files.readAllBytes(classes.resolve("example/Twin.class")))),
        "two classes are called \"gto\"");
  }

  private static void refused(Path jar, String why) {
    Warpline run = Warpline.run("gpus", "policies", "--plugin", jar.toString());
    assertThat(run.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.err()).startsWith("warpline: " + jar).contains(why);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void theTraceVersionOfThePageIsReadWithItsJar() throws IOException {
    Path trace = Files.createDirectory(folder.resolve("seven"));
    String text = Files.readString(ROOT.resolve("examples/traces/vecadd/kernel-1.traceg"));
    Files.writeString(
        trace.resolve("kernel-1.traceg"),
        text.replaceFirst("(-accelsim tracer version =) \\d", "$1 7"));
    Files.writeString(trace.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Warpline without = Warpline.run("run", trace.toString(), "--gpu", "rtx3070");
    assertThat(without.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(without.err()).contains("found \"7\", expected a version from 0 to 6");
    Warpline with =
        Warpline.run("run", trace.toString(), "--gpu", "rtx3070", "--plugin", jar().toString());
    assertThat(with.code()).as(with.err()).isZero();
  }

  @Test
  void theOpcodeOfThePageIsARowOfItsTable() throws IOException {
    String file = "isa/src/main/resources/dev/warpline/isa/sass/hopper.tsv";
    String row =
        example(file).lines().filter(line -> line.startsWith("+")).findFirst().orElseThrow();
    Opcode opcode = OpcodeTable.parse(row.substring(1));
    assertThat(opcode.name()).isEqualTo("FLERP");
    assertThat(opcode.pipe()).isEqualTo(Pipe.FMA);
    assertThat(opcode.result()).isEqualTo(Opcode.Result.REGISTER);
    assertThat(opcode.flops()).isEqualTo(3);
    assertThat(OpcodeTable.forBinaryVersion(90).lookup("FLERP").known()).isFalse();
  }

  @Test
  void everyGpuOfThePageCanBeUsed() throws IOException {
    int found = 0;
    for (Example example : examples()) {
      if (example.language().equals("yaml")) {
        Path file = Files.writeString(folder.resolve(example.file()), example.text());
        Warpline shown = Warpline.run("gpus", "show", file.toString());
        assertThat(shown.code()).as(shown.err()).isZero();
        found++;
      }
    }
    assertThat(found).isPositive();
  }

  private static long modernCycles(String... settings) {
    List<String> arguments =
        new ArrayList<>(List.of("run", TRACE.toString(), "--gpu", "h200", "--csv", "-"));
    arguments.addAll(List.of(settings));
    Warpline run = Warpline.run(arguments.toArray(new String[0]));
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    int column = List.of(lines.get(0).split(",")).indexOf("cycles");
    return Long.parseLong(lines.get(1).split(",")[column]);
  }

  @Test
  void theReplacementPolicyOfThePageIsKnownAndRuns() throws IOException {
    String jar = jar().toString();
    assertThat(Warpline.run("gpus", "policies", "--plugin", jar).out())
        .contains("replacement: which line of a set makes room for another")
        .contains("flowMemory.l2Replacement")
        .containsPattern(
            "lfu +the line used least often since it came.* \\[example\\.LeastOften\\]");
    String everywhere = "flowMemory.l2Replacement=lfu";
    long first = modernCycles("--set", everywhere, "--plugin", jar);
    assertThat(modernCycles("--set", everywhere, "--plugin", jar, "--threads", "2"))
        .isEqualTo(first);
    Warpline without = Warpline.run("gpus", "show", "h200", "--set", everywhere);
    assertThat(without.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(without.err()).contains("expected one of fifo, lru, random, srrip, tree-plru");
  }

  @Test
  void theReplacementPolicyOfThePageDecides() throws IOException {
    String[] small = {
      "--set", "detailedMemory.l2.cache.sets=1", "--set", "detailedMemory.l2.cache.ways=4"
    };
    long lru = cycles("lrr", small);
    List<String> chosen = new ArrayList<>(List.of(small));
    chosen.addAll(List.of("--set", "detailedMemory.l2.cache.replacement=lfu"));
    chosen.addAll(List.of("--plugin", jar().toString()));
    long lfu = cycles("lrr", chosen.toArray(new String[0]));
    assertThat(lfu).isNotEqualTo(lru);
  }

  @Test
  void theDramStandardOfThePageIsFasterThanHbm3() throws IOException {
    Path file = Files.writeString(folder.resolve("hbm4.yaml"), example("hbm4.yaml"));
    String standard = "flowMemory.dram.standard=";
    long hbm3 = modernCycles("--set", standard + "hbm3", "--set", "flowMemory.dram.stacks=1");
    long hbm4 = modernCycles("--set", standard + file, "--set", "flowMemory.dram.stacks=1");
    assertThat(hbm4).isLessThan(hbm3);
    Warpline wrong = Warpline.run("gpus", "show", "h200", "--set", standard + "hbm9");
    assertThat(wrong.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(wrong.err()).contains("expected a DRAM standard: one of hbm2, hbm2e, hbm3");
  }

  @Test
  void everyChangeOfThePageFitsAndCompiles() throws IOException {
    Map<String, Map<String, String>> changed = new LinkedHashMap<>();
    for (Example example : examples()) {
      if (example.language().equals("diff")) {
        String source = Files.readString(ROOT.resolve(example.file()));
        if (example.file().endsWith(".java")) {
          changed
              .computeIfAbsent(example.section(), section -> new LinkedHashMap<>())
              .put(example.file().replaceFirst(".*/java/", ""), patched(source, example));
        } else {
          patched(source, example);
        }
      }
    }
    assertThat(changed).containsKeys("A statistic", "A stall reason");
    for (Map.Entry<String, Map<String, String>> section : changed.entrySet()) {
      compiled(section.getKey().replace(' ', '-'), section.getValue());
    }
  }

  /** A file with a change: the lines that stay or go must be in it, in a row and only once. */
  private static String patched(String source, Example change) {
    String result = source;
    for (String hunk : change.text().split("(?m)^@@.*\n")) {
      String before = side(hunk, '-');
      assertThat(result.split(Pattern.quote(before), -1))
          .as(change.file() + "\n" + before)
          .hasSize(2);
      result = result.replace(before, side(hunk, '+'));
    }
    return result;
  }

  private static String side(String hunk, char kept) {
    return hunk.lines()
        .filter(line -> line.isEmpty() || line.charAt(0) == ' ' || line.charAt(0) == kept)
        .map(line -> line.isEmpty() ? "" : line.substring(1))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void nothingTakesMoreThanTwoFiles() throws IOException {
    Map<String, Set<String>> files = new LinkedHashMap<>();
    for (Example example : examples()) {
      files.computeIfAbsent(example.section(), s -> new LinkedHashSet<>()).add(example.file());
    }
    assertThat(files).isNotEmpty().allSatisfy((section, its) -> assertThat(its).hasSizeLessThan(3));
  }
}
