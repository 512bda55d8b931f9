package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetToolchainsTest {
  @TempDir private Path folder;

  private Toolchain toolchain(String... targets) {
    return new Toolchain(
        Toolchain.Kind.PROVISIONED,
        folder.resolve("bin/clang++"),
        folder,
        folder.resolve("include"),
        folder.resolve("bitcode"),
        folder.resolve("lib"),
        Optional.empty(),
        "clang version 19.1.7",
        HipVersion.parse("6.4.43484"),
        List.of(targets).stream().map(GfxTarget::new).toList(),
        new TreeSet<>(),
        "0");
  }

  private ToolchainRequest request() {
    return new ToolchainRequest(
        folder.resolve("home"), Map.of(), false, false, true, false, Optional.empty());
  }

  private static List<GfxTarget> targets(String... ids) {
    return List.of(ids).stream().map(GfxTarget::new).toList();
  }

  @Test
  void keepsTheCompilerThatSupportsAllTargets() throws Exception {
    Toolchain old = toolchain("gfx90a", "gfx942");
    Toolchain recent = toolchain("gfx90a", "gfx942", "gfx950");

    assertThat(TargetToolchains.require(old, targets("gfx90a:xnack+"), request(), s -> {}))
        .isSameAs(old);
    assertThat(TargetToolchains.require(recent, targets("gfx950"), request(), s -> {}))
        .isSameAs(recent);
  }

  @Test
  void saysHowToInstallTheCompilerForANewerTarget() {
    Toolchain toolchain = toolchain("gfx90a", "gfx942");

    assertThatThrownBy(
            () ->
                TargetToolchains.require(
                    toolchain, targets("gfx942", "gfx950"), request(), s -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("a compiler for gfx950, gfx1201 and generic targets")
        .hasMessageContaining("'rocport toolchain install --with clang-21'");
  }

  @Test
  void refusesTargetsThatNoCompilerSupports() {
    Toolchain toolchain = toolchain("gfx90a", "gfx942");

    assertThatThrownBy(
            () ->
                TargetToolchains.require(
                    toolchain, targets("gfx950", "gfx1030"), request(), s -> {}))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("does not support gfx1030")
        .hasMessageContaining("gfx90a, gfx942");
  }

  @Test
  void runsProgramsWithoutTheNewerCompiler() throws Exception {
    Toolchain toolchain = toolchain("gfx90a", "gfx942");

    for (String gpus : List.of("gfx942", "gfx950", "gfx90a,gfx950", "not a GPU")) {
      assertThat(TargetToolchains.installed(toolchain, List.of(gpus.split(",")), request()))
          .isSameAs(toolchain);
    }
    assertThat(TargetToolchains.installed(toolchain, request())).containsExactly(toolchain);
  }
}
