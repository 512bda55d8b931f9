package dev.rocport.device.nativecode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GroupFunctionTest {
  /** 1024 threads are 16 waves of 64 lanes, or 32 of 32, which have no accumulation registers. */
  @ParameterizedTest
  @CsvSource({"1, 3", "16, 3", "1, 2", "32, 2"})
  void aCallTakesTheWavesOfTheLargestWorkgroup(int waves, int files) {
    MethodType type = GroupFunction.call(waves, files).type();
    assertThat(type.lastParameterType()).isEqualTo(MemorySegment[].class);
    assertThat(waves).isLessThanOrEqualTo(GroupFunction.INSTANCE.most());
  }
}
