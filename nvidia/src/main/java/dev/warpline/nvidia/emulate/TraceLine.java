package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.trace.ExecutedCode.Recorded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What every line of an instruction has in common, as the tracers of version 5 and 6 record it. */
final class TraceLine {
  private static final Pattern REGULAR = Pattern.compile("(?<!U)\\bR(Z|\\d+)");

  /** Instructions whose barriers, bytes and groups only tracers of version 6 record. */
  private static final Pattern ASYNCHRONOUS =
      Pattern.compile("SYNCS|[HIBQ]GMMA|UTMA.*|UBLK.*|UCGABAR.*");

  private TraceLine() {}

  /** The oldest tracer that records all of a kernel. */
  static int version(Collection<SassInstruction> instructions) {
    boolean newer =
        instructions.stream()
            .anyMatch(instruction -> ASYNCHRONOUS.matcher(instruction.mnemonic()).matches());
    return newer ? 6 : 5;
  }

  /**
   * What a tracer records of an instruction.
   *
   * @param version of the tracer
   */
  static Recorded of(SassInstruction instruction, int version) {
    List<Operand> operands = instruction.operands();
    List<Integer> sources = new ArrayList<>();
    // A destination that follows a predicate, as in LOP3.LUT P0, R1, ..., counts as a source.
    boolean writes = !operands.isEmpty() && regular(operands.get(0));
    for (Operand operand : operands.subList(writes ? 1 : 0, operands.size())) {
      if (regular(operand)) {
        sources.add(operand.index());
      } else if (operand.is(Kind.MEMORY)) {
        Matcher match = REGULAR.matcher(operand.text());
        while (match.find()) {
          sources.add(match.group(1).equals("Z") ? Warp.ZERO : Integer.parseInt(match.group(1)));
        }
      }
    }
    boolean names = version >= 6 && instruction.mnemonic().equals("BAR");
    List<Integer> integers =
        operands.stream().filter(Operand::integer).map(o -> (int) o.value()).toList();
    return new Recorded(
        instruction.opcode(),
        writes ? new int[] {operands.get(0).index()} : new int[0],
        sources.stream().mapToInt(Integer::intValue).toArray(),
        MemoryInstruction.width(instruction),
        names ? integers.isEmpty() ? 0 : integers.get(0) : immediate(operands),
        names && integers.size() > 1 ? integers.get(1) : 0,
        operands.stream().anyMatch(operand -> operand.text().equals("gsb0")));
  }

  private static boolean regular(Operand operand) {
    return operand.is(Kind.REGISTER) && !operand.uniform();
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
}
