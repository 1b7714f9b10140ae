package dev.warpline.amd.code;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Links an object file of the compiler to a code object, with LLVM's linker where there is one. */
final class Linker {
  private static final String[] NAMES = {"ld.lld", "ld.lld-19", "ld.lld-20", "ld.lld-18"};
  private static final int ET_REL = 1;
  private static final int EM_AMDGPU = 224;

  private final String searchPath;

  /**
   * @param searchPath folders to look for the linker in, as in PATH
   */
  Linker(String searchPath) {
    this.searchPath = searchPath;
  }

  /** Whether it is GPU code that is not linked. */
  static boolean isUnlinked(String file, byte[] data) throws CodeObjectException {
    FileBytes bytes = new FileBytes(file, data);
    return bytes.size() >= 64
        && bytes.i32("ELF magic", 0) == 0x464c457f
        && bytes.u16("machine", 18) == EM_AMDGPU
        && bytes.u16("type", 16) == ET_REL;
  }

  byte[] link(String file, byte[] object) throws CodeObjectException {
    Path linker = find();
    if (linker == null) {
      throw new CodeObjectException(
          file,
          "an object file that is not linked, and no ld.lld to link it with",
          "a linked code object: ld.lld -shared " + file + " -o linked.co");
    }
    try {
      Path folder = Files.createTempDirectory("warpline-link");
      try {
        return link(linker, folder, file, object);
      } finally {
        Files.deleteIfExists(folder.resolve("in.o"));
        Files.deleteIfExists(folder.resolve("out.co"));
        Files.deleteIfExists(folder.resolve("messages"));
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw e instanceof CodeObjectException known
          ? known
          : new CodeObjectException(file, "it cannot be linked: " + e.getMessage());
    }
  }

  private byte[] link(Path linker, Path folder, String file, byte[] object) throws IOException {
    Path messages = folder.resolve("messages");
    Files.write(folder.resolve("in.o"), object);
    Process process =
        new ProcessBuilder(linker.toString(), "-shared", "in.o", "-o", "out.co")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(messages.toFile())
            .start();
    try {
      int code = process.waitFor();
      if (code != 0) {
        String said = Files.readString(messages, StandardCharsets.UTF_8).strip();
        throw new CodeObjectException(
            file,
            "an object file that is not linked, which "
                + linker.getFileName()
                + " cannot do: "
                + said,
            "one that needs nothing else, or a linked code object");
      }
      try (InputStream in = Files.newInputStream(folder.resolve("out.co"))) {
        return in.readAllBytes();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CodeObjectException(file, "linking was interrupted");
    }
  }

  private Path find() {
    for (String folder : searchPath.split(File.pathSeparator)) {
      for (String name : NAMES) {
        if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
          return Path.of(folder, name);
        }
      }
    }
    return null;
  }
}
