package dev.warpline.engine.gpu;

/** What a program costs beside its kernels: calls of the host, gaps between operations, copies. */
public record ProgramSpec(
    @Field("calls of the host") Host host,
    @Field("what lies between operations on the GPU") Streams streams,
    @Field("copies and fills") Copies copies) {

  /** Calls of the host. */
  public record Host(
      @Field(value = "call that launches a kernel", unit = "ns", most = 1e9) double launchNs,
      @Field(value = "call that launches a graph", unit = "ns", most = 1e9) double graphNs,
      @Field(value = "call that starts a copy or a fill", unit = "ns", most = 1e9) double copyNs,
      @Field(value = "call that records an event or waits for one", unit = "ns", most = 1e9)
          double eventNs,
      @Field(
              value = "from a call's return to the start of its work on an idle GPU",
              unit = "ns",
              most = 1e9)
          double startNs,
      @Field(value = "from the end of what a call waits for to its return", unit = "ns", most = 1e9)
          double returnNs) {}

  /** What lies between operations on the GPU. */
  public record Streams(
      @Field(
              value = "streams that the program may use: further ones share them; 0 for its own",
              standard = "0",
              most = 1 << 20)
          int most,
      @Field(
              value = "from a kernel's end to the start of the next one in its stream",
              unit = "ns",
              least = -1e6,
              most = 1e9)
          double kernelNs,
      @Field(
              value = "more than that where the next one waits for an event of another stream",
              unit = "ns",
              most = 1e9)
          double waitNs,
      @Field(
              value = "between the starts of kernels that an event of another stream lets go",
              unit = "ns",
              most = 1e9)
          double waitIntervalNs,
      @Field(value = "an event that keeps the time, in its stream", unit = "ns", most = 1e9)
          double timingNs,
      @Field(
              value = "from a node's end to the start of the next one in a graph",
              unit = "ns",
              least = -1e6,
              most = 1e9)
          double nodeNs,
      @Field(
              value = "between the starts of nodes that have nothing more to wait for",
              unit = "ns",
              most = 1e9)
          double nodeIntervalNs) {}

  /** Copies and fills. */
  public record Copies(
      @Field(value = "start of a copy to the GPU", unit = "ns", most = 1e9) double toDeviceNs,
      @Field(
              value = "copies to the GPU from pinned memory",
              unit = "GB/s",
              least = 1e-3,
              most = 1e6)
          double toDeviceGBps,
      @Field(value = "start of a copy to the host", unit = "ns", most = 1e9) double toHostNs,
      @Field(
              value = "copies to the host into pinned memory",
              unit = "GB/s",
              least = 1e-3,
              most = 1e6)
          double toHostGBps,
      @Field(
              value = "copies to the GPU from pageable memory",
              unit = "GB/s",
              least = 1e-3,
              most = 1e6)
          double pageableToDeviceGBps,
      @Field(
              value = "copies to the host into pageable memory",
              unit = "GB/s",
              least = 1e-3,
              most = 1e6)
          double pageableToHostGBps,
      @Field(value = "start of a copy on the GPU", unit = "ns", most = 1e9) double onDeviceNs,
      @Field(value = "copies on the GPU", unit = "GB/s", least = 1e-3, most = 1e6)
          double onDeviceGBps,
      @Field(value = "start of a fill", unit = "ns", most = 1e9) double fillNs,
      @Field(value = "fills", unit = "GB/s", least = 1e-3, most = 1e6) double fillGBps,
      @Field(
              value = "copies to the GPU up to this size travel with the commands",
              unit = "bytes",
              most = 1 << 20)
          int smallBytes,
      @Field(value = "such a copy", unit = "ns", most = 1e9) double smallNs,
      @Field(
              value = "between a kernel and a small copy, a copy on the GPU or a fill",
              unit = "ns",
              most = 1e9)
          double nearNs,
      @Field(
              value = "between a kernel and a copy engine: to it and back, each",
              unit = "ns",
              most = 1e9)
          double engineNs,
      @Field(
              value = "share of its bandwidth that a copy has while others go the other way",
              least = 1e-3,
              most = 1)
          double bothWaysShare,
      @Field(
              value = "what the start of a copy takes more while others go the other way",
              unit = "ns",
              most = 1e9)
          double bothWaysNs,
      @Field(
              value = "larger fills of a graph follow its kernels as kernels do",
              unit = "bytes",
              most = 1 << 20)
          int smallFillBytes,
      @Field(
              value = "what such fills, and copies on the GPU in a graph, take more",
              unit = "ns",
              most = 1e9)
          double nodeNs,
      @Field(value = "copy engines of either direction between host and GPU", least = 1, most = 64)
          int engines) {}
}
