package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequirementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "torch                     | 2.5.1+rocm6.2 | true",
        "torch==2.5.1              | 2.5.1+rocm6.2 | true",
        "torch==2.5.1+cu124        | 2.5.1+rocm6.2 | false",
        "torch==2.5                | 2.5.0         | true",
        "torch==2.5                | 2.5.1         | false",
        "torch==2.5.*              | 2.5.1+rocm6.2 | true",
        "torch!=2.5.*              | 2.5.1         | false",
        "torch===2.5.1             | 2.5.1+rocm6.2 | false",
        "torch (>=2.4,<2.6)        | 2.5.1+rocm6.2 | true",
        "torch>=2.4,<2.5           | 2.5.0         | false",
        "torch>2.5.1               | 2.5.1+rocm6.2 | false",
        "torch~=2.4                | 2.7.0         | true",
        "torch~=2.4.1              | 2.5.0         | false",
        "torch>=2.5.1              | 2.5.1rc1      | false",
        "torch<2.10                | 2.9.0         | true",
        "torch>=2.6                | 2.6.0a0+git12 | false",
        "torch>=2.6.0.dev20250101  | 2.6.0a0+git12 | true",
        "torch[extra]>=2 ; x == 'y'| 1.13          | false",
        "torch==2.5.1              | of no form    | true"
      })
  void versionsAreTakenAsPipDoes(String requirement, String version, boolean taken) {
    assertThat(Requirement.of(requirement).orElseThrow().takes(version)).isEqualTo(taken);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "torch @ file:///tmp/x",
        "Programming Language :: Python :: 3",
        "uses torch and more",
        "",
        "==2.0",
        "-r other.txt",
        "torch >= ",
        "torch==2.0 --hash=x"
      })
  void otherTextIsNoRequirement(String text) {
    assertThat(Requirement.of(text)).isEmpty();
  }

  @Test
  void namesHaveOneForm() {
    assertThat(Requirement.of("Flash_Attn.X>=2").orElseThrow().name()).isEqualTo("flash-attn-x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "extra == 'all'                 | true",
        "sys_platform == \"win32\"      | true",
        "platform_system == 'Linux'     | false",
        "python_version < '3.13'        | false"
      })
  void recognizesMarkersOfOtherPlatforms(String marker, boolean elsewhere) {
    assertThat(Requirement.of("triton>=3 ; " + marker).orElseThrow().isForElsewhere())
        .isEqualTo(elsewhere);
  }
}
