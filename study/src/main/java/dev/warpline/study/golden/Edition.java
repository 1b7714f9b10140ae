package dev.warpline.study.golden;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which golden results these are: rewritten how often, why the last time, and a digest of the
 * files, so that none changes without a new edition. The changelog has a line for each edition.
 */
record Edition(int number, String reason, String digest) {
  static final String FILE = "edition.txt";
  private static final String UNRELEASED = "## Unreleased";
  private static final int DIGEST_BYTES = 6;

  static Edition read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    List<String> lines = Files.readAllLines(file);
    if (lines.size() != 3) {
      throw new IOException(
          file + ": found " + lines.size() + " lines, expected edition, reason and digest");
    }
    return new Edition(
        Integer.parseInt(value(file, lines, 0, "edition ")),
        value(file, lines, 1, "reason "),
        value(file, lines, 2, "digest "));
  }

  private static String value(Path file, List<String> lines, int line, String key)
      throws IOException {
    if (!lines.get(line).startsWith(key)) {
      throw new IOException(
          file + ":" + (line + 1) + ": found \"" + lines.get(line) + "\", expected " + key + "...");
    }
    return lines.get(line).substring(key.length());
  }

  void write(Path folder) throws IOException {
    Files.writeString(
        folder.resolve(FILE),
        "edition " + number + "\nreason " + reason + "\ndigest " + digest + "\n");
  }

  /** The changelog's line for it. */
  String line() {
    return "- Golden results, edition " + number + ": " + reason;
  }

  /** Adds its line at the end of what is not yet released. */
  void note(Path changelog) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(changelog));
    int start = lines.indexOf(UNRELEASED);
    if (start < 0) {
      throw new IOException(changelog + ": found no line \"" + UNRELEASED + "\"");
    }
    int end = start + 1;
    while (end < lines.size() && !lines.get(end).startsWith("## ")) {
      end++;
    }
    while (lines.get(end - 1).isBlank()) {
      end--;
    }
    if (end == start + 1) {
      lines.add(end++, "");
    }
    lines.add(end, line());
    Files.write(changelog, lines);
  }

  /** A digest of the golden files of a folder. */
  static String digest(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (!file.endsWith(FILE)) {
          all.append(file.getFileName()).append(' ');
          all.append(digest(Files.readAllBytes(file))).append('\n');
        }
      }
    }
    return digest(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  static String digest(byte[] content) {
    try {
      byte[] whole = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
