package dev.warpline.web.server;

import java.nio.file.Path;

/**
 * How to serve.
 *
 * @param store folder of traces and results
 * @param host address to listen at
 * @param port port, 0 for any free one
 * @param token what a client must show; null only at loopback
 * @param maxUploadBytes largest upload
 * @param maxExpandedBytes largest sum of an archive's files once unpacked
 */
public record ServerOptions(
    Path store, String host, int port, String token, long maxUploadBytes, long maxExpandedBytes) {
  /** Uploads up to 1 GiB that unpack to at most 16 GiB. */
  public static ServerOptions of(Path store, String host, int port, String token) {
    return new ServerOptions(store, host, port, token, 1L << 30, 1L << 34);
  }
}
