package dev.warpline.spark;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.Serializable;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.broadcast.Broadcast;

/**
 * A task as Spark carries it.
 *
 * @param id the point's address
 * @param line what Warpline makes of it
 * @param files what it needs, by hash, in pieces that executors pass on to each other
 */
record Element(String id, String line, Map<String, List<Broadcast<byte[]>>> files)
    implements Serializable {
  /** The content of a file; a piece comes when it is read. */
  InputStream content(String sha256) {
    List<Broadcast<byte[]>> pieces = files.get(sha256);
    if (pieces == null) {
      throw new IllegalArgumentException("no file with SHA-256 " + sha256);
    }
    Iterator<Broadcast<byte[]>> next = pieces.iterator();
    return new SequenceInputStream(
        new Enumeration<InputStream>() {
          @Override
          public boolean hasMoreElements() {
            return next.hasNext();
          }

          @Override
          public InputStream nextElement() {
            return new ByteArrayInputStream(next.next().value());
          }
        });
  }
}
