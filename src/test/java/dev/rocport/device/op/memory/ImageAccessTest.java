package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Target;
import dev.rocport.device.memory.MemoryFault;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Image instructions and typed buffers of both generations, as LLVM encodes them. The image is in
 * s[4:11], or the buffer in s[4:7], the sampler in s[12:15], addresses in v2 and up, data in v8.
 */
final class ImageAccessTest {
  private static final int WIDTH = 8;
  private static final int HEIGHT = 4;
  private static final int PLANE = 9;
  private static final int PLANES = 13;
  private static final int IN_ORDER = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  private static final int SKIPPED = 17;

  /** Words of gfx1100, and of gfx1201. */
  private static final Map<String, List<String>> CODE =
      Map.ofEntries(
          Map.entry(
              "image_load v[8:9], v[2:3], s[4:11] dmask:0x5 dim:SQ_RSRC_IMG_2D",
              List.of("f0000584 00010802", "d1400001 00000808 00000302")),
          Map.entry(
              "image_load v[8:9], [v2, v5, v3], s[4:11] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY d16",
              List.of("f0020f95 00010802 00000305", "d3c00025 00000808 00030502")),
          Map.entry(
              "image_load_mip v8, [v2, v3], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D a16",
              List.of("f0050185 00010802 00000003", "d0404041 00000808 00000302")),
          Map.entry(
              "image_store v8, v[2:3], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
              List.of("f0180184 00010802", "d0418001 00000808 00000302")),
          Map.entry(
              "image_store v[8:9], v[2:3], s[4:11] dmask:0x7 dim:SQ_RSRC_IMG_2D d16",
              List.of("f01a0784 00010802", "d1c18021 00000808 00000302")),
          Map.entry(
              "image_sample_lz v[8:11], v[2:3], s[4:11], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D",
              List.of("f07c0f04 0c010802", "e7c7c001 06000808 00000302")),
          Map.entry(
              "image_sample v8, v2, s[4:11], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D a16 d16",
              List.of("f06f0104 0c010802", "e446c061 06000808 00000002")),
          Map.entry(
              "image_sample_l v8, v[2:4], s[4:11], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D",
              List.of("f0740104 0c010802", "e4474001 06000808 00040302")),
          Map.entry(
              "image_sample_d v8, v[2:7], s[4:11], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D",
              List.of("f0700104 0c010802", "e4470001 06000808 05040302")),
          Map.entry(
              "image_sample_d_g16 v8, v[2:5], s[4:11], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D",
              List.of("f0e40105 0c010802 00050403", "e44e4001 06000808 05040302")),
          Map.entry(
              "image_gather4_lz v[8:11], v[2:3], s[4:11], s[12:15] dmask:0x2 dim:SQ_RSRC_IMG_2D",
              List.of("f0c80204 0c010802", "e48c8001 06000808 00000302")),
          Map.entry(
              "image_sample_c v8, v[2:4], s[4:11], s[12:15] dmask:0x1 dim:SQ_RSRC_IMG_2D",
              List.of("f0800104 0c010802", "e4480001 06000808 00040302")),
          Map.entry(
              "buffer_load_format_xyzw v[8:11], v2, s[4:7], 0 idxen",
              List.of("e00c0000 80810802", "c400c07c 80800808 00000002")),
          Map.entry(
              "buffer_load_d16_format_xyz v[8:9], v2, s[4:7], 0 idxen",
              List.of("e0280000 80810802", "c402807c 80800808 00000002")),
          Map.entry(
              "buffer_load_d16_hi_format_x v8, v2, s[4:7], 0 idxen",
              List.of("e0980000 80810802", "c409807c 80800808 00000002")),
          Map.entry(
              "buffer_store_format_xy v[8:9], v2, s[4:7], 0 idxen",
              List.of("e0140000 80810802", "c401407c 80800808 00000002")),
          Map.entry(
              "tbuffer_load_format_xy v[8:9], v2, s[4:7], 0 format:[BUF_FMT_16_16_SNORM] offset:4",
              List.of("e8c08004 80810802", "c420407c 8c000808 00000402")),
          Map.entry(
              "tbuffer_store_d16_format_x v8, v2, s[4:7], 0 format:[BUF_FMT_32_FLOAT]",
              List.of("e8b60000 80810802", "c423007c 8b000808 00000002")));

