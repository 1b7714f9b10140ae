package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole kernels on the functional device: what goes wrong is reported with its place. */
class FunctionalDeviceTest {
  private final FunctionalDevice device = new FunctionalDevice();
  private FunctionalDevice.LoadedCode code;
  private Kernel vectorAdd;

  @BeforeEach
  void load() throws IOException {
    code = device.load(CodeObject.read(Path.of("..", "examples", "amd", "co", "stream.gfx942.co")));
    vectorAdd = code.object().kernel("vector_add");
  }

  private void add(int[] grid, int[] group, long a, long b, long c, int n) {
    KernargSegment arguments =
        new KernargSegment(vectorAdd).set(0, a).set(1, b).set(2, c).set(3, n);
    device.launch(code, vectorAdd, grid, group, arguments);
  }

  @Test
  void aBufferThatIsTooSmallIsFoundAtTheFirstByteOutside() {
    long a = device.memory().allocate(4 * 256);
    long b = device.memory().allocate(4 * 200);
    assertThatThrownBy(() -> add(new int[] {256, 1, 1}, new int[] {256, 1, 1}, a, b, a, 256))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining(
            "4 bytes at 0x%x reach past the end of a buffer at 0x%x", b + 800, b + 800)
        .hasMessageContaining("global_load_dword")
        .hasMessageContaining("kernel vector_add, work-group (0, 0, 0), wave 3, lane 8");
  }

  @Test
  void aFailedLaunchGivesItsMemoryBack() {
    long before = device.memory().allocatedBytes();
    assertThatThrownBy(() -> add(new int[] {64, 1, 1}, new int[] {64, 1, 1}, 0, 0, 0, 64))
        .hasMessageContaining("is not mapped");
    assertThat(device.memory().allocatedBytes()).isEqualTo(before);
  }

  @Test
  void launchesThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> add(new int[] {2048, 1, 1}, new int[] {2048, 1, 1}, 0, 0, 0, 1))
        .hasMessage("kernel vector_add: a group of 2048 work-items, expected at most 1024");
    assertThatThrownBy(() -> add(new int[] {64, 0, 1}, new int[] {64, 1, 1}, 0, 0, 0, 1))
        .hasMessageContaining("at least one work-item in each dimension");
    KernargSegment arguments =
        new KernargSegment(vectorAdd).set(0, 0).set(1, 0).set(2, 0).set(3, 0).addDynamicLds(70000);
    assertThatThrownBy(
            () ->
                device.launch(code, vectorAdd, new int[] {1, 1, 1}, new int[] {1, 1, 1}, arguments))
        .hasMessage("kernel vector_add: 70000 bytes of LDS, expected at most 65536");
  }

  @Test
  void instructionsAreCounted() {
    long a = device.memory().allocate(4 * 64);
    add(new int[] {64, 1, 1}, new int[] {64, 1, 1}, a, a, a, 64);
    long one = device.instructions();
    add(new int[] {256, 1, 1}, new int[] {64, 1, 1}, a, a, a, 64);
    assertThat(one).isPositive();
    assertThat(device.instructions() - one)
        .as("three waves leave early")
        .isBetween(one + 3, 4 * one - 3);
  }

  @Test
  void jumpingOutOfTheCodeIsAnError() {
    assertThatThrownBy(() -> code.program().at(code.base() - 4))
        .isInstanceOf(ExecutionFault.class)
        .hasMessageContaining("lies outside of the code");
    assertThatThrownBy(() -> code.program().at(code.base() + 2)).isInstanceOf(ExecutionFault.class);
  }
}
