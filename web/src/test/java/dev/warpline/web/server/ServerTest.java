package dev.warpline.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Results;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.SyntheticRun;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
  private static final int LIMIT = 200_000;

  @TempDir Path folder;
  private final SlowSimulator simulator = new SlowSimulator();
  private final HttpClient client = HttpClient.newHttpClient();
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    Files.writeString(folder.resolve("secret.txt"), "secret");
    server =
        new Server(
            new ServerOptions(folder.resolve("store"), "127.0.0.1", 0, null, LIMIT, 4L * LIMIT),
            simulator);
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
            .PUT(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))
            .build();
    try {
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The server hung up before it was all sent; that is a refusal too.
      assertThat(e).isNotNull();
    }
    assertThat(Files.list(folder.resolve("store/traces"))).isEmpty();
    assertThat(Files.list(folder.resolve("store"))).hasSize(3);
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
    delete("api/simulations/" + id);
    waitFor(id, "CANCELLED", 1);
    assertThat(json(get("api/runs"))).isEmpty();
  }

  @Test
  void aRunThatCannotBeIsRefusedWithTheReason() throws Exception {
    assertThat(start("{\"trace\":\"none.tar\",\"gpu\":\"rtx3070\"}").path("error").asText())
        .contains("none.tar");
    assertThat(start("{\"trace\":\"x\",\"gpu\":\"/etc/passwd\"}").path("error").asText())
        .contains("no GPU");
    assertThat(
            start("{\"trace\":\"x\",\"gpu\":\"rtx3070\",\"settings\":[\"no.such=1\"]}")
                .path("error")
                .asText())
        .contains("no.such");
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

  private JsonNode start(String wish) throws Exception {
    HttpRequest request =
        request("api/simulations")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(wish))
            .build();
    return json(client.send(request, BodyHandlers.ofString()));
  }

  private void waitFor(String id, String state, int blocks) throws Exception {
    for (int i = 0; i < 200; i++) {
      for (JsonNode job : json(get("api/simulations"))) {
        if (job.path("id").asText().equals(id)
            && job.path("state").asText().equals(state)
            && job.path("blocksDone").asInt() >= blocks) {
          return;
        }
      }
      Thread.sleep(25);
    }
    throw new AssertionError(id + " never was " + state + ": " + get("api/simulations").body());
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
