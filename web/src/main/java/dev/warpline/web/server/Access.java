package dev.warpline.web.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/**
 * Decides whether a request may pass. Three gates: the name the client used must be ours (a foreign
 * name resolved to this machine is a rebinding attack), a request from another site's page is not
 * answered, and where a token is set it must be shown.
 */
final class Access {
  private static final String COOKIE = "warpline-token";

  private final boolean loopback;
  private final String token;

  Access(InetAddress address, String token) {
    loopback = address.isLoopbackAddress();
    this.token = token;
    if (!loopback && (token == null || token.length() < 16)) {
      throw new IllegalArgumentException(
          "serving at "
              + address.getHostAddress()
              + " needs a token of at least 16 characters; only loopback does without");
    }
  }

  void check(HttpExchange exchange) throws Refused {
    Headers headers = exchange.getRequestHeaders();
    String host = headers.getFirst("Host");
    if (loopback && !isLoopback(host)) {
      throw new Refused(403, "host " + host + " is not this machine's loopback name");
    }
    String origin = headers.getFirst("Origin");
    if (origin != null && !sameOrigin(origin, host)) {
      throw new Refused(403, "requests from " + origin + " are not answered");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      boolean page = exchange.getRequestURI().getPath().equals("/");
      if (!page || !exchange.getRequestMethod().equals("GET")) {
        throw new Refused(403, "requests from other sites are not answered");
      }
    }
    if (token != null && !equal(shown(exchange), token)) {
      throw new Refused(401, "a token is needed: open the address that serve printed");
    }
  }

  /** A page opened with the token in its address remembers it as a cookie. */
  void remember(HttpExchange exchange) {
    if (token != null && equal(inQuery(exchange.getRequestURI()), token)) {
      exchange
          .getResponseHeaders()
          .add("Set-Cookie", COOKIE + "=" + token + "; HttpOnly; SameSite=Strict; Path=/");
    }
  }

  private static String shown(HttpExchange exchange) {
    String bearer = exchange.getRequestHeaders().getFirst("Authorization");
    if (bearer != null && bearer.startsWith("Bearer ")) {
      return bearer.substring(7);
    }
    String cookies = exchange.getRequestHeaders().getFirst("Cookie");
    if (cookies != null) {
      for (String cookie : cookies.split(";\\s*")) {
        if (cookie.startsWith(COOKIE + "=")) {
          return cookie.substring(COOKIE.length() + 1);
        }
      }
    }
    return inQuery(exchange.getRequestURI());
  }

  private static String inQuery(URI uri) {
    String query = uri.getQuery();
    if (query != null) {
      for (String part : query.split("&")) {
        if (part.startsWith("token=")) {
          return part.substring(6);
        }
      }
    }
    return "";
  }

  private static boolean isLoopback(String host) {
    if (host == null) {
      return false;
    }
    String name = host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    return name.equals("localhost") || name.equals("127.0.0.1") || name.equals("[::1]");
  }

  private static boolean sameOrigin(String origin, String host) {
    return origin.equals("http://" + host) || origin.equals("https://" + host);
  }

  private static boolean equal(String a, String b) {
    return MessageDigest.isEqual(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
