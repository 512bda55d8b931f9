package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GpuFilesTest {
  private final GpuFiles files = new GpuFiles("gfx90a");

  @Test
  void filesOfOtherGpusAreNotWanted() {
    for (String name :
        List.of(
            "./usr/lib/rocblas/library/Kernels.so-000-gfx1100.hsaco",
            "usr/lib/TensileLibrary_Type_SS_gfx906-xnack-.co",
            "usr/lib/TensileLibrary_lazy_gfx803.dat")) {
      assertThat(files.test(name)).as(name).isFalse();
    }
  }

  @Test
  void filesOfTheGpuAndOfAllGpusAreWanted() {
    for (String name :
        List.of(
            "./usr/lib/rocblas/library/Kernels.so-000-gfx90a-xnack+.hsaco",
            "usr/lib/TensileLibrary_Type_SS_fallback.dat",
            "usr/share/gfx1100/readme",
            "usr/share/miopen/db/gfx90a68.db",
            "usr/lib/k_gfx906_gfx90a.co",
            "usr/lib/libgfx900x.so")) {
      assertThat(files.test(name)).as(name).isTrue();
    }
  }
}
