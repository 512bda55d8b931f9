package dev.rocport.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserFoldersTest {
  private static final Path ACCOUNT = Path.of(System.getProperty("user.home"));

  @Test
  void homeWinsOverTheAccount() {
    Map<String, String> environment = Map.of("HOME", "/elsewhere/me");
    assertThat(UserFolders.cache(environment)).isEqualTo(Path.of("/elsewhere/me/.cache/rocport"));
    assertThat(UserFolders.data(environment))
        .isEqualTo(Path.of("/elsewhere/me/.local/share/rocport"));
  }

  @Test
  void xdgWinsOverHome() {
    Map<String, String> environment =
        Map.of("HOME", "/elsewhere/me", "XDG_CACHE_HOME", "/c", "XDG_DATA_HOME", "/d");
    assertThat(UserFolders.cache(environment)).isEqualTo(Path.of("/c/rocport"));
    assertThat(UserFolders.data(environment)).isEqualTo(Path.of("/d/rocport"));
  }

  @Test
  void whatIsNotAbsoluteDoesNotCount() {
    Map<String, String> relative = Map.of("HOME", "me", "XDG_CACHE_HOME", "c", "XDG_DATA_HOME", "");
    assertThat(UserFolders.cache(relative)).isEqualTo(ACCOUNT.resolve(".cache/rocport"));
    assertThat(UserFolders.data(relative)).isEqualTo(ACCOUNT.resolve(".local/share/rocport"));
    assertThat(UserFolders.cache(Map.of())).isEqualTo(ACCOUNT.resolve(".cache/rocport"));
  }
}
