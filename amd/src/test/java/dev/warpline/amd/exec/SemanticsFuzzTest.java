package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.gcn.GcnDecodeException;
import dev.warpline.isa.gcn.GcnDecoder;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnTarget;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Whatever decodes either executes or stops with a fault that says where. */
class SemanticsFuzzTest {
  @Property(tries = 30000, seed = "1")
  void anyWordsExecuteOrFault(
      @ForAll GcnTarget target, @ForAll int first, @ForAll int second, @ForAll int third) {
    Machine m = new Machine(target);
    m.lanes(0).lanes(5).s64(0, m.memory.allocate(256));
    try {
      GcnInstruction instruction = GcnDecoder.decode(target, new int[] {first, second, third}, 0);
      m.run(Semantics.bind(instruction));
    } catch (GcnDecodeException | ExecutionFault e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Test
  void halvesRoundToTheNearestWithTiesToEven() {
    for (int bits = 0; bits < 0x7bff; bits++) {
      double low = Half.toFloat(bits);
      double high = Half.toFloat(bits + 1);
      double middle = (low + high) / 2;
      assertThat(Half.fromDouble(middle)).isEqualTo(bits + (bits & 1));
      assertThat(Half.fromDouble(Math.nextDown(middle))).isEqualTo(bits);
      assertThat(Half.fromDouble(Math.nextUp(middle))).isEqualTo(bits + 1);
      assertThat(Half.fromFloatTowardsZero((float) middle)).isEqualTo(bits);
    }
  }

  @Test
  void everyEightBitFloatSurvivesTheWayToFloatAndBack() {
    for (int bits = 0; bits < 256; bits++) {
      assertThat(Half.fp8FromFloat(Half.fp8ToFloat(bits))).isEqualTo(bits);
      assertThat(Half.bf8FromFloat(Half.bf8ToFloat(bits))).isEqualTo(bits);
    }
  }
}
