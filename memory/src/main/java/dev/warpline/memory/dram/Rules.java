package dev.warpline.memory.dram;

import dev.warpline.engine.gpu.DramStandard;
import dev.warpline.engine.gpu.DramStandard.Command;
import dev.warpline.engine.gpu.DramStandard.Constraint;
import dev.warpline.engine.gpu.DramStandard.Scope;
import java.util.ArrayList;
import java.util.List;

/** A standard's times in cycles of a command clock. */
public final class Rules {
  /**
   * After a command another one must wait.
   *
   * @param to the one that waits, by {@link Command#ordinal}
   * @param window it counts from the last but so many; 1: from the last
   */
  record Rule(int to, Scope within, int window, int cycles) {}

  final DramStandard standard;
  final double clockMHz;

  /** By the command before. */
  final Rule[][] after = new Rule[Command.values().length][];

  final int readCycles;
  final int writeCycles;
  final long refreshEvery;

  /**
   * @param clockMHz command clock; what the standard has in nanoseconds stays as long
   */
  public Rules(DramStandard standard, double clockMHz) {
    this.standard = standard;
    this.clockMHz = clockMHz;
    readCycles = standard.readLatency().at(clockMHz) + standard.burstCycles();
    writeCycles = standard.writeLatency().at(clockMHz) + standard.burstCycles();
    DramStandard.Refresh refresh = standard.refresh();
    double every = refresh.perBank() ? refresh.everyNs() / standard.banks() : refresh.everyNs();
    refreshEvery = Math.round(every * clockMHz / 1000);
    for (Command command : Command.values()) {
      List<Rule> rules = new ArrayList<>();
      for (Constraint constraint : standard.constraints()) {
        if (constraint.from().contains(command)) {
          int cycles = constraint.time().at(clockMHz) + (constraint.afterData() ? writeCycles : 0);
          for (Command to : constraint.to()) {
            rules.add(new Rule(to.ordinal(), constraint.within(), constraint.window(), cycles));
          }
        }
      }
      if (command == Command.REFRESH) {
        Scope scope = refresh.perBank() ? Scope.BANK : Scope.CHANNEL;
        int busy = (int) Math.ceil(refresh.takesNs() * clockMHz / 1000);
        rules.add(new Rule(Command.ACTIVATE.ordinal(), scope, 1, busy));
        rules.add(new Rule(Command.REFRESH.ordinal(), scope, 1, busy));
      }
      after[command.ordinal()] = rules.toArray(Rule[]::new);
    }
  }

  /** The standard at its own clock. */
  public static Rules of(DramStandard standard) {
    return new Rules(standard, standard.clockMHz());
  }

  public DramStandard standard() {
    return standard;
  }

  /** The command clock. */
  public double clockMHz() {
    return clockMHz;
  }

  /** From a read or write command to the end of its data. */
  public int dataCycles(boolean write) {
    return write ? writeCycles : readCycles;
  }
}
