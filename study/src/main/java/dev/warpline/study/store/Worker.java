package dev.warpline.study.store;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * A process that works on a store.
 *
 * @param id its name in the store
 * @param host the machine, and on Linux its boot and the process' name space: where a process
 *     number means the same
 * @param pid its process number there
 * @param started when the process began, in milliseconds, for numbers that were used again
 */
record Worker(String id, String host, long pid, long started) {
  /** How far two processes may be apart about when a third began: clocks are set. */
  private static final long CLOCK_MILLIS = 5_000;

  /** This process. */
  static Worker self() {
    ProcessHandle process = ProcessHandle.current();
    return new Worker(UUID.randomUUID().toString(), here(), process.pid(), started(process));
  }

  private static long started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static String here() {
    StringBuilder words = new StringBuilder();
    try {
      words.append(InetAddress.getLocalHost().getHostName());
    } catch (IOException e) {
      words.append("unknown");
    }
    try {
      words
          .append(' ')
          .append(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
      words.append(' ').append(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")));
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux: the name of the machine must do.
      words.append(" -");
    }
    return words.toString();
  }

  /** Whether it is certain, from here, that the process is no more. */
  boolean gone(Worker here) {
    return host.equals(here.host)
        && ProcessHandle.of(pid)
            .filter(ProcessHandle::isAlive)
            .filter(process -> Math.abs(started(process) - started) < CLOCK_MILLIS)
            .isEmpty();
  }
}
