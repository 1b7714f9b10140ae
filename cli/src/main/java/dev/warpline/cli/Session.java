package dev.warpline.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.Build;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Commands from another program, e.g. Python, in a process that stays: a line of JSON for each
 * request and each event. docs/python.md has the protocol.
 */
final class Session {
  /** Grows when a program that speaks an older one would no longer understand. */
  static final int PROTOCOL = 1;

  /** How long simulations may take to see that nobody waits for them any more. */
  private static final long PATIENCE_SECONDS = 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferedReader requests;
  private final Writer events;
  private final Map<Long, SessionCall> running = new ConcurrentHashMap<>();

  Session(BufferedReader requests, Writer events) {
    this.requests = requests;
    this.events = events;
  }

  /** Answers until the requests end; what is still running then is stopped. */
  void serve() throws IOException {
    tell(
        JSON.createObjectNode()
            .put("event", "ready")
            .put("protocol", PROTOCOL)
            .put("version", Build.version())
            .put("commit", Build.commit())
            .put("java", Runtime.version().toString())
            .put("pid", ProcessHandle.current().pid()));
    int number = 0;
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      number++;
      if (!line.isBlank()) {
        try {
          take(line);
        } catch (IllegalArgumentException e) {
          tell(
              JSON.createObjectNode()
                  .put("event", "refused")
                  .put("message", "request " + number + ": " + e.getMessage()));
        }
      }
    }
    List<SessionCall> left = new ArrayList<>(running.values());
    left.forEach(call -> call.stop("nobody waits for it any more"));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (SessionCall call : left) {
      call.await(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
  }

  private void take(String line) {
    JsonNode request = read(line);
    if (request.has("cancel")) {
      // A call that has just ended has said so.
      SessionCall call = running.get(number(request, "cancel"));
      if (call != null) {
        call.stop("interrupted");
      }
      return;
    }
    long id = number(request, "id");
    List<String> words = new ArrayList<>();
    JsonNode arguments = request.path("arguments");
    arguments.forEach(word -> words.add(word.asText()));
    if (words.isEmpty()) {
      throw new IllegalArgumentException(
          "found no \"arguments\", expected a list, e.g. [\"run\", \"a.wlt\"]");
    }
    Path folder = Path.of(request.path("folder").asText("")).toAbsolutePath();
    SessionCall call = new SessionCall(id, words, folder, this::tell, () -> running.remove(id));
    if (running.putIfAbsent(id, call) != null) {
      throw new IllegalArgumentException("\"id\" " + id + " is that of a call that still runs");
    }
    call.start();
  }

  private static JsonNode read(String line) {
    try {
      JsonNode request = JSON.readTree(line);
      if (!request.isObject()) {
        throw new IllegalArgumentException("expected an object, found " + line);
      }
      return request;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  private static long number(JsonNode request, String name) {
    JsonNode value = request.path(name);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException("\"" + name + "\": expected a whole number");
    }
    return value.asLong();
  }

  /** Says one thing; from any thread. */
  private void tell(ObjectNode event) {
    synchronized (events) {
      try {
        events.write(JSON.writeValueAsString(event));
        events.write('\n');
        events.flush();
      } catch (IOException e) {
        // Nobody reads any more: what runs need not go on, and the requests end soon.
        running.values().forEach(call -> call.stop("nobody waits for it any more"));
      }
    }
  }
}
