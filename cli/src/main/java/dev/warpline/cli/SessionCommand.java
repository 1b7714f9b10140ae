package dev.warpline.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Answers another program until it ends. */
@Command(
    name = "session",
    mixinStandardHelpOptions = true,
    description = {
      "Take commands as lines of JSON on standard input and answer with lines of JSON on standard"
          + " output, until the input ends: what the Python package talks to. docs/python.md has"
          + " the protocol."
    },
    optionListHeading = "%nOptions:%n")
final class SessionCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    PrintStream events = System.out;
    // Whatever prints by mistake must not end up between the events.
    System.setOut(System.err);
    try {
      new Session(
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
              new OutputStreamWriter(events, StandardCharsets.UTF_8))
          .serve();
    } finally {
      System.setOut(events);
    }
    return ExitCode.OK;
  }
}
