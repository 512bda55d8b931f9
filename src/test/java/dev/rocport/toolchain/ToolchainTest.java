package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ToolchainTest {
  private static final String PRODUCTS = "-amdgpu-codegenprepare-mul24=0";

  private static Toolchain with(Toolchain.Kind kind, String clang) {
    Path root = Path.of("/rocm");
    return new Toolchain(
        kind,
        root.resolve("llvm/bin/clang++"),
        root,
        root.resolve("include"),
        root.resolve("amdgcn/bitcode"),
        root.resolve("lib"),
        Optional.empty(),
        clang,
        HipVersion.parse("7.2.4"),
        List.of(new GfxTarget("gfx942")),
        new TreeSet<>(),
        "");
  }

  @Test
  void avoidsTheErrorsOfEachLlvm() {
    Toolchain old = with(Toolchain.Kind.PROVISIONED, "Debian clang version 19.1.7 (3)");
    Toolchain debian = with(Toolchain.Kind.PROVISIONED, "Debian clang version 21.1.8 (14)");
    Toolchain amd = with(Toolchain.Kind.ROCM, "AMD clang version 22.0.0git");

    assertThat(old.hipCompile(List.of("gfx942"))).doesNotContain(PRODUCTS);
    assertThat(debian.hipCompile(List.of("gfx942"))).containsSequence("-mllvm", PRODUCTS);
    assertThat(amd.hipCompile(List.of("gfx942"))).containsSequence("-mllvm", PRODUCTS);
    assertThat(debian.workarounds()).contains(PRODUCTS).allMatch(Toolchain::isWorkaround);
    assertThat(Toolchain.isWorkaround("-amdgpu-other=0")).isFalse();
  }

  @Test
  void genericTargetsNeedTheNewerFormatOfCodeObjects() {
    Toolchain old = with(Toolchain.Kind.PROVISIONED, "Debian clang version 19.1.7 (3)");
    Toolchain recent = with(Toolchain.Kind.PROVISIONED, "Debian clang version 21.1.8 (14)");

    assertThat(old.hipCompile(List.of("gfx942"))).contains("-mcode-object-version=5");
    assertThat(recent.hipCompile(List.of("gfx11-generic"))).contains("-mcode-object-version=6");
  }
}
