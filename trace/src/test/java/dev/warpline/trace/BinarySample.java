package dev.warpline.trace;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes a {@code .tracez} as Accel-Sim 2.0 does, from the text of a version-6 kernel. */
final class BinarySample {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final ByteArrayOutputStream indexBytes = new ByteArrayOutputStream();
  private final DataOutputStream index = new DataOutputStream(indexBytes);

  static byte[] of(String text, int linesPerChunk) throws IOException {
    return new BinarySample().write(text, linesPerChunk);
  }

  private byte[] write(String text, int linesPerChunk) throws IOException {
    StringWriter header = new StringWriter();
    text.lines().takeWhile(line -> !line.startsWith("#")).forEach(l -> header.append(l + "\n"));
    out.write(header.toString().getBytes(StandardCharsets.UTF_8));
    out.writeByte(0);
    byte[] dictionary = "0010 ffffffff 0 EXIT 0 0 7 0 NoVal".getBytes(StandardCharsets.UTF_8);
    little(out, dictionary.length);
    little(out, linesPerChunk);
    out.write(dictionary);
    String[] blocks = text.split("#BEGIN_TB");
    little(index, blocks.length - 1);
    for (int i = 1; i < blocks.length; i++) {
      block(blocks[i], dictionary, linesPerChunk);
    }
    long at = bytes.size();
    out.write(indexBytes.toByteArray());
    littleLong(out, at);
    return bytes.toByteArray();
  }

  private void block(String text, byte[] dictionary, int linesPerChunk) throws IOException {
    List<List<String>> warps = new ArrayList<>();
    String[] coordinates = {};
    int rank = 0;
    for (String line : text.split("\n")) {
      if (line.startsWith("thread block")) {
        coordinates = line.substring(line.indexOf('=') + 1).strip().split(",");
      } else if (line.startsWith("cluster rank")) {
        rank = Integer.parseInt(line.substring(line.indexOf('=') + 1).strip());
      } else if (line.startsWith("warp")) {
        int warp = Integer.parseInt(line.substring(line.indexOf('=') + 1).strip());
        while (warps.size() <= warp) {
          warps.add(new ArrayList<>());
        }
      } else if (line.matches("[0-9a-f]{4} .*")) {
        warps.get(warps.size() - 1).add(line);
      }
    }
    for (String coordinate : coordinates) {
      little(index, Integer.parseInt(coordinate));
    }
    for (int i = 0; i < 6; i++) {
      little(index, 0);
    }
    little(index, rank);
    little(index, warps.size());
    for (List<String> lines : warps) {
      warp(lines, dictionary, linesPerChunk);
    }
  }

  private void warp(List<String> lines, byte[] dictionary, int linesPerChunk) throws IOException {
    int chunks = (lines.size() + linesPerChunk - 1) / linesPerChunk;
    little(index, lines.size());
    little(index, chunks);
    littleLong(index, bytes.size());
    little(out, lines.size());
    little(out, chunks);
    for (int chunk = 0; chunk < chunks; chunk++) {
      List<String> part =
          lines.subList(chunk * linesPerChunk, Math.min(lines.size(), (chunk + 1) * linesPerChunk));
      little(index, part.size());
      try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
        zstd.setLevel(3).loadDict(dictionary);
        byte[] frame = zstd.compress(String.join("\n", part).getBytes(StandardCharsets.UTF_8));
        if (Zstd.getFrameContentSize(frame) < 0) {
          throw new IllegalStateException("frame without a content size");
        }
        little(out, frame.length);
        out.write(frame);
      }
    }
  }

  private static void little(DataOutputStream to, int value) throws IOException {
    to.writeInt(Integer.reverseBytes(value));
  }

  private static void littleLong(DataOutputStream to, long value) throws IOException {
    to.writeLong(Long.reverseBytes(value));
  }
}
