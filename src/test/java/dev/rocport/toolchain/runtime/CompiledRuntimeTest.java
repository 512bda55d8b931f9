package dev.rocport.toolchain.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.provision.RocmLocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses headers and sources of a few words, since the compiled code is not examined. */
@Tag("slow")
class CompiledRuntimeTest {
  @TempDir private Path folder;
  private Path sources;
  private Path home;

  @BeforeEach
  void lay() throws IOException {
    sources = folder.resolve("installation/hip-runtime");
    for (String part :
        List.of("src/stream.cpp", "src/hipblas/gemm.cpp", "triton/signals.c", "bin/hipcc")) {
      write(sources.resolve(part), part);
    }
    Files.createDirectories(sources.resolve("cmake"));
    Files.createDirectories(sources.resolve("amdsmi"));
    home = folder.resolve("home");
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  private Toolchain toolchain(String name) throws IOException {
    Path root = folder.resolve(name);
    write(root.resolve("include/hip/hip_runtime.h"), "header");
    write(root.resolve("include/rocprim/rocprim.hpp"), "templates of " + name);
    write(root.resolve("lib/libamdhip64.so.6"), "");
    // What clang says where it has no OpenMP
    write(root.resolve("bin/clang++"), "#!/bin/sh\necho libomp.so\n");
    assertThat(root.resolve("bin/clang++").toFile().setExecutable(true)).isTrue();
    Files.createDirectories(root.resolve("bitcode"));
    return new Toolchain(
        Toolchain.Kind.PROVISIONED,
        root.resolve("bin/clang++"),
        root,
        root.resolve("include"),
        root.resolve("bitcode"),
        root.resolve("lib"),
        Optional.empty(),
        "clang of " + name,
        new HipVersion(6, 4, 3),
        List.of(new GfxTarget("gfx90a")),
        new TreeSet<>(List.of(Library.RUNTIME, Library.HIPBLAS)),
        "fingerprint of " + name);
  }

  private void compiledFor(Toolchain toolchain) throws IOException {
    Path made = sources.resolve("compiled").resolve(CompiledRuntime.key(toolchain, sources));
    write(made.resolve("lib/libamdhip64.so.6"), "compiled before");
    write(made.resolve("libraries/libhipblas.so"), "compiled before, too");
    Files.createSymbolicLink(
        made.resolve("lib/libhipblas.so"), Path.of("../libraries/libhipblas.so"));
    Files.createSymbolicLink(made.resolve("lib/libamdhip64.so"), Path.of("libamdhip64.so.6"));
  }

  @Test
  void servesToolchainsWithTheSameHeadersWhereverTheyAre() throws Exception {
    compiledFor(toolchain("theirs"));
    List<String> steps = new ArrayList<>();
    HipRuntime made =
        HipRuntime.of(toolchain("mine"), home, folder.resolve("installation"), steps::add);
    assertThat(made.libraries().resolve("libamdhip64.so")).hasContent("compiled before");
    assertThat(made.libraries().resolve("libamdhip64.so")).isSymbolicLink();
    assertThat(made.root().resolve(RocmLocator.SETTINGS))
        .content()
        .contains("rocport_home='" + folder.resolve("installation") + "'");
    assertThat(steps).isEmpty();
  }

  @Test
  void bringsTheOtherLibrariesToo() throws Exception {
    compiledFor(toolchain("theirs"));
    List<String> steps = new ArrayList<>();
    HipRuntime made =
        HipRuntime.of(toolchain("mine"), home, folder.resolve("installation"), steps::add);
    made.compile(made.others(), steps::add);
    assertThat(made.others()).containsExactly(Library.HIPBLAS);
    assertThat(made.libraries().resolve("libhipblas.so")).hasContent("compiled before, too");
    assertThat(steps).isEmpty();
  }

  @Test
  void otherHeadersOrSourcesAreCompiled() throws Exception {
    compiledFor(toolchain("theirs"));
    Toolchain mine = toolchain("mine");
    assertThat(CompiledRuntime.find(mine, sources)).isPresent();
    write(mine.include().resolve("hip/hip_runtime.h"), "another header");
    assertThat(CompiledRuntime.find(mine, sources)).isEmpty();
    write(mine.include().resolve("hip/hip_runtime.h"), "header");
    write(sources.resolve("src/stream.cpp"), "changed");
    assertThat(CompiledRuntime.find(mine, sources)).isEmpty();
  }

  @Test
  void librariesOfAnotherNameAreCompiled() throws Exception {
    compiledFor(toolchain("theirs"));
    Toolchain mine = toolchain("mine");
    Files.move(mine.lib().resolve("libamdhip64.so.6"), mine.lib().resolve("libamdhip64.so.7"));
    assertThat(CompiledRuntime.find(mine, sources)).isEmpty();
  }
}
