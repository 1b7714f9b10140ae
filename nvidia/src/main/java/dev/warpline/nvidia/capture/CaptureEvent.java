package dev.warpline.nvidia.capture;

import dev.warpline.trace.Dim3;
import java.util.List;

/** A line of {@code capture.jsonl}; docs/capture.md explains them. */
public sealed interface CaptureEvent {
  /** The line that it stands on. */
  long line();

  /** Code that was loaded. */
  record Module(long line, int module, String file, long bytes, long sum) implements CaptureEvent {}

  /** Memory; the variables of a module are memory, too. */
  record Allocate(long line, int allocation, long address, long bytes, String kind)
      implements CaptureEvent {
    long pages() {
      return (bytes + Sums.PAGE - 1) / Sums.PAGE;
    }
  }

  /** A variable of a module; its memory is the allocation that comes with it. */
  record Global(long line, int module, String name, Allocate memory) implements CaptureEvent {}

  /** Memory that is given back. */
  record Free(long line, int allocation) implements CaptureEvent {}

  /** A stream. */
  record Stream(long line, int stream, int priority, boolean blocking) implements CaptureEvent {}

  /**
   * Contents of pages.
   *
   * @param at where they are in {@code pages.bin}
   * @param packed their bytes there
   * @param deflated whether they are compressed
   * @param bytes what they are when unpacked
   */
  record Pages(
      long line,
      int allocation,
      long first,
      long count,
      long at,
      long packed,
      boolean deflated,
      int bytes)
      implements CaptureEvent {}

  /** Where an operation stands in a graph launch; none if {@code graph} is 0. */
  record Place(long graph, int node, List<Integer> after) {
    static final Place NONE = new Place(0, 0, List.of());
  }

  /** Something that counts as an operation. */
  sealed interface Operation extends CaptureEvent {
    /** Its number in the program, from 1. */
    long n();
  }

  /**
   * A kernel launch.
   *
   * @param skipped why its contents were not recorded, null if they were
   */
  record Launch(
      long line,
      long n,
      String kernel,
      int module,
      Dim3 grid,
      Dim3 block,
      Dim3 cluster,
      int shared,
      int local,
      int stream,
      boolean cooperative,
      boolean programmatic,
      byte[] parameters,
      Place place,
      String skipped)
      implements Operation {}

  /** An allocation that a kernel changed: its new sum, and the pages that changed. */
  record Changed(int allocation, long sum, List<long[]> pages) {}

  /** What a launch (or all launches of a graph) changed. */
  record Wrote(long line, long n, List<Changed> allocations) implements CaptureEvent {}

  /**
   * A copy.
   *
   * @param bytes of all rows
   * @param rows 1 unless it is one of two dimensions
   * @param replay whether it is to be executed though it is no node of a graph
   */
  record Copy(
      long line,
      long n,
      String kind,
      long bytes,
      long to,
      long from,
      int stream,
      boolean async,
      boolean pinned,
      long rows,
      long toPitch,
      long fromPitch,
      boolean replay,
      Place place)
      implements Operation {}

  /**
   * Memory that is set; {@code width} bytes of {@code value} again and again.
   *
   * @param replay whether it is to be executed though it is no node of a graph
   */
  record Fill(
      long line,
      long n,
      long to,
      long bytes,
      int stream,
      int value,
      int width,
      long rows,
      long toPitch,
      boolean replay,
      Place place)
      implements Operation {}

  /** An event of CUDA's is recorded in a stream, waited for by a stream, or waited for. */
  record Order(long line, long n, String what, int id, int stream) implements Operation {}

  /** A graph launch; its nodes follow. */
  record Graph(long line, long n, long graph, int stream, int nodes) implements Operation {}

  /** Something that could not be recorded. */
  record Refused(long line, long n, String kernel, String reason) implements CaptureEvent {}
}
