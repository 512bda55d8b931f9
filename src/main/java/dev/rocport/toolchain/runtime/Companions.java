package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Libraries that AMD's libraries are linked with: the runtime under its name in HIP 5, the part of
 * {@code rocm_smi} that RCCL calls, and the part of {@code hsa-runtime64} that rocSHMEM and the
 * tests of RCCL call. Also the part of {@code amd_smi} that ported NVML calls go to.
 */
final class Companions {
  /** Folders of their sources in {@code hip-runtime/src}. */
  static final List<String> FOLDERS =
      List.of("hip5", "rocm_smi64", "hsa_runtime64", AmdSmi.LINK_NAME);

  private static final Path HIP5 = Path.of("lib", "libamdhip64.so.5");

  /** Preloaded where it is needed: ROCm's own library of this name has many more functions. */
  private static final Path SMI = Path.of("libexec", "rocport", "librocm_smi64.so.1");

  private static final Path HSA = Path.of("lib", "libhsa-runtime64.so.1");

  private Companions() {}

  /**
   * Links them.
   *
   * @param toolchain whose headers the sources were compiled with
   * @param objects of all sources, by source
   * @param src the folder {@code hip-runtime/src}
   * @param made the runtime's folder, which has {@code libamdhip64}
   */
  static void link(
      Toolchain toolchain,
      RuntimeCompiler compiler,
      SortedMap<Path, Path> objects,
      Path src,
      Path made)
      throws IOException, ToolchainException {
    // With the headers of HIP 5, the runtime has that name itself.
    if (Files.notExists(made.resolve(HIP5))) {
      List<String> flags = flags(made, HIP5);
      flags.add("-Wl,--no-as-needed");
      flags.add("-Wl,--version-script," + compiler.emptyVersions(Library.RUNTIME));
      flags.add("-lamdhip64");
      compiler.link(
          RuntimeBuild.of(src.resolve(FOLDERS.get(0)), objects), made.resolve(HIP5), flags);
    }
    List<String> flags = flags(made, SMI);
    flags.add("-lamdhip64");
    compiler.link(RuntimeBuild.of(src.resolve(FOLDERS.get(1)), objects), made.resolve(SMI), flags);
    flags = flags(made, HSA);
    flags.add("-Wl,--version-script," + src.resolve(FOLDERS.get(2)).resolve("versions.map"));
    flags.add("-lamdhip64");
    compiler.link(RuntimeBuild.of(src.resolve(FOLDERS.get(2)), objects), made.resolve(HSA), flags);
    Files.createSymbolicLink(made.resolve("lib/libhsa-runtime64.so"), HSA.getFileName());
    Path smi = Path.of("lib", AmdSmi.soname(toolchain));
    flags = flags(made, smi);
    flags.add("-lamdhip64");
    compiler.link(RuntimeBuild.of(src.resolve(FOLDERS.get(3)), objects), made.resolve(smi), flags);
    Path plain = made.resolve("lib").resolve(AmdSmi.FILE);
    if (Files.notExists(plain)) {
      Files.createSymbolicLink(plain, smi.getFileName());
    }
  }

  private static List<String> flags(Path made, Path library) {
    Path lib = made.resolve("lib");
    Path back = made.resolve(library).resolveSibling("").relativize(lib);
    return new ArrayList<>(
        List.of(
            "-shared",
            "-static-libstdc++",
            "-Wl,-z,defs",
            "-Wl,-soname," + library.getFileName(),
            "-Wl,-rpath,$ORIGIN/" + back,
            "-L" + lib));
  }
}
