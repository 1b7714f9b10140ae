package dev.warpline.web.server;

/** A request that gets an error instead of an answer: its HTTP status and what is wrong. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  final int status;

  Refused(int status, String message) {
    super(message);
    this.status = status;
  }
}
