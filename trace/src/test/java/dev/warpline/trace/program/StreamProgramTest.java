package dev.warpline.trace.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.trace.TraceFormatException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that cannot be is refused by file, line and name. */
class StreamProgramTest {
  private static final List<Stream> STREAMS = List.of(Stream.plain(0), Stream.plain(1));

  private static StreamProgram program(StreamOperation... operations) throws TraceFormatException {
    return StreamProgram.of("program", true, STREAMS, List.of(operations));
  }

  private static StreamTask.Node node(int node, Integer... after) {
    return new StreamTask.Node(
        10 + node, 20 + node, node, List.of(after), new StreamTask.Launch(node, "k"));
  }

  @Test
  void nodesThatWaitForEachOtherInACircleAreNamed() {
    StreamTask graph =
        new StreamTask.Graph(List.of(node(0), node(1, 0, 3), node(2, 1), node(3, 2)));
    assertThatThrownBy(() -> program(new StreamOperation(1, 5, 0, graph)))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("program:21:1")
        .hasMessageContaining(
            "a dependency cycle in the graph of operation 1: node 1 waits for node 3 waits for"
                + " node 2 waits for node 1");
  }

  @Test
  void anEventThatNobodyRecordedIsNamed() {
    assertThatThrownBy(
            () ->
                program(
                    new StreamOperation(1, 4, 0, new StreamTask.WaitEvent(7)),
                    new StreamOperation(2, 5, 1, new StreamTask.RecordEvent(7, false))))
        .hasMessageContaining("program:4:1: found operation 1 that waits for event 7");
  }

  @Test
  void aStreamThatNobodyMadeIsNamed() {
    assertThatThrownBy(() -> program(new StreamOperation(1, 9, 3, new StreamTask.Launch(0, "k"))))
        .hasMessageContaining("program:9:1: found operation 1 in stream 3, which is not known");
  }

  @Test
  void aNodeThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () -> program(new StreamOperation(1, 5, 0, new StreamTask.Graph(List.of(node(0, 4))))))
        .hasMessageContaining("program:20:1: found node 0 that waits for node 4");
  }

  @Test
  void kernelsOfTwoStreamsMayOverlap() throws TraceFormatException {
    StreamOperation one = new StreamOperation(1, 0, 0, new StreamTask.Launch(0, "k"));
    assertThat(
            program(one, new StreamOperation(2, 0, 0, new StreamTask.Launch(1, "k"))).inOneStream())
        .isTrue();
    assertThat(
            program(one, new StreamOperation(2, 0, 1, new StreamTask.Launch(1, "k"))).inOneStream())
        .isFalse();
  }
}
