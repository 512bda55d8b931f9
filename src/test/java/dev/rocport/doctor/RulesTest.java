package dev.rocport.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of the doctor, and what their conditions mean. */
class RulesTest {
  private static final Rocm MI300 =
      new Rocm(List.of(new Agent("gfx942", 304, 128)), "/opt/rocm", "6.4.1", true);

  private static Machine machine(String name, String value) {
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("OTHER", "b");
    if (value != null) {
      environment.put(name, value);
    }
    return new Machine(Path.of("/"), environment, "/", p -> true);
  }

  private static boolean holds(String when, String value) {
    return Condition.of(when, "here:1").holds("V", machine("V", value), MI300);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "unset         | null        | true",
        "unset         | ''          | false",
        "set           | ''          | false",
        "set           | x           | true",
        "on            | True        | true",
        "on            | 2           | false",
        "off           | 0           | true",
        "off           | null        | false",
        "is a+         | aa          | true",
        "is a+         | aab         | false",
        "not 0?        | 1           | true",
        "not 0?        | 0           | false",
        "not 0?        | ' '         | false",
        "has a+        | xaa         | true",
        "folder        | /           | true",
        "folder        | /no/such    | false",
        "gfx           | 9.4.2       | false",
        "gfx           | 9.0.10      | true",
        "gfx           | ''          | false",
        "lacks-gfx     | gfx942      | false",
        "lacks-gfx     | gfx90a;gfx942:xnack- | false",
        "lacks-gfx     | gfx90a      | true",
        "differs OTHER | a           | true",
        "differs OTHER | b           | false",
        "differs NONE  | a           | false"
      })
  void conditionsMeanWhatTheTableSays(String when, String value, boolean holds) {
    boolean expected = when.equals("folder") ? !holds : holds;
    assertThat(holds(when, value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a:1,max_split_size_mb:2,b:[256:1,>:4] | a:1,b:[256:1,>:4]",
        "max_split_size_mb:2                   | ",
        "b:[1:2,max_split_size_mb:3],a:1       | b:[1:2,max_split_size_mb:3],a:1",
        "MAX_SPLIT_SIZE_MB:2,a:1               | a:1"
      })
  void aKeyIsDroppedAndTheRestKept(String list, String rest) {
    assertThat(EnvironmentRule.without(list, "max_split_size_mb"))
        .isEqualTo(rest == null ? "" : rest);
  }

  @Test
  void theTablesAreRead() {
    assertThat(EnvironmentRule.builtIn()).hasSizeGreaterThan(80);
    List<PackageRule> packages = PackageRule.builtIn();
    assertThat(packages).hasSizeGreaterThan(15);
    Pattern any = Pattern.compile(PackageRule.anyOf(packages));
    assertThat(any.matcher("nvidia-cublas-cu12==1").lookingAt()).isTrue();
    assertThat(any.matcher("torch-scatter==2.1.2+pt25cu124").lookingAt()).isTrue();
    assertThat(any.matcher("numpy==2.1").lookingAt()).isFalse();
  }

  @Test
  void aTableThatMakesNoSenseIsRefused() {
    assertThatThrownBy(() -> Condition.of("is (", "t:3")).isInstanceOf(InvalidFileException.class);
    assertThatThrownBy(() -> Condition.of("maybe", "t:3")).hasMessageContaining("t:3");
    TsvTable.Row row =
        new TsvTable.Row("t:4", List.of("V", "set", "any", "awful", "unset", "why", "fix"));
    assertThatThrownBy(() -> EnvironmentRule.of(row)).hasMessageContaining("awful");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "null | null  | null | 4 | ",
        "null | 0,1   | null | 4 | ",
        "null | 0,4   | null | 4 | HIP_VISIBLE_DEVICES",
        "null | 0,4   | null | 0 | ",
        "null | ''    | null | 4 | HIP_VISIBLE_DEVICES",
        "null | -1    | null | 4 | HIP_VISIBLE_DEVICES",
        "null | 1,1   | null | 4 | HIP_VISIBLE_DEVICES",
        "null | 0     | 1    | 4 | CUDA_VISIBLE_DEVICES",
        "null | 0     | 0    | 4 | ",
        "null | null  | 7    | 4 | CUDA_VISIBLE_DEVICES",
        "2,3  | null  | null | 4 | ",
        "2,3  | 0,1   | null | 4 | ROCR_VISIBLE_DEVICES",
        "2,3  | 2     | null | 4 | HIP_VISIBLE_DEVICES",
        "2    | 0,1   | null | 4 | HIP_VISIBLE_DEVICES",
        "GPU-4b2c1a9f8d3e6f7a | null | null | 4 | ",
        "MIG-1 | null | null | 4 | ROCR_VISIBLE_DEVICES"
      })
  void reportsConflictingGpuSelections(
      String rocr, String hip, String cuda, int gpus, String told) {
    TreeMap<String, String> environment = new TreeMap<>();
    if (rocr != null) {
      environment.put("ROCR_VISIBLE_DEVICES", rocr);
    }
    if (hip != null) {
      environment.put("HIP_VISIBLE_DEVICES", hip);
    }
    if (cuda != null) {
      environment.put("CUDA_VISIBLE_DEVICES", cuda);
    }
    Machine m = new Machine(Path.of("/"), environment, "/", p -> true);
    assertThat(VisibleDevices.observe(m, gpus))
        .extracting(Observation::name)
        .containsExactlyElementsOf(told == null ? List.of() : List.of(told));
  }
}
