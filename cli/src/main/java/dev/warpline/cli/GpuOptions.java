package dev.warpline.cli;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that choose and change a GPU; a mixin of every command that simulates. */
final class GpuOptions {
  @Option(
      names = "--gpu",
      paramLabel = "NAME|FILE",
      description = "Preset ('warpline gpus' lists them) or YAML file of the GPU.")
  String gpu;

  @Option(
      names = "--set",
      paramLabel = "FIELD=VALUE",
      description = {
        "Change a field of the GPU, e.g. sm.l1.sizeKiB=128; 2x multiplies. Repeatable."
      })
  List<String> settings = new ArrayList<>();

  /**
   * The chosen GPU.
   *
   * @param otherwise preset when the user chose none
   */
  GpuDescription load(String otherwise) throws IOException {
    return Gpus.load(gpu == null ? otherwise : gpu, settings);
  }
}
