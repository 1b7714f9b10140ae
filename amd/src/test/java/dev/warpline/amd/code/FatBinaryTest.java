package dev.warpline.amd.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Code as users have it: in HIP programs (made by build.sh beside it from two source files, one
 * bundle compressed), not linked, damaged.
 */
class FatBinaryTest {
  private static final Path FOLDER = Path.of("src/test/resources/dev/warpline/amd/code");
  private static final Path SAMPLES = Path.of("..", "examples", "amd", "co");

  @Test
  void everySourceFileOfAProgramHasItsCodeForEveryTarget() throws IOException {
    for (GcnTarget target : List.of(GcnTarget.GFX900, GcnTarget.GFX90A)) {
      List<CodeObject> objects = CodeObject.readAll(FOLDER.resolve("program"), Optional.of(target));
      assertThat(objects).extracting(CodeObject::target).containsExactly(target, target);
      assertThat(objects.get(0).kernels()).extracting(Kernel::name).containsExactly("_Z5scalePffi");
      assertThat(objects.get(1).kernels())
          .extracting(Kernel::name)
          .containsExactly("_Z5shiftIiEvPT_S0_b");
    }
  }

  @Test
  void aMangledNameTellsTheTypesThatHipsMetadataDoNot() throws IOException {
    List<CodeObject> objects =
        CodeObject.readAll(FOLDER.resolve("program"), Optional.of(GcnTarget.GFX900));
    assertThat(objects.get(0).kernels().get(0).explicitArguments())
        .extracting(KernelArgument::type)
        .containsExactly("float*", "float", "int");
    assertThat(objects.get(1).kernels().get(0).explicitArguments())
        .extracting(KernelArgument::type)
        .containsExactly("int*", "int", "bool");
  }

  @Test
  void aProgramWithoutCodeForTheGpuSaysWhatItHas() {
    assertThatThrownBy(
            () -> CodeObject.readAll(FOLDER.resolve("program"), Optional.of(GcnTarget.GFX942)))
        .hasMessageContaining("hipv4-amdgcn-amd-amdhsa--gfx900")
        .hasMessageContaining("expected one entry for gfx942");
    assertThatThrownBy(
            () -> CodeObject.read(FOLDER.resolve("program"), Optional.of(GcnTarget.GFX900)))
        .hasMessageContaining("found 2 code objects, of the kernels _Z5scalePffi, _Z5shiftIiEvPT");
  }

  @Test
  void aProgramWithoutGpuCodeIsToldApart() throws IOException {
    byte[] program = Files.readAllBytes(FOLDER.resolve("program"));
    String text = new String(program, java.nio.charset.StandardCharsets.ISO_8859_1);
    program[text.lastIndexOf(".hip_fatbin") + 1] = 'H';
    assertThatThrownBy(() -> CodeObject.parse("x", program, Optional.empty()))
        .hasMessageContaining("x: found a file for ELF machine 62 without a section .hip_fatbin");
  }

  @Test
  void aProgramCutShortIsRefusedWithTheFileAndThePlace() throws IOException {
    byte[] program = Files.readAllBytes(FOLDER.resolve("program"));
    for (int length = 64; length < program.length; length += 997) {
      byte[] part = Arrays.copyOf(program, length);
      assertThatThrownBy(() -> CodeObject.parse("x", part, Optional.of(GcnTarget.GFX900)))
          .isInstanceOf(CodeObjectException.class)
          .hasMessageStartingWith("x: ");
    }
  }

  @Test
  void codeThatIsNotLinkedIsRefusedWithTheCommandWhereThereIsNoLinker() throws IOException {
    byte[] object = Files.readAllBytes(FOLDER.resolve("unlinked.co"));
    assertThat(Linker.isUnlinked("unlinked.co", object)).isTrue();
    assertThatThrownBy(() -> new Linker("/nowhere").link("unlinked.co", object))
        .hasMessageContaining("not linked, and no ld.lld")
        .hasMessageContaining("ld.lld -shared unlinked.co -o linked.co");
  }

  @Test
  void codeThatIsNotLinkedIsLinked() throws IOException {
    byte[] object = Files.readAllBytes(FOLDER.resolve("unlinked.co"));
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    byte[] linked;
    try {
      linked = new Linker(path).link("unlinked.co", object);
    } catch (CodeObjectException noLinker) {
      assertThat(noLinker).hasMessageContaining("no ld.lld");
      return;
    }
    assertThat(CodeObject.parse("linked", linked, Optional.empty()).kernels())
        .extracting(Kernel::name)
        .containsExactly("_Z5scalePffi");
  }

  @Test
  void metadataThatDisagreeWithTheDescriptorAreRefusedByName() throws IOException {
    Path file = SAMPLES.resolve("matrix.gfx900.co");
    Kernel kernel = CodeObject.read(file).kernel("matmul_tiled");
    int at = (int) kernel.descriptorAddress();
    assertThatThrownBy(() -> patched(file, at, 1))
        .hasMessageContaining("kernel matmul_tiled")
        .hasMessageContaining("bytes of LDS in the metadata (.group_segment_fixed_size)")
        .hasMessageContaining("one of them is damaged");
    assertThatThrownBy(() -> patched(file, at + 8, 1))
        .hasMessageContaining("bytes of arguments in the metadata (.kernarg_segment_size)");
    int registers = kernel.descriptor().rsrc1() & 0xff;
    assertThatThrownBy(() -> patched(file, at + 48, registers & ~0x3f))
        .hasMessageContaining("vector registers in the metadata (.vgpr_count)")
        .hasMessageContaining("what its descriptor gives 4");
  }

  private static CodeObject patched(Path file, int at, int value) throws IOException {
    byte[] data = Files.readAllBytes(file);
    data[at] = (byte) value;
    return CodeObject.parse("patched", data, Optional.empty());
  }
}
