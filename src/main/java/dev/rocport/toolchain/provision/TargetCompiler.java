package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Clang 21 with its device libraries and the C library that it runs with, for targets that the
 * toolchain's own compiler does not know.
 */
final class TargetCompiler extends Extra {
  /** What builds that name no targets are for. */
  static final List<GfxTarget> TARGETS =
      Stream.of("gfx90a", "gfx942", "gfx950").map(GfxTarget::new).toList();

  /** What it compiles for if it is asked for. */
  private static final List<GfxTarget> OTHERS =
      Stream.of("gfx1100", "gfx1151", "gfx1201", "gfx9-4-generic", "gfx11-generic", "gfx12-generic")
          .map(GfxTarget::new)
          .toList();

  private static final String KERNEL =
      """
      extern "C" __attribute__((device)) float __ocml_sin_f32(float);
      __attribute__((global)) void probe(float *out) { *out = __ocml_sin_f32(*out); }
      """;

  TargetCompiler() {
    super(
        "clang-21",
        "a compiler for gfx950, gfx1201 and generic targets",
        List.of("clang++-21"),
        "");
  }

  @Override
  public String advice() {
    return "rocport toolchain install --with clang-21";
  }

  @Override
  public String size() {
    return "96 MB to download, 420 MB on disk";
  }

  @Override
  public long room() {
    return 800_000_000;
  }

  /** The machine's own is used as the toolchain's compiler, or not at all. */
  @Override
  public boolean accepts(Path bin) {
    return false;
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    Path root = folder.root();
    if (Files.exists(driver(root))) {
      return; // the scripts find their folder themselves
    }
    try {
      CompilerWrapper.install(root, Optional.of(root));
    } catch (ToolchainException e) {
      throw new IOException(e.getMessage(), e);
    }
    Files.createSymbolicLink(folder.bin().resolve("clang++-21"), Path.of("clang++"));
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Path source = Files.writeString(scratch.resolve("probe.hip"), KERNEL);
    Path object = scratch.resolve("probe.o");
    List<String> command = new ArrayList<>(List.of(driver(folder.root()).toString(), "-x", "hip"));
    known().forEach(t -> command.add("--offload-arch=" + t));
    command.add("-mcode-object-version=6");
    command.add("--rocm-device-lib-path=" + bitcode(folder.root()));
    command.addAll(
        List.of(
            "--cuda-device-only",
            "-nogpuinc",
            "-O1",
            "-c",
            "-o",
            object.toString(),
            source.toString()));
    return new Attempt(folder.run(command, scratch, Map.of()), Files.exists(object));
  }

  /** Everything that it compiles for. */
  static List<GfxTarget> known() {
    return Stream.concat(TARGETS.stream(), OTHERS.stream()).toList();
  }

  /** The C++ driver in the folder of an installation. */
  static Path driver(Path root) {
    return root.resolve("bin/clang++");
  }

  /** The device libraries in the folder of an installation. */
  static Path bitcode(Path root) throws IOException {
    return Folders.find(root.resolve("usr/lib"), "amdgcn/bitcode")
        .orElseThrow(() -> new IOException(root + ": no device libraries"));
  }
}
