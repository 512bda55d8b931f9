package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.toolchain.ToolchainException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AptSourceTest {
  private static final String MIRROR = "http://mirror.invalid/debian";
  private static final String KEYS = "/usr/share/keyrings/some.gpg";

  @Test
  void readsDeb822Paragraphs() {
    String text =
        """
        Types: deb deb-src
        # a comment inside
        URIs: http://mirror.invalid/debian http://other.invalid/debian
        Suites: bookworm bookworm-updates
        Components: main
        Signed-By: /usr/share/keyrings/some.gpg

        Types: deb
        URIs: http://off.invalid/debian
        Enabled: no

        Types: deb-src
        URIs: http://sources.invalid/debian

        Types: deb
        URIs: http://inline.invalid/debian
        Signed-By:
         -----BEGIN PGP PUBLIC KEY BLOCK-----
        """;
    assertThat(AptSource.parseDeb822(text))
        .containsExactly(
            new AptSource(MIRROR, Optional.of(KEYS)),
            new AptSource("http://other.invalid/debian", Optional.of(KEYS)),
            new AptSource("http://inline.invalid/debian", Optional.empty()));
  }

  @Test
  void readsOneLineEntriesWithAndWithoutOptions() {
    String text =
        """
        # deb http://commented.invalid/debian bookworm main
        deb-src http://mirror.invalid/debian bookworm main
        deb http://plain.invalid/debian/ bookworm main contrib # why
        deb [arch=amd64 signed-by=/usr/share/keyrings/some.gpg] http://mirror.invalid/debian sid main
        """;
    assertThat(AptSource.parseList(text))
        .containsExactly(
            new AptSource("http://plain.invalid/debian/", Optional.empty()),
            new AptSource(MIRROR, Optional.of(KEYS)));
  }

  @Test
  void distinguishesTheDebianArchiveFromOthers() {
    assertThat(new AptSource("http://a.invalid/debian/", Optional.empty()).isDebian()).isTrue();
    assertThat(new AptSource("https://a.invalid/mirror/debian", Optional.empty()).isDebian())
        .isTrue();
    for (String other :
        List.of(
            "http://a.invalid/debian-security", "https://debian.invalid/apt", "http://a.invalid")) {
      assertThat(new AptSource(other, Optional.empty()).isDebian()).as(other).isFalse();
    }
  }

  @Test
  void takesTheMachinesArchiveAndKeys(@TempDir Path apt) throws Exception {
    Path keys = Files.writeString(apt.resolve("keys.gpg"), "k");
    Files.createDirectories(apt.resolve("sources.list.d"));
    Files.writeString(apt.resolve("sources.list"), "deb http://vendor.invalid/apt x main\n");
    Files.writeString(
        apt.resolve("sources.list.d/debian.list"),
        "deb [signed-by=" + keys + "] " + MIRROR + " bookworm main\n");
    assertThat(AptSources.debian(apt, Map.of()))
        .isEqualTo(new AptSource(MIRROR, Optional.of(keys.toString())));
  }

  @Test
  void saysWhatToDoWhereNoArchiveIsConfigured(@TempDir Path apt) {
    assertThatThrownBy(() -> AptSources.debian(apt, Map.of()))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("DEBIAN_MIRROR")
        .hasMessageContaining("--offline");
  }

  @Test
  void refusesToGoOnWithoutKeys(@TempDir Path apt) {
    Map<String, String> environment =
        Map.of("DEBIAN_MIRROR", MIRROR, "DEBIAN_KEYRING", apt.resolve("none.gpg").toString());
    assertThatThrownBy(() -> AptSources.debian(apt, environment))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("debian-archive-keyring");
  }
}
