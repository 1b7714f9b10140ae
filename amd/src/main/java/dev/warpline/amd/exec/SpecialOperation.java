package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;
import java.util.HashMap;
import java.util.Map;

/**
 * Instructions that fit none of the patterns: hardware registers, relative moves, moves between
 * lanes and scalars, traps.
 */
final class SpecialOperation extends Operation {
  private static final int HW_MODE = 1;
  private static final int HW_STATUS = 2;
  private static final int HW_LDS_ALLOC = 6;
  private static final int HW_SH_MEM_BASES = 15;

  private interface Action {
    void run(WaveState w, GcnInstruction i);
  }

  private final Action action;

  private SpecialOperation(GcnInstruction i, Action action) {
    super(i);
    this.action = action;
  }

  private static final Map<String, Action> ACTIONS = actions();

  static boolean handles(String mnemonic) {
    return ACTIONS.containsKey(mnemonic);
  }

  static Operation of(GcnInstruction i) {
    return new SpecialOperation(i, ACTIONS.get(i.opcode.mnemonic()));
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess access) {
    action.run(w, instruction);
  }

  private static Map<String, Action> actions() {
    Map<String, Action> t = new HashMap<>();
    for (String name :
        new String[] {
          "v_nop",
          "v_clrexcp",
          "ds_nop",
          "ds_gws_init",
          "s_dcache_inv",
          "s_dcache_wb",
          "s_dcache_inv_vol",
          "s_dcache_wb_vol",
          "s_dcache_discard",
          "s_dcache_discard_x2",
          "s_atc_probe",
          "s_atc_probe_buffer",
          "buffer_wbinvl1",
          "buffer_wbinvl1_vol",
          "buffer_wbl2",
          "buffer_invl2",
          "buffer_inv"
        }) {
      t.put(name, (w, i) -> {});
    }
    t.put("s_movrels_b32", (w, i) -> w.sgpr[i.sdst] = w.sgpr[i.src0 + w.m0()]);
    t.put("s_movrels_b64", (w, i) -> w.setPair(i.sdst, w.pair(i.src0 + w.m0())));
    t.put("s_movreld_b32", (w, i) -> w.sgpr[i.sdst + w.m0()] = (int) scalar(w, i, i.src0, false));
    t.put("s_movreld_b64", (w, i) -> w.setPair(i.sdst + w.m0(), scalar(w, i, i.src0, true)));
    t.put(
        "s_getreg_b32",
        (w, i) -> w.sgpr[i.sdst] = field(hardwareRegister(w, i.simm16 & 63), i.simm16));
    t.put("s_setreg_b32", (w, i) -> setRegister(w, i.simm16, (int) scalar(w, i, i.src0, false)));
    t.put("s_setreg_imm32_b32", (w, i) -> setRegister(w, i.simm16, i.literal));
    t.put(
        "s_trap",
        (w, i) -> {
          throw new IllegalStateException(
              (i.simm16 & 0xff) == 2
                  ? "the kernel trapped (abort or failed assertion)"
                  : "the kernel trapped");
        });
    t.put("ds_gws_barrier", SpecialOperation::gridBarrier);
    t.put("v_readfirstlane_b32", SpecialOperation::readFirstLane);
    t.put(
        "v_readlane_b32",
        (w, i) -> w.sgpr[i.sdst] = lane(w, i, i.src0, (int) scalar(w, i, i.src1, false) & 63));
    t.put(
        "v_writelane_b32",
        (w, i) ->
            w.setVector(
                VectorSource.register(w, i.vdst),
                (int) scalar(w, i, i.src1, false) & 63,
                (int) scalar(w, i, i.src0, false)));
    t.put("v_swap_b32", SpecialOperation::swap);
    t.put("v_pk_mov_b32", SpecialOperation::packedMove);
    t.put("v_cvt_pk_fp8_f32", (w, i) -> packBytes(w, i, true));
    t.put("v_cvt_pk_bf8_f32", (w, i) -> packBytes(w, i, false));
    return Map.copyOf(t);
  }

  private static long scalar(WaveState w, GcnInstruction i, int code, boolean wide) {
    if (GcnOperand.isInlineInteger(code)
        || GcnOperand.isInlineFloat(code)
        || code == GcnOperand.LITERAL) {
      return Constants.value(code, wide ? OperandType.B64 : OperandType.B32, i.literal);
    }
    return wide ? ScalarOperand.read64(w, code) : ScalarOperand.read32(w, code);
  }

