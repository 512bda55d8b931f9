package dev.rocport.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvccWordsTest {
  private static String ported(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    for (NvccWords.Change c : NvccWords.changes(words).reversed()) {
      words.subList(c.first(), c.first() + c.count()).clear();
      words.addAll(c.first(), c.words());
    }
    return String.join(" ", words);
  }

  /** A program with both runtimes numbers threads twice. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-Xcompiler -fopenmp -lgomp a.cu         | -fopenmp a.cu",
        "-lgomp -Xcompiler=-Wall,-fopenmp a.cu   | -Wall -fopenmp a.cu",
        "-Xcompiler -fopenmp a.cu -l gomp,m      | -fopenmp a.cu -lm",
        "-Xcompiler -fopenmp,-lgomp a.cu         | -fopenmp a.cu",
        "-Xcompiler -fopenmp-simd a.cu -lgomp    | -fopenmp-simd a.cu -lgomp",
        "-Xcompiler -Wall a.cu -lgomp            | -Wall a.cu -lgomp",
        "-Xcompiler -fopenmp a.cu -lgompertz     | -fopenmp a.cu -lgompertz"
      })
  void gnusOpenMpGivesWayToClangs(String before, String after) {
    assertThat(ported(before)).isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--std=c++11 a.cu  | -std=c++14 a.cu",
        "-std c++0x a.cu   | -std=c++14 a.cu",
        "-std=gnu++11 a.cu | -std=gnu++14 a.cu",
        "-std=c++17 a.cu   | -std=c++17 a.cu"
      })
  void theHeadersOfRocPrimNeedTheStandardOf2014(String before, String after) {
    assertThat(ported(before)).isEqualTo(after);
  }

  @Test
  void theValueOfAFlagMayBeElsewhere() {
    assertThat(NvccWords.changes(List.of("-c", "-o"))).isEmpty();
    assertThat(NvccWords.changes(List.of("--output-file")).getFirst().words())
        .containsExactly("-o");
  }

  @Test
  void theReasonIsGiven() {
    List<String> words = List.of("-Xcompiler", "-fopenmp", "-lgomp");
    assertThat(NvccWords.changes(words).getLast().note()).contains("the LLVM OpenMP runtime");
  }
}
