package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Lanes: divergence, exchange, memory, barriers, and what goes wrong with them. */
class WarpTest {
  @Test
  void theSideWithFewerLanesRunsFirstAndBothMeetAtTheBarrier() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "ISETP.LT.AND P0, PT, R0, 0x4, PT",
                "BSSY B0, 0x70",
                "@P0 BRA 0x60",
                "MOV R1, 0x1",
                "BRA 0x60",
                "BSYNC B0");

    assertThat(lab.path(0))
        .containsExactly(
            "0000 ffffffff",
            "0010 ffffffff",
            "0020 ffffffff",
            "0030 0000000f",
            "0060 0000000f",
            "0040 fffffff0",
            "0050 fffffff0",
            "0060 fffffff0",
            "0070 ffffffff");
  }

  @Test
  void theFallThroughRunsFirstWhenBothSidesAreEqual() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "ISETP.LT.AND P0, PT, R0, 0x10, PT",
                "BSSY B0, 0x50",
                "@P0 BRA 0x50",
                "NOP",
                "BSYNC B0");

    assertThat(lab.path(0)).containsSubsequence("0040 ffff0000", "0050 ffff0000", "0050 0000ffff");
  }

  @Test
  void lanesThatBreakOutAreNotWaitedFor() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "ISETP.LT.AND P0, PT, R0, 0x1, PT",
                "BSSY B1, 0x60",
                "@P0 BREAK B1",
                "@P0 EXIT",
                "BSYNC B1",
                "NOP");

    assertThat(lab.path(0)).containsSubsequence("0040 00000001", "0050 fffffffe", "0060 fffffffe");
  }

  @Test
  void anIndirectBranchIsExecutedOncePerTarget() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT",
                "IMAD R2, R1, 0x20, RZ",
                "BSSY B0, 0x80",
                "BRX R2 0x50",
                "MOV R3, 0x7",
                "BRA 0x80",
                "MOV R3, 0x9",
                "BSYNC B0");

    assertThat(lab.path(0)).filteredOn(line -> line.startsWith("0040")).hasSize(2);
    assertThat(lab.register(3, 4)).isEqualTo(7);
    assertThat(lab.register(3, 5)).isEqualTo(9);
  }

  @Test
  void aCallReturnsToWhereItsRegisterPoints() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "MOV R10, 0x20",
                "CALL.REL.NOINC 0x40",
                "MOV R1, 0x1",
                "EXIT",
                "MOV R2, 0x2",
                "MOV R11, 0x0",
                "RET.REL.NODEC R10 0x0");

    assertThat(lab.register(1, 0)).isEqualTo(1);
    assertThat(lab.register(2, 0)).isEqualTo(2);
  }

  @Test
  void aCallThroughARegisterGoesWhereEachLanePoints() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT",
                "IMAD R6, R1, 0x20, 0x80",
                "MOV R7, 0x0",
                "MOV R20, 0x70",
                "MOV R21, 0x0",
                "CALL.REL.NOINC R6 0x0",
                "EXIT",
                "MOV R3, 0x7",
                "RET.REL.NODEC R20 0x0",
                "MOV R3, 0x9",
                "RET.REL.NODEC R20 0x0");

    assertThat(lab.register(3, 4)).isEqualTo(7);
    assertThat(lab.register(3, 5)).isEqualTo(9);
  }

  @Test
  void valuesThatDifferAreTakenOneAfterTheOther() throws IOException {
    // The loop by which compilers give an instruction with uniform operands each lane's own.
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT",
                "MOV R2, 0x0",
                "PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0",
                "PLOP3.LUT P0, PT, P0, P1, PT, 0xa2, 0x0",
                "@P1 R2UR P0, UR4, R1",
                "PLOP3.LUT P0, PT, P0, P1, PT, 0xa2, 0x0",
                "@P1 R2UR.OR P0, UR5, R1",
                "@P1 PLOP3.LUT P1, PT, P0, PT, PT, 0x80, 0x0",
                "IADD3 R2, R2, 0x1, RZ",
                "@P1 BRA.U.ANY 0x40");

    assertThat(lab.register(2, 0)).isEqualTo(4);
  }

  @Test
  void predicatesGoToAndComeFromAByte() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "MOV R1, 0x12345678",
                "ISETP.EQ.AND P1, PT, RZ, RZ, PT",
                "P2R.B1 R2, PR, R1, 0x7",
                "R2P PR, R1.B2, 0x7c");

    assertThat(lab.register(2, 0)).isEqualTo(0x12345278);
    assertThat(lab.predicate(2)).isEqualTo(-1);
    assertThat(lab.predicate(3)).isZero();
  }

  @Test
  void aSelectorThatIsNotKnownIsRefused() {
    assertThatThrownBy(() -> new Lab().run("IADD3 R1, R2.H1, R3, R4"))
        .hasMessageContaining("selector .H1 is not emulated");
  }

  @Test
  void lanesExchangeValues() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "SHFL.BFLY PT, R1, R0, 0x1, 0x1f",
                "SHFL.DOWN P0, R2, R0, 0x10, 0x1f",
                "SHFL.UP P1, R3, R0, 0x1, RZ",
                "SHFL.IDX PT, R4, R0, 0x5, 0x1f",
                "ISETP.LT.AND P2, PT, R0, 0x3, PT",
                "VOTE.ANY R5, PT, P2",
                "REDUX.SUM UR4, R0",
                "LOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT",
                "MATCH.ANY R7, R6");

    assertThat(lab.register(1, 6)).isEqualTo(7);
    assertThat(lab.register(2, 3)).isEqualTo(19);
    assertThat(lab.predicate(0)).isEqualTo(0xffff);
    assertThat(lab.register(3, 0)).isZero();
    assertThat(lab.predicate(1)).isEqualTo(0xfffffffe);
    assertThat(lab.register(4, 30)).isEqualTo(5);
    assertThat(lab.register(5, 30)).isEqualTo(7);
    assertThat(lab.uniform(4)).isEqualTo(496);
    assertThat(lab.register(7, 1)).isEqualTo(0xaaaaaaaa);
  }

  private static final String[] POINT_TO_BUFFER = {
    "MOV R2, 0x0", "MOV R3, 0x7f00", "S2R R0, SR_TID.X", "IMAD.WIDE R4, R0, 0x4, R2"
  };

  private static String[] withBuffer(String... rest) {
    String[] all = java.util.Arrays.copyOf(POINT_TO_BUFFER, POINT_TO_BUFFER.length + rest.length);
    System.arraycopy(rest, 0, all, POINT_TO_BUFFER.length, rest.length);
    return all;
  }

  @Test
  void storesAndLoadsGoToTheBuffer() throws IOException {
    Lab lab =
        new Lab()
            .run(
                withBuffer(
                    "IADD3 R6, R0, 0x64, RZ",
                    "STG.E desc[UR4][R4.64+0x100], R6",
                    "LDG.E.64 R8, desc[UR4][R2.64+0x108]",
                    "LDG.E.U8 R10, desc[UR4][R2.64+0x108]"));

    assertThat(lab.word(0x100 + 4 * 31)).isEqualTo(131);
    assertThat(lab.register(10, 0)).isEqualTo(102);
    assertThat(lab.trace(0).get(5))
        .isEqualTo("0050 ffffffff 0 STG.E 2 R4 R6 4 1 0x7f0000000100 4 0");
  }

  @Test
  void aPairMustBeAligned() {
    assertThatThrownBy(() -> new Lab().run(withBuffer("LDG.E.64 R8, desc[UR4][R2.64+0x4]")))
        .hasMessageContaining("PC 0040 (LDG.E.64)")
        .hasMessageContaining("not aligned");
  }

  @Test
  void atomicsOfAllLanesCount() throws IOException {
    Lab lab =
        new Lab()
            .run(
                withBuffer(
                    "MOV R6, 0x2",
                    "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R6",
                    "ATOMG.E.ADD.STRONG.GPU PT, R8, desc[UR4][R2.64+0x4], R6",
                    "ATOMG.E.CAS.STRONG.GPU PT, R9, [R2], R6, R0",
                    "ATOMG.E.MAX.S32.STRONG.GPU PT, R9, desc[UR4][R2.64+0x8], R0"));

    assertThat(lab.word(0)).isEqualTo(64);
    assertThat(lab.register(8, 3)).isEqualTo(6);
    assertThat(lab.word(8)).isEqualTo(31);
  }

  @Test
  void warpsMeetAtTheBlocksBarrier() throws IOException {
    Lab lab =
        new Lab()
            .threads(64)
            .run(
                "S2R R0, SR_TID.X",
                "IMAD.SHL.U32 R1, R0, 0x4, RZ",
                "STS [R1+0x400], R0",
                "BAR.SYNC.DEFER_BLOCKING 0x0",
                "LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT",
                "LDS R3, [R2+0x400]");

    // Lane 1 of the first warp reads what the second warp wrote.
    assertThat(lab.register(3, 1)).isEqualTo(33);
  }

  @Test
  void aRegisterMayHoldTheNumberOfABarrierAndItsCount() throws IOException {
    Lab lab =
        new Lab()
            .threads(96)
            .run(
                "S2R R0, SR_TID.X",
                "IMAD.SHL.U32 R1, R0, 0x4, RZ",
                "STS [R1+0x400], R0",
                "ISETP.GE.AND P0, PT, R0, 0x40, PT",
                "@P0 EXIT",
                "MOV R9, 0x400003",
                "BAR.SYNC.DEFER_BLOCKING R9, R9",
                "LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT",
                "LDS R3, [R2+0x400]");

    assertThat(lab.register(3, 1)).isEqualTo(33);
  }

  @Test
  void aBarrierCountsPredicates() throws IOException {
    Lab lab =
        new Lab()
            .threads(64)
            .run(
                "S2R R0, SR_TID.X",
                "ISETP.LT.AND P0, PT, R0, 0x28, PT",
                "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0",
                "B2R.RESULT R1");

    assertThat(lab.register(1, 0)).isEqualTo(40);
  }

  @Test
  void matricesLoadByRowsOrTransposed() throws IOException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_TID.X",
                "IMAD.SHL.U32 R1, R0, 0x4, RZ",
                // Element (row r, column c) is 8r+c, as 16-bit integers: words of two columns.
                "IMAD.SHL.U32 R2, R0, 0x2, RZ",
                "IADD3 R3, R2, 0x1, RZ",
                "PRMT R3, R2, 0x5410, R3",
                "STS [R1+0x400], R3",
                "LOP3.LUT R4, R0, 0x7, RZ, 0xc0, !PT",
                "IMAD.SHL.U32 R4, R4, 0x10, RZ",
                "LDSM.16.M88 R5, [R4+0x400]",
                "LDSM.16.MT88 R6, [R4+0x400]");

    assertThat(lab.register(5, 13)).isEqualTo(27 << 16 | 26);
    assertThat(lab.register(6, 13)).isEqualTo(27 << 16 | 19);
  }

  @Test
  void copiesToSharedMemoryAreTwoLines() throws IOException {
    Lab lab =
        new Lab()
            .run(
                withBuffer(
                    "IMAD.SHL.U32 R6, R0, 0x4, RZ",
                    "STG.E desc[UR4][R4.64], R6",
                    "LDGSTS.E [R6+0x400], desc[UR4][R4.64]",
                    "LDGDEPBAR",
                    "DEPBAR.LE SB0, 0x0",
                    "LDS R7, [R6+0x400]"));

    assertThat(lab.register(7, 9)).isEqualTo(36);
    assertThat(lab.trace(0))
        .contains(
            "0060 ffffffff 0 LDGSTS.E 2 R6 R4 4 1 0x400 4 0",
            "0060 ffffffff 0 LDGSTS.E 2 R6 R4 4 1 0x7f0000000000 4 0");
  }

  @Test
  void anInstructionWhoseGuardIsFalseIsTraced() throws IOException {
    Lab lab = new Lab().run("@!PT LDS RZ, [RZ]", "@!PT MOV R1, 0x5");

    assertThat(lab.trace(0))
        .startsWith("0000 00000000 1 R255 LDS 1 R255 4 2 0x0 0", "0010 00000000 1 R1 MOV 0 0 5");
    assertThat(lab.register(1, 0)).isZero();
  }

  @Test
  void anUnknownInstructionIsNamedWhenItIsReached() throws IOException {
    assertThatThrownBy(() -> new Lab().run("NOP", "FROBNICATE.X R1, R2"))
        .isInstanceOf(EmulationException.class)
        .hasMessageContaining("lab, block 0,0,0, warp 0, PC 0010")
        .hasMessageContaining("FROBNICATE.X");
    new Lab().run("EXIT", "FROBNICATE.X R1, R2");
  }

  @Test
  void anUnknownModifierIsRefused() {
    assertThatThrownBy(() -> new Lab().run("IADD3.ODD R1, R2, R3, R4"))
        .hasMessageContaining("modifier .ODD is not emulated");
  }

  @Test
  void anAddressOutsideOfAllBuffersIsAnErrorThatListsThem() {
    assertThatThrownBy(() -> new Lab().run(withBuffer("LDG.E R8, desc[UR4][R4.64+0xff0]")))
        .isInstanceOf(EmulationException.class)
        .hasMessageContaining("PC 0040 (LDG.E)")
        .hasMessageContaining("0x7f0000001000, which is in no buffer")
        .hasMessageContaining("data: 0x7f0000000000 to 0x7f0000000fff");
  }

  @Test
  void aBarrierThatNotAllReachIsADeadlock() {
    assertThatThrownBy(
            () ->
                new Lab()
                    .threads(64)
                    .run(
                        "S2R R0, SR_TID.X",
                        "ISETP.LT.AND P0, PT, R0, 0x20, PT",
                        "@P0 BAR.SYNC.DEFER_BLOCKING 0x1, 0x40"))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("deadlock")
        .hasMessageContaining("warp 0: lanes ffffffff at PC 0020 for barrier 1");
  }

  private static final String[] MBARRIER_OF_ONE_ARRIVAL = {
    "UMOV UR4, 0x1ffffe",
    "UMOV UR5, 0x7ffff800",
    "UMOV UR6, 0x400",
    "SYNCS.EXCH.64 URZ, [UR6], UR4",
    "S2R R0, SR_TID.X",
    "ISETP.EQ.AND P1, PT, R0, RZ, PT"
  };

  private static String[] withMbarrier(String... rest) {
    int length = MBARRIER_OF_ONE_ARRIVAL.length;
    String[] all = java.util.Arrays.copyOf(MBARRIER_OF_ONE_ARRIVAL, length + rest.length);
    System.arraycopy(rest, 0, all, length, rest.length);
    return all;
  }

  @Test
  void aPhaseEndsWhenAllArrivedAndTheirBytesCame() throws IOException {
    Lab lab =
        new Lab()
            .run(
                withMbarrier(
                    "MOV R1, 0x20",
                    "MOV R2, 0x1",
                    "@P1 SYNCS.ARRIVE.TRANS64 RZ, [UR6], R1",
                    "SYNCS.PHASECHK.TRANS64 P2, [UR6], RZ",
                    "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR6], R2",
                    "SYNCS.PHASECHK.TRANS64 P3, [UR6], RZ"));

    assertThat(lab.predicate(2)).isZero();
    assertThat(lab.predicate(3)).isEqualTo(-1);
  }

  @Test
  void aPhaseThatNobodyEndsIsADeadlock() {
    assertThatThrownBy(
            () ->
                new Lab()
                    .run(
                        withMbarrier(
                            "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR6], RZ", "@!P0 BRA 0x60")))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("deadlock")
        .hasMessageContaining("warp 0: lanes ffffffff at PC 0060");
  }

  @Test
  void moreArrivalsThanAnMbarrierExpectsAreAnError() {
    assertThatThrownBy(
            () ->
                new Lab()
                    .run(
                        withMbarrier("MOV R1, 0x2", "@P1 SYNCS.ARRIVE.TRANS64.ART0 RZ, [UR6], R1")))
        .isInstanceOf(EmulationException.class)
        .hasMessageContaining("arrives 2 times at the mbarrier at 0x400, which expects 1 more");
  }

  @Test
  void anEndlessLoopEndsAtTheLimit() {
    assertThatThrownBy(() -> new Lab().limit(50_000).run("NOP", "BRA 0x0"))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("more than 50000 warp instructions");
  }

  @Test
  void aLoopThatChangesNothingEndsLongBeforeTheLimit() {
    assertThatThrownBy(
            () ->
                new Lab()
                    .limit(Long.MAX_VALUE)
                    .grid(1, withBuffer("LDG.E R8, desc[UR4][R4.64]", "BRA 0x40")))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("lab, block 0,0,0: no progress, all is as it was before")
        .hasMessageContaining("warp 0: lanes ffffffff at PC 00");
  }

  @Test
  void blocksMayWaitForLaterOnes() throws IOException {
    // Each waits for the word of the next one before it writes its own; the last does not.
    Lab lab =
        new Lab()
            .limit(Long.MAX_VALUE)
            .grid(
                5,
                withBuffer(
                    "S2R R0, SR_CTAID.X",
                    "IMAD.WIDE R4, R0, 0x4, R2",
                    "ISETP.EQ.AND P0, PT, R0, 0x4, PT",
                    "@P0 BRA 0xb0",
                    "LDG.E R8, desc[UR4][R4.64+0x4]",
                    "ISETP.EQ.AND P1, PT, R8, RZ, PT",
                    "@P1 BRA 0x80",
                    "IADD3 R8, R8, 0x1, RZ",
                    "STG.E desc[UR4][R4.64], R8"));

    assertThat(lab.word(0)).isEqualTo(5);
    assertThat(lab.word(16)).isEqualTo(1);
  }

  @Test
  void whoeverLooksAtTheClockAgainAndAgainSeesTimePassFaster() throws IOException {
    // A tenth of a second, which takes a hundred million cycles and more.
    Lab lab =
        new Lab()
            .limit(100_000)
            .run(
                "CS2R R2, SR_CLOCKLO",
                "MOV R1, 0xbebc200",
                "CS2R R4, SR_CLOCKLO",
                "IADD3 R6, R4, -R2, RZ",
                "ISETP.LT.U32.AND P0, PT, R6, R1, PT",
                "@P0 BRA 0x20");

    assertThat(lab.register(6, 0)).isGreaterThanOrEqualTo(200_000_000).isLessThan(202_000_000);
    assertThat(lab.register(4, 31)).isEqualTo(lab.register(4, 0));
  }

  @Test
  void aConstantBeyondItsBankIsAnError() {
    assertThatThrownBy(() -> new Lab().run("LDC R1, c[0x3][0x10]"))
        .hasMessageContaining("c[0x3][0x10], but that bank has 0 bytes");
  }
}
