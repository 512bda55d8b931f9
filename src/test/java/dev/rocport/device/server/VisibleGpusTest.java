package dev.rocport.device.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VisibleGpusTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*       | *    | [0, 1, 2, 3]",
        "*       | 2    | [2]",
        "*       | 3,1  | [3, 1]",
        "*       | ' 1 , 2 ' | [1, 2]",
        "2,3     | *    | [2, 3]",
        "2,3     | 1    | [3]",
        "2,3     | 2    | []",
        "*       | ''   | [0, 1, 2, 3]",
        "''      | *    | []",
        "*       | -1   | []",
        "*       | 1,9,2 | [1]",
        "*       | 1,1,2 | [1]",
        "*       | 1,x,2 | [1]",
        "GPU-12  | *    | []",
      })
  void theVariablesOfRocmSelect(String rocr, String hip, String visible) {
    assertThat(VisibleGpus.of(4, rocr, hip)).hasToString(visible);
  }
}
