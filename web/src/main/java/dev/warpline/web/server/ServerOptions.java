package dev.warpline.web.server;

import java.nio.file.Path;
import java.util.List;

/**
 * How to serve.
 *
 * @param store folder of traces and results
 * @param host address to listen at
 * @param port port, 0 for any free one
 * @param token what a client must show; null only at loopback
 * @param limits what is taken at most
 * @param studies stores of studies that lie outside the folder
 */
public record ServerOptions(
    Path store, String host, int port, String token, Limits limits, List<Path> studies) {
  /** With the usual limits. */
  public static ServerOptions of(Path store, String host, int port, String token) {
    return new ServerOptions(store, host, port, token, Limits.DEFAULT, List.of());
  }
}
