package dev.warpline.web.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warpline.engine.Origin;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.Simulation;
import dev.warpline.web.report.Pages;
import dev.warpline.web.report.Report;
import dev.warpline.web.report.RunComparison;
import dev.warpline.web.report.RunView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The web server: pages, an API over the {@link Store}, and a stream of what is running. */
public final class Server implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SETTING = Pattern.compile("--(?:set|option)[ =](\\S+)");
  private static final int BODY_LIMIT = 1 << 20;
  private static final Set<String> WISHES =
      Set.of("trace", "gpu", "core", "settings", "maxCycles", "maxInstructions", "maxSeconds");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "json", "application/json; charset=utf-8",
          "csv", "text/csv; charset=utf-8");

  private final ServerOptions options;
  private final Store store;
  private final Access access;
  private final StoredGpus gpus;
  private final Studies studies;
  private final Uploads uploads;
  private final Simulations simulations;
  private final Simulator simulator;
  private final HttpServer http;
  private final Patience patience;
  private final Watchers watchers;
  private final AtomicInteger runs = new AtomicInteger();

  /** Starts to serve. */
  public Server(ServerOptions options, Simulator simulator) throws IOException {
    this.options = options;
    this.simulator = simulator;
    InetAddress address = InetAddress.getByName(options.host());
    access = new Access(address, options.token());
    store = new Store(options.store(), options.limits().storeBytes());
    gpus = new StoredGpus(store);
    studies = new Studies(store, options.studies());
    http = HttpServer.create(new InetSocketAddress(address, options.port()), 512);
    patience = new Patience(options.limits().silenceSeconds());
    watchers = new Watchers(this::state, patience);
    simulations = new Simulations(store, simulator, watchers::any);
    uploads = new Uploads(store, options.limits(), simulations);
    http.setExecutor(patience);
    http.createContext("/", this::handle);
    http.start();
  }

  /** The address to open, with the token if there is one. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return "http://"
        + host
        + ":"
        + http.getAddress().getPort()
        + "/"
        + (options.token() == null ? "" : "?token=" + options.token());
  }

  @Override
  public void close() {
    simulations.close();
    watchers.close();
    http.stop(0);
    patience.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    headers.set(
        "Content-Security-Policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
            + " frame-ancestors 'none'");
    patience.heard();
    boolean watches = false;
    try {
      access.check(exchange);
      access.remember(exchange);
      watches = route(exchange);
    } catch (Refused e) {
      refuse(exchange, e.status, e.getMessage());
    } catch (RuntimeException e) {
      refuse(exchange, 500, "internal error: " + e);
    } finally {
      if (!watches) {
        patience.goodbye();
        exchange.close();
      }
    }
  }

  /** Answers; true if the answer goes on after this call. */
  private boolean route(HttpExchange exchange) throws IOException, Refused {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    if (!path.startsWith("/api/")) {
      page(exchange, path, method);
      return false;
    }
    String[] parts = path.substring(5).split("/");
    String what = method + " " + parts[0] + (parts.length > 1 ? "/*" : "");
    if (parts.length > 2) {
      what += "/" + parts[2];
    }
    String name = parts.length > 1 ? parts[1] : "";
    switch (what) {
      case "GET reasons" -> json(exchange, RunView.reasons());
      case "GET limits" -> limits(exchange);
      case "GET gpus" -> json(exchange, JSON.valueToTree(gpus.choices()));
      case "PUT gpus/*" -> {
        gpus.saveDescription(name, text(exchange));
        json(exchange, JSON.createObjectNode().put("gpu", name));
      }
      case "PUT gpus/*/gpgpusim.config", "PUT gpus/*/trace.config" -> {
        gpus.saveOptions(name, parts[2], text(exchange));
        json(exchange, JSON.createObjectNode().put("gpu", name));
      }
      case "DELETE gpus/*" -> {
        gpus.delete(name);
        json(exchange, JSON.createObjectNode().put("deleted", name));
      }
      case "GET traces" -> json(exchange, JSON.valueToTree(store.names("traces")));
      case "PUT traces/*" -> upload(exchange, name);
      case "DELETE traces/*" -> {
        simulations.refuseInUse(name);
        delete(exchange, "traces", name);
      }
      case "GET runs" -> json(exchange, runs());
      case "GET runs/*" -> {
        ObjectNode view = RunView.of(store.run(name));
        json(exchange, view.put("modified", modified(name + ".json")));
      }
      case "DELETE runs/*" -> delete(exchange, "runs", name + ".json");
      case "GET runs/*/result.json" -> file(exchange, name, "json");
      case "GET runs/*/result.csv" -> csv(exchange, name);
      case "GET runs/*/report.html" -> report(exchange, name);
      case "GET compare" -> compare(exchange);
      case "GET validations" -> json(exchange, JSON.valueToTree(store.names("validations")));
      case "GET validations/*" -> validation(exchange, name);
      case "GET studies" -> json(exchange, studies.list());
      case "GET studies/*" ->
          send(
              exchange,
              200,
              TYPES.get("json"),
              studies.view(name, query(exchange, "study")).getBytes(StandardCharsets.UTF_8));
      case "GET studies/*/point" ->
          json(exchange, studies.point(name, query(exchange, "study"), query(exchange, "number")));
      case "POST studies/*/simulations" ->
          start(exchange, studies.submission(name, body(exchange), options.limits().run()));
      case "GET simulations" -> json(exchange, JSON.valueToTree(simulations.snapshots()));
      case "POST simulations" -> start(exchange, submission(body(exchange)));
      case "DELETE simulations/*" -> cancel(exchange, name);
      case "PUT simulations/*/pause" -> {
        simulations.job(name).pause();
        json(exchange, JSON.createObjectNode().put("paused", name));
      }
      case "DELETE simulations/*/pause" -> {
        simulations.job(name).resume();
        json(exchange, JSON.createObjectNode().put("resumed", name));
      }
      case "GET uploads" -> json(exchange, JSON.valueToTree(uploads.snapshots()));
      case "DELETE uploads/*" -> {
        uploads.cancel(name);
        json(exchange, JSON.createObjectNode().put("cancelled", name));
      }
      case "GET events" -> {
        watchers.add(exchange);
        return true;
      }
      default -> throw new Refused(404, "nothing at " + method + " " + path);
    }
    return false;
  }

  private void limits(HttpExchange exchange) throws IOException {
    ObjectNode limits = JSON.valueToTree(options.limits());
    limits.put("usedBytes", store.used());
    limits.set("cores", JSON.valueToTree(Simulation.coreNames()));
    json(exchange, limits);
  }

  /** What the pages that look on are told. */
  private String state() {
    try {
      return JSON.writeValueAsString(
          Map.of("simulations", simulations.snapshots(), "uploads", uploads.snapshots()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void page(HttpExchange exchange, String path, String method) throws IOException, Refused {
    if (!method.equals("GET") && !method.equals("HEAD")) {
      throw new Refused(405, "pages are read with GET");
    }
    String name = path.equals("/") ? "home.html" : path.substring(1);
    byte[] bytes =
        name.matches("[a-z]+\\.(html|js|css)") && !name.equals("report.html")
            ? Pages.file(name)
            : null;
    if (bytes == null) {
      throw new Refused(404, "there is no page " + path);
    }
    send(exchange, 200, TYPES.get(name.substring(name.indexOf('.') + 1)), bytes);
  }

  private void upload(HttpExchange exchange, String name) throws IOException, Refused {
    String length = exchange.getRequestHeaders().getFirst("Content-Length");
    long size = length == null ? -1 : Long.parseLong(length);
    String trace = uploads.take(name, size, patience.body(exchange.getRequestBody()));
    json(exchange, JSON.createObjectNode().put("trace", trace));
  }

  private void delete(HttpExchange exchange, String folder, String name)
      throws IOException, Refused {
    store.delete(folder, name);
    json(exchange, JSON.createObjectNode().put("deleted", name));
  }

  private ArrayNode runs() throws IOException {
    ArrayNode list = JSON.createArrayNode();
    for (String name : store.names("runs")) {
      if (!name.endsWith(".json")) {
        continue;
      }
      String id = name.substring(0, name.length() - 5);
      ObjectNode node = list.addObject().put("id", id);
      try {
        RunResult run = store.run(id);
        node.put("gpu", run.gpu()).put("core", run.core()).put("kernels", run.kernels().size());
        node.put("cycles", run.cycles());
        node.put(
            "warpInstructions", run.kernels().stream().mapToLong(k -> k.warpInstructions()).sum());
        node.put("profile", run.kernels().stream().anyMatch(k -> k.profile() != null));
        node.set("settings", JSON.valueToTree(settings(run.origin())));
        node.set("warnings", JSON.valueToTree(RunView.warnings(run)));
        node.put("unfinished", run.unfinished());
        node.put("modified", modified(name));
      } catch (Refused e) {
        node.put("error", e.getMessage());
      }
    }
    return list;
  }

  private long modified(String run) throws IOException, Refused {
    return Files.getLastModifiedTime(store.file("runs", run)).toMillis();
  }

  /** What a run was asked to change, as the command that asked for it says. */
  private static List<String> settings(Origin origin) {
    List<String> settings = new ArrayList<>();
    if (origin != null && origin.command() != null) {
      Matcher setting = SETTING.matcher(origin.command());
      while (setting.find()) {
        settings.add(setting.group(1));
      }
    }
    return settings;
  }

  private void file(HttpExchange exchange, String id, String type) throws IOException, Refused {
    send(exchange, 200, TYPES.get(type), Files.readAllBytes(store.file("runs", id + "." + type)));
  }

  private void csv(HttpExchange exchange, String id) throws IOException, Refused {
    StringWriter out = new StringWriter();
    Results.writeCsv(store.run(id), out);
    send(exchange, 200, TYPES.get("csv"), out.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void report(HttpExchange exchange, String id) throws IOException, Refused {
    exchange
        .getResponseHeaders()
        .set("Content-Disposition", "attachment; filename=\"" + id + ".html\"");
    String html = Report.html(store.run(id), id);
    send(exchange, 200, TYPES.get("html"), html.getBytes(StandardCharsets.UTF_8));
  }

  private void compare(HttpExchange exchange) throws IOException, Refused {
    String first = query(exchange, "first");
    String second = query(exchange, "second");
    json(exchange, JSON.valueToTree(RunComparison.of(store.run(first), store.run(second))));
  }

  private void validation(HttpExchange exchange, String name) throws IOException, Refused {
    send(exchange, 200, TYPES.get("json"), Files.readAllBytes(store.file("validations", name)));
  }

  private void start(HttpExchange exchange, Submission submission) throws IOException, Refused {
    try {
      simulator.check(submission);
    } catch (IOException e) {
      throw new Refused(400, store.inside(e.getMessage()));
    } catch (RuntimeException e) {
      throw new Refused(400, "cannot be run: " + store.inside(e.toString()));
    }
    store.refuseBeyondQuota("a result", 0);
    String id =
        shortened(submission.trace().replaceFirst("\\.(tar(\\.\\w+)?|tgz|txz|zip|wlt)$", ""))
            + "-"
            + (submission.gpu().isEmpty() ? "" : shortened(gpuTitle(submission.gpu())) + "-")
            + Long.toString(System.currentTimeMillis(), 36)
            + runs.incrementAndGet();
    simulations.start(new Job(id, submission));
    json(exchange, JSON.createObjectNode().put("id", id));
  }

  private static String gpuTitle(String name) {
    return name.replaceFirst("\\.ya?ml$", "");
  }

  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), 45));
  }

  private Submission submission(JsonNode wish) throws Refused {
    if (!wish.isObject()) {
      throw new Refused(400, "expected a JSON object");
    }
    for (Iterator<String> names = wish.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!WISHES.contains(name)) {
        throw new Refused(
            400,
            "found \"" + name + "\", expected one of " + String.join(", ", new TreeSet<>(WISHES)));
      }
    }
    List<String> settings = new ArrayList<>();
    if (!wish.path("settings").isMissingNode() && !wish.path("settings").isArray()) {
      throw new Refused(400, "settings: expected a list of FIELD=VALUE");
    }
    for (JsonNode setting : wish.path("settings")) {
      if (!setting.isTextual()) {
        throw new Refused(400, "settings: found " + setting + ", expected \"FIELD=VALUE\"");
      }
      settings.add(setting.asText());
    }
    try {
      Gpus.checkFiles(settings);
    } catch (DescriptionException e) {
      throw new Refused(400, e.getMessage());
    }
    RunLimits most = options.limits().run();
    RunLimits limits =
        new RunLimits(
            limit(wish, "maxCycles", most.cycles()),
            limit(wish, "maxInstructions", most.instructions()),
            limit(wish, "maxSeconds", most.seconds()));
    String trace = text(wish, "trace");
    Path program = store.file("traces", trace);
    String gpu = text(wish, "gpu");
    String source = gpu.isEmpty() ? null : gpus.source(gpu, settings);
    return new Submission(trace, program, gpu, source, text(wish, "core"), settings, limits);
  }

  private static String text(JsonNode wish, String name) throws Refused {
    JsonNode value = wish.path(name);
    if (!value.isMissingNode() && !value.isTextual()) {
      throw new Refused(400, name + ": found " + value + ", expected text");
    }
    return value.asText("");
  }

  private static long limit(JsonNode wish, String name, long most) throws Refused {
    JsonNode value = wish.path(name);
    if (value.isMissingNode()) {
      return most;
    }
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < 1
        || value.asLong() > most) {
      throw new Refused(
          400, name + ": found " + value + ", expected a whole number from 1 to " + most);
    }
    return value.asLong();
  }

  private void cancel(HttpExchange exchange, String id) throws IOException, Refused {
    simulations.job(id).cancel();
    json(exchange, JSON.createObjectNode().put("cancelled", id));
  }

  private JsonNode body(HttpExchange exchange) throws IOException, Refused {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      throw new Refused(415, "expected Content-Type application/json");
    }
    try {
      return JSON.readTree(text(exchange));
    } catch (JsonProcessingException e) {
      throw new Refused(400, "expected JSON: " + e.getOriginalMessage());
    }
  }

  /** A small body as a whole. */
  private byte[] text(HttpExchange exchange) throws IOException, Refused {
    byte[] bytes = patience.body(exchange.getRequestBody()).readNBytes(BODY_LIMIT + 1);
    if (bytes.length > BODY_LIMIT) {
      throw new Refused(413, "the request is larger than " + BODY_LIMIT + " bytes");
    }
    return bytes;
  }

  private static String query(HttpExchange exchange, String name) throws Refused {
    String query = exchange.getRequestURI().getQuery();
    for (String part : query == null ? new String[0] : query.split("&")) {
      if (part.startsWith(name + "=")) {
        return part.substring(name.length() + 1);
      }
    }
    throw new Refused(400, "expected ?" + name + "=...");
  }

  private void json(HttpExchange exchange, JsonNode node) throws IOException {
    send(exchange, 200, TYPES.get("json"), JSON.writeValueAsBytes(node));
  }

  /**
   * Says why not. What the client is still sending is read and dropped for a while: one that is cut
   * off in the middle would not see the answer.
   */
  private void refuse(HttpExchange exchange, int status, String message) throws IOException {
    byte[] answer = JSON.writeValueAsBytes(JSON.createObjectNode().put("error", message));
    send(exchange, status, TYPES.get("json"), answer);
    patience.goodbye();
    exchange.getResponseBody().flush();
    exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
  }

  private void send(HttpExchange exchange, int status, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (!exchange.getRequestMethod().equals("HEAD")) {
      patience.send(exchange.getResponseBody(), bytes);
    }
  }
}
