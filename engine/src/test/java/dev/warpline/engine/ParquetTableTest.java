package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetTableTest {
  @TempDir Path folder;

  /** The expected file was read with pyarrow and gave back these rows when it was made. */
  @Test
  void aTableIsWrittenAsTheFileThatPyarrowReads() throws Exception {
    Path file = folder.resolve("t.parquet");
    ParquetTable.write(rows(), file);
    try (var expected = getClass().getResourceAsStream("table.parquet")) {
      assertThat(Files.readAllBytes(file)).isEqualTo(expected.readAllBytes());
    }
  }

  private static List<Map<String, Object>> rows() {
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("kernel", "_Z6vecadd\u00e9");
    first.put("cycles", 12_345_678_901L);
    first.put("ipc", 0.5);
    Map<String, Object> second = new LinkedHashMap<>();
    second.put("kernel", "b");
    second.put("cycles", -1);
    second.put("l1.hits", 7L);
    return List.of(first, second);
  }
}
