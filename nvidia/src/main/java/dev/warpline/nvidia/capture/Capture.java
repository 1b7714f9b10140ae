package dev.warpline.nvidia.capture;

import dev.warpline.nvidia.capture.CaptureEvent.Allocate;
import dev.warpline.nvidia.capture.CaptureEvent.Module;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A captured program, read and found sound: every line is one that can be, sizes fit, memory does
 * not overlap, and the last line is there. Contents stay in their files until they are asked for.
 */
public final class Capture implements AutoCloseable {
  private final CaptureFiles files;
  private final CaptureReader.Head head;
  private final List<CaptureEvent> events;
  private final Map<Integer, Module> modules = new HashMap<>();
  private final Map<Integer, Allocate> allocations = new HashMap<>();
  private InputStream pages;
  private long pagesAt;

  private Capture(CaptureFiles files, CaptureReader.Head head, List<CaptureEvent> events) {
    this.files = files;
    this.head = head;
    this.events = events;
    for (CaptureEvent event : events) {
      if (event instanceof Module module) {
        modules.put(module.module(), module);
      } else if (event instanceof Allocate memory) {
        allocations.put(memory.allocation(), memory);
      } else if (event instanceof CaptureEvent.Global global) {
        allocations.put(global.memory().allocation(), global.memory());
      }
    }
  }

  /** Whether a path is a capture: a folder with {@code capture.jsonl}, or a {@code .wcap}. */
  public static boolean is(Path path) {
    return Files.isDirectory(path)
        ? Files.exists(path.resolve(CaptureFiles.EVENTS))
        : path.toString().endsWith(CaptureFiles.SUFFIX) && Files.exists(path);
  }

  /** The files of a capture. */
  static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> all = Files.walk(path, 2)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> CaptureFiles.isPart(path.relativize(file).toString()))
          .sorted()
          .toList();
    }
  }

  /**
   * Opens a capture.
   *
   * @throws CaptureException if it is damaged, cut or cannot be, with file, line and reason
   */
  public static Capture open(Path path) throws IOException {
    CaptureFiles files = CaptureFiles.open(path);
    try (BufferedReader lines = new BufferedReader(text(files, CaptureFiles.EVENTS))) {
      CaptureReader reader = new CaptureReader(files, Math.max(0, files.size(CaptureFiles.PAGES)));
      List<CaptureEvent> events = reader.read(lines);
      return new Capture(files, reader.head(), events);
    } catch (java.nio.charset.CharacterCodingException e) {
      files.close();
      throw new CaptureException(
          files.title(CaptureFiles.EVENTS), "bytes that are no text", "UTF-8");
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static Reader text(CaptureFiles files, String name) throws IOException {
    return new InputStreamReader(
        files.open(name),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /** Where it was read from. */
  public String name() {
    return files.title();
  }

  /** What its first line says. */
  public CaptureReader.Head head() {
    return head;
  }

  /** Its lines in order, without the first and the last. */
  public List<CaptureEvent> events() {
    return events;
  }

  /** An allocation by its number; it may have been freed, or come only later. */
  public Allocate allocation(int number) {
    return allocations.get(number);
  }

  /** The code of a module; refused if it is not what was recorded. */
  byte[] cubin(int number) throws IOException {
    Module module = modules.get(number);
    String title = files.title(module.file());
    long size = files.size(module.file());
    if (size >= 0 && size != module.bytes()) {
      throw new CaptureException(title, size + " bytes", module.bytes() + " as recorded");
    }
    byte[] content;
    try (InputStream in = files.open(module.file())) {
      content = in.readNBytes((int) module.bytes());
    }
    if (content.length != module.bytes()) {
      throw new CaptureException(title, content.length + " bytes", module.bytes() + " as recorded");
    }
    long sum = Sums.of(content, content.length, 0);
    if (sum != module.sum()) {
      throw new CaptureException(
          title,
          String.format("the sum 0x%x", sum),
          String.format("0x%x as recorded (line %d)", module.sum(), module.line()));
    }
    return content;
  }

  String cubinTitle(int number) {
    return files.title(modules.get(number).file());
  }

  /** The listing of a module, or null if there is none. */
  Reader listing(int number) throws IOException {
    String name = listingName(number);
    return files.size(name) < 0 ? null : text(files, name);
  }

  String listingTitle(int number) {
    return files.title(listingName(number));
  }

  private String listingName(int number) {
    return modules.get(number).file().replace(".cubin", ".sass");
  }

  /** Its lines as they are written. */
  Reader text() throws IOException {
    return text(files, CaptureFiles.EVENTS);
  }

  /** The times of a second run, or null if there are none. */
  public Reader times() throws IOException {
    return files.size(CaptureFiles.TIMES) < 0 ? null : text(files, CaptureFiles.TIMES);
  }

  /** The contents of pages. */
  byte[] contents(CaptureEvent.Pages wanted) throws IOException {
    byte[] packed = packed(wanted);
    if (!wanted.deflated()) {
      return packed;
    }
    byte[] content = new byte[wanted.bytes()];
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed);
      int done = 0;
      while (done < content.length && !inflater.finished()) {
        int more = inflater.inflate(content, done, content.length - done);
        if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
        done += more;
      }
      boolean ended = inflater.finished() || inflater.inflate(new byte[1]) == 0;
      if (done != content.length || !ended || !inflater.finished()) {
        throw new CaptureException(
            files.title(CaptureFiles.PAGES),
            "at byte " + wanted.at() + " other than " + content.length + " bytes when unpacked",
            "what line " + wanted.line() + " of capture.jsonl says");
      }
    } catch (DataFormatException e) {
      throw new CaptureException(
          files.title(CaptureFiles.PAGES),
          "at byte " + wanted.at() + " data that does not unpack (" + e.getMessage() + ")",
          "what line " + wanted.line() + " of capture.jsonl says");
    } finally {
      inflater.end();
    }
    return content;
  }

  /** The bytes of pages as they are in the file. */
  byte[] packed(CaptureEvent.Pages wanted) throws IOException {
    if (pages == null || wanted.at() < pagesAt) {
      if (pages != null) {
        pages.close();
      }
      pages = files.open(CaptureFiles.PAGES);
      pagesAt = 0;
    }
    pages.skipNBytes(wanted.at() - pagesAt);
    byte[] content = pages.readNBytes((int) wanted.packed());
    pagesAt = wanted.at() + content.length;
    if (content.length != wanted.packed()) {
      throw new CaptureException(
          files.title(CaptureFiles.PAGES),
          "its end at byte " + pagesAt,
          wanted.packed() + " bytes from " + wanted.at() + " on (line " + wanted.line() + ")");
    }
    return content;
  }

  @Override
  public void close() throws IOException {
    if (pages != null) {
      pages.close();
    }
    files.close();
  }
}
