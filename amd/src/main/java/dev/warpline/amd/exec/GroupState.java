package dev.warpline.amd.exec;

/** What the waves of one work-group share: its place in the grid and its local data share. */
public final class GroupState {
  public final int x;
  public final int y;
  public final int z;

  /** Local data share of the group; an access beyond its length is a fault. */
  public final byte[] lds;

  /** Name of the kernel, for messages. */
  public final String kernel;

  public GroupState(String kernel, int x, int y, int z, int ldsBytes) {
    this.kernel = kernel;
    this.x = x;
    this.y = y;
    this.z = z;
    this.lds = new byte[ldsBytes];
  }
}
