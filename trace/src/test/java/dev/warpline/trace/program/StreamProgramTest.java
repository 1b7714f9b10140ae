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

  private static StreamOperation launch(int number, int stream, String name) {
    return new StreamOperation(
        number, 0, stream, new StreamTask.Launch(number, name), 500, StreamOperation.AS_DESCRIBED);
  }

  private static List<Boolean> dependent(StreamProgram program) {
    return program.operations().stream()
        .map(one -> one.task() instanceof StreamTask.Launch launch && launch.programmatic())
        .toList();
  }

  @Test
  void withoutKernelsTheirCallsAreNotThereEither() throws TraceFormatException {
    StreamProgram left =
        program(launch(1, 0, "gemm"), launch(2, 0, "bias"), launch(3, 1, "bias"))
            .without(name -> name.equals("bias"));
    assertThat(left.operations()).extracting(StreamOperation::number).containsExactly(1);
  }

  @Test
  void whatWaitedForANodeThatIsGoneWaitsForWhatThatWaitedFor() throws TraceFormatException {
    StreamTask graph =
        new StreamTask.Graph(
            List.of(
                node(0),
                new StreamTask.Node(11, 0, 1, List.of(0), new StreamTask.Launch(1, "bias")),
                new StreamTask.Node(12, 0, 2, List.of(1), new StreamTask.Launch(2, "bias")),
                node(3, 2)));
    StreamProgram left =
        program(new StreamOperation(1, 5, 0, graph)).without(name -> name.equals("bias"));
    assertThat(((StreamTask.Graph) left.operations().get(0).task()).nodes())
        .extracting(StreamTask.Node::node, StreamTask.Node::after)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(0, List.of()),
            org.assertj.core.groups.Tuple.tuple(3, List.of(0)));
  }

  @Test
  void kernelsInARowAreFusedAndOthersAreNot() throws TraceFormatException {
    StreamProgram fused =
        program(
                launch(1, 0, "add"),
                launch(2, 0, "add"),
                launch(3, 1, "add"),
                launch(4, 0, "gemm"),
                launch(5, 0, "add"),
                new StreamOperation(6, 0, 0, new StreamTask.Fill(4)),
                launch(7, 0, "add"))
            .fused(name -> name.equals("add"));
    assertThat(dependent(fused)).containsExactly(false, true, false, false, false, false, false);
    assertThat(fused.operations().get(1).callNs()).as("the host does not call").isZero();
    assertThat(fused.operations().get(1).gapNs()).isZero();
    assertThat(fused.operations().get(4).gapNs()).isEqualTo(500);
  }

  @Test
  void smsOfAStreamThatIsNotThereAreRefusedByName() throws TraceFormatException {
    StreamProgram program = program(launch(1, 0, "k"));
    assertThat(program.onSms(java.util.Map.of("1", "0-3")).stream(1).sms()).isEqualTo("0-3");
    assertThat(program.onSms(java.util.Map.of("stream 1", "50%")).stream(1).sms()).isEqualTo("50%");
    assertThatThrownBy(() -> program.onSms(java.util.Map.of("side", "0-3")))
        .hasMessageContaining("found SMs of stream side, expected one of [stream 0, stream 1]");
  }
}