  private static int lane(WaveState w, GcnInstruction i, int code, int lane) {
    if (GcnOperand.isVgpr(code) || GcnOperand.isAgpr(code)) {
      return w.vector(VectorSource.register(w, code), lane);
    }
    return (int) scalar(w, i, code, false);
  }

  /** The first lane says how many groups come, less one. A wave that has to wait comes again. */
  private static void gridBarrier(WaveState w, GcnInstruction i) {
    if (w.exec() == 0) {
      return;
    }
    long others = lane(w, i, i.src0, Long.numberOfTrailingZeros(w.exec())) & 0xffffffffL;
    if (!w.group.passGridBarrier(others + 1, w.clock)) {
      w.pc -= i.size;
    }
  }

  private static void readFirstLane(WaveState w, GcnInstruction i) {
    int first = w.exec() == 0 ? 0 : Long.numberOfTrailingZeros(w.exec());
    w.sgpr[i.sdst] = lane(w, i, i.src0, first);
  }

  private static void swap(WaveState w, GcnInstruction i) {
    int a = VectorSource.register(w, i.vdst);
    int b = VectorSource.register(w, i.src0);
    for (long left = w.exec(); left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      int old = w.vector(a, lane);
      w.setVector(a, lane, w.vector(b, lane));
      w.setVector(b, lane, old);
    }
  }

  /** The low result is the chosen dword of the first source, the high one that of the second. */
  private static void packedMove(WaveState w, GcnInstruction i) {
    int target = VectorSource.register(w, i.vdst);
    for (long left = w.exec(); left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      int low = dword(w, i, i.src0, i.opSel & 1, lane);
      int high = dword(w, i, i.src1, i.opSel >> 1 & 1, lane);
      w.setVector(target, lane, low);
      w.setVector(target + 1, lane, high);
    }
  }

  private static int dword(WaveState w, GcnInstruction i, int code, int index, int lane) {
    if (GcnOperand.isVgpr(code) || GcnOperand.isAgpr(code)) {
      return w.vector(VectorSource.register(w, code) + index, lane);
    }
    return (int) (scalar(w, i, code, true) >>> 32 * index);
  }

  /** Two converted bytes go into the half that op_sel chooses. */
  private static void packBytes(WaveState w, GcnInstruction i, boolean fp8) {
    int target = VectorSource.register(w, i.vdst);
    int shift = (i.opSel & 8) != 0 ? 16 : 0;
    for (long left = w.exec(); left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      float a = modified(i, 0, lane(w, i, i.src0, lane));
      float b = modified(i, 1, lane(w, i, i.src1, lane));
      int low = fp8 ? Half.fp8FromFloat(a) : Half.bf8FromFloat(a);
      int high = fp8 ? Half.fp8FromFloat(b) : Half.bf8FromFloat(b);
      int old = w.vector(target, lane);
      w.setVector(target, lane, old & ~(0xffff << shift) | (low | high << 8) << shift);
    }
  }

  private static float modified(GcnInstruction i, int source, int bits) {
    int value = (i.abs >> source & 1) != 0 ? bits & 0x7fffffff : bits;
    return Float.intBitsToFloat((i.neg >> source & 1) != 0 ? value ^ 0x80000000 : value);
  }

  // Hardware registers: id in bits 5:0, first bit in 10:6, size - 1 in 15:11 of the immediate.

  private static int mask(int immediate) {
    return -1 >>> 31 - (immediate >> 11 & 31);
  }

  private static int field(int value, int immediate) {
    return value >>> (immediate >> 6 & 31) & mask(immediate);
  }

  private static int hardwareRegister(WaveState w, int id) {
    return switch (id) {
      case HW_MODE -> w.mode;
      case HW_STATUS ->
          (w.scc ? 1 : 0) | (w.exec() == 0 ? 1 << 9 : 0) | (w.vcc() == 0 ? 1 << 10 : 0);
      case HW_LDS_ALLOC -> (w.group.lds.length + 511) / 512 << 12;
      case HW_SH_MEM_BASES -> Apertures.SH_MEM_BASES;
      default -> 0;
    };
  }

  private static void setRegister(WaveState w, int immediate, int value) {
    if ((immediate & 63) == HW_MODE) {
      int shift = immediate >> 6 & 31;
      int mask = mask(immediate) << shift;
      w.mode = w.mode & ~mask | value << shift & mask;
    }
  }
}
