package dev.rocport.toolchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HipVersionTest {
  @ParameterizedTest
  @CsvSource({"5.7,5,7,0", "6.4.3,6,4,3", "6.4.43484-7c9236b16,6,4,43484", "7.1.0,7,1,0"})
  void readsWhatReleasesAndHeadersCallThemselves(String text, int major, int minor, int patch) {
    assertThat(HipVersion.parse(text)).isEqualTo(new HipVersion(major, minor, patch));
  }

  @ParameterizedTest
  @CsvSource({"six", "7", "v6.4", "''"})
  void refusesWhatIsNoVersion(String text) {
    assertThatThrownBy(() -> HipVersion.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ordersByNumberNotByText() {
    assertThat(new HipVersion(6, 10, 0)).isGreaterThan(new HipVersion(6, 4, 43484));
    assertThat(new HipVersion(5, 7, 31921).atLeast(HipVersion.OLDEST)).isTrue();
    assertThat(new HipVersion(5, 6, 99999).atLeast(HipVersion.OLDEST)).isFalse();
  }

  @Test
  void readsTheHeader() {
    String header =
        """
        #define HIP_VERSION_MAJOR 6
        #  define HIP_VERSION_MINOR 4
        #define HIP_VERSION_PATCH 43484
        #define HIP_VERSION    (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000)
        """;
    assertThat(HipVersion.fromHeader(header)).contains(new HipVersion(6, 4, 43484));
    assertThat(HipVersion.fromHeader("#define HIP_VERSION_MAJOR 6")).isEmpty();
  }
}
