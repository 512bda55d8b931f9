package dev.rocport;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;

/**
 * Every class with tests is run by exactly one phase: {@code mvn test} takes those without a tag,
 * {@code mvn verify} those with one that {@code pom.xml} names. What starts another process has a
 * tag.
 */
@Tag("slow")
final class TestPhasesTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(HOME.resolve("target/test-classes"));
  private static final Pattern TAGS =
      Pattern.compile("<rocport.integration.tags>([^<]*)</rocport.integration.tags>");

  /** What starts processes, or asks for the toolchain, which may have to be installed. */
  private static final Set<String> STARTERS =
      Set.of(
          "java.lang.ProcessBuilder",
          "dev.rocport.io.process.Exec",
          "dev.rocport.toolchain.TestToolchain");

  @Test
  void everyClassWithTestsIsNamedAsTheBuildLooksForThem() {
    assertThat(withTests()).isNotEmpty();
    assertThat(withTests().map(JavaClass::getSimpleName)).allMatch(n -> n.endsWith("Test"));
  }

  @Test
  void everyTagIsOneOfAPhase() throws Exception {
    Set<String> known = tags();
    List<String> used = new ArrayList<>();
    withTests().forEach(c -> used.addAll(tags(c)));
    assertThat(known).isNotEmpty();
    assertThat(used).isNotEmpty();
    assertThat(known).containsAll(used);
  }

  @Test
  void testsThatStartProcessesHaveATag() {
    Set<String> untagged = new TreeSet<>();
    withTests()
        .filter(c -> tags(c).isEmpty() && starts(c, new TreeSet<>()))
        .forEach(c -> untagged.add(c.getName()));
    assertThat(untagged).isEmpty();
  }

  private static Set<String> tags() throws Exception {
    Matcher tags = TAGS.matcher(Files.readString(HOME.resolve("pom.xml")));
    assertThat(tags.find()).isTrue();
    return Set.of(tags.group(1).split(" \\| "));
  }

  private static List<String> tags(JavaClass c) {
    return c.tryGetAnnotationOfType(Tag.class).map(Tag::value).stream().toList();
  }

  private static Stream<JavaClass> withTests() {
    return CLASSES.stream()
        .filter(c -> c.getEnclosingClass().isEmpty())
        .filter(
            c ->
                c.getMethods().stream()
                    .anyMatch(m -> m.getAnnotations().stream().anyMatch(a -> isTest(a))));
  }

  private static boolean isTest(JavaAnnotation<?> annotation) {
    JavaClass type = annotation.getRawType();
    return type.isAnnotatedWith(Testable.class)
        || type.isMetaAnnotatedWith(Testable.class)
        || type.getName().startsWith("net.jqwik.api.Property");
  }

  /** Whether a class, or a class of the tests that it uses, starts a process. */
  private static boolean starts(JavaClass c, Set<String> seen) {
    return seen.add(c.getName())
        && c.getDirectDependenciesFromSelf().stream()
            .map(d -> d.getTargetClass().getBaseComponentType())
            .anyMatch(
                d ->
                    STARTERS.contains(d.getName())
                        || (CLASSES.contain(d.getName())
                            && starts(CLASSES.get(d.getName()), seen)));
  }
}
