package dev.warpline.nvidia.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.trace.Diagnostics;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that people write. */
class ProgramFileTest {
  private static final Path EXAMPLES = Path.of("..", "examples", "programs");

  @TempDir Path folder;

  private ProgramTraceSet read(String... lines) throws IOException {
    Path file = folder.resolve("p.yaml");
    Files.writeString(
        file,
        "program: test\nkernels: {add: "
            + Path.of("..", "examples", "traces", "vecadd").toAbsolutePath().normalize()
            + "}\nstreams: {side: {priority: -1}}\ndo:\n"
            + String.join("\n", lines)
            + "\n");
    return ProgramFile.open(file, Diagnostics.lenient());
  }

  @Test
  void theExamplesAreReadAndTheirKernelsOpened() throws IOException {
    try (ProgramTraceSet set =
        ProgramFile.open(EXAMPLES.resolve("overlap.yaml"), Diagnostics.lenient())) {
      assertThat(set.commands()).hasSize(9);
      assertThat(set.program().operations()).hasSize(15);
      TraceCommand.Launch second = (TraceCommand.Launch) set.commands().get(1);
      assertThat(set.header(second).name()).contains("reduce");
      assertThat(set.program().operations().get(2).task())
          .isInstanceOfSatisfying(
              StreamTask.Launch.class, launch -> assertThat(launch.name()).contains("vecadd"));
    }
    try (ProgramTraceSet set =
        ProgramFile.open(EXAMPLES.resolve("graph.yaml"), Diagnostics.lenient())) {
      assertThat(set.commands()).hasSize(30);
    }
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    assertThatThrownBy(() -> read("  - {launch: sub}"))
        .hasMessageContaining("p.yaml:5:14: found kernel sub, expected one of the kernels add");
    assertThatThrownBy(() -> read("  - {launch: add, stream: other}"))
        .hasMessageContaining(
            "p.yaml:5:27: found stream other, expected one of the streams default, side");
    assertThatThrownBy(() -> read("  - {wait: done}"))
        .hasMessageContaining(
            "p.yaml:5:12: found event done, expected an event that was recorded before");
    assertThatThrownBy(() -> read("  - {copy: sideways, bytes: 4}"))
        .hasMessageContaining("p.yaml:5:12: found sideways, expected one of toDevice");
    assertThatThrownBy(() -> read("  - {copy: toHost, bytes: 4 miles}"))
        .hasMessageContaining("found 4 miles, expected a size such as 4 MiB");
    assertThatThrownBy(() -> read("  - {launch: add, often: true}"))
        .hasMessageContaining("p.yaml:5:19: found often");
    assertThatThrownBy(
            () ->
                read(
                    "  - graph:",
                    "      - {node: a, launch: add, after: b}",
                    "      - {node: b, launch: add, after: a}"))
        .hasMessageContaining("p.yaml:6")
        .hasMessageContaining(
            "a dependency cycle in the graph of operation 1: node a waits for node b waits for node"
                + " a");
    assertThatThrownBy(() -> read("  - {synchronize: sde}"))
        .hasMessageContaining("p.yaml:5:19: found event sde, expected an event");
  }

  @Test
  void aFileIsAProgramByAnyFieldThatOnlyProgramsHave() throws IOException {
    Path file = folder.resolve("p.yaml");
    for (String text :
        new String[] {"program: a\n", "# a\nkernels:\n  x: y\n", "streams: {}\ndo: []\n"}) {
      Files.writeString(file, text);
      assertThat(ProgramFile.isProgram(file)).as(text).isTrue();
    }
    Files.writeString(file, "code: x.co\nlaunches:\n  - kernels: 1\n");
    assertThat(ProgramFile.isProgram(file)).isFalse();
  }

  @Test
  void aStreamHasSmsOfItsOwn() throws IOException {
    Path file = folder.resolve("s.yaml");
    String text =
        "program: test\nkernels: {add: x}\nstreams:\n  side: {sms: \"%s\"}\ndo:\n  - {fill: 4}\n";
    Files.writeString(file, text.formatted("0-65,70"));
    try (ProgramTraceSet set = ProgramFile.open(file, Diagnostics.lenient())) {
      assertThat(set.program().stream(1).sms()).isEqualTo("0-65,70");
    }
    Files.writeString(file, text.formatted("half"));
    assertThatThrownBy(() -> ProgramFile.open(file, Diagnostics.lenient()))
        .hasMessageContaining("s.yaml:4:15: found SMs half, expected SMs such as 0-65,70");
  }

  @Test
  void repeatedPartsAreDoneSoOften() throws IOException {
    try (ProgramTraceSet set =
        read(
            "  - repeat: 3",
            "    do:",
            "      - {launch: add, repeat: 2}",
            "      - {host: 5 us}",
            "      - {fill: 4 KiB, stream: side}")) {
      assertThat(set.commands()).hasSize(6);
      assertThat(set.program().operations()).hasSize(9);
      assertThat(set.program().operations().get(2).gapNs()).isEqualTo(5000);
    }
  }
}
