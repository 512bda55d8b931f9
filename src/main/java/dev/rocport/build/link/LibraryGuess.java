package dev.rocport.build.link;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.runtime.AmdSmi;
import dev.rocport.toolchain.runtime.Rocshmem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Determines the libraries that a program needs from its undefined symbols. */
public final class LibraryGuess {
  /** The first match applies, so longer prefixes precede shorter ones. */
  private record Prefix(String text, Library library) {}

  private static final List<Prefix> PREFIXES =
      List.of(
          new Prefix("hipblasLt", Library.HIPBLASLT),
          new Prefix("hipblas", Library.HIPBLAS),
          new Prefix("hiprtc", Library.HIPRTC),
          new Prefix("hiprand", Library.HIPRAND),
          new Prefix("hipfft", Library.HIPFFT),
          new Prefix("hipsparse", Library.HIPSPARSE),
          new Prefix("hipsolver", Library.HIPSOLVER),
          new Prefix("nccl", Library.RCCL),
          new Prefix("roctx", Library.ROCTX),
          new Prefix("rocblas_", Library.ROCBLAS),
          new Prefix("rocsparse_", Library.ROCSPARSE),
          new Prefix("rocsolver_", Library.ROCSOLVER),
          new Prefix("rocrand_", Library.ROCRAND),
          new Prefix("rocfft_", Library.ROCFFT),
          new Prefix("miopen", Library.MIOPEN));

  /** Mangled names, in host code and in device code that is linked later. */
  private static final Pattern SHMEM = Pattern.compile("(device )?(_ZNK?8rocshmem|ROCSHMEM_).*");

  private LibraryGuess() {}

  /** Returns link flags in a fixed order, without the runtime, which every program links. */
  public static List<String> flags(Toolchain toolchain, Collection<String> undefined) {
    SortedSet<Library> needed = new TreeSet<>();
    boolean openmp = false;
    for (String name : undefined) {
      PREFIXES.stream()
          .filter(p -> name.startsWith(p.text()))
          .findFirst()
          .ifPresent(p -> needed.add(p.library()));
      openmp |= name.startsWith("__kmpc_") || name.startsWith("omp_");
    }
    List<String> flags = new ArrayList<>();
    for (Library library : needed) {
      if (toolchain.libraries().contains(library)) {
        flags.add("-l" + library.linkName());
      }
    }
    if (undefined.stream().anyMatch(n -> SHMEM.matcher(n).matches())) {
      flags.add("-l" + Rocshmem.LINK_NAME);
    }
    if (undefined.stream().anyMatch(n -> n.startsWith(AmdSmi.PREFIX))) {
      flags.add("-l" + AmdSmi.LINK_NAME);
    }
    if (openmp) {
      flags.add("-fopenmp");
    }
    return flags;
  }
}
