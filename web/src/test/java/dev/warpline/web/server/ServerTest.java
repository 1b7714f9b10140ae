package dev.warpline.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Results;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.SyntheticRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  private static final int LIMIT = 200_000;
  private static final Path REDUCE = Path.of("../examples/traces/reduce.wlt");
  private static final Path CONFIGURATION =
      Path.of("../engine/src/test/resources/dev/warpline/engine/accelsim/SM86_RTX3070");

  @TempDir Path folder;
  private final SlowSimulator simulator = new SlowSimulator();
  private final HttpClient client = HttpClient.newHttpClient();
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    Files.writeString(folder.resolve("secret.txt"), "secret");
    serve(new Limits(LIMIT, 4L * LIMIT, 60, 20L * LIMIT, 1, RunLimits.DEFAULT), simulator);
  }

  private void serve(Limits limits, Simulator with) throws IOException {
    if (server != null) {
      server.close();
    }
    server =
        new Server(
            new ServerOptions(folder.resolve("store"), "127.0.0.1", 0, null, limits, List.of()),
            with);
  }

  /** Limits that are not in the way. */
  private static Limits wide() {
    return new Limits(1 << 30, 1L << 34, 60, 1L << 34, 1, RunLimits.DEFAULT);
  }

  @AfterEach
  void stillServesAfterwards() throws Exception {
    assertThat(get("api/gpus").statusCode()).isEqualTo(200);
    server.close();
  }

  @Test
  void thePagesAndTheirFilesAreServed() throws Exception {
    for (String page : new String[] {"", "run.html", "compare.html", "validate.html", "home.js"}) {
      HttpResponse<String> answer = get(page);
      assertThat(answer.statusCode()).as(page).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
    }
  }

  @Test
  void nothingOutsideTheStoreCanBeRead() throws Exception {
    Files.createSymbolicLink(folder.resolve("store/runs/link.json"), folder.resolve("secret.txt"));
    String[] paths = {
      "../secret.txt",
      "%2e%2e/secret.txt",
      "api/runs/..%2f..%2fsecret.txt/result.json",
      "api/runs/%2e%2e%2f%2e%2e%2fsecret/result.json",
      "api/validations/..%2f..%2fsecret.txt",
      "api/validations/....%2fsecret.txt",
      "api/runs/link/result.json",
      "dev/warpline/web/pages/style.css",
      "report.html",
    };
    for (String path : paths) {
      HttpResponse<String> answer = get(path);
      assertThat(answer.statusCode()).as(path).isBetween(400, 404);
      assertThat(answer.body()).as(path).contains("error").doesNotContain("secret\n");
    }
  }

  @Test
  void anUploadLargerThanAllowedIsRefusedByItsHeader() throws Exception {
    HttpResponse<String> answer = put("big.tar.gz", new byte[LIMIT + 1]);
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("larger than " + LIMIT);
    assertThat(Files.list(folder.resolve("store/traces"))).isEmpty();
  }

  @Test
  void anUploadThatDoesNotSayItsSizeIsCutOffAtTheLimit() throws Exception {
    byte[] large = new byte[3 * LIMIT];
    HttpRequest request =
        request("api/traces/big.tar")
            .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))
            .build();
    try {
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The server hung up before it was all sent; that is a refusal too.
      assertThat(e).isNotNull();
    }
    assertThat(Files.list(folder.resolve("store/traces"))).isEmpty();
    assertThat(Files.list(folder.resolve("store"))).hasSize(5);
  }

  @Test
  void anArchiveThatUnpacksToTooMuchIsRefused() throws Exception {
    HttpResponse<String> answer =
        put("bomb.tar.gz", Archives.tarGz("kernel-1.traceg", new byte[8 * LIMIT]));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("unpacks to more than");
  }

  @Test
  void aPackedFileInsideAnArchiveCountsUnpacked() throws Exception {
    byte[] packed = Archives.packedZeros(8 * LIMIT);
    HttpResponse<String> answer = put("bomb.tar.gz", Archives.tarGz("kernel-1.traceg.gz", packed));
    assertThat(answer.statusCode()).isEqualTo(413);
  }

  @Test
  void anArchiveWithAPathThatLeavesItIsRefused() throws Exception {
    HttpResponse<String> answer =
        put("evil.tar.gz", Archives.tarGz("../../etc/cron.d/x", new byte[10]));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("outside the archive");
  }

  @Test
  void whatIsNoArchiveIsRefused() throws Exception {
    assertThat(put("notes.txt", new byte[10]).statusCode()).isEqualTo(415);
    assertThat(put("noise.tar.gz", new byte[100]).statusCode()).isEqualTo(400);
    assertThat(put("noise.tar.xz", new byte[100]).statusCode()).isEqualTo(400);
    assertThat(put("..%2fx.tar.gz", Archives.trace()).statusCode()).isEqualTo(404);
  }

  @Test
  void aPageOfAnotherSiteGetsNoAnswer() throws Exception {
    HttpRequest request =
        request("api/runs").header("Origin", "https://evil.example").GET().build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    HttpRequest fetched = request("api/runs").header("Sec-Fetch-Site", "cross-site").GET().build();
    assertThat(client.send(fetched, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
  }

  @Test
  void aForeignHostNameThatLeadsHereIsRefused() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", port())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void aFormOfAnotherSiteCannotStartARun() throws Exception {
    HttpRequest request =
        request("api/simulations")
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString("{}"))
            .build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(415);
  }

  @Test
  void beyondLoopbackATokenIsNeeded() throws Exception {
    assertThatThrownBy(
            () ->
                new Server(
                    ServerOptions.of(folder.resolve("other"), "0.0.0.0", 0, null), simulator))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("token");
    String token = "a-token-of-some-length";
    try (Server open =
        new Server(ServerOptions.of(folder.resolve("other"), "0.0.0.0", 0, token), simulator)) {
      String base = open.url().replace("0.0.0.0", "127.0.0.1");
      URI plain = URI.create(base.substring(0, base.indexOf('?')) + "api/runs");
      HttpRequest.Builder request = HttpRequest.newBuilder(plain);
      assertThat(status(request.build())).isEqualTo(401);
      assertThat(status(request.setHeader("Authorization", "Bearer wrong").build())).isEqualTo(401);
      assertThat(status(request.setHeader("Authorization", "Bearer " + token).build()))
          .isEqualTo(200);
      assertThat(status(HttpRequest.newBuilder(URI.create(base)).build())).isEqualTo(200);
    }
  }

  @Test
  void aRunIsStartedWatchedAndStored() throws Exception {
    assertThat(put("t.tar.gz", Archives.trace()).statusCode()).isEqualTo(200);
    String id =
        start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\",\"settings\":[]}").path("id").asText();
    simulator.allow(4);
    waitFor(id, "RUNNING", 4);
    simulator.allow(6);
    waitFor(id, "DONE", 10);
    JsonNode run = json(get("api/runs/" + id));
    assertThat(run.path("kernels")).hasSize(2);
    assertThat(run.at("/kernels/1/findings/0/title").asText()).startsWith("Limited by");
    assertThat(get("api/runs/" + id + "/result.csv").body()).contains("stall.dram");
    assertThat(get("api/runs/" + id + "/report.html").body()).contains("FFMA R40");
  }

  @Test
  void aRunningSimulationStopsWhenCancelled() throws Exception {
    put("t.tar.gz", Archives.trace());
    String id = start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    String next = start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    simulator.allow(1);
    waitFor(id, "RUNNING", 1);
    delete("api/simulations/" + next);
    waitFor(next, "CANCELLED", 0);
    assertThat(put("t.tar.gz", Archives.trace()).statusCode()).isEqualTo(409);
    delete("api/simulations/" + id);
    waitFor(id, "CANCELLED", 1);
    assertThat(json(get("api/runs"))).isEmpty();
    assertThat(put("t.tar.gz", Archives.trace()).statusCode()).isEqualTo(200);
  }

  @Test
  void aPausedSimulationStandsStillUntilItIsResumedAndEndsWhenCancelled() throws Exception {
    put("t.tar.gz", Archives.trace());
    String id = start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    simulator.allow(2);
    waitFor(id, "RUNNING", 2);
    assertThat(pause(id)).isEqualTo(200);
    JsonNode held = waitForPause(id, "paused");
    assertThat(held.path("waiting").asText()).contains("at pc 0x40 waits for dram");
    simulator.allow(3);
    Thread.sleep(100);
    assertThat(waitForPause(id, "paused").path("blocksDone")).isEqualTo(held.path("blocksDone"));
    delete("api/simulations/" + id + "/pause");
    waitFor(id, "RUNNING", 5);
    assertThat(pause(id)).isEqualTo(200);
    waitForPause(id, "paused");
    delete("api/simulations/" + id);
    waitFor(id, "CANCELLED", 5);
    assertThat(pause(id)).isEqualTo(409);
  }

  private int pause(String id) throws Exception {
    return status(request("api/simulations/" + id + "/pause").PUT(BodyPublishers.noBody()).build());
  }

  private JsonNode waitForPause(String id, String pause) throws Exception {
    for (int i = 0; i < 200; i++) {
      JsonNode job = waitFor(id, "RUNNING", 0);
      if (job.path("pause").asText().equals(pause)) {
        return job;
      }
      Thread.sleep(10);
    }
    throw new AssertionError(id + " never was " + pause);
  }

  @Test
  void kernelsThatEndedBeforeARunWasStoppedAreKept() throws Exception {
    serve(wide(), new TraceSimulator(1));
    store("vecadd");
    Path traces = folder.resolve("store/traces");
    Files.copy(traces.resolve("vecadd/kernel-1.traceg"), traces.resolve("vecadd/kernel-2.traceg"));
    Files.writeString(traces.resolve("vecadd/kernelslist.g"), "kernel-1.traceg\nkernel-2.traceg\n");
    String wish = "{\"trace\":\"vecadd\",\"gpu\":\"rtx3070\"";
    String whole = start(wish + "}").path("id").asText();
    waitFor(whole, "DONE", 0);
    long cycles = json(get("api/runs/" + whole)).at("/kernels/0/cycles").asLong();
    String part = start(wish + ",\"maxCycles\":" + (cycles + 10) + "}").path("id").asText();
    assertThat(waitFor(part, "FAILED", 0).path("message").asText())
        .endsWith("; kernels that had ended and are kept: 1");
    JsonNode run = json(get("api/runs/" + part));
    assertThat(run.path("kernels")).hasSize(1);
    assertThat(run.at("/kernels/0/cycles").asLong()).isEqualTo(cycles);
    assertThat(run.path("unfinished").asText()).isNotEmpty();
    assertThat(run.path("configuration")).isNotEmpty();
  }

  @Test
  void aRunThatCannotBeIsRefusedWithTheReason() throws Exception {
    put("t.tar.gz", Archives.trace());
    refused("'trace':'none.tar','gpu':'rtx3070'", "none.tar");
    refused("'trace':'t.tar.gz','gpu':'/etc/passwd'", "no GPU");
    refused("'trace':'t.tar.gz','gpu':'mi300a'", "no GPU");
    refused("'trace':'t.tar.gz','gpu':'rtx3070','settings':['no.such=1']", "no.such");
    refused("'trace':'t.tar.gz','gpu':'rtx3070','settings':'no.such=1'", "list");
    refused("'trace':'t.tar.gz','gpu':'rtx3070','core':'xx'", "expected classic or modern");
    refused("'trace':'t.tar.gz','gpu':'rtx3070','cores':'xx'", "found \"cores\"");
    for (String limit : List.of("maxCycles", "maxInstructions", "maxSeconds")) {
      for (String value : List.of("0", "-1", "1.5", "'1'", "1e30", "200000000000")) {
        refused("'trace':'t.tar.gz','gpu':'rtx3070','" + limit + "':" + value, limit + ": found");
      }
    }
    assertThat(json(get("api/simulations"))).isEmpty();
  }

  /** The reason is given with the status of a request that is wrong. */
  private void refused(String wish, String reason) throws Exception {
    HttpResponse<String> answer = post("{" + wish.replace('\'', '"') + "}");
    assertThat(answer.statusCode()).as(wish).isBetween(400, 404);
    assertThat(json(answer).path("error").asText()).as(wish).contains(reason);
  }

  @Test
  void aRunEndsAtTheLimitsItWasGiven() throws Exception {
    serve(wide(), new TraceSimulator(1));
    store("vecadd");
    String common = "{\"trace\":\"vecadd\",\"gpu\":\"rtx3070\",\"core\":\"classic\",";
    String cycles = start(common + "\"maxCycles\":100}").path("id").asText();
    String instructions = start(common + "\"maxInstructions\":100}").path("id").asText();
    String whole = start(common + "\"maxSeconds\":600}").path("id").asText();
    assertThat(waitFor(cycles, "FAILED", 0).path("message").asText()).contains("100");
    assertThat(waitFor(instructions, "FAILED", 0).path("message").asText()).contains("100");
    waitFor(whole, "DONE", 0);
    assertThat(json(get("api/runs"))).hasSize(1);
  }

  @Test
  void aRunWithoutAGpuFollowsItsTrace() throws Exception {
    serve(wide(), new TraceSimulator(1));
    store("vecadd");
    refused("'trace':'vecadd','settings':['no.such=1']", "no.such");
    refused("'trace':'vecadd','core':'xx'", "expected classic or modern");
    String id = start("{\"trace\":\"vecadd\"}").path("id").asText();
    waitFor(id, "DONE", 0);
    assertThat(json(get("api/runs/" + id)).path("gpu").asText()).contains("H200");
  }

  @Test
  void aRunEndsAtTheServersWallTime() throws Exception {
    serve(new Limits(LIMIT, 4L * LIMIT, 60, 20L * LIMIT, 1, new RunLimits(9, 9, 1)), simulator);
    put("t.tar.gz", Archives.trace());
    refused("'trace':'t.tar.gz','gpu':'rtx3070','maxSeconds':2", "expected a whole number from 1");
    String id = start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    assertThat(waitFor(id, "FAILED", 0).path("message").asText())
        .isEqualTo("more than 1 s, the limit of this run");
    assertThat(json(get("api/limits")).at("/run/seconds").asInt()).isEqualTo(1);
  }

  @Test
  void cancelEndsARunThatStillUnpacksItsTrace() throws Exception {
    serve(wide(), new TraceSimulator(1));
    Files.write(folder.resolve("store/traces/slow.tar.gz"), Archives.slow());
    String id = start("{\"trace\":\"slow.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    waitFor(id, "RUNNING", 0);
    Thread.sleep(300);
    long before = System.nanoTime();
    delete("api/simulations/" + id);
    waitFor(id, "CANCELLED", 0);
    assertThat(System.nanoTime() - before).isLessThan(2_000_000_000L);
    store("vecadd");
    String next = start("{\"trace\":\"vecadd\",\"gpu\":\"rtx3070\"}").path("id").asText();
    waitFor(next, "DONE", 0);
  }

  @Test
  void unpackingIsShownBoundedInTimeAndCanBeCancelled() throws Exception {
    serve(new Limits(1 << 30, 1L << 34, 1, 1L << 34, 1, RunLimits.DEFAULT), simulator);
    byte[] slow = Archives.slow();
    CompletableFuture<HttpResponse<String>> upload = putLater("slow.tar.gz", slow);
    JsonNode seen = waitForUpload("UNPACKING");
    assertThat(seen.path("received").asLong()).isEqualTo(slow.length);
    assertThat(seen.path("unpacked").asLong()).isPositive();
    assertThat(upload.get().statusCode()).isEqualTo(413);
    assertThat(upload.get().body()).contains("unpacks for more than 1 s");
    upload = putLater("slow.tar.gz", slow);
    delete("api/uploads/" + waitForUpload("UNPACKING").path("id").asText());
    assertThat(upload.get().statusCode()).isEqualTo(409);
    assertThat(filesOfTheStore()).isEmpty();
  }

  @Test
  void aLargeUploadGoesToTheDiskWhileItComes() throws Exception {
    serve(wide(), simulator);
    byte[] body = Archives.trace();
    try (Socket socket = new Socket("127.0.0.1", port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          head("PUT /api/traces/large.tar.gz", "Content-Length: " + (4_000_000 + body.length)));
      byte[] zeros = new byte[4_000_000];
      out.write(body);
      out.write(zeros, 0, 2_000_000);
      JsonNode upload = waitForUpload("RECEIVING");
      for (int i = 0; i < 200 && upload.path("received").asLong() < 2_000_000; i++) {
        Thread.sleep(10);
        upload = json(get("api/uploads")).path(0);
      }
      assertThat(upload.path("received").asLong()).isEqualTo(2_000_000 + body.length);
      assertThat(upload.path("size").asLong()).isEqualTo(4_000_000 + body.length);
      assertThat(filesOfTheStore()).hasSize(1);
      assertThat(Files.size(filesOfTheStore().get(0))).isEqualTo(2_000_000 + body.length);
    }
    for (int i = 0; i < 200 && !filesOfTheStore().isEmpty(); i++) {
      Thread.sleep(10); // the client hung up in the middle: nothing stays
    }
    assertThat(filesOfTheStore()).isEmpty();
  }

  @Test
  void traceCachesAndNamesInCapitalsAreTaken() throws Exception {
    serve(wide(), new TraceSimulator(1));
    assertThat(put("Reduce.WLT", Files.readAllBytes(REDUCE)).body()).contains("Reduce.wlt");
    assertThat(put("VECADD.Tar.GZ", Archives.trace()).body()).contains("VECADD.tar.gz");
    String id = start("{\"trace\":\"Reduce.wlt\",\"maxCycles\":3000}").path("id").asText();
    assertThat(waitFor(id, "FAILED", 0).path("message").asText()).contains("3000");
    HttpResponse<String> damaged = put("noise.wlt", new byte[1000]);
    assertThat(damaged.statusCode()).isEqualTo(400);
    assertThat(damaged.body()).contains("noise.wlt").contains("WLTRACE");
  }

  @Test
  void aFullStoreTakesNothingMoreAndSaysSo() throws Exception {
    serve(new Limits(1 << 30, 1L << 34, 60, 60_000, 1, RunLimits.DEFAULT), simulator);
    assertThat(put("t.tar.gz", Archives.trace()).statusCode()).isEqualTo(200);
    HttpResponse<String> announced = put("large.tar", new byte[70_000]);
    assertThat(announced.statusCode()).isEqualTo(507);
    assertThat(announced.body()).contains("the store is full").contains("--max-store");
    HttpRequest request =
        request("api/traces/large.tar")
            .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[70_000])))
            .build();
    assertThat(status(request)).isEqualTo(507);
    assertThat(filesOfTheStore()).hasSize(1);
    String id = start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}").path("id").asText();
    simulator.allow(10);
    assertThat(waitFor(id, "FAILED", 0).path("message").asText()).contains("the store is full");
    assertThat(filesOfTheStore()).hasSize(1);
    Files.write(folder.resolve("store/traces/more.tar"), new byte[60_000]);
    HttpResponse<String> run = post("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}");
    assertThat(run.statusCode()).isEqualTo(507);
  }

  @Test
  void whatAnEndedServerLeftHalfWrittenIsRemoved() throws Exception {
    Files.write(folder.resolve("store/upload123.part"), new byte[10]);
    serve(wide(), simulator);
    assertThat(filesOfTheStore()).isEmpty();
  }

  @Test
  void aDescriptionOfOnesOwnIsChosenAndReadsNothingElse() throws Exception {
    serve(wide(), new TraceSimulator(1));
    store("vecadd");
    Files.writeString(folder.resolve("secret.yaml"), "inherits: rtx3070\n");
    String mine = "inherits: rtx3070\nname: Mine\nclocks: {coreMHz: 1234}\n";
    assertThat(putGpu("Mine.yaml", mine).statusCode()).isEqualTo(200);
    assertThat(get("api/gpus").body()).contains("Mine.yaml").contains("h200");
    String id = start("{\"trace\":\"vecadd\",\"gpu\":\"Mine.yaml\"}").path("id").asText();
    waitFor(id, "DONE", 0);
    assertThat(json(get("api/runs/" + id)).path("coreMHz").asDouble()).isEqualTo(1234);
    for (String other : List.of("../../secret.yaml", folder + "/secret.yaml", "/etc/passwd")) {
      HttpResponse<String> answer = putGpu("Mine.yaml", "inherits: " + other + "\n");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("gpus/Mine.yaml:1:11").doesNotContain("root:");
    }
    HttpResponse<String> wrong = putGpu("wrong.yaml", "inherits: rtx3070\nno: 1\n");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("wrong.yaml:2");
    assertThat(putGpu("..%2fx.yaml", mine).statusCode()).isEqualTo(404);
    assertThat(Files.readString(folder.resolve("store/gpus/Mine.yaml"))).isEqualTo(mine);
    assertThat(Files.list(folder.resolve("store/gpus"))).hasSize(1);
  }

  @Test
  void anAccelSimConfigurationIsChosenAndIncludesNothingElse() throws Exception {
    serve(wide(), new TraceSimulator(1));
    store("vecadd");
    String options = Files.readString(CONFIGURATION.resolve("gpgpusim.config"));
    String trace = Files.readString(CONFIGURATION.resolve("trace.config"));
    assertThat(putGpu("rtx/trace.config", trace).body()).contains("before trace.config");
    assertThat(putGpu("h200/gpgpusim.config", options).statusCode()).isEqualTo(400);
    assertThat(putGpu("rtx/gpgpusim.config", options).statusCode()).isEqualTo(200);
    assertThat(putGpu("rtx/trace.config", trace).statusCode()).isEqualTo(200);
    for (String other : List.of("../../../secret.txt", folder + "/secret.txt", "/etc/passwd")) {
      HttpResponse<String> answer = putGpu("rtx/trace.config", "-config " + other + "\n");
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("gpus/rtx/trace.config:1").contains("beside this");
    }
    String id = start("{\"trace\":\"vecadd\",\"gpu\":\"rtx\"}").path("id").asText();
    waitFor(id, "DONE", 0);
    JsonNode run = json(get("api/runs/" + id));
    assertThat(run.path("gpu").asText()).isEqualTo("rtx");
    assertThat(run.path("core").asText()).isEqualTo("classic");
    delete("api/gpus/rtx");
    assertThat(Files.list(folder.resolve("store/gpus"))).isEmpty();
  }

  /** Of each kind: silent, in the middle of its head, in the middle of its body. */
  @Test
  void clientsThatStopTalkingAreHungUpOnAndHinderNobody() throws Exception {
    serve(new Limits(LIMIT, LIMIT, 60, 20L * LIMIT, 3, RunLimits.DEFAULT), simulator);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 96; i++) {
      Socket socket = new Socket("127.0.0.1", port());
      sockets.add(socket);
      byte[] said =
          switch (i % 3) {
            case 0 -> "GET /api/gpus HTTP/1.1\r\nHost:".getBytes(StandardCharsets.UTF_8);
            case 1 -> head("PUT /api/traces/x.tar", "Content-Length: 1000");
            default -> head("POST /api/simulations", "Content-Length: 1000");
          };
      socket.getOutputStream().write(said);
    }
    sockets.add(new Socket("127.0.0.1", port()));
    assertThat(get("api/gpus").statusCode()).isEqualTo(200);
    Socket first = sockets.get(0);
    first.setSoTimeout(1);
    assertThatThrownBy(() -> first.getInputStream().read())
        .as("the first is still waited for")
        .isInstanceOf(SocketTimeoutException.class);
    for (Socket socket : sockets.subList(0, 96)) {
      socket.setSoTimeout(10_000);
      try {
        socket.getInputStream().readAllBytes(); // ends because the server hangs up
      } catch (java.net.SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
      socket.close();
    }
    assertThat(json(get("api/uploads"))).isEmpty();
    sockets.get(96).close();
  }

  @Test
  void soAreThoseWithoutATokenAndThoseThatSendTooSlowly() throws Exception {
    Limits limits = new Limits(LIMIT, LIMIT, 60, 20L * LIMIT, 1, RunLimits.DEFAULT);
    ServerOptions options =
        new ServerOptions(
            folder.resolve("other"), "127.0.0.1", 0, "a-token-of-some-length", limits, List.of());
    try (Server guarded = new Server(options, simulator);
        Socket socket = new Socket("127.0.0.1", URI.create(guarded.url()).getPort())) {
      socket.setSoTimeout(5000);
      OutputStream out = socket.getOutputStream();
      out.write(head("PUT /api/traces/x.tar", "Content-Length: 100000"));
      long began = System.nanoTime();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 200; i++) {
                  out.write(0);
                  Thread.sleep(50);
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(System.nanoTime() - began).isLessThan(5_000_000_000L);
    }
  }

  @Test
  void thirtyPagesWatchAndEachIsTold() throws Exception {
    put("t.tar.gz", Archives.trace());
    List<CompletableFuture<String>> firsts = new ArrayList<>();
    List<Stream<String>> streams = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 30; i++) {
      firsts.add(
          client
              .sendAsync(request("api/events").build(), BodyHandlers.ofLines())
              .thenApply(
                  answer -> {
                    streams.add(answer.body());
                    return answer
                        .body()
                        .filter(line -> line.contains("\"blocksDone\":3"))
                        .findFirst()
                        .orElseThrow();
                  }));
    }
    start("{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\"}");
    simulator.allow(3);
    for (CompletableFuture<String> first : firsts) {
      assertThat(first.get(10, TimeUnit.SECONDS)).startsWith("data: {");
    }
    assertThat(get("api/gpus").statusCode()).isEqualTo(200);
    streams.forEach(Stream::close);
  }

  @Test
  void aResultShowsWhatItWasAskedForItsWarningsAndItsDate() throws Exception {
    put("t.tar.gz", Archives.trace());
    simulator.allow(10);
    String id =
        start(
                "{\"trace\":\"t.tar.gz\",\"gpu\":\"rtx3070\",\"settings\":"
                    + "[\"clocks.coreMHz=1500\",\"sm.count=2\"]}")
            .path("id")
            .asText();
    waitFor(id, "DONE", 10);
    JsonNode run = json(get("api/runs")).path(0);
    assertThat(run.path("settings").toString())
        .isEqualTo("[\"clocks.coreMHz=1500\",\"sm.count=2\"]");
    assertThat(run.path("warnings").toString()).contains("classic.depth has no effect");
    assertThat(run.path("modified").asLong())
        .isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
    assertThat(json(get("api/runs/" + id)).at("/origin/command").asText())
        .isEqualTo("run t.tar.gz --gpu rtx3070 --set clocks.coreMHz=1500 --set sm.count=2");
  }

  @Test
  void twoRunsAreComparedLargestEffectFirst() throws Exception {
    Path runs = folder.resolve("store/runs");
    Results.writeJson(SyntheticRun.run(ProfileOptions.NO_TIMELINE), runs.resolve("a.json"));
    Results.writeJson(SyntheticRun.run(ProfileOptions.NO_TIMELINE), runs.resolve("b.json"));
    JsonNode same = json(get("api/compare?first=a&second=b"));
    assertThat(same.at("/kernels/0/lines")).isEmpty();
    assertThat(same.path("settings")).isEmpty();
    assertThat(same.at("/first/cycles")).isEqualTo(same.at("/second/cycles"));
  }

  /** Puts an example's folder into the store. */
  private void store(String example) throws IOException {
    Path from = Path.of("../examples/traces", example);
    Path to = Files.createDirectories(folder.resolve("store/traces").resolve(example));
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private HttpResponse<String> post(String wish) throws Exception {
    HttpRequest request =
        request("api/simulations")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(wish))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private JsonNode start(String wish) throws Exception {
    return json(post(wish));
  }

  private JsonNode waitFor(String id, String state, int blocks) throws Exception {
    for (int i = 0; i < 200; i++) {
      for (JsonNode job : json(get("api/simulations"))) {
        if (job.path("id").asText().equals(id)
            && job.path("state").asText().equals(state)
            && job.path("blocksDone").asInt() >= blocks) {
          return job;
        }
      }
      Thread.sleep(25);
    }
    throw new AssertionError(id + " never was " + state + ": " + get("api/simulations").body());
  }

  private JsonNode waitForUpload(String state) throws Exception {
    for (int i = 0; i < 400; i++) {
      JsonNode upload = json(get("api/uploads")).path(0);
      if (upload.path("state").asText().equals(state)
          && (!state.equals("UNPACKING") || upload.path("unpacked").asLong() > 0)) {
        return upload;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no upload was " + state);
  }

  /** Every file below the store's folder, whole or not. */
  private List<Path> filesOfTheStore() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static byte[] head(String request, String more) {
    return (request
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + more
            + "\r\n\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private HttpResponse<String> putGpu(String path, String text) throws Exception {
    HttpRequest request = request("api/gpus/" + path).PUT(BodyPublishers.ofString(text)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> putLater(String name, byte[] body) {
    HttpRequest request =
        request("api/traces/" + name).PUT(BodyPublishers.ofByteArray(body)).build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> put(String name, byte[] body) throws Exception {
    HttpRequest request =
        request("api/traces/" + name).PUT(BodyPublishers.ofByteArray(body)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private void delete(String path) throws Exception {
    assertThat(status(request(path).DELETE().build())).isEqualTo(200);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).GET().build(), BodyHandlers.ofString());
  }

  private int status(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path));
  }

  private int port() {
    return URI.create(server.url()).getPort();
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }
}
