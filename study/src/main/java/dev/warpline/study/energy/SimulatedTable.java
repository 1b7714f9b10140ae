package dev.warpline.study.energy;

import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.DescriptionException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What kernels do, kept in a file so that energies can be fitted again without simulating. */
public final class SimulatedTable {
  private static final String HEADER = "workload,cycles,core_mhz,events";

  private SimulatedTable() {}

  /** Reads a file that {@link #write} wrote; nothing if there is none. */
  public static Map<String, EnergyFit.Simulated> read(Path file) throws IOException {
    Map<String, EnergyFit.Simulated> kernels = new LinkedHashMap<>();
    if (!Files.exists(file)) {
      return kernels;
    }
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String[] cells = line.split(",", -1);
      if (number == 1 ? !line.equals(HEADER) : cells.length != 4) {
        throw new DescriptionException(
            file + ":" + number + ": found \"" + line + "\", expected " + HEADER);
      }
      if (number > 1) {
        Map<String, Double> events = new LinkedHashMap<>();
        for (String event : cells[3].split(";")) {
          String[] parts = event.split("=", 2);
          events.put(parts[0], Double.parseDouble(parts[1]));
        }
        kernels.put(
            cells[0],
            new EnergyFit.Simulated(
                Double.parseDouble(cells[1]), Double.parseDouble(cells[2]), events));
      }
    }
    return kernels;
  }

  /** Writes them. */
  public static void write(Map<String, EnergyFit.Simulated> kernels, Path file) throws IOException {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    kernels.forEach(
        (name, one) -> {
          text.append(name).append(',').append(one.cycles()).append(',').append(one.coreMHz());
          String comma = ",";
          for (Map.Entry<String, Double> event : one.events().entrySet()) {
            text.append(comma).append(event.getKey()).append('=').append(event.getValue());
            comma = ";";
          }
          text.append('\n');
        });
    WholeFile.writeText(file, text.toString());
  }
}
