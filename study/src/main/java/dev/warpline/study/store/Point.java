package dev.warpline.study.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One simulation of a study. What decides its result is in its {@link #id}; the rest says where to
 * find it.
 *
 * @param trace file or folder of the traced program, or a launch file
 * @param gpu preset, file or folder
 * @param core model of the SM, by its word
 * @param settings what is changed of the GPU, as {@code --set} takes it
 * @param kernels which launches, as {@code --kernel} takes them; empty for all
 * @param maxCycles core cycles after which it ends, 0 for no limit
 * @param sample relative error to which it is sampled, 0 to simulate everything
 * @param traceSha256 hash of the trace's content
 * @param descriptionSha256 hash of the GPU with all its fields resolved
 * @param version hash of the simulator itself
 */
public record Point(
    String trace,
    String gpu,
    String core,
    List<String> settings,
    List<String> kernels,
    long maxCycles,
    double sample,
    String traceSha256,
    String descriptionSha256,
    String version) {

  /** A point that is simulated in full. */
  public Point(
      String trace,
      String gpu,
      String core,
      List<String> settings,
      List<String> kernels,
      long maxCycles,
      String traceSha256,
      String descriptionSha256,
      String version) {
    this(
        trace, gpu, core, settings, kernels, maxCycles, 0, traceSha256, descriptionSha256, version);
  }

  /** Its address: equal for two points if and only if they must have the same result. */
  public String id() {
    String all =
        String.join(
            "\n",
            traceSha256,
            descriptionSha256,
            core,
            version,
            String.join(",", kernels),
            Long.toString(maxCycles) + (sample == 0 ? "" : "\nsample " + sample));
    return sha256(all.getBytes(StandardCharsets.UTF_8));
  }

  /** A hash as hexadecimal digits. */
  public static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
