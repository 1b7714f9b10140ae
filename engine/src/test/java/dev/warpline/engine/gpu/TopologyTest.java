package dev.warpline.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
  private static Topology h200(String... settings) throws IOException {
    return Topology.of(Gpus.load("h200", List.of(settings)));
  }

  @Test
  void anH200IsTheCardThatWasMeasured() throws IOException {
    Topology topology = h200();
    assertThat(topology.measured()).isTrue();
    assertThat(topology.loneSms()).hasSize(8);
    assertThat(topology.groups().get(0)).containsExactly(0, 1, 16, 17, 32, 33, 48, 49);
    assertThat(topology.hops().get(32)).isEqualTo(4);
    assertThat(Topology.warnings(Gpus.load("h200"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 17, 66, 131, 133, 264, 528, 1024})
  void everySmOfAnyNumberHasItsPlaceInAGpcAndOnASide(int sms) throws IOException {
    Topology topology = h200("sm.count=" + sms);
    assertThat(topology.groups().stream().flatMap(List::stream))
        .hasSize(sms)
        .doesNotHaveDuplicates()
        .allMatch(sm -> sm < sms);
    assertThat(topology.groups()).allMatch(group -> !group.isEmpty() && group.size() <= 18);
    assertThat(topology.sides()).hasSameSizeAs(topology.groups()).allMatch(side -> side < 2);
    assertThat(topology.hops()).hasSize(sms);
  }

  @ParameterizedTest
  @CsvSource({"18, 1", "19, 2", "66, 4", "131, 8", "264, 15", "528, 30", "1024, 57"})
  void thereAreAsManyGpcsAsTheSmsNeed(int sms, int gpcs) throws IOException {
    assertThat(h200("sm.count=" + sms).groups()).hasSize(gpcs);
  }

  @Test
  void tpcsAreDealtToTheGpcsInTurn() throws IOException {
    List<List<Integer>> groups = h200("card=none").groups();
    assertThat(groups).hasSize(8);
    assertThat(groups.get(0)).startsWith(0, 1, 16, 17, 32, 33);
    assertThat(groups.get(7)).startsWith(14, 15, 30, 31);
    assertThat(groups).allMatch(group -> group.size() == 16 || group.size() == 18);
  }

  @Test
  void halfOfTheGpcsAreOnEachSide() throws IOException {
    assertThat(h200("sm.count=264").sides().stream().filter(side -> side == 1)).hasSize(7);
    assertThat(h200("flowMemory.partitions=1").sides()).containsOnly(0);
    assertThat(h200("sm.count=264", "flowMemory.partitions=1").sides()).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sm.count=131", "modern.layout.tpcsPerGpc=8", "modern.layout.smsPerTpc=1"})
  void aMachineOfOtherNumbersIsNotTheCardAndSaysSo(String setting) throws IOException {
    assertThat(h200(setting).measured()).isFalse();
    assertThat(Topology.warnings(Gpus.load("h200", List.of(setting))))
        .singleElement()
        .asString()
        .startsWith("section card is left out: it is of a card with 132 SMs in GPCs of up to 18");
  }

  @ParameterizedTest
  @CsvSource({"rtx3070, 6", "a100, 7", "h100, 12"})
  void otherPresetsHaveTheGpcsOfTheirChip(String gpu, int groups) throws IOException {
    assertThat(Topology.of(Gpus.load(gpu)).groups()).hasSize(groups);
  }

  @Test
  void aWholeGh100HasEightGpcsOf18Sms() throws IOException {
    Topology whole = h200("sm.count=144");
    assertThat(whole.groups()).hasSize(8).allMatch(group -> group.size() == 18);
  }
}
