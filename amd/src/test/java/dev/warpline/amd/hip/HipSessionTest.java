package dev.warpline.amd.hip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.exec.SharedWindow;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program's requests, made by hand: what a GPU answers, what it does with shared memory. */
class HipSessionTest {
  private static final Path CODE =
      Path.of("..", "examples", "amd", "co", "stream.gfx90a.co").toAbsolutePath();
  private static final int N = 1000;

  /** What comes back. */
  private record Answer(int error, long[] words, byte[] data) {}

  @TempDir Path folder;

  private RandomAccessFile window;
  private SocketChannel program;
  private HipSession session;
  private Thread server;
  private final List<String> complaints = new ArrayList<>();

  @BeforeEach
  void connect() throws IOException {
    Path file = folder.resolve("window");
    window = new RandomAccessFile(file.toFile(), "rw");
    window.setLength(1L << 30);
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listening.bind(address);
      program = SocketChannel.open(address);
      session =
          new HipSession(
              Gpus.load("mi210"),
              RunOptions.DEFAULT,
              Progress.NONE,
              false,
              new HipConnection(listening.accept()),
              complaints::add);
    }
    server =
        new Thread(
            () -> {
              try {
                session.run();
              } catch (IOException e) {
                complaints.add(e.toString());
              }
            });
    server.start();
    Answer hello =
        ask(
            HipRequest.HELLO,
            "/a/program".getBytes(StandardCharsets.UTF_8),
            ProcessHandle.current().pid(),
            descriptor(file),
            SharedWindow.BASE,
            1L << 30);
    assertThat(hello.error).isZero();
    assertThat(hello.words[1]).isEqualTo(104);
    assertThat(new String(hello.data, StandardCharsets.UTF_8)).contains("gfx90a");
  }

  @AfterEach
  void disconnect() throws Exception {
    program.close();
    server.join();
    session.close();
    window.close();
  }

  /** The number under which this process has opened a file. */
  private static long descriptor(Path file) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : open.toList()) {
        if (Files.exists(link) && Files.isSameFile(link, file)) {
          return Long.parseLong(link.getFileName().toString());
        }
      }
    }
    throw new IOException(file + " is not open");
  }

  private Answer ask(HipRequest request, byte[] data, long... words) throws IOException {
    ByteBuffer message =
        ByteBuffer.allocate(16 + 8 * words.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(request.ordinal()).putInt(words.length).putLong(data.length);
    for (long word : words) {
      message.putLong(word);
    }
    message.put(data).flip();
    while (message.hasRemaining()) {
      program.write(message);
    }
    ByteBuffer head = read(16);
    long[] back = new long[head.getInt(4)];
    read(8 * back.length).asLongBuffer().get(back);
    return new Answer(head.getInt(0), back, read((int) head.getLong(8)).array());
  }

  private Answer ask(HipRequest request, long... words) throws IOException {
    return ask(request, new byte[0], words);
  }

  private ByteBuffer read(int bytes) throws IOException {
    byte[] data = Channels.newInputStream(program).readNBytes(bytes);
    assertThat(data).hasSize(bytes);
    return ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
  }

  private long allocate() throws IOException {
    Answer answer = ask(HipRequest.ALLOCATE, 4 * N, 0, 0);
    assertThat(answer.error).isZero();
    return answer.words[0];
  }

  private int launch(long from, long to, int n) throws IOException {
    Answer module = ask(HipRequest.LOAD, Files.readAllBytes(CODE));
    Answer function =
        ask(HipRequest.FUNCTION, "relu".getBytes(StandardCharsets.UTF_8), module.words[0]);
    assertThat(function.words[1]).as("bytes of the arguments").isEqualTo(20);
    ByteBuffer arguments = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    arguments.putLong(from).putLong(to).putInt(n);
    return ask(
            HipRequest.LAUNCH,
            arguments.array(),
            function.words[0],
            1024,
            1,
            1,
            64,
            1,
            1,
            0,
            0,
            0,
            0,
            0)
        .error;
  }

  @Test
  void aKernelSeesWhatTheProgramWroteAndEventsHaveItsTime() throws IOException {
    long from = allocate();
    long to = allocate();
    ByteBuffer values = ByteBuffer.allocate(4 * N).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < N; i++) {
      values.putFloat(4 * i, i - N / 2);
    }
    FileChannel seen = window.getChannel();
    seen.write(values, from - SharedWindow.BASE);
    long start = ask(HipRequest.EVENT_CREATE, 0).words[0];
    long stop = ask(HipRequest.EVENT_CREATE, 0).words[0];
    ask(HipRequest.EVENT_RECORD, start, 0);
    assertThat(launch(from, to, N)).isZero();
    ask(HipRequest.EVENT_RECORD, stop, 0);
    assertThat(ask(HipRequest.EVENT_ELAPSED, start, stop).error).isEqualTo(HipException.NOT_READY);
    assertThat(ask(HipRequest.SYNCHRONIZE).error).isZero();
    ByteBuffer back = ByteBuffer.allocate(4 * N).order(ByteOrder.LITTLE_ENDIAN);
    seen.read(back, to - SharedWindow.BASE);
    for (int i = 0; i < N; i++) {
      assertThat(back.getFloat(4 * i)).isEqualTo(Math.max(0, i - N / 2));
    }
    KernelResult kernel = session.results().get(0);
    double nanos = kernel.cycles() * 1000 / 1700.0;
    assertThat((double) ask(HipRequest.EVENT_ELAPSED, start, stop).words[0])
        .isBetween(nanos, 10 * nanos + 50_000);
    assertThat(complaints).isEmpty();
  }

  @Test
  void workWaitsUntilTheProgramDoes() throws IOException {
    long from = allocate();
    assertThat(launch(from, allocate(), N)).isZero();
    assertThat(session.results()).isEmpty();
    assertThat(ask(HipRequest.STREAM_QUERY, 0).error).isEqualTo(HipException.NOT_READY);
    assertThat(ask(HipRequest.FREE, from).error).isZero();
    assertThat(session.results()).hasSize(1);
  }

  @Test
  void afterAFaultNothingSucceeds() throws IOException {
    assertThat(launch(allocate(), allocate(), N + 8)).isZero();
    assertThat(ask(HipRequest.SYNCHRONIZE).error).isEqualTo(HipException.ILLEGAL_ADDRESS);
    assertThat(ask(HipRequest.ALLOCATE, 16, 0, 0).error).isEqualTo(HipException.ILLEGAL_ADDRESS);
    assertThat(complaints)
        .singleElement()
        .asString()
        .contains("program: the GPU cannot go on (hipErrorIllegalAddress)")
        .contains("of kernel relu");
  }

  @Test
  void aCopyOutOfAnAllocationAndAnUnknownStreamAreRefused() throws IOException {
    long at = allocate();
    assertThat(ask(HipRequest.COPY, 0, at, 0, 0, 0, 4 * N + 1, 1, 1).error)
        .isEqualTo(HipException.INVALID_VALUE);
    assertThat(ask(HipRequest.COPY, 99, at, 0, 0, 0, 4 * N, 1, 1).error)
        .isEqualTo(HipException.INVALID_HANDLE);
    assertThat(ask(HipRequest.FREE, at + 4).error).isEqualTo(HipException.INVALID_VALUE);
    assertThat(ask(HipRequest.ALLOCATE, 1L << 40, 0, 0).error)
        .isEqualTo(HipException.OUT_OF_MEMORY);
  }

  @Test
  void aFillAndACopyTakeTheirTurnInAStream() throws IOException {
    long a = allocate();
    long b = allocate();
    long stream = ask(HipRequest.STREAM_CREATE, 1, 0).words[0];
    ask(HipRequest.FILL, stream, a, 0, 0x01020304, 4, N, 1);
    ask(HipRequest.COPY, stream, b, 0, a, 0, 4 * N, 1, 0);
    ask(HipRequest.FILL, stream, a, 0, 9, 1, 4, 1);
    assertThat(ask(HipRequest.STREAM_SYNCHRONIZE, stream).error).isZero();
    ByteBuffer back = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    window.getChannel().read(back, b - SharedWindow.BASE);
    assertThat(back.getInt(0)).isEqualTo(0x01020304);
    back.clear();
    window.getChannel().read(back, a - SharedWindow.BASE);
    assertThat(back.getInt(0)).isEqualTo(0x09090909);
    assertThat(back.getInt(4)).isEqualTo(0x01020304);
  }
}
