package dev.warpline.engine;

/**
 * What a result rests on, so that it can be had again.
 *
 * @param version Warpline's version
 * @param build the commit it was built from, or "unknown"
 * @param command how it was asked for
 * @param input trace or launch file, as it was named
 * @param inputBytes its size
 * @param inputSha256 SHA-256 of its bytes (of a folder: of the files read from it, in name order)
 * @param descriptionSha256 SHA-256 of the resolved description, as {@link RunResult#configuration}
 *     lists it
 */
public record Origin(
    String version,
    String build,
    String command,
    String input,
    long inputBytes,
    String inputSha256,
    String descriptionSha256) {}
