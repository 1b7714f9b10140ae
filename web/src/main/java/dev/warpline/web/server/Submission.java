package dev.warpline.web.server;

import java.nio.file.Path;
import java.util.List;

/**
 * A run as it was asked for.
 *
 * @param trace name of the traced program in the store
 * @param program where it lies
 * @param gpu name of the GPU: a preset, or a description of the store; empty for the one that the
 *     trace's code was made for
 * @param gpuSource the preset's name again, or where the description lies, or null
 * @param core {@code classic}, {@code modern}, or empty for the GPU's own
 * @param settings overrides of the form {@code field=value}
 * @param limits when it is ended
 */
public record Submission(
    String trace,
    Path program,
    String gpu,
    String gpuSource,
    String core,
    List<String> settings,
    RunLimits limits) {
  /** The words that would ask the command line for the same. */
  public String command() {
    StringBuilder words = new StringBuilder("run " + trace);
    if (!gpu.isEmpty()) {
      words.append(" --gpu ").append(gpu);
    }
    if (!core.isEmpty()) {
      words.append(" --core ").append(core);
    }
    settings.forEach(setting -> words.append(" --set ").append(setting));
    return words.toString();
  }
}
