package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program hears that talks to {@code warpline session}. */
@Timeout(120)
class SessionTest {
  private static final String TRACES = Path.of("../examples/traces").toAbsolutePath().toString();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PipedWriter requests = new PipedWriter();
  private final List<JsonNode> heard = new ArrayList<>();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private Thread session;

  @BeforeEach
  void start() throws Exception {
    BufferedReader in = new BufferedReader(new PipedReader(requests, 1 << 16));
    session =
        new Thread(
            () -> {
              try {
                new Session(in, new Lines(events)).serve();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    session.start();
    assertThat(next("ready").path("protocol").asInt()).isEqualTo(Session.PROTOCOL);
  }

  @AfterEach
  void end() throws Exception {
    requests.close();
    session.join();
  }

  private void say(String text) throws IOException {
    requests.write(text.replace('\'', '"') + "\n");
    requests.flush();
  }

  /** The next event of a kind; it and those before are kept in {@link #heard}. */
  private JsonNode next(String kind) throws Exception {
    while (true) {
      String line = events.poll(60, TimeUnit.SECONDS);
      assertThat(line).as("after " + heard).isNotNull();
      JsonNode event = JSON.readTree(line);
      heard.add(event);
      if (event.path("event").asText().equals(kind)) {
        return event;
      }
    }
  }

  /** Gives each line that is written to a queue. */
  private static final class Lines extends Writer {
    private final Queue<String> lines;
    private final StringBuilder line = new StringBuilder();

    Lines(Queue<String> lines) {
      this.lines = lines;
    }

    @Override
    public void write(char[] text, int from, int length) {
      for (int i = from; i < from + length; i++) {
        if (text[i] == '\n') {
          lines.add(line.toString());
          line.setLength(0);
        } else {
          line.append(text[i]);
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void severalRunsAreAnsweredByOneSessionWithTheirResults() throws Exception {
    String run = "'arguments':['run','vecadd','--gpu=h200'],'folder':'" + TRACES + "'";
    say("{'id':1," + run + "}");
    JsonNode first = next("done");
    assertThat(heard.get(1).path("event").asText()).isEqualTo("progress");
    assertThat(heard.get(1).path("blocks").asInt()).isPositive();
    say("{'id':2," + run + "}");
    JsonNode second = next("done");
    assertThat(List.of(first.path("id").asInt(), second.path("id").asInt())).containsExactly(1, 2);
    assertThat(first.path("code").asInt()).isZero();
    assertThat(first.path("text").asText()).contains("vecadd(float const*");
    assertThat(first.path("result").path("cycles").asLong()).isPositive();
    assertThat(second.path("result").path("kernels"))
        .isEqualTo(first.path("result").path("kernels"));
  }

  @Test
  void whatFailsSaysWhyAndTheSessionGoesOn() throws Exception {
    say("{'id':1,'arguments':['run','nosuch.wlt'],'folder':'" + TRACES + "'}");
    JsonNode absent = next("done");
    assertThat(absent.path("code").asInt()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(absent.path("messages").asText())
        .isEqualToIgnoringNewLines("warpline: " + TRACES + "/nosuch.wlt: no such file or folder");
    say("{'id':2,'arguments':['serve']}");
    assertThat(next("done").path("messages").asText()).contains("serve: expected one of");
    say("no JSON");
    assertThat(next("refused").path("message").asText()).startsWith("request 3: ");
    say("{'id':3}");
    assertThat(next("refused").path("message").asText()).contains("found no \"arguments\"");
    say("{'id':4,'arguments':['gpus','--json=-']}");
    assertThat(JSON.readTree(next("done").path("text").asText()).get(0).path("name").asText())
        .isEqualTo("h200");
  }

  @Test
  void aRunCanBeStopped() throws Exception {
    String run = "'arguments':['run','attention.wlt','--gpu=h200'],'folder':'" + TRACES + "'";
    say("{'id':7," + run + "}");
    next("progress");
    say("{'cancel':7}");
    JsonNode done = next("done");
    assertThat(done.path("code").asInt()).isEqualTo(ExitCode.UNFINISHED);
    assertThat(done.path("messages").asText()).contains("interrupted");
  }

  @Test
  void theEndOfTheRequestsStopsWhatRuns() throws Exception {
    String run = "'arguments':['run','attention.wlt','--gpu=h200'],'folder':'" + TRACES + "'";
    say("{'id':1," + run + "}");
    next("progress");
    requests.close();
    assertThat(next("done").path("messages").asText()).contains("nobody waits for it any more");
    session.join();
  }
}
