package dev.warpline.policy.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Policies;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every address hash must do, and how well each spreads. */
class AddressHashTest {
  static List<String> names() {
    return Policies.of(AddressHash.class).choices().stream().map(Policies.Choice::name).toList();
  }

  private static AddressHash hash(String name, int places) {
    AddressHash hash = Policies.of(AddressHash.class).maker(name).get();
    hash.begin(places, 128);
    return hash;
  }

  @ParameterizedTest
  @MethodSource("names")
  void aPlaceIsOneOfThemAndTheSameForAWholeBlock(String name) {
    AddressHash hash = hash(name, 64);
    Random random = new Random(2);
    for (int i = 0; i < 5000; i++) {
      long block = (random.nextLong() >>> 10) & -128;
      int place = hash.place(block);
      assertThat(place).isBetween(0, 63);
      assertThat(hash.place(block + random.nextInt(128))).isEqualTo(place);
      assertThat(hash.place(block)).isEqualTo(place);
    }
  }

  /** Of 64 places, those that 64 blocks use at a distance of so many blocks. */
  @ParameterizedTest
  @CsvSource({
    "linear, 64, 2, 1",
    "remainder, 64, 2, 1",
    "remainder:2, 64, 32, 64",
    "xor, 64, 32, 64",
    "ipoly, 64, 64, 64",
    "fermi, 64, 32, 16",
    "custom, 1, 1, 1",
    "scatter, 64, 25, 20",
    "mix, 64, 36, 36"
  })
  void blocksAtADistance(String name, int neighbours, int by32, int by64) {
    assertThat(used(name, 1)).isBetween(Math.min(neighbours, 40), neighbours);
    assertThat(used(name, 32)).as("32 blocks apart").isBetween(by32 * 9 / 10, 64);
    assertThat(used(name, 64)).as("64 blocks apart").isBetween(by64 * 9 / 10, 64);
  }

  private static int used(String name, int distance) {
    AddressHash hash = hash(name, 64);
    boolean[] used = new boolean[64];
    for (long i = 0; i < 64; i++) {
      used[hash.place(i * distance * 128)] = true;
    }
    int count = 0;
    for (boolean one : used) {
      count += one ? 1 : 0;
    }
    return count;
  }

  /** Most of so many lines at a distance that fall into one bank of an H200's L1, as measured. */
  @ParameterizedTest
  @CsvSource({"1, 32, 8", "3, 8, 5", "5, 16, 7", "7, 32, 14", "9, 12, 5", "36, 8, 8", "128, 32, 8"})
  void paritiesGiveTheBanksThatWereMeasured(int distance, int lines, int most) {
    AddressHash hash = hash("parities:2741:1498", 4);
    int[] count = new int[4];
    for (long i = 0; i < lines; i++) {
      count[hash.place(i * distance * 128)]++;
    }
    assertThat(Arrays.stream(count).max()).hasValue(most);
  }

  @Test
  void remaindersTakeAnyNumberOfPlaces() {
    assertThat(hash("remainder", 24).place(25 * 128)).isEqualTo(1);
    assertThat(hash("remainder:1", 24).place((7 * 24 + 1) * 128)).isEqualTo((7 * 24 + 1 ^ 7) % 24);
  }

  @Test
  void whatCannotBeIsSaid() {
    assertThatThrownBy(() -> hash("parities:3", 4)).hasMessage("expected 2 for so many masks");
    assertThatThrownBy(() -> hash("remainder:9", 4)).hasMessageContaining("0 to 8, as remainder:2");
    assertThatThrownBy(() -> hash("fermi", 16)).hasMessage("expected 32 or 64");
    assertThatThrownBy(() -> hash("linear", 24)).hasMessage("expected a power of two");
    assertThatThrownBy(() -> hash("ipoly", 1 << 13)).hasMessage("expected at most 4096");
    assertThat(hash("scatter", 24).place(1 << 20)).isBetween(0, 23);
  }
}
