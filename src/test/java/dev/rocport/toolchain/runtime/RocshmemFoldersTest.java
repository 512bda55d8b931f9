package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.TestToolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rocSHMEM that a variable names. */
@Tag("toolchain")
final class RocshmemFoldersTest {
  @TempDir private Path folder;

  private Rocshmem named(String header) throws Exception {
    Path headers = Files.createDirectories(folder.resolve("include/rocshmem"));
    Files.writeString(headers.resolve("rocshmem.hpp"), header);
    Files.createDirectories(folder.resolve("lib"));
    Files.writeString(folder.resolve("lib/librocshmem.a"), "!<arch>\n");
    return Rocshmem.of(
        TestToolchain.get(),
        folder.resolve("home"),
        HipRuntime.installation(),
        Map.of("ROCSHMEM_PATH", folder.toString()));
  }

  @Test
  void itIsLinkedWithTheHsaRuntimeThatItCalls() throws Exception {
    Rocshmem rocshmem = named("int rocshmem_my_pe();");
    assertThat(rocshmem.isStandIn()).isFalse();
    assertThat(rocshmem.compile()).containsExactly("-isystem", folder + "/include");
    assertThat(rocshmem.link(line -> {}))
        .startsWith(folder + "/lib/librocshmem.a")
        .contains("-lhsa-runtime64")
        .noneMatch(f -> f.contains("libmpi"));
  }

  @Test
  void namesThatItsHeadersLackAreToldAndOthersAreNot() throws Exception {
    Rocshmem rocshmem = named("int rocshmem_my_pe(); // not rocshmem_g2");
    assertThat(
            rocshmem.lacking(
                List.of(
                    "no member named 'rocshmem_g' in namespace 'rocshmem'",
                    "no matching function for call to 'rocshmem_my_pe'",
                    "use of undeclared identifier 'ROCSHMEM_CMP_EQ'",
                    "use of undeclared identifier 'other'")))
        .hasValue(
            "the rocSHMEM headers in "
                + folder
                + "/include have no ROCSHMEM_CMP_EQ, rocshmem_g: the program needs a newer"
                + " rocSHMEM, or that of rocport, which is used without ROCSHMEM_PATH");
    assertThat(rocshmem.lacking(List.of("use of 'rocshmem_my_pe'"))).isEmpty();
  }

  @Test
  void version2IsCompletedByAnAdapterThatIsLinkedFirst() throws Exception {
    Path header = Path.of("src/test/rocshmem2/include/rocshmem/rocshmem.hpp");
    Rocshmem rocshmem = named(Files.readString(header));
    assertThat(rocshmem.isStandIn()).isFalse();
    assertThat(rocshmem.origin().orElse("")).contains(folder + "/lib/librocshmem.a", "adapter");
    List<String> compile = rocshmem.compile();
    assertThat(compile).startsWith("-isystem").contains(folder + "/include");
    assertThat(Path.of(compile.get(1)).resolve("rocshmem/rocshmem.hpp"))
        .content()
        .contains("#include_next <rocshmem/rocshmem.hpp>", "int rocshmem_get_uniqueid(");
    List<String> link = rocshmem.link(line -> {});
    assertThat(Path.of(link.getFirst())).isRegularFile().hasFileName("librocshmem-adapter.a");
    assertThat(link.get(1)).isEqualTo(folder + "/lib/librocshmem.a");
    assertThat(link).anyMatch(f -> f.contains("libmpi"));
    assertThat(rocshmem.lacking(List.of("no 'rocshmem_get_uniqueid'", "no 'rocshmem_calloc'")))
        .hasValueSatisfying(
            m -> assertThat(m).contains("have no rocshmem_calloc:").doesNotContain("uniqueid"));
  }

  @Test
  void theAdapterIsReportedWithItsLibrary() throws Exception {
    Path notes = Files.writeString(folder.resolve("notes"), "adapter librocshmem\n");
    LoadedLibraries loaded = LoadedLibraries.noted(notes);
    assertThat(loaded.rocm()).containsExactly("librocshmem with a rocport adapter");
    assertThat(loaded.standIns()).isEmpty();
    assertThat(loaded.sentences())
        .containsExactly("librocshmem with a rocport adapter is AMD's library");
  }

  @Test
  void newerVersionsNeedNoAdapter() throws Exception {
    Rocshmem rocshmem = named("void rocshmem_wg_team_sync(); int rocshmem_get_uniqueid();");
    assertThat(rocshmem.compile()).containsExactly("-isystem", folder + "/include");
    assertThat(rocshmem.link(line -> {})).startsWith(folder + "/lib/librocshmem.a");
    assertThat(rocshmem.origin().orElse("")).doesNotContain("adapter");
  }
}
