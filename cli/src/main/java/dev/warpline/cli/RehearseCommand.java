package dev.warpline.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Does once what users do most, without showing it: the launcher lets the virtual machine watch
 * this, and keep the classes and what it learned of the code for the next starts.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Do once what users do most, for the launcher's archive of classes.")
final class RehearseCommand implements Callable<Integer> {
  /**
   * From this version on the virtual machine keeps what it learned of the code, not only classes.
   */
  private static final int KEEPS_PROFILES = 25;

  /** A GPU in Accel-Sim's options, one of each kind. */
  private static final String OPTIONS =
      """
      -gpgpu_n_clusters 4
      -gpgpu_coalesce_arch 86
      -gpgpu_clock_domains 1132:1132:1132:3500.5
      -gpgpu_cache:dl1 S:4:128:256,L:T:m:L:L,A:384:48,16:0,32
      -gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:192:4,32:0,32
      -gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4
      -gpgpu_adaptive_cache_config 1
      -gpgpu_unified_l1d_size 128
      -gpgpu_shmem_option 0,8,16,32,64,100
      -gpgpu_operand_collector_num_units_gen 8
      -gpgpu_operand_collector_num_in_ports_gen 8
      -gpgpu_operand_collector_num_out_ports_gen 8
      -specialized_unit_1 1,4,4,4,4,BRA
      -trace_opcode_latency_initiation_spec_op_1 2,1
      """;

  @Override
  public Integer call() throws IOException {
    Path capture = Home.example("captures/functions.wcap");
    if (!Files.exists(capture)) {
      silently("gpus");
      return ExitCode.OK;
    }
    Path folder = Files.createTempDirectory("warpline-rehearsal");
    try {
      String text = folder.resolve("text").toString();
      silently("convert", capture.toString(), "--to", "text", "-o", text);
      // Of another kernel, but read like that of a traced one.
      Files.copy(Home.example("tracing/reduce.cubin"), Path.of(text, "kernel-1.cubin"));
      String trace = archive(Path.of(text), folder.resolve("text.tar.xz")).toString();
      boolean profiles = Runtime.version().feature() >= KEEPS_PROFILES;
      for (String input : List.of(trace, Home.example("traces/reduce.wlt").toString())) {
        String most = profiles ? "10000000" : "50000";
        silently("run", input, "--threads", "1", "--max-instructions", most);
        silently(
            "run",
            input,
            "--gpu",
            "rtx3070",
            "--core",
            "classic",
            "--threads",
            "1",
            "--max-instructions",
            most);
      }
      // To their ends, as people ask for them most.
      Path config = Files.writeString(folder.resolve("gpgpusim.config"), OPTIONS);
      int classic = silently("run", trace, "--config", config.toString(), "--threads", "1");
      int modern = silently("run", trace, "--gpu", "h200", "--threads", "1");
      silently("execute", capture.toString());
      return classic == ExitCode.OK ? modern : classic;
    } finally {
      delete(folder);
    }
  }

  /** A command whose words nobody sees; gives its exit code. */
  private static int silently(String... words) {
    PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream());
    Integer code = PlainRun.execute(new Terminal(nowhere, nowhere, List.of(words)));
    if (code != null) {
      return code;
    }
    CommandLine line = Main.commandLine(words);
    line.setOut(nowhere);
    line.setErr(nowhere);
    return line.execute(words);
  }

  private static Path archive(Path folder, Path into) throws IOException {
    try (Stream<Path> files = Files.list(folder);
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(into));
        TarArchiveOutputStream tar =
            new TarArchiveOutputStream(new XZOutputStream(file, new LZMA2Options(0)))) {
      for (Path member : files.sorted().toList()) {
        tar.putArchiveEntry(
            new TarArchiveEntry(member.toFile(), "text/" + member.getFileName().toString()));
        Files.copy(member, tar);
        tar.closeArchiveEntry();
      }
    }
    return into;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
