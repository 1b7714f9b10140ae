package dev.warpline.trace;

import java.util.Map;

/**
 * What a kernel trace says before its first thread block.
 *
 * @param name mangled kernel name
 * @param id launch number, from 1
 * @param grid blocks in x, y, z
 * @param block threads in x, y, z
 * @param sharedBytes static plus dynamic shared memory of a block
 * @param registers registers per thread
 * @param binaryVersion SM number, e.g. 90
 * @param stream CUDA stream handle
 * @param sharedBase start of the generic-address window of shared memory
 * @param localBase start of the generic-address window of local memory
 * @param nvbitVersion as recorded
 * @param tracerVersion 0 (absent) to that of the latest {@link TraceDialect}
 * @param lineInfo whether instruction lines begin with a source line
 * @param cluster blocks per cluster in x, y, z; (1,1,1) without clusters
 * @param extra unknown header keys, in file order
 */
public record KernelHeader(
    String name,
    int id,
    Dim3 grid,
    Dim3 block,
    int sharedBytes,
    int registers,
    int binaryVersion,
    long stream,
    long sharedBase,
    long localBase,
    String nvbitVersion,
    int tracerVersion,
    boolean lineInfo,
    Dim3 cluster,
    Map<String, String> extra) {

  /** This header, with the cluster that the code was compiled for where the trace names none. */
  KernelHeader withClusterOf(KernelCode code) {
    if (code == null || !cluster.equals(Dim3.ONE) || !isCluster(code.cluster())) {
      return this;
    }
    return new KernelHeader(
        name,
        id,
        grid,
        block,
        sharedBytes,
        registers,
        binaryVersion,
        stream,
        sharedBase,
        localBase,
        nvbitVersion,
        tracerVersion,
        lineInfo,
        code.cluster(),
        extra);
  }

  private static boolean isCluster(Dim3 dim) {
    return dim.x() > 0 && dim.y() > 0 && dim.z() > 0 && dim.count() > 1;
  }

  /** How the tracer wrote its lines. */
  public TraceDialect dialect() {
    TraceDialect dialect = TraceDialects.of(tracerVersion);
    if (dialect == null) {
      throw new IllegalStateException("no dialect of tracer version " + tracerVersion);
    }
    return dialect;
  }

  /** Warps of a thread block, the last one perhaps partly filled. */
  public int warpsPerBlock() {
    return (int) ((block.count() + 31) / 32);
  }
}