  /** The GPUs of two generations. */
  private enum Gpu {
    THREE(Target.GFX1100, 0),
    FOUR(Target.GFX1201, 1);

    private final Target target;
    private final int column;

    Gpu(Target target, int column) {
      this.target = target;
      this.column = column;
    }

    Instruction instruction(String text) {
      List<String> words =
          Objects.requireNonNull(
              CODE.entrySet().stream()
                  .filter(e -> e.getKey().startsWith(text))
                  .findFirst()
                  .orElseThrow()
                  .getValue());
      List<Integer> bits = new ArrayList<>();
      for (String word : words.get(column).split(" ", -1)) {
        bits.add(Integer.parseUnsignedInt(word, 16));
      }
      bits.add(0);
      return Decoder.of(target).decode(bits.get(0), bits.get(1), bits.get(2));
    }

    /** An image of one level, or of three, at the start of the buffer. */
    Machine image(int format, int type, int depth, int levels) {
      Machine m = new Machine(format);
      long base = m.buffer.address();
      int[] s = m.wave.s;
      boolean flat = type == PLANE;
      s[4] = (int) (base >>> 8);
      int high = (int) (base >>> 40) & 0xff;
      int width = WIDTH - 1;
      if (this == THREE) {
        s[5] = high | (levels - 1) << 16 | format << 20 | width << 30;
        s[7] = IN_ORDER | (levels - 1) << 16 | type << 28;
      } else {
        s[5] = high | (levels - 1) << 12 | format << 17 | width << 30;
        s[7] = IN_ORDER | (levels - 1) << 15 | type << 28;
      }
      s[6] = width >> 2 | (HEIGHT - 1) << 14;
      s[8] = flat ? WIDTH - 1 : depth - 1;
      s[9] = 0;
      s[10] = 0;
      s[11] = 0;
      int lod = this == THREE ? 12 : 13;
      s[12] = 2 | 2 << 3 | 2 << 6 | 1 << 15;
      s[13] = ((1 << lod) - 1) << lod;
      s[14] = 1 << 20 | 1 << 22 | 1 << 26;
      s[15] = 0;
      m.wave.s64(Wave.EXEC, 0xffffffffL & ~(1L << SKIPPED));
      return m;
    }

    /** A buffer with records of some bytes, 256 bytes after the start. */
    Machine buffer(int format, int stride, int records) {
      Machine m = new Machine(format);
      m.wave.s64(4, m.buffer.address() + 256 | (long) stride << 48);
      m.wave.s[6] = records;
      m.wave.s[7] = IN_ORDER | format << 12;
      m.wave.s64(Wave.EXEC, 0xffffffffL & ~(1L << SKIPPED));
      for (int lane = 0; lane < 32; lane++) {
        m.v(2, lane, lane);
      }
      return m;
    }
  }

