package dev.rocport;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.rocport.core.source.TreeWriter;
import dev.rocport.io.AtomicFile;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Comparator;
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

  /**
   * From the bottom up; a package uses only packages before it. An entry covers the packages below
   * it that have no entry of their own.
   */
  private static final List<String> LAYERS =
      List.of(
          "io",
          "core",
          "rules",
          "lang.cuda.ast",
          "lang.ptx",
          "warp",
          "lang.cuda",
          "commandline",
          "lang.python",
          "buildsystem",
          "packaging",
          "lang.java",
          "singlesource",
          "assess",
          "render",
          "explain",
          "toolchain",
          "doctor",
          "inventory",
          "port",
          "git",
          "lsp",
          "examples",
          "headers",
          "bench",
          "cudastub",
          "build",
          "device",
          "verify",
          "conformance",
          "cli");

  /** Where passes lie, and what they are made of. */
  private static final String[] PASSES = {
    "dev.rocport.lang..",
    "dev.rocport.warp..",
    "dev.rocport.commandline..",
    "dev.rocport.buildsystem..",
    "dev.rocport.packaging..",
    "dev.rocport.singlesource.."
  };

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.rocport.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void everyPackageHasItsPlace() {
    List<String> layers = CLASSES.stream().map(c -> layer(c.getPackageName())).distinct().toList();
    assertThat(layers).containsExactlyInAnyOrderElementsOf(LAYERS);
  }

  @Test
  void noPackageUsesOneAboveIt() {
    noClasses().should(new UsesAHigherLayer()).check(CLASSES);
  }

  /** The longest entry of {@link #LAYERS} that covers a package; its name where there is none. */
  private static String layer(String packageName) {
    String below = packageName.substring("dev.rocport".length()) + ".";
    return LAYERS.stream()
        .filter(l -> below.startsWith("." + l + "."))
        .max(Comparator.comparingInt(String::length))
        .orElse(packageName);
  }

  /** Depends on a class of a layer that stands later in {@link #LAYERS}. */
  private static final class UsesAHigherLayer extends ArchCondition<JavaClass> {
    UsesAHigherLayer() {
      super("use a layer above their own");
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
      int own = LAYERS.indexOf(layer(item.getPackageName()));
      for (Dependency d : item.getDirectDependenciesFromSelf()) {
        String target = d.getTargetClass().getPackageName();
        if (target.startsWith("dev.rocport.") && LAYERS.indexOf(layer(target)) > own) {
          events.add(SimpleConditionEvent.satisfied(item, d.getDescription()));
        }
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
        .resideInAnyPackage(
            "dev.rocport.lang.cuda..", "dev.rocport.warp..", "dev.rocport.lang.java..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Files.class)
        .check(CLASSES);
  }

  /** Limits, environment and the end of whatever a program started are the matter of one place. */
  @Test
  void onePackageStartsProcesses() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.rocport.io.process..")
        // It refuses to start any.
        .and()
        .doNotHaveFullyQualifiedName("dev.rocport.git.NoCommands")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ProcessBuilder.class)
        .orShould()
        .callMethodWhere(target(owner(type(Runtime.class))).and(target(name("exec"))))
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
