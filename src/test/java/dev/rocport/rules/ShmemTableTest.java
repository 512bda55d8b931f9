package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables cover every NVSHMEM name, and make no unverified claims about rocSHMEM. */
final class ShmemTableTest {
  private static final Path NAMES = Path.of("src/test/resources/shmem/nvshmem-3.4.5.txt");
  private static final Pattern BRACES = Pattern.compile("\\{([^}]*)\\}");
  private static final Map<String, List<ShmemName>> TABLE = RuleCatalog.builtIn().shmem().names();

  @Test
  void everyNameIsAnswered() throws IOException {
    List<String> names = new ArrayList<>();
    for (String line : Files.readAllLines(NAMES)) {
      if (!line.startsWith("#") && !line.isBlank()) {
        expand(line, names);
      }
    }
    assertThat(names).hasSizeGreaterThan(3000).doesNotHaveDuplicates();
    Map<ShmemName.Answer, Integer> answers = new EnumMap<>(ShmemName.Answer.class);
    List<String> open = new ArrayList<>();
    for (String name : names) {
      List<ShmemName> found = TABLE.get(name);
      if (found == null) {
        open.add(name);
      } else {
        answers.merge(found.getFirst().answer(), 1, Integer::sum);
      }
    }
    System.out.println(names.size() + " names of NVSHMEM: " + answers);
    assertThat(open).isEmpty();
  }

  private static void expand(String pattern, List<String> names) {
    Matcher m = BRACES.matcher(pattern);
    if (!m.find()) {
      names.add(pattern);
      return;
    }
    for (String word : m.group(1).split(",", -1)) {
      expand(pattern.substring(0, m.start()) + word + pattern.substring(m.end()), names);
    }
  }

  @Test
  void everyCounterpartHasItsVersion() {
    TABLE.forEach(
        (name, found) ->
            found.forEach(
                n ->
                    assertThat(n.target().isEmpty())
                        .as(name)
                        .isEqualTo(n.row().host().isEmpty() && n.row().device().isEmpty())));
  }

  @Test
  void callsUseAllTheirParameters() {
    Map<String, String> wrong = new TreeMap<>();
    TABLE.forEach(
        (name, found) ->
            found.stream()
                .filter(ShmemName::isCall)
                .forEach(
                    n ->
                        n.parameters().stream()
                            .filter(p -> !n.target().matches(".*\\$" + p + "\\b.*"))
                            .forEach(p -> wrong.put(name, p + " in " + n.target()))));
    assertThat(wrong).isEmpty();
  }

  @Test
  void fixedWidthNamesAreTheTypesOfC() {
    assertThat(TABLE.get("nvshmem_int64_put").getFirst().target())
        .isEqualTo("rocshmem::rocshmem_long_put");
    assertThat(TABLE.get("nvshmemx_size_put_nbi_warp").getFirst().target())
        .isEqualTo("rocshmem::rocshmem_ulong_put_nbi_wave");
    assertThat(TABLE.get("nvshmem_bfloat16_put").getFirst().target())
        .isEqualTo(
            "rocshmem::rocshmem_putmem($dest, $source, ($nelems) * sizeof(__hip_bfloat16), $pe)");
    assertThat(TABLE.get("nvshmem_get128_nbi").getFirst().target())
        .isEqualTo("rocshmem::rocshmem_getmem_nbi($dest, $source, ($nelems) * 16, $pe)");
  }

  @Test
  void aTeamsBarrierNeverBecomesTheWorlds() {
    for (ShmemName n : TABLE.get("nvshmemx_barrier_block")) {
      assertThat(n.target())
          .isEqualTo("rocshmem::rocshmem_ctx_barrier_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, $team)");
    }
  }
}
