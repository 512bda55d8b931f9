package dev.rocport;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.rocport.report.AtomicFile;
import dev.rocport.source.TreeWriter;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
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

  /** Where passes lie, and what they are made of. */
  private static final String[] PASSES = {
    "dev.rocport.ptx..",
    "dev.rocport.tree..",
    "dev.rocport.warp..",
    "dev.rocport.cuda..",
    "dev.rocport.python..",
    "dev.rocport.nvcc..",
    "dev.rocport.buildsystem..",
    "dev.rocport.packages..",
    "dev.rocport.javahost..",
    "dev.rocport.single.."
  };

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

  /** Their result is a list of edits; the target of a port writes, in one place. */
  @Test
  void passesWriteNoFiles() {
    JavaClasses passes = CLASSES.that(resideInAnyPackage(PASSES));
    assertThat(PASSES)
        .allSatisfy(p -> assertThat(passes.that(resideInAPackage(p))).as(p).isNotEmpty());
    noClasses()
        .should(new WritesFiles())
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(
            FileOutputStream.class,
            FileWriter.class,
            RandomAccessFile.class,
            FileChannel.class,
            PrintWriter.class,
            PrintStream.class,
            File.class,
            AtomicFile.class,
            TreeWriter.class)
        .check(passes);
  }

  /** Code that works on one file only, given by its content. */
  @Test
  void passesOfOneFileReadNoOthers() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.rocport.cuda..", "dev.rocport.warp..", "dev.rocport.javahost..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Files.class)
        .check(CLASSES);
  }

  /** Calls what changes a file system; reading is no write. */
  private static final class WritesFiles extends ArchCondition<JavaClass> {
    private static final Set<String> READS =
        Set.of(
            "exists",
            "getLastModifiedTime",
            "isDirectory",
            "isExecutable",
            "isRegularFile",
            "list",
            "newInputStream",
            "readAllBytes",
            "readAllLines",
            "readString",
            "size",
            "walk");

    WritesFiles() {
      super("change the file system");
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
      for (JavaAccess<?> access : item.getAccessesFromSelf()) {
        if (access.getTargetOwner().isEquivalentTo(Files.class)
            && !READS.contains(access.getTarget().getName())) {
          events.add(SimpleConditionEvent.satisfied(item, access.getDescription()));
        }
      }
    }
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
