package dev.warpline.nvidia.capture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;

/** Writes captures, as a recorder would. */
final class Recording {
  private static final Path CODE = Path.of("../examples/tracing");

  final List<String> lines = new ArrayList<>();
  private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
  private final Path folder;
  private int operations;
  private int modules;

  Recording(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder.resolve("modules"));
    line(
        "{'event':'capture','version':1,'device':'NVIDIA H200','sm':90,'sms':132,'driver':13000,"
            + "'command':['./a.out']}");
  }

  /** Adds a line; single quotes stand for double ones. */
  Recording line(String text) {
    lines.add(text.replace('\'', '"'));
    return this;
  }

  /** Adds the code of an example; its listing as cuobjdump would have it. */
  Recording module(String example, String kernel) throws IOException {
    return module(
        Files.readAllBytes(CODE.resolve(example + ".cubin")),
        kernel,
        Files.readString(CODE.resolve(example + ".sass")));
  }

  Recording module(byte[] cubin, String kernel, String listing) throws IOException {
    modules++;
    Files.write(folder.resolve("modules/" + modules + ".cubin"), cubin);
    Files.writeString(
        folder.resolve("modules/" + modules + ".sass"),
        "\t\tFunction : " + kernel + "\n" + listing);
    return line(
        String.format(
            "{'event':'module','module':%d,'file':'modules/%d.cubin','bytes':%d,'sum':'0x%x'}",
            modules, modules, cubin.length, Sums.of(cubin, cubin.length, 0)));
  }

  Recording allocate(int number, long address, long bytes) {
    return line(
        String.format(
            "{'event':'allocate','allocation':%d,'address':'0x%x','bytes':%d,'kind':'device'}",
            number, address, bytes));
  }

  Recording pages(int allocation, int first, byte[] content) {
    Deflater deflater = new Deflater();
    deflater.setInput(content);
    deflater.finish();
    byte[] packed = new byte[content.length + 1000];
    int size = deflater.deflate(packed);
    deflater.end();
    line(
        String.format(
            "{'event':'pages','allocation':%d,'first':%d,'count':%d,'at':%d,'packed':%d,"
                + "'method':'deflate'}",
            allocation, first, (content.length + Sums.PAGE - 1) / Sums.PAGE, pages.size(), size));
    pages.write(packed, 0, size);
    return this;
  }

  /** Adds a line of an operation, with its number at the place of {@code %d}. */
  Recording operation(String text) {
    return line(String.format(text, ++operations));
  }

  Recording launch(String kernel, int blocks, String block, byte[] parameters) {
    return launch(kernel, blocks, block, parameters, "");
  }

  Recording launch(String kernel, int blocks, String block, byte[] parameters, String more) {
    operations++;
    return line(
        String.format(
            "{'event':'launch','n':%d,'kernel':'%s','module':%d,'grid':[%d,1,1],'block':%s,"
                + "'cluster':[1,1,1],'shared':0,'local':0,'stream':0,'cooperative':false,"
                + "'programmatic':false,'parameters':'%s'%s}",
            operations,
            kernel,
            modules,
            blocks,
            block,
            HexFormat.of().formatHex(parameters),
            more));
  }

  /** What the last operation changed: all pages of one allocation. */
  Recording wrote(int allocation, byte[] content) {
    return wrote(allocation, content, 0, (content.length + Sums.PAGE - 1) / Sums.PAGE);
  }

  /** What the last operation changed: some pages of one allocation. */
  Recording wrote(int allocation, byte[] content, int first, int count) {
    return line(
        String.format(
            "{'event':'wrote','n':%d,'allocations':[{'allocation':%d,'sum':'0x%x',"
                + "'pages':[[%d,%d]]}]}",
            operations, allocation, Sums.of(content, content.length, 0), first, count));
  }

  Path write() throws IOException {
    line("{'event':'end','operations':" + operations + "}");
    return writeAsItIs();
  }

  Path writeAsItIs() throws IOException {
    Files.writeString(folder.resolve("capture.jsonl"), String.join("\n", lines) + "\n");
    Files.write(folder.resolve("pages.bin"), pages.toByteArray());
    return folder;
  }

  /** A parameter block. */
  static byte[] parameters(int bytes, Object... values) {
    ByteBuffer block = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (Object value : values) {
      if (value instanceof Long address) {
        block.putLong(address);
      } else {
        block.putInt((Integer) value);
      }
    }
    return block.array();
  }
}
