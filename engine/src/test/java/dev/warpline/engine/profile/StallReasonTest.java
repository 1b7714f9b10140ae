package dev.warpline.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A reason has one name in every file. */
class StallReasonTest {
  private final ObjectMapper json = new ObjectMapper();

  @Test
  void aReasonIsItsKeyAsAValueAndAsTheNameOfAValue() throws Exception {
    for (StallReason reason : StallReason.values()) {
      String key = "\"" + reason.key() + "\"";
      assertThat(json.writeValueAsString(reason)).isEqualTo(key);
      assertThat(json.writeValueAsString(Map.of(reason, 1))).isEqualTo("{" + key + ":1}");
      assertThat(read("{" + key + ":1}")).containsOnlyKeys(reason);
      assertThat(StallReason.ofKey(reason.key())).isEqualTo(reason);
      assertThat(StallReason.labelOf(reason.key())).isEqualTo(reason.label());
    }
  }

  @Test
  void resultsOfOlderVersionsWithCapitalsAreRead() throws Exception {
    assertThat(read("{\"NOT_SELECTED\":1}")).containsOnlyKeys(StallReason.NOT_SELECTED);
  }

  private Map<StallReason, Long> read(String text) throws Exception {
    return json.readValue(text, new TypeReference<Map<StallReason, Long>>() {});
  }
}
