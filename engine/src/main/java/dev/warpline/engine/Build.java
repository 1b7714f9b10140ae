package dev.warpline.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which Warpline this is, as its build wrote it down. */
public final class Build {
  private static final Properties FACTS = read();

  private Build() {}

  /** The version, e.g. 0.1.0. */
  public static String version() {
    return FACTS.getProperty("version", "unknown");
  }

  /** The commit it was built from, "+changes" behind it if files differed; or "unknown". */
  public static String commit() {
    return FACTS.getProperty("commit", "unknown");
  }

  private static Properties read() {
    Properties facts = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        facts.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return facts;
  }
}
