package dev.warpline.memory;

/** Requests that are used again, so that a running simulation allocates none. */
public final class RequestPool {
  private MemoryRequest free;

  /** Requests out of the pool: 0 when everything has come back. */
  private int inUse;

  public MemoryRequest take() {
    inUse++;
    MemoryRequest request = free;
    if (request == null) {
      return new MemoryRequest();
    }
    free = request.nextFree;
    request.nextFree = null;
    request.write = false;
    request.atomic = false;
    request.translation = false;
    request.bypass = false;
    request.client = Client.DATA;
    request.level = MemoryRequest.FROM_L2;
    request.sectors = 0;
    request.byteMask = 0;
    return request;
  }

  public void giveBack(MemoryRequest request) {
    inUse--;
    request.nextFree = free;
    free = request;
  }

  /** Requests that have not come back. */
  public int inUse() {
    return inUse;
  }
}
