package dev.warpline.study.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's own commands, and what they say. */
final class SlurmCommands {
  private static final long PATIENCE_SECONDS = 120;
  private static final Pattern ELAPSED = Pattern.compile("(?:(?:(\\d+)-)?(\\d+):)?(\\d+):(\\d+)");

  /**
   * An element of an array that Slurm still has.
   *
   * @param job name of the job
   * @param running whether it runs, and does not wait
   * @param seconds how long it runs
   */
  record Element(String job, int number, boolean running, long seconds) {}

  /** The longest array that Slurm takes; finds out whether there is a Slurm at all. */
  int mostElements() throws IOException {
    String said = run(List.of("scontrol", "show", "config"));
    Matcher size = Pattern.compile("MaxArraySize\\s*=\\s*(\\d+)").matcher(said);
    return size.find() ? Math.max(1, Integer.parseInt(size.group(1)) - 1) : 1000;
  }

  /** Submits a script; the job's number. */
  String submit(Path script, List<String> options) throws IOException {
    List<String> command = new ArrayList<>(List.of("sbatch", "--parsable"));
    command.addAll(options);
    command.add(script.toString());
    String[] words = run(command).strip().split("[;\\s]");
    if (!words[0].matches("\\d+")) {
      throw new IOException("sbatch: found \"" + words[0] + "\", expected the number of a job");
    }
    return words[0];
  }

  /** What Slurm still has of jobs with these names. */
  List<Element> elements(List<String> names) throws IOException {
    List<Element> elements = new ArrayList<>();
    String said =
        run(List.of("squeue", "-h", "-r", "-n", String.join(",", names), "-o", "%j %K %T %M"));
    for (String line : said.lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length == 4 && words[1].matches("\\d+") && !words[2].equals("COMPLETING")) {
        boolean running = words[2].equals("RUNNING");
        elements.add(new Element(words[0], Integer.parseInt(words[1]), running, time(words[3])));
      }
    }
    return elements;
  }

  private static long time(String elapsed) {
    Matcher parts = ELAPSED.matcher(elapsed);
    return parts.matches()
        ? ((number(parts.group(1)) * 24 + number(parts.group(2))) * 60 + number(parts.group(3)))
                * 60
            + number(parts.group(4))
        : 0;
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  void cancel(List<String> jobs) throws IOException {
    List<String> command = new ArrayList<>(List.of("scancel"));
    command.addAll(jobs);
    run(command);
  }

  /** How an element of a job ended. */
  String end(String job, int element) {
    try {
      String said = run(List.of("scontrol", "show", "job", "-o", job + "_" + element));
      Map<String, String> fields = new HashMap<>();
      for (String word : said.lines().findFirst().orElse("").split("\\s+")) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          fields.put(word.substring(0, equals), word.substring(equals + 1));
        }
      }
      return String.format(
          "%s on %s, exit code %s",
          fields.getOrDefault("JobState", "unknown"),
          fields.getOrDefault("NodeList", "no node"),
          fields.getOrDefault("ExitCode", "unknown"));
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String run(List<String> command) throws IOException {
    Path out = Files.createTempFile("warpline-slurm", ".txt");
    Path err = Files.createTempFile("warpline-slurm", ".txt");
    try {
      Process process;
      try {
        process =
            new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
      } catch (IOException e) {
        throw new IOException(
            "--on slurm: no "
                + command.get(0)
                + " here; it needs Slurm's commands on the PATH, as a login node of the cluster has"
                + " them",
            e);
      }
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command.get(0) + ": no answer in " + PATIENCE_SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        String said = Files.readString(err, StandardCharsets.UTF_8).strip().replace("\n", "; ");
        throw new IOException(
            said.startsWith(command.get(0)) ? said : command.get(0) + ": " + said);
      }
      return Files.readString(out, StandardCharsets.UTF_8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.get(0) + ": interrupted", e);
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }
}
