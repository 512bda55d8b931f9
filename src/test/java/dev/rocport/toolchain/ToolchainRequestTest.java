package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToolchainRequestTest {
  private static Path home(Map<String, String> environment) {
    return ToolchainRequest.of(environment).home();
  }

  @Test
  void theToolchainIsInTheHomeThatTheEnvironmentNames() {
    assertThat(home(Map.of("HOME", "/elsewhere/me")))
        .isEqualTo(Path.of("/elsewhere/me/.local/share/rocport/toolchain"));
  }

  @Test
  void itsOwnVariableWins() {
    assertThat(home(Map.of("HOME", "/me", "XDG_DATA_HOME", "/d", "ROCPORT_TOOLCHAIN", "/t/../own")))
        .isEqualTo(Path.of("/own"));
  }
}
