package dev.warpline.trace;

/** Lines stand under their block and warp. */
public final class Version3To5 extends TraceDialect {
  @Override
  public int first() {
    return 3;
  }

  @Override
  public int last() {
    return 5;
  }
}
