package dev.warpline.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The traces on their way into the store. Several are received at a time, one is unpacked: an
 * unpacker may need half a gibibyte of memory.
 */
final class Uploads {
  private static final int AT_MOST = 8;

  private final Store store;
  private final Limits limits;
  private final Simulations simulations;
  private final Map<String, Upload> uploads = new LinkedHashMap<>();
  private final Semaphore unpacker = new Semaphore(1);
  private int count;

  Uploads(Store store, Limits limits, Simulations simulations) {
    this.store = store;
    this.limits = limits;
    this.simulations = simulations;
  }

  /**
   * Takes a trace.
   *
   * @param size bytes that the client announces, -1 if it does not
   * @return the name it has in the store
   */
  String take(String name, long size, InputStream in) throws IOException, Refused {
    String kept = ArchiveGuard.keptName(name);
    if (size > limits.uploadBytes()) {
      throw new Refused(413, name + ": larger than " + limits.uploadBytes() + " bytes");
    }
    simulations.refuseInUse(kept);
    Upload upload = begin(kept, size);
    try {
      store.saveTrace(upload, in, this::unpack);
      return kept;
    } finally {
      synchronized (this) {
        uploads.remove(upload.id);
      }
    }
  }

  private synchronized Upload begin(String name, long size) throws Refused {
    if (uploads.size() >= AT_MOST) {
      throw new Refused(429, uploads.size() + " uploads are on their way already");
    }
    String id = "u" + ++count;
    Upload upload = new Upload(id, name, size, limits);
    uploads.put(id, upload);
    return upload;
  }

  private void unpack(java.nio.file.Path part, Upload upload) throws Refused {
    upload.waits();
    try {
      while (!unpacker.tryAcquire(100, TimeUnit.MILLISECONDS)) {
        upload.refuseCancelled();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(503, "the server ends");
    }
    try {
      upload.unpacks();
      ArchiveGuard.check(part, upload);
      simulations.refuseInUse(upload.name);
    } finally {
      unpacker.release();
    }
  }

  synchronized List<Upload.Snapshot> snapshots() {
    return new ArrayList<>(uploads.values().stream().map(Upload::snapshot).toList());
  }

  synchronized void cancel(String id) throws Refused {
    Upload upload = uploads.get(id);
    if (upload == null) {
      throw new Refused(404, "there is no upload \"" + id + "\"");
    }
    upload.cancel();
  }
}
