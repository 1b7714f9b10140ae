package dev.warpline.cli;

import java.util.List;
import java.util.regex.Pattern;

/** How {@code --what-if} is read. */
final class WhatIf {
  /** A comma in front of the next FIELD=; other commas belong to a value. */
  private static final Pattern BETWEEN = Pattern.compile(",(?=\\s*[A-Za-z][\\w.]*\\s*=)");

  private WhatIf() {}

  /** The settings of one alternative: {@code FIELD=VALUE,FIELD=VALUE}. */
  static List<String> settings(String alternative) {
    return BETWEEN.splitAsStream(alternative).map(String::strip).toList();
  }
}
