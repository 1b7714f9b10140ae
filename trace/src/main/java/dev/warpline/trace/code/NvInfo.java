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
 */
record NvInfo(int registers, Dim3 cluster) {
  static final NvInfo NONE = new NvInfo(0, Dim3.ONE);

  private static final String PREFIX = ".nv.info";

  /** Format byte of an attribute that carries its own length; the others have two bytes. */
  private static final int SIZED = 4;

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
            int registers = content.getInt(at + 4);
            infos.compute(
                elf.symbols().get(symbol).name(),
                (name, old) -> new NvInfo(registers, old == null ? Dim3.ONE : old.cluster));
          }
        } else if (attribute == CTA_PER_CLUSTER && size >= 12 && kernel != null) {
          Dim3 cluster =
              new Dim3(content.getInt(at), content.getInt(at + 4), content.getInt(at + 8));
          infos.compute(
              kernel, (name, old) -> new NvInfo(old == null ? 0 : old.registers, cluster));
        }
        content.position(at + size);
      }
    }
    return infos;
  }
}
