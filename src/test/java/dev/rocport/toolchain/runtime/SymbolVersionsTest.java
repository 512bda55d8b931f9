package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class SymbolVersionsTest {
  @Test
  void eachVersionFollowsTheOneBefore() {
    SortedMap<String, SortedSet<String>> names = new TreeMap<>(RuntimeCompiler.BY_VERSION);
    names.put("hip_4.10", new TreeSet<>(List.of("hipC")));
    names.put("hip_4.2", new TreeSet<>(List.of("hipA", "hipB")));

    assertThat(RuntimeCompiler.versions(names, "; rocport*"))
        .isEqualTo(
            """
            hip_4.2 { global: hipA; hipB; rocport*; local: *; };
            hip_4.10 { global: hipC; } hip_4.2;
            """);
  }

  @Test
  void namesWithoutVersionsNeedNone() {
    SortedMap<String, SortedSet<String>> names = new TreeMap<>(RuntimeCompiler.BY_VERSION);
    names.put("", new TreeSet<>(List.of("hipA")));

    assertThat(RuntimeCompiler.versions(names, "")).isEqualTo(" { global: hipA; local: *; };\n");
  }
}
