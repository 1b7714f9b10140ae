package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small kernels with Hopper's instructions leave in memory what they left on an H200
 * (docs/hardware/h200/functions.py): tensor and bulk copies, mbarriers, clusters, products.
 */
class HopperFunctionsTest {
  @TempDir static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    try (InputStream file =
            HopperFunctionsTest.class.getResourceAsStream("/emulate/functions.zip");
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        byte[] content = zip.readAllBytes();
        String name = entry.getName();
        Files.write(folder.resolve(name), content);
        if (name.endsWith(".sass")) {
          // All kernels are of one cubin.
          Path cubin = folder.resolve(name.replace(".sass", ".cubin"));
          Files.createSymbolicLink(cubin, folder.resolve("functions.cubin"));
        }
      }
    }
  }

  /** One of every kind. */
  private static final String FEW =
      "load_(1d|2d_corner|2d_s128_narrow|3d_s64|4d_s128|5d)|im2col_(4d_steps|5d)|store_2d_s64"
          + "|reduce_(add_f16|dec)|tensor_(lanes|replace)|multicast_11|bulk_(between|reduce_min_f16)"
          + "|barrier_ring|copy_arrive|cluster_.*|matrices|elected|registers|sparse_(f16_1|s8)"
          + "|mma_e4m3|bmma_and|w_f16_(n64_base|n24_s32|tab_s128|reg_tb|half)|w_tf32_s128"
          + "|w_sp_(f16|e4m3)|w_(b1|s8_sat|e5m2_reg)";

  @TestFactory
  Stream<DynamicTest> memoryHoldsWhatTheGpuLeftThere() throws IOException {
    return tests(FEW, 39);
  }

  @TestFactory
  @Tag("long")
  Stream<DynamicTest> memoryHoldsWhatTheGpuLeftThereInEveryCase() throws IOException {
    return tests(".*", 176);
  }

  private static Stream<DynamicTest> tests(String names, int count) throws IOException {
    List<Path> cases;
    try (Stream<Path> files = Files.list(folder)) {
      cases =
          files
              .filter(file -> file.getFileName().toString().matches("(" + names + ")\\.yaml"))
              .sorted()
              .toList();
    }
    assertThat(cases).hasSize(count);
    return cases.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static void check(Path file) throws IOException {
    Tracer tracer = new Tracer(file);
    assertThat(tracer.trace(folder.resolve("out"), instructions -> {})).isEmpty();
    assertThat(tracer.checked()).isPositive();
  }
}
