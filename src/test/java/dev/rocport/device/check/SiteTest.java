package dev.rocport.device.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SiteTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          /opt/rocm/include/rocprim/block/block_scan.hpp:31, scale(float*),                        true
          /opt/rocm/include/thrust/detail/tuple.h:8,         rocprim::detail::scan_kernel<int>,    true
          /home/me/kmeans.hip:12,                            rocprim::detail::scan_kernel<Mine>,   false
          '',                                                _ZN7rocprim6detail11scan_kernelIiEEvv, true
          '',                                                void rocprim::detail::scan_kernel<int>, true
          '',                                                rocprimitive(float*),                 false
          '',                                                sum(thrust::pair<int*>),              false
          '',                                                '',                                   false
          """)
  void knowsTheLibrariesByTheirLinesElseByTheirKernels(
      String source, String kernel, boolean ofLibrary) {
    Site site = new Site("store", source, "", "", kernel, 16);
    assertThat(site.isOfLibrary()).isEqualTo(ofLibrary);
  }

  @Test
  void namesThePlaceByItsOffsetWhereNoLineIsKnown() {
    assertThat(new Site("store", "a.hip:3", "", "", "k()", 16).where()).isEqualTo("a.hip:3");
    assertThat(new Site("store", "", "", "", "k()", 0x1f0).where()).isEqualTo("pc 0x1f0");
    assertThat(new Site("copy", "", "", "", "", -1).where()).isEqualTo("the host");
  }
}
