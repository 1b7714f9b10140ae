package dev.warpline.trace;

/** Input text as it is shown in messages: quoted, short, printable. */
final class Quote {
  private static final int LONGEST = 60;

  private Quote() {}

  static String of(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    int length = Math.min(text.length(), LONGEST);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      quoted.append(c >= ' ' && c < 127 ? c : '?');
    }
    return quoted.append(text.length() > LONGEST ? "...\"" : "\"").toString();
  }

  /** The word that begins at an offset, or "end of line". */
  static String word(byte[] bytes, int from, int end) {
    int to = from;
    while (to < end && to < from + LONGEST + 1 && (bytes[to] > ' ' || bytes[to] < 0)) {
      to++;
    }
    return to <= from
        ? "end of line"
        : of(new String(bytes, from, to - from, java.nio.charset.StandardCharsets.ISO_8859_1));
  }
}
