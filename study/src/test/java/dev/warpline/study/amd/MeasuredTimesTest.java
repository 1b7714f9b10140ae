package dev.warpline.study.amd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.study.amd.MeasuredTimes.LeftOut;
import dev.warpline.study.amd.MeasuredTimes.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTimesTest {
  private static final HostTimes NONE = new HostTimes(0, 0, 0, 0);

  private static Point point(String program, double measured, double device, int launches) {
    HostTimes.Work work = new HostTimes.Work(launches, 0, 0, 0, 0);
    return new Point(program, "1", measured, device, work, NONE);
  }

  @Test
  void theWeightedErrorIsThatOfTheAddedTimes() {
    List<Point> points = List.of(point("a", 1, 2, 1), point("a", 9, 9, 1));
    assertThat(MeasuredTimes.summary(points).weighted()).isCloseTo(0.1, within(1e-12));
    assertThat(MeasuredTimes.summary(points).mean()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void aProgramIsJudgedByTimesFittedToTheOthers() {
    // Program a wants 100 ns more per launch, program b 100 ns less.
    List<Point> points = List.of(point("a", 1.0010, 1, 10), point("b", 0.9990, 1, 10));
    List<LeftOut> left = MeasuredTimes.leaveOneOut(points);
    assertThat(left.get(0).host().launchNanos()).isEqualTo(-100);
    assertThat(left.get(1).host().launchNanos()).isEqualTo(100);
    assertThat(left.get(0).leftOut().weighted())
        .isCloseTo(2 * left.get(0).as().weighted(), within(1e-9));
  }

  @Test
  void waitsAndCopiesOfTheHostAddUp() {
    HostTimes host = new HostTimes(100, 20, 4, 0.5);
    HostTimes.Work work =
        HostTimes.Work.NONE.withLaunch().withLaunch().withSync().withCopy(2048).withCopy(4);
    assertThat(host.milliseconds(work)).isCloseTo(0.0002 + 0.020 + 0.009, within(1e-5));
  }

  @Test
  void aLargeCopyFromTheHostIsPinned() {
    HostTimes.Work two = HostTimes.Work.NONE.withCopy(2 << 20);
    assertThat(NONE.milliseconds(two)).isCloseTo(0.0464, within(0.0002));
    HostTimes.Work many = HostTimes.Work.NONE.withCopy(512L << 20);
    assertThat(NONE.milliseconds(many)).isCloseTo(9.28, within(0.01));
  }

  @Test
  void theGraphIsThatOfTheCLibrarysRandomNumbers() {
    assertThat(new CRandom(42).next()).as("srand(42); rand()").isEqualTo(71876166);
    assertThat(new MeasuredGraph(1024, 4).levels()).isEqualTo(8);
    assertThat(new MeasuredGraph(1024, 16).levels()).isEqualTo(5);
  }
}
