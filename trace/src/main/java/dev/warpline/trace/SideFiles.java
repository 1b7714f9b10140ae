package dev.warpline.trace;

import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.SourcePlace;
import java.util.List;

/**
 * The code of a kernel as the files beside its trace have it, each with the part that it knows.
 *
 * @param files those that are there, the one with the words first
 */
record SideFiles(List<SideFile> files) implements KernelCode {
  /** One file: how it is called in messages, and its content. */
  record SideFile(String title, KernelCode code) {}

  @Override
  public boolean has(int pc) {
    return files.stream().anyMatch(file -> file.code.has(pc));
  }

  /** A file that does not have a PC, or null. */
  String without(int pc) {
    for (SideFile file : files) {
      if (!file.code.has(pc)) {
        return file.title;
      }
    }
    return null;
  }

  /** How the file with the listing is called, or null. */
  String listing(int pc) {
    for (SideFile file : files) {
      if (file.code.disassembly(pc) != null) {
        return file.title;
      }
    }
    return null;
  }

  @Override
  public int control(int pc) {
    for (SideFile file : files) {
      if (file.code.control(pc) != ControlBits.ABSENT) {
        return file.code.control(pc);
      }
    }
    return ControlBits.ABSENT;
  }

  @Override
  public long low(int pc) {
    for (SideFile file : files) {
      if (file.code.low(pc) != 0) {
        return file.code.low(pc);
      }
    }
    return 0;
  }

  @Override
  public long high(int pc) {
    for (SideFile file : files) {
      if (file.code.high(pc) != 0) {
        return file.code.high(pc);
      }
    }
    return 0;
  }

  @Override
  public String disassembly(int pc) {
    for (SideFile file : files) {
      if (file.code.disassembly(pc) != null) {
        return file.code.disassembly(pc);
      }
    }
    return null;
  }

  @Override
  public ConstantOperand constant(int pc) {
    for (SideFile file : files) {
      if (file.code.constant(pc) != null) {
        return file.code.constant(pc);
      }
    }
    return null;
  }

  @Override
  public SourcePlace source(int pc) {
    for (SideFile file : files) {
      if (file.code.source(pc) != null) {
        return file.code.source(pc);
      }
    }
    return null;
  }

  @Override
  public Dim3 cluster() {
    for (SideFile file : files) {
      if (!file.code.cluster().equals(Dim3.ONE)) {
        return file.code.cluster();
      }
    }
    return Dim3.ONE;
  }
}
