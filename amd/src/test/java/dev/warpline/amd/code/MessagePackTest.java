package dev.warpline.amd.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessagePackTest {
  private static Object read(String hex) throws CodeObjectException {
    return MessagePack.read("note", HexFormat.of().parseHex(hex));
  }

  @Test
  void numbersOfEveryWidth() throws CodeObjectException {
    assertThat(read("7f")).isEqualTo(127L);
    assertThat(read("e0")).isEqualTo(-32L);
    assertThat(read("ccff")).isEqualTo(255L);
    assertThat(read("cd0102")).isEqualTo(0x102L);
    assertThat(read("ce80000000")).isEqualTo(0x80000000L);
    assertThat(read("d0ff")).isEqualTo(-1L);
    assertThat(read("d1ff00")).isEqualTo(-256L);
    assertThat(read("d2ffffff00")).isEqualTo(-256L);
    assertThat(read("d3ffffffffffffff00")).isEqualTo(-256L);
    assertThat(read("ca3fc00000")).isEqualTo(1.5);
    assertThat(read("cb3ff8000000000000")).isEqualTo(1.5);
  }

  @Test
  void textsAndContainers() throws CodeObjectException {
    assertThat(read("a3616263")).isEqualTo("abc");
    assertThat(read("d903616263")).isEqualTo("abc");
    assertThat(read("82a16101a162920203")).isEqualTo(Map.of("a", 1L, "b", List.of(2L, 3L)));
    assertThat(read("dc0002c2c3")).isEqualTo(List.of(false, true));
    assertThat(read("91c0")).isEqualTo(Arrays.asList((Object) null));
  }

  @Test
  void damagedDataIsRejected() {
    assertThatThrownBy(() -> read("a361")).hasMessageContaining("note: metadata");
    assertThatThrownBy(() -> read("c1")).hasMessageContaining("tag 0xc1");
    assertThatThrownBy(() -> read("ddffffffff")).hasMessageContaining("outside");
    assertThatThrownBy(() -> read("91".repeat(100) + "00")).hasMessageContaining("too deeply");
  }
}
