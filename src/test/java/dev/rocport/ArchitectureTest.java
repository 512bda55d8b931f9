package dev.rocport;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Data flows one way: source, rules, passes, trees, results, command line. */
@Tag("slow")
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.rocport");

  /** From the bottom up; a package uses only what stands before it. */
  private static final List<String> LAYERS =
      List.of(
          "source",
          "elf",
          "report",
          "rules",
          "ptx",
          "toolchain",
          "doctor",
          "nvcc",
          "tree",
          "warp",
          "cuda",
          "python",
          "buildsystem",
          "packages",
          "javahost",
          "single",
          "assess",
          "bill",
          "port",
          "examples",
          "bench",
          "standin",
          "build",
          "device",
          "verify",
          "cli");

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.rocport.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void everyPackageHasItsPlace() {
    List<String> packages =
        CLASSES.stream()
            .map(c -> c.getPackageName().split("\\."))
            .filter(p -> p.length > 2)
            .map(p -> p[2])
            .distinct()
            .toList();
    assertThat(LAYERS).containsExactlyInAnyOrderElementsOf(packages);
  }

  @Test
  void noPackageUsesOneAboveIt() {
    for (int i = 0; i < LAYERS.size(); i++) {
      String[] above =
          LAYERS.subList(i + 1, LAYERS.size()).stream()
              .map(p -> "dev.rocport." + p + "..")
              .toArray(String[]::new);
      if (above.length > 0) {
        noClasses()
            .that()
            .resideInAPackage("dev.rocport." + LAYERS.get(i) + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above)
            .check(CLASSES);
      }
    }
  }

  @Test
  void rulesWriteNoFiles() {
    noClasses()
        .that()
        .resideInAPackage("dev.rocport.cuda..")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.nio.file.Files")
        .check(CLASSES);
  }

  @Test
  void nothingLooksIntoClassesAtRunTime() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.reflect..")
        .check(CLASSES);
  }
}
