package dev.warpline.amd.hip;

/**
 * A request that fails: the program gets the error's number, the user its message, if it has one.
 */
final class HipException extends Exception {
  private static final long serialVersionUID = 1L;

  static final int INVALID_VALUE = 1;
  static final int OUT_OF_MEMORY = 2;
  static final int INVALID_CONFIGURATION = 9;
  static final int INVALID_SYMBOL = 13;
  static final int INVALID_DEVICE_POINTER = 17;
  static final int INVALID_IMAGE = 200;
  static final int NO_BINARY = 209;
  static final int INVALID_HANDLE = 400;
  static final int NOT_FOUND = 500;
  static final int NOT_READY = 600;
  static final int ILLEGAL_ADDRESS = 700;
  static final int OUT_OF_RESOURCES = 701;
  static final int LAUNCH_FAILURE = 719;
  static final int COOPERATIVE_TOO_LARGE = 720;

  private final int error;

  /** An error that the program can tell from its own arguments. */
  HipException(int error) {
    this(error, null);
  }

  HipException(int error, String message) {
    super(message);
    this.error = error;
  }

  int error() {
    return error;
  }
}
