package dev.rocport.verify.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.verify.tensor.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilesTest {
  @TempDir Path folder;

  @Test
  void everyBuiltInProfileIsRead() {
    Profiles profiles = Profiles.ofHome();
    assertThat(profiles.names())
        .contains("exact", "bits", "torch", "guide", "codepin", "scaled", "original-error");
    for (String name : profiles.names()) {
      Profile p = profiles.get(name);
      assertThat(p.name()).isEqualTo(name);
      assertThat(p.rules()).hasSize(ElementType.values().length);
      assertThat(p.rule(ElementType.I32)).isEqualTo(new ElementRule.Exact());
    }
  }

  @Test
  void torchsTableIsTorchs() {
    Profile torch = Profiles.ofHome().get("torch");
    assertThat(torch.rule(ElementType.F16)).isEqualTo(new ElementRule.Close(1e-3, 1e-5, false));
    assertThat(torch.rule(ElementType.BF16)).isEqualTo(new ElementRule.Close(1.6e-2, 1e-5, false));
    assertThat(torch.rule(ElementType.F32)).isEqualTo(new ElementRule.Close(1.3e-6, 1e-5, false));
    assertThat(torch.rule(ElementType.F64)).isEqualTo(new ElementRule.Close(1e-7, 1e-7, false));
  }

  @Test
  void anUnknownNameListsTheOthers() {
    assertThatThrownBy(() -> Profiles.ofHome().get("tourch"))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("torch");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "types: {F32: {rtol: 1}};expected 'title' and 'why'",
        "{title: a, why: b, types: {F32: {rtol: 1}}};or both 'rtol' and 'atol'",
        "{title: a, why: b, types: {F99: {exact: true}}};no such type",
        "{title: a, why: b, types: {F32: {rtol: -1, atol: 0}}};must be a number of 0 or more",
        "{title: a, why: b, types: {F32: {ulp: many}}};must be a number of 0 or more",
        "{title: a, why: b, types: {F32: {eps: 1, grows: log}}};must be 'sqrt' or 'linear'",
        "{title: a, why: b, nan: maybe, types: {}};must be 'equal', 'unequal' or 'bits'",
        "{title: a, why: b, zeroes: equal, types: {}};unknown field 'zeroes'",
      })
  void aProfileThatMakesNoSenseIsRefused(String yaml, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("own.yaml"), yaml);
    assertThatThrownBy(() -> Profiles.ofHome().get(file.toString()))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("own.yaml");
  }
}
