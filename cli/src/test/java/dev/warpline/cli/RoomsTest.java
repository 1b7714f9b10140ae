package dev.warpline.cli;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rooms of the house and the direction of the arrows between them. */
class RoomsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.warpline");

  @Test
  void arrowsPointDownwards() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .withOptionalLayers(true)
        .layer("cli")
        .definedBy("dev.warpline.cli..")
        .layer("web")
        .definedBy("dev.warpline.web..")
        .layer("study")
        .definedBy("dev.warpline.study..")
        .layer("nvidia")
        .definedBy("dev.warpline.nvidia..")
        .layer("amd")
        .definedBy("dev.warpline.amd..")
        .layer("memory")
        .definedBy("dev.warpline.memory..")
        .layer("trace")
        .definedBy("dev.warpline.trace..")
        .layer("isa")
        .definedBy("dev.warpline.isa..")
        .layer("engine")
        .definedBy("dev.warpline.engine..")
        .layer("policy")
        .definedBy("dev.warpline.policy..")
        .whereLayer("cli")
        .mayOnlyAccessLayers(
            "web", "study", "nvidia", "amd", "memory", "trace", "isa", "engine", "policy")
        .whereLayer("web")
        .mayOnlyAccessLayers("study", "isa", "engine")
        .whereLayer("study")
        .mayOnlyAccessLayers("nvidia", "amd", "memory", "trace", "isa", "engine")
        .whereLayer("nvidia")
        .mayOnlyAccessLayers("memory", "isa", "trace", "engine", "policy")
        .whereLayer("amd")
        .mayOnlyAccessLayers("memory", "isa", "engine", "policy")
        .whereLayer("memory")
        .mayOnlyAccessLayers("engine", "policy")
        .whereLayer("trace")
        .mayOnlyAccessLayers("isa")
        .whereLayer("isa")
        .mayNotAccessAnyLayer()
        .whereLayer("engine")
        .mayOnlyAccessLayers("policy")
        .whereLayer("policy")
        .mayNotAccessAnyLayer()
        .check(CLASSES);
  }

  @Test
  void noRoomIsInACircle() {
    slices().matching("dev.warpline.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void stagesOfTheModernCoreAreInNoCircle() {
    slices().matching("dev.warpline.nvidia.modern.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noStageOfTheModernCoreKnowsTheSm() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAPackage("dev.warpline.nvidia.modern.*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.warpline.nvidia.modern")
        .because("the SM puts its stages together, not the other way round")
        .check(CLASSES);
  }

  @Test
  void nothingIsStaticAndMutable() {
    ArchRuleDefinition.noFields()
        .that()
        .areStatic()
        .and()
        .areNotFinal()
        .should()
        .haveModifier(com.tngtech.archunit.core.domain.JavaModifier.STATIC)
        .because("a run is a pure function of its inputs")
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void everyTopLevelClassNameStandsOnce() {
    assertThat(CLASSES.stream().map(c -> c.getPackageName().split("\\.")[2]))
        .as("modules looked at")
        .contains(
            "amd", "cli", "engine", "isa", "memory", "nvidia", "policy", "study", "trace", "web");
    Map<String, List<String>> byName =
        CLASSES.stream()
            .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    byName.values().removeIf(names -> names.size() == 1);
    assertThat(byName).isEmpty();
  }

  /** Classes as the page writes them: behind a package, or alone if the word has two capitals. */
  private static final Pattern CLASS =
      Pattern.compile("\\b((?:[a-z][a-z0-9]*\\.)+[A-Z]\\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)\\b");

  @ParameterizedTest
  @CsvSource({
    "architecture, MatrixUnit",
    "memory, memory.MemoryRequest",
    "modern-core, InstructionCaches",
    "asynchronous, hopper.Mbarriers"
  })
  void everyClassThatAPageNamesExists(String title, String one) throws IOException {
    String page = Files.readString(Path.of("../docs/" + title + ".md"));
    Set<String> named = new TreeSet<>();
    // Names of boxes, and what the text around the pictures writes as code.
    Matcher quoted = Pattern.compile("\"([^\"\n]*)\"|`([^`\n]*)`").matcher(page);
    while (quoted.find()) {
      Matcher name = CLASS.matcher(quoted.group().replace("<br/>", " "));
      while (name.find()) {
        named.add(name.group());
      }
    }
    named.removeIf(known -> known.endsWith("Test"));
    assertThat(named).contains(one);
    Set<String> classes = CLASSES.stream().map(JavaClass::getName).collect(Collectors.toSet());
    named.removeIf(word -> classes.stream().anyMatch(known -> ("." + known).endsWith("." + word)));
    assertThat(named).as("classes that " + title + ".md names and nobody wrote").isEmpty();
  }
}
