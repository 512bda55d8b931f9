package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Descriptors of RDNA. */
final class DescriptorTest {
  private static final int STRIDE = 12;
  private static final int RECORDS = 20;

  private static Descriptor descriptor(int swizzle, int indexStride, int bounds) {
    int[] s = {
      0, 0, 0x1000, STRIDE << 16 | swizzle << 30, RECORDS, indexStride << 21 | bounds << 28
    };
    return new Descriptor(s, 2, true);
  }

  @Test
  void recordsAreBoundedByIndexAndStride() {
    Descriptor d = descriptor(0, 0, 0);
    assertThat(d.holdsWhole(RECORDS - 1, STRIDE - 1)).isTrue();
    assertThat(d.holdsWhole(RECORDS, 0)).isFalse();
    assertThat(d.holdsWhole(0, STRIDE)).isFalse();
  }

  @Test
  void otherBoundsLookAtTheIndexOrAtBytesOrAtNothing() {
    assertThat(descriptor(0, 0, 1).holdsWhole(RECORDS - 1, 1000)).isTrue();
    assertThat(descriptor(0, 0, 1).holdsWhole(RECORDS, 0)).isFalse();
    assertThat(descriptor(0, 0, 2).holdsWhole(1000, 1000)).isTrue();
    assertThat(descriptor(0, 0, 3).holdsWhole(1000, RECORDS - 1)).isTrue();
    assertThat(descriptor(0, 0, 3).holdsWhole(0, RECORDS)).isFalse();
    assertThat(descriptor(1, 0, 3).holdsWhole(RECORDS, 0)).isFalse();
  }

  @Test
  void swizzledRecordsLieInterleaved() {
    Descriptor plain = descriptor(0, 0, 3);
    assertThat(plain.swizzled()).isFalse();
    assertThat(plain.place(3, 5)).isEqualTo(3 * STRIDE + 5);
    // 8 indices stay together, by elements of 4 bytes
    Descriptor swizzled = descriptor(1, 0, 3);
    assertThat(swizzled.swizzled()).isTrue();
    assertThat(swizzled.place(9, 5)).isEqualTo(8 * STRIDE + 8 * 4 + 4 + 1);
    assertThat(descriptor(3, 1, 3).elementSize()).isEqualTo(16);
    assertThat(descriptor(3, 1, 3).indexStride()).isEqualTo(16);
  }
}
