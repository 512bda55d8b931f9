package dev.rocport.device.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChecksTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "race",
        "uninit,race,sync,order=4",
        "order=4@all",
        "order=4@none",
        "race,order=4@1f+2f",
        "memory",
        "order=1,memory"
      })
  void readsWhatItWrites(String text) {
    assertThat(Checks.parse(text, 9).text()).isEqualTo(text);
  }

  @Test
  void allIsEachOfTheFour() {
    assertThat(Checks.parse("all=7@1f", 9).text()).isEqualTo("uninit,race,sync,order=7@1f");
  }

  @Test
  void choosesWhatMayBeLate() {
    Delays some = Checks.parse("order=4@1f+20", 9).delays();
    assertThat(some).isEqualTo(Delays.only(Set.of(0x1f, 0x20)));
    assertThat(some.mayDelay(0x1f)).isTrue();
    assertThat(some.mayDelay(0x1e)).isFalse();
    assertThat(Checks.parse("order=4", 9).delays().mayDelay(0x1e)).isTrue();
    assertThat(Checks.parse("order=4@none", 9).delays().mayDelay(0x1e)).isFalse();
  }

  @Test
  void aProgramChoosesSeedAndDelaysOfTheSameChecksOnly() {
    Checks device = Checks.parse("race,order=4", 9);
    assertThat(device.chosenBy("order=7@1f,race").text()).isEqualTo("race,order=7@1f");
    assertThat(device.chosenBy("race,order")).isEqualTo(device);
    assertThat(device.chosenBy("order=7")).isEqualTo(device);
    assertThat(device.chosenBy("")).isEqualTo(device);
    assertThat(device.chosenBy("race,order=x")).isEqualTo(device);
    assertThat(Checks.NONE.chosenBy("order=7")).isEqualTo(Checks.NONE);
  }

  @Test
  void refusesWhatIsNoPlace() {
    assertThatThrownBy(() -> Checks.parse("order=4@some", 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hexadecimal numbers, not some");
  }
}
