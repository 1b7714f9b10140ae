package dev.warpline.amd.memory;

import dev.warpline.memory.Client;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.memory.RequestQueue;

/**
 * What compute units that run on one thread ask of the shared side in a window, and the requests
 * that they use again.
 */
public final class Outbox {
  private final RequestPool pool = new RequestPool();
  private final RequestQueue sent = new RequestQueue(64);

  /**
   * Sends a request, a read unless the caller says otherwise in what is returned.
   *
   * @param arrival cycle at which it reaches the server
   * @param client the cache, or the TLB of the cache, that asks
   * @param cu in whose name it asks
   * @param address of the line or page
   * @param number the client's own, comes back with the answer
   */
  public MemoryRequest send(long arrival, Client client, int cu, long address, int number) {
    MemoryRequest request = pool.take();
    request.ready = arrival;
    request.client = client;
    request.port = cu;
    request.address = address;
    request.number = number;
    sent.push(request);
    return request;
  }

  boolean isEmpty() {
    return sent.isEmpty();
  }

  MemoryRequest take() {
    return sent.pop();
  }

  /** A request was answered. */
  public void giveBack(MemoryRequest request) {
    pool.giveBack(request);
  }
}
