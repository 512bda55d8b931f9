package dev.rocport.lang.cuda.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.warp.WarpScan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompanionsTest {
  private static ProjectIndex.Scan file(String path, List<String> includes, String... names) {
    return new ProjectIndex.Scan(
        path,
        false,
        includes,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(names),
        List.of(),
        List.of(),
        List.of(),
        WarpScan.none(path));
  }

  private static Map<String, ? extends Iterable<String>> of(ProjectIndex.Scan... files) {
    List<String> paths = Arrays.stream(files).map(ProjectIndex.Scan::path).toList();
    return Companions.of(List.of(files), new Includes(paths, ProjectCommands.NONE));
  }

  @Test
  void aHeaderHasTheNamesOfAllUnitsThatReachIt() {
    var names =
        of(
            file("a.cu", List.of("mid.h"), "uint4", "memcpy"),
            file("b.cu", List.of("mid.h"), "sqrt"),
            file("c.cu", List.of("other.h")),
            file("mid.h", List.of("low.h"), "int2"),
            file("low.h", List.of("mid.h")), // a cycle
            file("other.h", List.of()));
    assertThat(names).containsOnlyKeys("a.cu", "b.cu", "mid.h", "low.h");
    assertThat(names.get("a.cu")).containsExactly("int2", "memcpy", "uint4");
    assertThat(names.get("b.cu")).containsExactly("int2", "sqrt");
    assertThat(names.get("mid.h")).containsExactly("int2", "memcpy", "sqrt", "uint4");
    assertThat(names.get("low.h")).containsExactly("int2", "memcpy", "sqrt", "uint4");
  }

  @Test
  void headersWithoutAUnitHaveNone() {
    assertThat(of(file("a.h", List.of(), "int2"), file("b.cu", List.of()))).isEmpty();
    assertThat(of(file("b.cu", List.of()))).isEmpty();
  }
}
