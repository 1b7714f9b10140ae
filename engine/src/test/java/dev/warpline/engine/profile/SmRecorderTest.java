package dev.warpline.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SmRecorderTest {
  private static final KernelProfile.Launch LAUNCH =
      new KernelProfile.Launch("1 x 1 x 1", "256 x 1 x 1", 32, 0, 8, 8, Map.of("threads", 1));

  private static final KernelRecorder.Listing LISTING =
      new KernelRecorder.Listing() {
        @Override
        public LaneWork work(int row) {
          return LaneWork.NONE;
        }

        @Override
        public int pc(int row) {
          return 16 * row;
        }

        @Override
        public String text(int row) {
          return "OP" + row;
        }
      };

  @Test
  void aWarpsTimeGoesToTheReasonsInTheOrderTheyAreCharged() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    SmRecorder sm = kernel.sm(1);
    sm.start(3, 100);
    sm.charge(3, 0, StallReason.FETCH, 120);
    sm.issue(3, 0, 120, 32);
    sm.charge(3, 1, StallReason.WAIT, 125);
    sm.charge(3, 1, StallReason.L2_HIT, 400);
    sm.charge(3, 1, StallReason.WAIT, 390);
    sm.charge(3, 1, StallReason.NOT_SELECTED, 402);
    sm.issue(3, 1, 402, 7);
    sm.end(3, 1, 450);

    KernelProfile profile = kernel.profile(LAUNCH, LISTING);

    assertThat(profile.lines()).hasSize(2);
    KernelProfile.Line load = profile.lines().get(1);
    assertThat(load.stalls())
        .isEqualTo(
            Map.of(
                StallReason.WAIT,
                4L,
                StallReason.L2_HIT,
                275L,
                StallReason.NOT_SELECTED,
                2L,
                StallReason.SELECTED,
                1L,
                StallReason.DRAIN,
                47L));
    assertThat(load.executed()).isEqualTo(1);
    assertThat(load.lanes()).isEqualTo(7);
    assertThat(profile.warpCycles()).isEqualTo(350);
    assertThat(profile.sms().get(1).activeCycles()).isEqualTo(350);
    assertThat(profile.sms().get(0).warpCycles()).isZero();
  }

  @Test
  void aWarpThatIsChargedBeyondItsEndIsFoundOut() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    kernel.sm(1).start(0, 100);
    kernel.sm(1).charge(0, 0, StallReason.BARRIER, 300);
    kernel.sm(1).end(0, 0, 250);
    KernelProfile profile = kernel.profile(LAUNCH, LISTING);
    assertThat(profile.discrepancies())
        .containsExactly(
            "warps' time does not add up: the reasons of SM 1 is 200 warp-cycles, expected 151");
  }

  @Test
  void aProfileThatDoesNotAddUpCarriesAWarning() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    kernel.sm(0).start(0, 0);
    kernel.sm(0).issue(0, 0, 7, 32);
    kernel.sm(0).end(0, 0, 8);
    KernelProfile right = kernel.profile(LAUNCH, LISTING);
    KernelProfile wrong =
        new KernelProfile(
            right.launch(),
            List.of(),
            right.sms(),
            right.slices(),
            right.channels(),
            right.series(),
            List.of(),
            List.of());
    assertThat(result(right).warnings()).isEmpty();
    assertThat(result(wrong).warnings())
        .contains("warps' time does not add up: misc by opcode is 0 warp-cycles, expected 7");
  }

  private static KernelResult result(KernelProfile profile) {
    return new KernelResult(
        1, "k", 0, 10, 1, 32, 1, "blocks", Map.of(), Map.of(), List.of(), profile);
  }

  @Test
  void oneCallChargesAnIssueLikeManyCallsDo() {
    KernelRecorder one = recorder(ProfileOptions.NO_TIMELINE);
    KernelRecorder many = recorder(ProfileOptions.NO_TIMELINE);
    one.share(1);
    long cycle = 0;
    for (KernelRecorder each : List.of(one, many)) {
      each.sm(0).start(0, 0);
    }
    for (int i = 0; i < 3000; i++) {
      int row = i % 7;
      long waited = cycle + i % 5;
      long ready = cycle + i * 31 % 90;
      long refused = i % 3 == 0 ? ready + i % 4 : 0;
      long now = Math.max(Math.max(waited, ready), refused) + i % 2;
      one.sm(0).issue(0, row, now, 32, waited, 6, ready, 29, refused);
      many.sm(0).charge(0, row, StallReason.WAIT, waited);
      many.sm(0).charge(0, row, 6, ready);
      many.sm(0).charge(0, row, 29, refused);
      many.sm(0).charge(0, row, StallReason.NOT_SELECTED, now);
      many.sm(0).issue(0, row, now, 32);
      cycle = now + 1;
    }
    one.sm(0).end(0, 3, cycle + 40);
    many.sm(0).end(0, 3, cycle + 40);
    KernelProfile expected = many.profile(LAUNCH, LISTING);
    KernelProfile profile = one.profile(LAUNCH, LISTING);
    assertThat(profile.discrepancies()).isEmpty();
    assertThat(profile.lines()).isEqualTo(expected.lines());
    assertThat(profile.sms()).isEqualTo(expected.sms());
    assertThat(profile.series().states())
        .usingRecursiveComparison()
        .isEqualTo(expected.series().states());
  }

  @Test
  void rowsMayComeInAnyOrderAndFromAnyCall() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    kernel.sm(0).filled(70, 3, true);
    kernel.sm(0).hits(200, 1000, 2);
    kernel.sm(0).access(500, 1000, 4, 1, 0);
    kernel.sm(0).start(0, 1000);
    kernel.sm(0).issue(0, 1500, 1000, 32);
    kernel.sm(0).end(0, 1500, 1001);
    assertThat(kernel.profile(LAUNCH, LISTING).lines())
        .extracting(KernelProfile.Line::row)
        .containsExactly(70, 200, 500, 1500);
  }

  @Test
  void timeThatNobodyClaimedBeforeAnIssueIsOther() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    kernel.sm(0).start(0, 10);
    kernel.sm(0).issue(0, 0, 15, 32);
    kernel.sm(0).end(0, 0, 16);
    assertThat(kernel.profile(LAUNCH, LISTING).stalls())
        .isEqualTo(Map.of(StallReason.MISC, 5L, StallReason.SELECTED, 1L));
  }

  @Property
  void theReasonsOfAllWarpsAddUpToTheirLifetimes(
      @ForAll @Size(max = 400) List<@IntRange(max = 3_000_000) Integer> events) {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    long[] now = new long[8];
    long lifetimes = 0;
    for (int warp = 0; warp < 8; warp++) {
      now[warp] = 1000 + warp;
      kernel.sm(0).start(warp, now[warp]);
    }
    for (int event : events) {
      int warp = event & 7;
      now[warp] += event % 5003 + 1;
      if ((event & 8) == 0) {
        kernel.sm(0).charge(warp, event % 97, event % StallReason.COUNT, now[warp]);
      } else {
        kernel.sm(0).issue(warp, event % 97, now[warp]++, 32);
      }
    }
    for (int warp = 0; warp < 8; warp++) {
      kernel.sm(0).end(warp, 0, now[warp] + 5);
      lifetimes += now[warp] + 5 - (1000 + warp);
    }

    KernelProfile profile = kernel.profile(LAUNCH, LISTING);

    assertThat(profile.warpCycles()).isEqualTo(lifetimes);
    assertThat(sum(profile.stalls())).isEqualTo(lifetimes);
    assertThat(profile.lines().stream().mapToLong(KernelProfile.Line::warpCycles).sum())
        .isEqualTo(lifetimes);
    long overTime = 0;
    for (long[] series : profile.series().states().values()) {
      for (long value : series) {
        overTime += value;
      }
    }
    assertThat(overTime).isEqualTo(lifetimes);
  }

  @Test
  void aTimelineKeepsOnlyWhatTouchesItsWindowAndItsSms() {
    KernelRecorder kernel = recorder(new ProfileOptions(100, 200, 1));
    for (int sm = 0; sm < 2; sm++) {
      kernel.placed(sm);
      kernel.sm(sm).start(0, 1000);
      kernel.sm(sm).charge(0, 0, StallReason.FETCH, 1050);
      kernel.sm(sm).charge(0, 0, StallReason.DRAM, 1150);
      kernel.sm(sm).issue(0, 0, 1150, 32);
      kernel.sm(sm).completes(0, 0, 1150, 1300, true);
      kernel.sm(sm).end(0, 0, 1500);
    }
    assertThat(kernel.profile(LAUNCH, LISTING).timeline())
        .containsExactly(
            new TimelineRecorder.Slice(
                TimelineRecorder.Kind.STATE, 0, 0, 0, StallReason.DRAM, 100, 150),
            new TimelineRecorder.Slice(
                TimelineRecorder.Kind.STATE, 0, 0, 0, StallReason.SELECTED, 150, 151),
            new TimelineRecorder.Slice(TimelineRecorder.Kind.MEMORY, 0, 0, 0, null, 150, 200),
            new TimelineRecorder.Slice(
                TimelineRecorder.Kind.STATE, 0, 0, 0, StallReason.DRAIN, 151, 200));
  }

  @Test
  void trafficIsKeptPerSliceAndPerChannelAndOverTime() {
    KernelRecorder kernel = recorder(ProfileOptions.NO_TIMELINE);
    kernel.sm(0).access(2, 1010, 4, 1, 0);
    kernel.sm(0).filled(2, 3, true);
    kernel.memory().l2(1, 1200, 3, 0);
    kernel.memory().dram(0, 90_000, 96, false);

    KernelProfile profile = kernel.profile(LAUNCH, LISTING);

    assertThat(profile.lines()).hasSize(1);
    KernelProfile.Line line = profile.lines().get(0);
    assertThat(line.row()).isEqualTo(2);
    assertThat(line.requests()).isEqualTo(1);
    assertThat(line.sectors()).isEqualTo(4);
    assertThat(line.l1Hits()).isEqualTo(1);
    assertThat(line.dramSectors()).isEqualTo(3);
    assertThat(profile.slices())
        .containsExactly(new KernelProfile.Traffic(0, 0), new KernelProfile.Traffic(3, 0));
    assertThat(profile.channels()).containsExactly(new KernelProfile.Traffic(96, 0));
    KernelProfile.Series series = profile.series();
    assertThat(series.l1Sectors()).hasSameSizeAs(series.dramRead());
    assertThat(series.bucketCycles()).isEqualTo(512);
    assertThat(series.dramRead()[(90_000 - 1000) / 512]).isEqualTo(96);
  }

  private static KernelRecorder recorder(ProfileOptions options) {
    return new KernelRecorder(options, 2, 8, 2, 1, 1000);
  }

  private static long sum(Map<StallReason, Long> stalls) {
    return stalls.values().stream().mapToLong(Long::longValue).sum();
  }
}
