package dev.warpline.trace;

/** The first tracers: every line says its block and warp. */
public final class Version0To2 extends TraceDialect {
  @Override
  public int first() {
    return 0;
  }

  @Override
  public int last() {
    return 2;
  }

  @Override
  public boolean namesWarpInLine() {
    return true;
  }
}
