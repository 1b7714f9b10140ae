package dev.warpline.trace;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** How a file is compressed, told by its suffix. */
enum Packing {
  NONE(""),
  XZ(".xz"),
  GZ(".gz"),
  ZST(".zst");

  /** 512 MiB covers the dictionaries of every preset of xz; more is damage. */
  private static final int XZ_MEMORY_KIB = 512 << 10;

  private final String suffix;

  Packing(String suffix) {
    this.suffix = suffix;
  }

  static Packing of(String name) {
    for (Packing packing : values()) {
      if (packing != NONE && name.endsWith(packing.suffix)) {
        return packing;
      }
    }
    return NONE;
  }

  /** The name without its suffix. */
  String strip(String name) {
    return name.substring(0, name.length() - suffix.length());
  }

  /** An xz file from its beginning, see {@link IndexedXz}. */
  static InputStream indexed(Path file, boolean check) throws IOException {
    return IndexedXz.open(file, XZ_MEMORY_KIB, check);
  }

  InputStream unpack(InputStream in) throws IOException {
    return switch (this) {
      case NONE -> in;
      case XZ -> new XZInputStream(in, XZ_MEMORY_KIB);
      case GZ -> new GZIPInputStream(in, 1 << 16);
      case ZST -> new ZstdInputStream(in);
    };
  }
}
