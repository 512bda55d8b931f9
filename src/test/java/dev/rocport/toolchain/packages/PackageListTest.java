package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.TsvTable;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PackageListTest {
  private static final String MADISON =
      """
      rocm-device-libs-17 | 6.0+git20231212.5a852ed-2 | http://m.invalid/debian trixie/main amd64 Packages
      rocm-device-libs-21 | 7.0.2+dfsg-3 | http://m.invalid/debian forky/main amd64 Packages
      libamdhip64-dev |    6.4.3-5 | http://m.invalid/debian forky/main amd64 Packages
      libamdhip64-dev |    6.4.3-5 | http://m.invalid/debian sid/main amd64 Packages
      libamdhip64-dev | 5.7.1-6+deb13u1 | http://m.invalid/debian trixie/main amd64 Packages
      librccl-dev | 5.4.3-3+b1 | http://m.invalid/debian trixie/main amd64 Packages
      librccl-dev | 5.4.3-3 | http://m.invalid/debian trixie/main Sources
      """;
  private static final PackageList LIST =
      PackageList.of(
          TsvTable.parse(
              "debian.tsv",
              """
              # comment
              entry\tgroup\tname\tneed
              suites\thip\tforky,sid,trixie\t
              suites\thip\ttrixie\t
              package\thip\tlibamdhip64-dev\trequired
              package\thip\trocm-device-libs-*\trequired
              package\thip\tlibrccl-dev\toptional
              package\thip\tlibmiopen-dev\toptional
              """,
              PackageList.HEADER));

  private static List<String> choose(int generation, int compiler) throws ToolchainException {
    List<String> suites = LIST.generations(Group.HIP).get(generation);
    return LIST.choose(Group.HIP, PackageIndex.parse(MADISON), suites, compiler).stream()
        .map(PackageIndex.Entry::pinned)
        .toList();
  }

  @Test
  void takesTheNewestSuiteThatHasAPackageAndLeavesOutAbsentOptionalOnes() throws Exception {
    assertThat(choose(0, 19))
        .containsExactly(
            "libamdhip64-dev=6.4.3-5",
            "rocm-device-libs-17=6.0+git20231212.5a852ed-2",
            "librccl-dev=5.4.3-3+b1");
  }

  @Test
  void theFallbackTakesTheStableSuiteOnly() throws Exception {
    assertThat(choose(1, 19)).contains("libamdhip64-dev=5.7.1-6+deb13u1");
  }

  private static Optional<String> downgrade(String... usable) throws ToolchainException {
    List<String> suites = new ArrayList<>(LIST.generations(Group.HIP).getFirst());
    suites.retainAll(List.of(usable));
    return LIST.downgrade(
        Group.HIP,
        0,
        Set.of(usable),
        LIST.choose(Group.HIP, PackageIndex.parse(MADISON), suites, 19));
  }

  @Test
  void saysWhyHipIsOlderWhereASuiteCannotBeUsed() throws Exception {
    assertThat(downgrade("trixie").orElseThrow())
        .contains("libamdhip64-dev 5.7.1-6+deb13u1 of trixie", "forky, sid cannot be used");
    assertThat(downgrade("sid", "trixie").orElseThrow()).contains("6.4.3-5 of sid", "of forky ");
  }

  @Test
  void saysNothingWhereThePreferredSuiteCanBeUsed() throws Exception {
    assertThat(downgrade("forky", "sid", "trixie")).isEmpty();
    assertThat(downgrade("forky", "trixie")).isEmpty();
  }

  @Test
  void deviceLibrariesAreTheNewestThatTheCompilerCanRead() throws Exception {
    assertThat(choose(0, 21)).contains("rocm-device-libs-21=7.0.2+dfsg-3");
    assertThatThrownBy(() -> choose(0, 16))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("rocm-device-libs-*");
  }

  @Test
  void theProgramsOwnListHasEveryGroup() {
    PackageList own = PackageList.builtIn();
    for (Group g : own.groups()) {
      assertThat(own.generations(g)).isNotEmpty();
      assertThat(own.of(g)).anyMatch(PackageList.Wanted::required);
    }
  }
}
