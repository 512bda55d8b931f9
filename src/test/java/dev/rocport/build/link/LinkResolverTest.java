package dev.rocport.build.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LinkResolverTest {
  private final SortedMap<String, ObjectSymbols> objects = new TreeMap<>();

  private void object(String path, List<String> strong, List<String> wanted) {
    object(path, strong, List.of(), wanted, false);
  }

  private void object(
      String path, List<String> strong, List<String> weak, List<String> wanted, boolean starts) {
    objects.put(
        path,
        new ObjectSymbols(
            new TreeSet<>(strong), new TreeSet<>(weak), new TreeSet<>(wanted), starts));
  }

  private List<LinkResolver.Program> programs() {
    return new LinkResolver(objects).programs();
  }

  @Test
  void givesEachMainWhatItNeeds() {
    object("one.cu", List.of("main"), List.of("f", "hipMalloc"));
    object("two.cu", List.of("main"), List.of("g"));
    object("f.cu", List.of("f"), List.of("g"));
    object("g.cu", List.of("g"), List.of());

    List<LinkResolver.Program> programs = programs();

    assertThat(programs)
        .extracting(LinkResolver.Program::needed)
        .containsExactly(List.of("one.cu", "f.cu", "g.cu"), List.of("two.cu", "g.cu"));
    assertThat(programs.getFirst().wanted()).containsExactly("hipMalloc");
  }

  @Test
  void takesTheNearestOfTwoDefinitionsAndSaysSo() {
    object("a/main.cu", List.of("main"), List.of("f"));
    object("a/f.cu", List.of("f"), List.of());
    object("b/f.cu", List.of("f"), List.of());

    LinkResolver.Program program = programs().getFirst();

    assertThat(program.needed()).containsExactly("a/main.cu", "a/f.cu");
    assertThat(program.notes()).singleElement().asString().contains("a/f.cu and b/f.cu");
  }

  @Test
  void neverLinksTwoMains() {
    object("one.cu", List.of("main", "f"), List.of());
    object("two.cu", List.of("main"), List.of("f"));

    assertThat(programs().get(1).needed()).containsExactly("two.cu");
  }

  @Test
  void offersRegistrationsToTheOnlyProgram() {
    object("main.cu", List.of("main"), List.of("registry"));
    object("registry.cu", List.of("registry"), List.of());
    object("plugin.cu", List.of("plugin"), List.of(), List.of("registry", "h"), true);
    object("helper.cu", List.of("h"), List.of());

    assertThat(programs().getFirst().optional()).containsExactly("plugin.cu", "helper.cu");
  }
}
