package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code mvnw}, with a small archive in Maven's place and no network. */
class MavenWrapperTest {
  private static final Path BASH = Path.of("/bin/bash");

  private record Outcome(int exit, String out, String err) {}

  @TempDir Path root;

  @BeforeEach
  void checkout() throws IOException {
    assumeTrue(Files.isExecutable(BASH), "no bash here");
    Files.createDirectories(root.resolve(".mvn/wrapper"));
    Files.copy(Path.of("../mvnw"), root.resolve("mvnw"));
    Files.createDirectory(root.resolve("commands"));
  }

  private void properties(String sum) throws IOException {
    Files.writeString(
        root.resolve(".mvn/wrapper/maven-wrapper.properties"),
        "distributionUrl=https://example.invalid/maven2/a/apache-maven-9-bin.zip\n"
            + "distributionSha256Sum="
            + sum
            + "\n");
  }

  /** Puts a script in a command's place. */
  private void command(String name, String text) throws IOException {
    Path file = Files.writeString(root.resolve("commands/" + name), "#!" + BASH + "\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome mvnw(Map<String, String> environment, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of(BASH.toString(), root + "/mvnw"));
    words.addAll(List.of(arguments));
    Path out = root.resolve("out");
    Path err = root.resolve("err");
    ProcessBuilder process =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    process.environment().put("MAVEN_USER_HOME", root.resolve("kept").toString());
    process.environment().put("PATH", root.resolve("commands") + ":/usr/bin:/bin");
    process.environment().putAll(environment);
    Process running = process.start();
    assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(running.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void itFetchesOnceChecksTheSumAndPassesArgumentsOn() throws Exception {
    String zip = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    properties(zip);
    command("curl", "echo \"$*\" >>" + root + "/fetched; : >\"$3\"\n");
    command(
        "unzip",
        "mkdir -p \"$4/apache-maven-9/bin\"; f=\"$4/apache-maven-9/bin/mvn\";"
            + " printf '#!/bin/sh\\nprintf \"%%s|\" \"$@\"\\n' >\"$f\"; chmod +x \"$f\"\n");
    assertThat(mvnw(Map.of(), "-q", "two words").out()).isEqualTo("-q|two words|");
    Outcome second = mvnw(Map.of("MVNW_REPOURL", "https://mirror.invalid/x/"), "verify");
    assertThat(second).isEqualTo(new Outcome(0, "verify|", ""));
    assertThat(Files.readAllLines(root.resolve("fetched")))
        .singleElement()
        .asString()
        .endsWith("https://example.invalid/maven2/a/apache-maven-9-bin.zip");
  }

  @Test
  void aMirrorIsAsked() throws Exception {
    properties("0");
    command("curl", "exit 22\n");
    Outcome run = mvnw(Map.of("MVNW_REPOURL", "https://mirror.invalid/x/"), "verify");
    assertThat(run.err()).contains("https://mirror.invalid/x/a/apache-maven-9-bin.zip");
  }

  @Test
  void whereNothingCanBeFetchedItSaysSoAndWhatDoesAsWell() throws Exception {
    properties("0");
    command("curl", "exit 6\n");
    Outcome run = mvnw(Map.of(), "-Prelease", "package");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .contains("mvnw: cannot fetch https://example.invalid/")
        .contains("with an installed Maven: mvn -Prelease package");
  }

  @Test
  void anotherFileThanExpectedIsNotRun() throws Exception {
    properties("0123");
    command("curl", "echo other >\"$3\"\n");
    Outcome run = mvnw(Map.of(), "package");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("expected 0123; nothing was run");
  }
}
