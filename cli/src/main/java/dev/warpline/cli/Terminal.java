package dev.warpline.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import picocli.CommandLine;

/**
 * What a command prints on, and the words that started it.
 *
 * @param out for what was asked for
 * @param err for what is said besides
 * @param words the whole command line after the program's name
 */
record Terminal(PrintWriter out, PrintWriter err, List<String> words) {
  /** Of a command that picocli reads. */
  static Terminal of(CommandLine command) {
    CommandLine root = command;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return new Terminal(command.getOut(), command.getErr(), root.getParseResult().originalArgs());
  }

  /** Of the process itself. */
  static Terminal standard(String... words) {
    return new Terminal(writer(System.out, "stdout"), writer(System.err, "stderr"), List.of(words));
  }

  private static PrintWriter writer(PrintStream stream, String name) {
    String encoding = System.getProperty("sun." + name + ".encoding");
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    return new PrintWriter(stream, true, charset);
  }
}
