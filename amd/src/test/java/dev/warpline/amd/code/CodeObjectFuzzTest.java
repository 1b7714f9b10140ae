package dev.warpline.amd.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** A damaged file is read or rejected with its name; nothing else happens. */
class CodeObjectFuzzTest {
  private final byte[] object;
  private final byte[] bundle;
  private final byte[] compressed;

  CodeObjectFuzzTest() throws IOException {
    object = CodeObjectTest.bytes("program.gfx942.co");
    bundle = CodeObjectTest.bytes("stream.bundle.co");
    compressed = CodeObjectTest.bytes("samples.O3.co");
  }

  @Property(tries = 1500, seed = "1")
  void aDamagedCodeObject(
      @ForAll @Size(min = 1, max = 4) int[] places, @ForAll @Size(4) int[] values) {
    readOrReject(damage(object, places, values), Optional.empty());
  }

  /** Most of the structure is at the front and in the tables at the end. */
  @Property(tries = 1500, seed = "1")
  void damagedHeadersAndTables(
      @ForAll @Size(min = 1, max = 4) int[] places, @ForAll @Size(4) int[] values) {
    byte[] data = object.clone();
    for (int i = 0; i < places.length; i++) {
      int inside = Math.floorMod(places[i], 4096);
      int at = (places[i] & 1) == 0 ? inside / 2 : data.length - 1 - inside / 2;
      data[at] = (byte) values[i];
    }
    readOrReject(data, Optional.empty());
  }

  @Property(tries = 500, seed = "1")
  void aDamagedBundle(@ForAll @Size(min = 1, max = 3) byte[] values, @ForAll int place) {
    byte[] data = bundle.clone();
    for (int i = 0; i < values.length; i++) {
      data[Math.floorMod(place + i, 256)] = values[i];
    }
    readOrReject(data, Optional.of(GcnTarget.GFX90A));
  }

  @Property(tries = 100, seed = "1")
  void aDamagedCompressedBundle(
      @ForAll @Size(min = 1, max = 4) int[] places, @ForAll @Size(4) int[] values) {
    readOrReject(damage(compressed, places, values), Optional.of(GcnTarget.GFX900));
  }

  private static byte[] damage(byte[] original, int[] places, int[] values) {
    byte[] data = original.clone();
    for (int i = 0; i < places.length; i++) {
      data[Math.floorMod(places[i], data.length)] = (byte) values[i];
    }
    return data;
  }

  private static void readOrReject(byte[] data, Optional<GcnTarget> target) {
    try {
      CodeObject read = CodeObject.parse("damaged.co", data, target);
      assertThat(read.image(0x1000)).hasSize(read.imageBytes());
    } catch (CodeObjectException e) {
      assertThat(e).hasMessageStartingWith("damaged.co");
    }
  }
}
