package dev.warpline.study.amd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.study.amd.MeasuredTimes.LeftOut;
import dev.warpline.study.amd.MeasuredTimes.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTimesTest {
  @Test
  void theWeightedErrorIsThatOfTheAddedTimes() {
    List<Point> points = List.of(new Point("a", "1", 1, 2, 1), new Point("a", "2", 9, 9, 1));
    assertThat(MeasuredTimes.summary(points).weighted()).isCloseTo(0.1, within(1e-12));
    assertThat(MeasuredTimes.summary(points).mean()).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void aProgramIsJudgedByALaunchTimeFittedToTheOthers() {
    // Program a wants 100 ns more per launch, program b 100 ns less.
    List<Point> points =
        List.of(new Point("a", "1", 1.0010, 1, 10), new Point("b", "1", 0.9990, 1, 10));
    List<LeftOut> left = MeasuredTimes.leaveOneOut(points);
    assertThat(left.get(0).launchNanos()).isEqualTo(-100);
    assertThat(left.get(1).launchNanos()).isEqualTo(100);
    assertThat(left.get(0).leftOut().weighted())
        .isCloseTo(2 * left.get(0).as().weighted(), within(1e-9));
  }

  @Test
  void aCopyFromTheHostIsStagedUpToAMegabyteAndPinnedAbove() {
    assertThat(HostCopy.microseconds(1 << 20)).isCloseTo(69.2, within(0.2));
    assertThat(HostCopy.microseconds(2 << 20)).isCloseTo(46.4, within(0.2));
    assertThat(HostCopy.microseconds(512L << 20)).isCloseTo(9280, within(10.0));
  }
}
