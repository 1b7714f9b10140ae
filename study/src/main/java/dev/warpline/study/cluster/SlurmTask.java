package dev.warpline.study.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * One element of a Slurm array, on its node: simulates the tasks of its file and appends each
 * answer to another. What an element before it, of the same number, has answered is not simulated
 * again.
 */
public final class SlurmTask {
  private final Queue<String> tasks = new ArrayDeque<>();
  private final FileChannel answers;
  private final TaskRun run = new TaskRun();

  private SlurmTask(Path folder, int element) throws IOException {
    Path file = answers(folder, element);
    answers =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    Set<String> answered = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      try {
        answered.add(Answer.of(line).id());
      } catch (IOException e) {
        // Cut off when its writer was killed.
      }
    }
    if (answers.size() > 0) {
      write("");
    }
    for (String line : Files.readAllLines(tasks(folder, element))) {
      int space = line.indexOf(' ');
      if (!answered.contains(line.substring(0, space))) {
        tasks.add(line.substring(space + 1));
      }
    }
  }

  static Path tasks(Path folder, int element) {
    return folder.resolve("tasks-" + element);
  }

  static Path answers(Path folder, int element) {
    return folder.resolve("answers-" + element);
  }

  /** Begins: a job's folder, the number of the element, tasks at a time. */
  public static void main(String[] arguments) throws Exception {
    SlurmTask task = new SlurmTask(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      Thread thread = new Thread(task::work, "tasks " + i);
      thread.setUncaughtExceptionHandler(
          (who, problem) -> {
            problem.printStackTrace();
            Runtime.getRuntime().halt(1);
          });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work() {
    try {
      for (String line = next(); line != null; line = next()) {
        write(run.apply(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized String next() {
    return tasks.poll();
  }

  /** One line, on the disk when this returns. */
  private synchronized void write(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      answers.write(bytes);
    }
    answers.force(true);
  }
}
