package dev.warpline.engine.profile;

import java.util.Locale;

/** What a log can say of a warp in a cycle. */
public enum LogEvent {
  /** An instruction will write a register. */
  RESERVE(Topic.SCOREBOARD, true),
  /** A register was written. */
  RELEASE(Topic.SCOREBOARD, true),
  /** The next instruction has to wait for a register. */
  COLLIDE(Topic.SCOREBOARD, true),
  /** Instructions were asked of the instruction cache. */
  FETCH(Topic.FETCH, false),
  /** An instruction is in the buffer. */
  DECODE(Topic.FETCH, false),
  /** An instruction goes to its unit. */
  ISSUE(Topic.ISSUE, false);

  /** What a user asks for. */
  public enum Topic {
    SCOREBOARD,
    FETCH,
    ISSUE;

    /** As a command line has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Topic topic;
  private final boolean ofRegister;

  LogEvent(Topic topic, boolean ofRegister) {
    this.topic = topic;
    this.ofRegister = ofRegister;
  }

  Topic topic() {
    return topic;
  }

  /** Whether it happens to a register. */
  boolean ofRegister() {
    return ofRegister;
  }
}
