package dev.rocport.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rocport.rules.RocmChange.Where;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RocmChangeTest {
  private static final RocmChange RENAMED =
      new RocmChange("hipblas*_v2", "7.0", "hipblas*", Where.ANYWHERE, "", "");

  @Test
  void renamesFromItsVersionOn() {
    RocmChanges changes = new RocmChanges(List.of(RENAMED));

    assertThat(changes.name("hipblasZgemm_v2", "6.4")).isEqualTo("hipblasZgemm_v2");
    assertThat(changes.name("hipblasZgemm_v2", "7.0")).isEqualTo("hipblasZgemm");
    assertThat(changes.name("hipblasZgemm_v2", "10.0")).isEqualTo("hipblasZgemm");
    assertThat(changes.name("hipblas_v2", "7.0")).isEqualTo("hipblas_v2");
    assertThat(changes.name("hipfftExecC2C", "7.0")).isEqualTo("hipfftExecC2C");
  }

  @Test
  void aRemovedNameHasNoSuccessor() {
    RocmChanges changes =
        new RocmChanges(List.of(new RocmChange("hipOld", "7.0", "-", Where.ANYWHERE, "", "")));

    assertThat(changes.name("hipOld", "6.4")).isEqualTo("hipOld");
    assertThat(changes.name("hipOld", "7.2")).isEmpty();
  }

  @Test
  void theDifferenceDependsOnTheVersion() {
    RocmChange change = new RocmChange("hipF", "7.0", "", Where.ANYWHERE, "old", "new");

    assertThat(change.difference("6.4")).isEqualTo("old");
    assertThat(change.difference("7.0")).isEqualTo("new");
  }

  @Test
  void rowsThatSayNothingAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RocmChange("hipF", "7.0", "", Where.ANYWHERE, "", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RocmChange("hip*", "7.0", "hipF", Where.ANYWHERE, "", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RocmChange("hipF", "seven", "hipG", Where.ANYWHERE, "", ""));
  }
}
