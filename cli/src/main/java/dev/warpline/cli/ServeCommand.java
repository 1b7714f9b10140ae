package dev.warpline.cli;

import dev.warpline.web.server.Limits;
import dev.warpline.web.server.RunLimits;
import dev.warpline.web.server.Server;
import dev.warpline.web.server.ServerOptions;
import dev.warpline.web.server.TraceSimulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves the pages over a folder of traces and results. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Show results in the browser; start, watch and compare simulations there.",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class ServeCommand implements Callable<Integer> {
  private static final long MEBI = 1L << 20;

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "warpline-store",
      description = {
        "Folder of traces/, gpus/, runs/, validations/ and studies/ (default: warpline-store)."
      })
  Path store;

  @Option(
      names = "--study",
      paramLabel = "STORE",
      description = "What 'warpline sweep' wrote, wherever it lies. Repeatable.")
  List<Path> studies = new ArrayList<>();

  @Mixin Plugins plugins;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      description = "Address to listen at (default: loopback); others need a token.")
  String host;

  @Option(
      names = "--port",
      defaultValue = "7100",
      converter = Numbers.Port.class,
      description = "Port (default: 7100; 0: any).")
  int port;

  @Option(
      names = "--token",
      description = "What a client must show; made up if the address is not loopback.")
  String token;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = "Threads that simulate (default: the processors of this machine).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--max-upload",
      paramLabel = "MIB",
      defaultValue = "1024",
      converter = Numbers.Mebibytes.class,
      description = "Largest upload in MiB (default: 1024).")
  long maxUpload;

  @Option(
      names = "--max-unpacked",
      paramLabel = "MIB",
      defaultValue = "16384",
      converter = Numbers.Mebibytes.class,
      description = "Most that an uploaded archive may unpack to, in MiB (default: 16384).")
  long maxUnpacked;

  @Option(
      names = "--max-unpack-seconds",
      paramLabel = "S",
      defaultValue = "600",
      converter = Numbers.Seconds.class,
      description = "Longest that unpacking an uploaded archive may take (default: 600).")
  long maxUnpackSeconds;

  @Option(
      names = "--max-store",
      paramLabel = "MIB",
      defaultValue = "65536",
      converter = Numbers.Mebibytes.class,
      description = "Most that traces and results may take on the disk, in MiB (default: 65536).")
  long maxStore;

  @Option(
      names = "--max-cycles",
      paramLabel = "N",
      defaultValue = "10000000000",
      converter = Numbers.Limit.class,
      description = "A run ends after so many core cycles (default: 10000000000).")
  long maxCycles;

  @Option(
      names = "--max-instructions",
      paramLabel = "N",
      defaultValue = "100000000000",
      converter = Numbers.Limit.class,
      description = "A run ends after so many warp instructions (default: 100000000000).")
  long maxInstructions;

  @Option(
      names = "--max-seconds",
      paramLabel = "S",
      defaultValue = "3600",
      converter = Numbers.Seconds.class,
      description = "A run ends after so much wall time (default: 3600).")
  long maxSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (token == null && !InetAddress.getByName(host).isLoopbackAddress()) {
      byte[] secret = new byte[16];
      new SecureRandom().nextBytes(secret);
      token = HexFormat.of().formatHex(secret);
    }
    ServerOptions options = new ServerOptions(store, host, port, token, limits(), studies);
    try (Server server = new Server(options, new TraceSimulator(threads))) {
      out.println("Warpline serves " + store + " at " + server.url());
      out.flush();
      new CountDownLatch(1).await();
    } catch (BindException e) {
      throw new IOException(host + ":" + port + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    return ExitCode.OK;
  }

  private Limits limits() {
    return new Limits(
        maxUpload * MEBI,
        maxUnpacked * MEBI,
        maxUnpackSeconds,
        maxStore * MEBI,
        Limits.DEFAULT.silenceSeconds(),
        new RunLimits(maxCycles, maxInstructions, maxSeconds));
  }
}
