package dev.warpline.web.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.web.report.Comparison;
import dev.warpline.web.report.Pages;
import dev.warpline.web.report.Report;
import dev.warpline.web.report.RunView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** The web server: pages, an API over the {@link Store}, and a stream of what is running. */
public final class Server implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int THREADS = 16;
  private static final int WATCHERS = 8;
  private static final int BODY_LIMIT = 1 << 20;
  private static final long STREAM_PAUSE_MILLIS = 250;
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
  private final Simulations simulations;
  private final HttpServer http;
  private final ExecutorService threads;
  private final Semaphore watchers = new Semaphore(WATCHERS);
  private final AtomicInteger runs = new AtomicInteger();
  private volatile boolean closed;

  /** Starts to serve. */
  public Server(ServerOptions options, Simulator simulator) throws IOException {
    this.options = options;
    InetAddress address = InetAddress.getByName(options.host());
    access = new Access(address, options.token());
    store = new Store(options.store());
    simulations = new Simulations(store, simulator);
    http = HttpServer.create(new InetSocketAddress(address, options.port()), 64);
    threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "warpline-http");
              thread.setDaemon(true);
              return thread;
            });
    http.setExecutor(threads);
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
    closed = true;
    simulations.close();
    http.stop(0);
    threads.shutdownNow();
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
    try (exchange) {
      try {
        access.check(exchange);
        access.remember(exchange);
        route(exchange);
      } catch (Refused e) {
        error(exchange, e.status, e.getMessage());
      } catch (IOException e) {
        throw e; // the client has gone
      } catch (RuntimeException e) {
        error(exchange, 500, "internal error: " + e);
      }
    }
  }

  private void route(HttpExchange exchange) throws IOException, Refused {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    if (!path.startsWith("/api/")) {
      page(exchange, path, method);
      return;
    }
    String[] parts = path.substring(5).split("/");
    String what = method + " " + parts[0] + (parts.length > 1 ? "/*" : "");
    if (parts.length > 2) {
      what += "/" + parts[2];
    }
    String name = parts.length > 1 ? parts[1] : "";
    switch (what) {
      case "GET reasons" -> json(exchange, RunView.reasons());
      case "GET gpus" -> json(exchange, JSON.valueToTree(Gpus.names()));
      case "GET traces" -> json(exchange, JSON.valueToTree(store.names("traces")));
      case "PUT traces/*" -> upload(exchange, name);
      case "DELETE traces/*" -> delete(exchange, "traces", name);
      case "GET runs" -> json(exchange, runs());
      case "GET runs/*" -> json(exchange, RunView.of(store.run(name)));
      case "DELETE runs/*" -> delete(exchange, "runs", name + ".json");
      case "GET runs/*/result.json" -> file(exchange, name, "json");
      case "GET runs/*/result.csv" -> csv(exchange, name);
      case "GET runs/*/report.html" -> report(exchange, name);
      case "GET compare" -> compare(exchange);
      case "GET validations" -> json(exchange, JSON.valueToTree(store.names("validations")));
      case "GET validations/*" -> validation(exchange, name);
      case "GET simulations" -> json(exchange, JSON.valueToTree(simulations.snapshots()));
      case "POST simulations" -> start(exchange);
      case "DELETE simulations/*" -> cancel(exchange, name);
      case "GET events" -> events(exchange);
      default -> throw new Refused(404, "nothing at " + method + " " + path);
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
    if (length != null && Long.parseLong(length) > options.maxUploadBytes()) {
      throw new Refused(413, name + ": larger than " + options.maxUploadBytes() + " bytes");
    }
    store.saveTrace(
        name, exchange.getRequestBody(), options.maxUploadBytes(), options.maxExpandedBytes());
    json(exchange, JSON.createObjectNode().put("trace", name));
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
        node.put("cycles", run.kernels().stream().mapToLong(k -> k.cycles()).sum());
        node.put(
            "warpInstructions", run.kernels().stream().mapToLong(k -> k.warpInstructions()).sum());
        node.put("profile", run.kernels().stream().anyMatch(k -> k.profile() != null));
        node.put("modified", Files.getLastModifiedTime(store.file("runs", name)).toMillis());
      } catch (Refused e) {
        node.put("error", e.getMessage());
      }
    }
    return list;
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
    json(exchange, JSON.valueToTree(Comparison.of(store.run(first), store.run(second))));
  }

  private void validation(HttpExchange exchange, String name) throws IOException, Refused {
    send(exchange, 200, TYPES.get("json"), Files.readAllBytes(store.file("validations", name)));
  }

  private void start(HttpExchange exchange) throws IOException, Refused {
    JsonNode wish = body(exchange);
    String gpu = wish.path("gpu").asText("");
    if (!Gpus.names().contains(gpu)) {
      throw new Refused(
          400, "no GPU \"" + gpu + "\"; expected one of " + String.join(", ", Gpus.names()));
    }
    List<String> settings = new ArrayList<>();
    wish.path("settings").forEach(setting -> settings.add(setting.asText()));
    try {
      Gpus.load(gpu, settings);
    } catch (IOException e) {
      throw new Refused(400, e.getMessage());
    }
    String trace = wish.path("trace").asText("");
    String base = trace.replaceFirst("\\.(tar(\\.\\w+)?|tgz|zip)$", "");
    String id =
        base
            + "-"
            + gpu
            + "-"
            + Long.toString(System.currentTimeMillis(), 36)
            + runs.incrementAndGet();
    Job job = new Job(id, trace, gpu, wish.path("core").asText(""), settings);
    simulations.start(job);
    json(exchange, JSON.createObjectNode().put("id", id));
  }

  private void cancel(HttpExchange exchange, String id) throws IOException, Refused {
    simulations.job(id).cancel();
    json(exchange, JSON.createObjectNode().put("cancelled", id));
  }

  /** Server-sent events: the state of all simulations, a few times a second while it changes. */
  private void events(HttpExchange exchange) throws IOException, Refused {
    if (!watchers.tryAcquire()) {
      throw new Refused(429, WATCHERS + " pages watch already");
    }
    simulations.watchers.incrementAndGet();
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      String last = "";
      int quiet = 0;
      while (!closed) {
        String now = JSON.writeValueAsString(simulations.snapshots());
        // A comment now and then finds out that the page was closed.
        boolean changed = !now.equals(last);
        if (changed || ++quiet % 20 == 0) {
          String event = changed ? "data: " + now + "\n\n" : ": still here\n\n";
          out.write(event.getBytes(StandardCharsets.UTF_8));
          out.flush();
          last = now;
        }
        Thread.sleep(STREAM_PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      simulations.watchers.decrementAndGet();
      watchers.release();
    }
  }

  private static JsonNode body(HttpExchange exchange) throws IOException, Refused {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      throw new Refused(415, "expected Content-Type application/json");
    }
    byte[] bytes = exchange.getRequestBody().readNBytes(BODY_LIMIT + 1);
    if (bytes.length > BODY_LIMIT) {
      throw new Refused(413, "the request is larger than " + BODY_LIMIT + " bytes");
    }
    try {
      return JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new Refused(400, "expected JSON: " + e.getOriginalMessage());
    }
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

  private static void json(HttpExchange exchange, JsonNode node) throws IOException {
    send(exchange, 200, TYPES.get("json"), JSON.writeValueAsBytes(node));
  }

  private static void error(HttpExchange exchange, int status, String message) throws IOException {
    byte[] answer = JSON.writeValueAsBytes(JSON.createObjectNode().put("error", message));
    send(exchange, status, TYPES.get("json"), answer);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (!exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
