package dev.warpline.engine.profile;

/**
 * What a lane of an instruction does, for people who read a report.
 *
 * @param space which memory it goes to
 * @param bytes that the lane moves there
 * @param flops arithmetic operations
 * @param kind which roofline they count for
 */
public record LaneWork(Space space, int bytes, double flops, Kind kind) {
  /** Neither memory nor arithmetic that counts. */
  public static final LaneWork NONE = new LaneWork(Space.NONE, 0, 0, Kind.NONE);

  /** Which memory an instruction goes to. */
  public enum Space {
    NONE,
    GLOBAL,
    LOCAL,
    SHARED,
    CONSTANT,
    BULK
  }

  /** Which roofline an instruction counts for. */
  public enum Kind {
    NONE,
    FP64,
    FP32,
    FP16,
    TENSOR
  }

  public static LaneWork memory(Space space, int bytes) {
    return new LaneWork(space, bytes, 0, Kind.NONE);
  }

  public static LaneWork arithmetic(Kind kind, double flops) {
    return flops == 0 || kind == Kind.NONE ? NONE : new LaneWork(Space.NONE, 0, flops, kind);
  }
}
