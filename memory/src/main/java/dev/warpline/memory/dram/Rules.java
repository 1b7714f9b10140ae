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
  private final int refreshCycles;

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
    refreshCycles = (int) Math.ceil(refresh.takesNs() * clockMHz / 1000);
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
        rules.add(new Rule(Command.ACTIVATE.ordinal(), scope, 1, refreshCycles));
        rules.add(new Rule(Command.REFRESH.ordinal(), scope, 1, refreshCycles));
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

  /** Cycles that a command waits after the last one of another kind, or the same. */
  public int wait(Command from, Command to, Scope within) {
    int most = 0;
    for (Rule rule : after[from.ordinal()]) {
      if (rule.to() == to.ordinal() && rule.within() == within && rule.window() == 1) {
        most = Math.max(most, rule.cycles());
      }
    }
    return most;
  }

  /** Cycles between two commands of a kind to different groups when many of them follow. */
  public double spacing(Command command) {
    double most = 0;
    for (Rule rule : after[command.ordinal()]) {
      if (rule.to() == command.ordinal() && rule.within() == Scope.CHANNEL) {
        most = Math.max(most, (double) rule.cycles() / rule.window());
      }
    }
    return most;
  }

  /** Cycles between two refreshes of one bank. */
  public long refreshPeriod() {
    return standard.refresh().perBank() ? refreshEvery * standard.banks() : refreshEvery;
  }

  /** When a bank is refreshed for the first time. */
  public long firstRefresh(int bank) {
    return standard.refresh().perBank() ? refreshEvery * (bank + 1) : refreshEvery;
  }

  /** Cycles that a refresh takes. */
  public int refreshCycles() {
    return refreshCycles;
  }

  /** From a read or write command to the end of its data. */
  public int dataCycles(boolean write) {
    return write ? writeCycles : readCycles;
  }
}
