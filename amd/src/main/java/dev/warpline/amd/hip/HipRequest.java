package dev.warpline.amd.hip;

/** What a program asks; {@code amd/hip/wire.h} has the same list in the same order. */
enum HipRequest {
  HELLO,
  BYE,
  LOAD,
  UNLOAD,
  FUNCTION,
  GLOBAL,
  LAUNCH,
  ALLOCATE,
  FREE,
  COPY,
  FILL,
  SYNCHRONIZE,
  STREAM_CREATE,
  STREAM_DESTROY,
  STREAM_SYNCHRONIZE,
  STREAM_QUERY,
  STREAM_WAIT,
  STREAM_FUNCTION,
  STREAM_VALUE,
  EVENT_CREATE,
  EVENT_DESTROY,
  EVENT_RECORD,
  EVENT_SYNCHRONIZE,
  EVENT_QUERY,
  EVENT_ELAPSED,
  OCCUPANCY,
  POINTER,
  MEMORY,
  MISSING;

  /** For messages, e.g. {@code stream synchronize}. */
  String words() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
