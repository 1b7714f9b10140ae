package dev.warpline.cli;

import java.nio.file.Path;

/** Where Warpline is installed, as its launcher says; the examples lie there. */
final class Home {
  private Home() {}

  static Path folder() {
    return Path.of(System.getProperty("warpline.home", ""));
  }

  /** A file or folder of the examples; relative to where the user is, if that is shorter. */
  static Path example(String name) {
    Path here = Path.of("").toAbsolutePath();
    Path home = folder().toAbsolutePath().normalize();
    return (home.startsWith(here) ? here.relativize(home) : home).resolve("examples/" + name);
  }
}
