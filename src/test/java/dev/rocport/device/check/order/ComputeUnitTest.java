package dev.rocport.device.check.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two compute units of a pair, on which the waves of one workgroup run. */
class ComputeUnitTest {
  private final ComputeUnit first = unit(0);
  private final ComputeUnit second = unit(1);

  private static ComputeUnit unit(int number) {
    return new ComputeUnit(number, 0, null, new Lines(4), new History());
  }

  @BeforeEach
  void pair() {
    ComputeUnit.pair(first, second);
  }

  @Test
  void aWaveOfTheOtherUnitSeesWhatOneHasAcquiredOnceItMeetsItsWorkgroup() {
    first.acquiresOfOthers(7);
    assertThat(first.metOthers).isEqualTo(7);
    assertThat(second.metOthers).isZero();
    assertThat(second.acquired).isZero();

    second.acquiresInGroup(9);
    assertThat(second.metOthers).isEqualTo(7);
    assertThat(second.acquired).isEqualTo(7);
  }

  @Test
  void anAcquireOnTheGpuSaysNothingAboutOtherGpus() {
    first.acquires(7);
    second.acquiresInGroup(9);

    assertThat(second.acquired).isEqualTo(7);
    assertThat(first.metOthers).isZero();
    assertThat(second.metOthers).isZero();
  }
}
