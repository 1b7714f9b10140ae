package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What every line of an instruction has in common: PC, registers, opcode, width, immediate, as the
 * tracers of version 5 write them.
 */
final class TraceLine {
  private static final Pattern REGULAR = Pattern.compile("(?<!U)\\bR(Z|\\d+)");

  private final byte[] start;
  private final byte[] middle;
  private final byte[] end;

  TraceLine(SassInstruction instruction) {
    List<Operand> operands = instruction.operands();
    int first = 0;
    StringBuilder text = new StringBuilder(" ");
    // A destination that follows a predicate, as in LOP3.LUT P0, R1, ..., counts as a source.
    if (!operands.isEmpty() && regular(operands.get(0))) {
      text.append("1 R").append(operands.get(0).index()).append(' ');
      first = 1;
    } else {
      text.append("0 ");
    }
    List<String> sources = new ArrayList<>();
    for (Operand operand : operands.subList(first, operands.size())) {
      if (regular(operand)) {
        sources.add(name(operand.index()));
      } else if (operand.is(Kind.MEMORY)) {
        Matcher match = REGULAR.matcher(operand.text());
        while (match.find()) {
          sources.add(match.group(1).equals("Z") ? name(Warp.ZERO) : "R" + match.group(1));
        }
      }
    }
    text.append(instruction.opcode()).append(' ').append(sources.size()).append(' ');
    sources.forEach(source -> text.append(source).append(' '));
    text.append(MemoryInstruction.width(instruction)).append(' ');
    start = bytes(String.format("%04x ", instruction.pc()));
    middle = bytes(text.toString());
    end = bytes(immediate(operands) + " ");
  }

  private static boolean regular(Operand operand) {
    return operand.is(Kind.REGISTER) && !operand.uniform();
  }

  private static String name(int register) {
    return "R" + register;
  }

  /**
   * The last integer among the operands; a real number without a point, as in {@code FADD R0, R1,
   * 2}, counts. The tracer takes the name of a convergence barrier for a hexadecimal number: B0 is
   * 176.
   */
  private static int immediate(List<Operand> operands) {
    int value = 0;
    for (Operand operand : operands) {
      if (operand.integer()) {
        value = (int) operand.value();
      } else if (operand.is(Kind.IMMEDIATE) && operand.text().matches("\\d{1,9}")) {
        int number = Integer.parseInt(operand.text());
        value = operand.negative() ? -number : number;
      } else if (operand.is(Kind.BARRIER)) {
        value = 0xb0 + operand.index();
      }
    }
    return value;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The line without mask and addresses, for comparisons. */
  String fixedPart() {
    return new String(start, StandardCharsets.US_ASCII)
        + new String(middle, StandardCharsets.US_ASCII)
        + new String(end, StandardCharsets.US_ASCII);
  }

  /** Writes a line; without addresses unless some are given. */
  void write(TraceText out, int mask, long[] addresses) {
    out.text(start);
    out.mask(mask);
    out.text(middle);
    if (addresses != null) {
      out.addresses(mask, addresses);
    }
    out.text(end);
    out.endLine();
  }
}
