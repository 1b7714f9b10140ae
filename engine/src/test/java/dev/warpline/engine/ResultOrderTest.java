package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.energy.KernelEnergy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same result is the same text, whichever virtual machine wrote it. */
class ResultOrderTest {
  private static List<String> names(Class<? extends Record> type, String... further) {
    List<String> all =
        new ArrayList<>(
            Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList());
    all.addAll(List.of(further));
    return all;
  }

  private static List<String> written(Object value) {
    JsonNode tree = new ObjectMapper().valueToTree(value);
    List<String> names = new ArrayList<>();
    tree.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void aRunIsWrittenInTheOrderOfItsPartsWithItsSumsLast() {
    RunResult run =
        new RunResult("GPU", "modern", 1000, List.of(), new RunResult.Simulation(1, 2, 3, 4));
    assertThat(written(run)).isEqualTo(names(RunResult.class, "cycles", "energy"));
  }

  @Test
  void soAreJoules() {
    KernelEnergy energy = new KernelEnergy(1, 2, 0, 3, Map.of(), Map.of(), List.of(), null);
    assertThat(written(energy)).isEqualTo(names(KernelEnergy.class, "watts", "energyDelay"));
  }
}
