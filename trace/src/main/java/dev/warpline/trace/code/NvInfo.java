package dev.warpline.trace.code;

import dev.warpline.trace.Dim3;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * What the {@code .nv.info} sections of a cubin say of a kernel.
 *
 * @param registers registers per thread, 0 if not stated
 * @param cluster blocks per cluster fixed at compile time
 * @param parameterOffset where parameters begin in constant bank 0, 0 if not stated
 * @param parameterBytes how long they are
 */
record NvInfo(int registers, Dim3 cluster, int parameterOffset, int parameterBytes) {
  static final NvInfo NONE = new NvInfo(0, Dim3.ONE, 0, 0);

  private static final String PREFIX = ".nv.info";

  /** Format byte of an attribute that carries its own length; the others have two bytes. */
  private static final int SIZED = 4;

  private static final int PARAM_CBANK = 0x0a;
  private static final int REGCOUNT = 0x2f;
  private static final int CTA_PER_CLUSTER = 0x3d;

  /** The information by kernel name. */
  static Map<String, NvInfo> readAll(Elf elf, String file) throws CodeFormatException {
    Map<String, NvInfo> infos = new HashMap<>();
    for (Elf.Section section : elf.sections()) {
      if (!section.name().startsWith(PREFIX)) {
        continue;
      }
      String kernel =
          section.name().length() > PREFIX.length()
              ? section.name().substring(PREFIX.length() + 1)
              : null;
      ByteBuffer content = elf.content(section);
      while (content.remaining() >= 4) {
        int format = Byte.toUnsignedInt(content.get());
        int attribute = Byte.toUnsignedInt(content.get());
        int size = Short.toUnsignedInt(content.getShort());
        if (format != SIZED) {
          continue;
        }
        if (size > content.remaining()) {
          throw new CodeFormatException(
              file,
              "attribute " + attribute + " of " + size + " bytes in " + section.name(),
              "at most the " + content.remaining() + " bytes left");
        }
        int at = content.position();
        if (attribute == REGCOUNT && size >= 8) {
          int symbol = content.getInt(at);
          if (symbol >= 0 && symbol < elf.symbols().size()) {
            String name = elf.symbols().get(symbol).name();
            infos.put(name, of(name, infos).withRegisters(content.getInt(at + 4)));
          }
        } else if (attribute == CTA_PER_CLUSTER && size >= 12 && kernel != null) {
          Dim3 cluster =
              new Dim3(content.getInt(at), content.getInt(at + 4), content.getInt(at + 8));
          infos.put(kernel, of(kernel, infos).withCluster(cluster));
        } else if (attribute == PARAM_CBANK && size >= 8 && kernel != null) {
          int offset = Short.toUnsignedInt(content.getShort(at + 4));
          int bytes = Short.toUnsignedInt(content.getShort(at + 6));
          infos.put(kernel, of(kernel, infos).withParameters(offset, bytes));
        }
        content.position(at + size);
      }
    }
    return infos;
  }

  private static NvInfo of(String kernel, Map<String, NvInfo> known) {
    return known.getOrDefault(kernel, NONE);
  }

  private NvInfo withRegisters(int count) {
    return new NvInfo(count, cluster, parameterOffset, parameterBytes);
  }

  private NvInfo withCluster(Dim3 size) {
    return new NvInfo(registers, size, parameterOffset, parameterBytes);
  }

  private NvInfo withParameters(int offset, int bytes) {
    return new NvInfo(registers, cluster, offset, bytes);
  }
}
