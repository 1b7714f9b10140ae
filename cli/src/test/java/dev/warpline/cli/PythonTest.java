package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.warpline.engine.Build;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the Python package, with these classes in place of a build. */
@Tag("long")
class PythonTest {
  private static final Pattern SKIPPED = Pattern.compile("skipped [\"'](.*)[\"']");

  @TempDir Path folder;

  /** The first Python that has all that some tests need, else any, else null. */
  private static String python() throws Exception {
    String any = null;
    for (String python : List.of("python3", "/usr/bin/python3")) {
      try {
        if (run(List.of(python, "-c", "import sys; assert sys.version_info >= (3, 9)")) == 0) {
          any = any == null ? python : any;
          if (run(List.of(python, "-c", "import pandas, matplotlib")) == 0) {
            return python;
          }
        }
      } catch (IOException e) {
        // There is no such Python.
      }
    }
    return any;
  }

  private static int run(List<String> command) throws Exception {
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void itsVersionIsThatOfTheBuild() throws IOException {
    String version = Build.version().replace("-SNAPSHOT", "");
    assertThat(Files.readString(Path.of("../python/pyproject.toml")))
        .contains("\nversion = \"" + version + "\"\n");
    assertThat(Files.readString(Path.of("../python/warpline/__init__.py")))
        .contains("\n__version__ = \"" + version + "\"\n");
  }

  @Test
  void thePackageDoesWhatItsTestsSay() throws Exception {
    String python = python();
    if (python == null) {
      abort("no Python 3.9 or newer here");
    }
    Path home = Files.createDirectory(folder.resolve("home"));
    Path launcher =
        Files.writeString(
            home.resolve("warpline"),
            String.format(
                "#!/bin/sh%nexec '%s/bin/java' -Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                    + " -cp '%s' dev.warpline.cli.Main \"$@\"%n",
                System.getProperty("java.home"),
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path"))));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path said = folder.resolve("said");
    ProcessBuilder tests = new ProcessBuilder(python, "-B", "-m", "unittest", "-v");
    tests.directory(Path.of("../python").toFile());
    tests.environment().put("WARPLINE_HOME", home.toString());
    tests.environment().put("MPLCONFIGDIR", folder.resolve("matplotlib").toString());
    tests.environment().put("PYTHONWARNINGS", "ignore");
    Process running = tests.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean ended = running.waitFor(300, TimeUnit.SECONDS);
    running.destroyForcibly();
    String text = Files.readString(said);
    assertThat(ended).as(text).isTrue();
    assertThat(running.exitValue()).as(text).isZero();
    assertThat(text).containsPattern("Ran [0-9]{2,} tests");
    Matcher skipped = SKIPPED.matcher(text);
    if (skipped.find()) {
      abort("left out, the others passed: " + skipped.group(1));
    }
  }
}