  private static int at(Machine m, int offset) {
    return m.buffer.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  @ParameterizedTest
  @EnumSource
  void loadsTheComponentsOfTheMask(Gpu gpu) {
    Machine m = gpu.image(46, PLANE, 1, 1); // 8_8_8_8_UINT
    for (int lane = 0; lane < 32; lane++) {
      m.v(2, lane, lane % 10 - 1);
      m.v(3, lane, lane / 8);
    }
    int before = m.v(8, SKIPPED);
    m.run(gpu.instruction("image_load v[8:9], v[2:3]"));
    for (int lane = 0; lane < 32; lane++) {
      int x = lane % 10 - 1;
      int texel = at(m, 4 * (lane / 8 * WIDTH + Math.clamp(x, 0, WIDTH - 1)));
      boolean inside = x >= 0 && x < WIDTH;
      if (lane != SKIPPED) {
        assertThat(m.v(8, lane)).isEqualTo(inside ? texel & 255 : 0);
        assertThat(m.v(9, lane)).isEqualTo(inside ? texel >>> 16 & 255 : 0);
      }
    }
    assertThat(m.v(8, SKIPPED)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void loadsHalvesOfLayers(Gpu gpu) {
    Machine m = gpu.image(42, PLANES, 3, 1); // 8_8_8_8_UNORM
    for (int lane = 0; lane < 32; lane++) {
      m.v(2, lane, lane % 8);
      m.v(5, lane, 2);
      m.v(3, lane, lane % 4);
    }
    m.run(gpu.instruction("image_load v[8:9], [v2, v5, v3]"));
    for (int lane = 0; lane < 16; lane++) {
      boolean inside = lane % 4 < 3;
      int texel = inside ? at(m, 4 * ((lane % 4 * HEIGHT + 2) * WIDTH + lane % 8)) : 0;
      for (int c = 0; c < 4; c++) {
        short half = (short) (m.v(8 + c / 2, lane) >>> (16 * (c % 2)));
        float wanted = (texel >>> (8 * c) & 255) / 255f;
        assertThat(half).isEqualTo(Float.floatToFloat16(wanted));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void loadsOfLevelsWithHalfAddresses(Gpu gpu) {
    Machine m = gpu.image(20, PLANE, 1, 3); // 32_UINT
    for (int lane = 0; lane < 32; lane++) {
      m.v(2, lane, 1 | 1 << 16);
      m.v(3, lane, lane % 4 | 0xbad << 16);
    }
    m.run(gpu.instruction("image_load_mip v8"));
    assertThat(m.v(8, 0)).isEqualTo(at(m, 4 * (WIDTH + 1)));
    // Levels have 128, 32 and 8 bytes, and begin at multiples of 256.
    assertThat(m.v(8, 1)).isEqualTo(at(m, 256 + 4 * (WIDTH / 2 + 1)));
    assertThat(m.v(8, 2)).as("a level of one row").isZero();
    assertThat(m.v(8, 3)).as("no level").isZero();
  }

  @ParameterizedTest
  @EnumSource
  void storesFillComponentsThatTheyDoNotHave(Gpu gpu) {
    Machine m = gpu.image(46, PLANE, 1, 1);
    m.wave.s64(Wave.EXEC, 3);
    m.v(2, 0, 5);
    m.v(3, 0, 1);
    m.v(2, 1, WIDTH);
    m.v(3, 1, 1);
    m.v(8, 0, 0x17);
    int next = at(m, 4 * (2 * WIDTH));
    m.run(gpu.instruction("image_store v8"));
    assertThat(at(m, 4 * (WIDTH + 5))).isEqualTo(gpu == Gpu.THREE ? 0x17 : 0x17171717);
    assertThat(at(m, 4 * (2 * WIDTH))).as("outside").isEqualTo(next);
  }

  @ParameterizedTest
  @EnumSource
  void storesHalves(Gpu gpu) {
    Machine m = gpu.image(42, PLANE, 1, 1);
    m.wave.s64(Wave.EXEC, 1);
    m.v(2, 0, 0);
    m.v(3, 0, 0);
    m.v(8, 0, 0x3c00 | 0x3800 << 16);
    m.v(9, 0, 0x3400);
    m.run(gpu.instruction("image_store v[8:9]"));
    assertThat(at(m, 0)).isEqualTo(255 | 128 << 8 | 64 << 16 | (gpu == Gpu.THREE ? 0 : 255) << 24);
  }

  private static float texel(Machine m, int x, int y, int component) {
    return (at(m, 4 * (y * WIDTH + x)) >>> (8 * component) & 255) / 255f;
  }

  @ParameterizedTest
  @EnumSource
  void samplesWithFilters(Gpu gpu) {
    Machine m = gpu.image(42, PLANE, 1, 1);
    for (int lane = 0; lane < 32; lane++) {
      m.v(2, lane, bits(2.25f));
      m.v(3, lane, bits(1.5f));
    }
    m.run(gpu.instruction("image_sample_lz v[8:11]"));
    for (int c = 0; c < 4; c++) {
      double wanted = 0.25 * texel(m, 1, 1, c) + 0.75 * texel(m, 2, 1, c);
      assertThat(m.v(8 + c, 3)).isEqualTo(bits((float) wanted));
    }
    m.v(2, 4, Float.floatToFloat16(2.25f) & 0xffff | Float.floatToFloat16(1.5f) << 16);
    m.v(8, 4, 0x12345678);
    m.run(gpu.instruction("image_sample v8"));
    double wanted = 0.25 * texel(m, 1, 1, 0) + 0.75 * texel(m, 2, 1, 0);
    int half = Float.floatToFloat16((float) wanted) & 0xffff;
    assertThat(m.v(8, 4)).isEqualTo(0x12340000 | half);
    m.run(gpu.instruction("image_gather4_lz"));
  }

  @ParameterizedTest
  @EnumSource
  void gathersAComponent(Gpu gpu) {
    Machine m = gpu.image(42, PLANE, 1, 1);
    m.wave.s64(Wave.EXEC, 1);
    m.v(2, 0, bits(3));
    m.v(3, 0, bits(2));
    m.run(gpu.instruction("image_gather4_lz"));
    int[][] places = {{2, 2}, {3, 2}, {3, 1}, {2, 1}};
    for (int i = 0; i < 4; i++) {
      assertThat(m.v(8 + i, 0)).isEqualTo(bits(texel(m, places[i][0], places[i][1], 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void choosesLevelsByNumberAndByGradients(Gpu gpu) {
    Machine m = gpu.image(22, PLANE, 1, 3); // 32_FLOAT
    float[] first = new float[3];
    for (int l = 0; l < 3; l++) {
      first[l] = 100 * l + 1;
      m.buffer.set(ValueLayout.JAVA_FLOAT, 256L * l, first[l]);
    }
    for (int lane = 0; lane < 3; lane++) {
      m.v(2, lane, bits(0.5f));
      m.v(3, lane, bits(0.5f));
      m.v(4, lane, bits(lane + 0.25f));
    }
    m.wave.s64(Wave.EXEC, 7);
    m.run(gpu.instruction("image_sample_l v8"));
    for (int lane = 0; lane < 3; lane++) {
      assertThat(m.v(8, lane)).isEqualTo(bits(first[lane]));
      m.v(2, lane, bits(0));
      m.v(3, lane, bits(1 << lane));
      m.v(4, lane, bits(0.5f));
      m.v(5, lane, bits(0));
      m.v(6, lane, bits(0.5f));
      m.v(7, lane, bits(0.5f));
    }
    m.run(gpu.instruction("image_sample_d v8"));
    for (int lane = 0; lane < 3; lane++) {
      assertThat(m.v(8, lane)).isEqualTo(bits(first[lane]));
      m.v(2, lane, Float.floatToFloat16(1 << lane) << 16);
      m.v(3, lane, 0);
      m.v(4, lane, bits(0.5f));
      m.v(5, lane, bits(0.5f));
    }
    m.run(gpu.instruction("image_sample_d_g16"));
    for (int lane = 0; lane < 3; lane++) {
      assertThat(m.v(8, lane)).isEqualTo(bits(first[lane]));
    }
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> m.run(gpu.instruction("image_sample v8")))
        .withMessageContaining("image_sample with a level of detail from neighbouring lanes");
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatItDoesNotHave(Gpu gpu) {
    assertThat(new MemoryTranslator().translate(gpu.instruction("image_sample_c v8"))).isEmpty();
    Machine m = gpu.image(42, PLANE, 1, 1);
    Instruction load = gpu.instruction("image_load v[8:9], v[2:3]");
    m.wave.s[7] |= 3 << 20;
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> m.run(load))
        .withMessageContaining("image_load with a descriptor of type 9 and tiling 3");
    Machine other = gpu.image(120, PLANE, 1, 1);
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> other.run(load))
        .withMessageContaining("format 120");
    Machine light = gpu.image(66, PLANE, 1, 1);
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> light.run(gpu.instruction("image_store v8")))
        .withMessageContaining("stores of 8_8_8_8_SRGB");
  }

  @ParameterizedTest
  @EnumSource
  void faultsBeyondTheAllocation(Gpu gpu) {
    Machine m = gpu.image(22, PLANE, 1, 1);
    m.wave.s[6] |= 0xff << 14;
    m.wave.s64(Wave.EXEC, 2);
    m.v(2, 1, 0);
    m.v(3, 1, 256);
    m.wave.s[6] |= 0x3ff << 14;
    assertThatExceptionOfType(MemoryFault.class)
        .isThrownBy(() -> m.run(gpu.instruction("image_load v[8:9], v[2:3]")));
  }

  @ParameterizedTest
  @EnumSource
  void loadsRecordsInTheFormatOfTheDescriptor(Gpu gpu) {
    Machine m = gpu.buffer(42, 4, 20);
    m.run(gpu.instruction("buffer_load_format_xyzw"));
    for (int lane = 0; lane < 32; lane++) {
      for (int c = 0; c < 4 && lane != SKIPPED; c++) {
        float wanted = lane < 20 ? (at(m, 256 + 4 * lane) >>> (8 * c) & 255) / 255f : 0;
        assertThat(m.v(8 + c, lane)).isEqualTo(bits(wanted));
      }
    }
    m.run(gpu.instruction("buffer_load_d16_format_xyz"));
    for (int c = 0; c < 3; c++) {
      short half = (short) (m.v(8 + c / 2, 7) >>> (16 * (c % 2)));
      float wanted = (at(m, 256 + 28) >>> (8 * c) & 255) / 255f;
      assertThat(half).isEqualTo(Float.floatToFloat16(wanted));
    }
    m.v(8, 7, 0x1234);
    m.run(gpu.instruction("buffer_load_d16_hi_format_x"));
    short half = Float.floatToFloat16((at(m, 256 + 28) & 255) / 255f);
    assertThat(m.v(8, 7)).isEqualTo(0x1234 | half << 16);
  }

  @ParameterizedTest
  @EnumSource
  void storesRecords(Gpu gpu) {
    Machine m = gpu.buffer(46, 4, 20);
    int beyond = at(m, 256 + 80);
    for (int lane = 0; lane < 32; lane++) {
      m.v(8, lane, lane);
      m.v(9, lane, lane + 100);
    }
    m.run(gpu.instruction("buffer_store_format_xy"));
    int other = gpu == Gpu.THREE ? 0 : 9;
    assertThat(at(m, 256 + 36)).isEqualTo(9 | 109 << 8 | other << 16 | other << 24);
    assertThat(at(m, 256 + 80)).isEqualTo(beyond);
  }

  @ParameterizedTest
  @EnumSource
  void typedBuffersHaveTheFormatInTheInstruction(Gpu gpu) {
    Machine m = gpu.buffer(0, 8, 20);
    m.run(gpu.instruction("tbuffer_load_format_xy"));
    for (int c = 0; c < 2; c++) {
      float wanted = Math.max(-1, (short) (at(m, 256 + 24 + 4) >>> (16 * c)) / 32767f);
      assertThat(m.v(8 + c, 3)).isEqualTo(bits(wanted));
    }
    m.v(8, 3, 0x3e00);
    m.run(gpu.instruction("tbuffer_store_d16_format_x"));
    assertThat(at(m, 256 + 24)).isEqualTo(bits(1.5f));
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> m.run(gpu.instruction("buffer_load_format_xyzw")))
        .withMessageContaining("format 0");
  }
}
