package dev.warpline.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The command line as a user has it: what came out, and the exit code. */
record Warpline(int code, String out, String err) {
  static Warpline run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Warpline(code, out.toString(), err.toString());
  }
}
