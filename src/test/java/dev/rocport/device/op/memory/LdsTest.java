package dev.rocport.device.op.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import dev.rocport.device.wave.WaveTrap;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LDS in two places at once, counters, and exchanges between lanes. */
final class LdsTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static Instruction ds(String name, Modifiers modifiers, Object... slots) {
    return Machine.instruction(Encoding.DS, name, modifiers, slots);
  }

  private static Modifiers two(int offset0, int offset1) {
    return new Modifiers.Memory(
        offset0, offset1, false, false, false, false, false, false, false, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "ds_read_b32, 1, 4, u", "ds_read_b64, 2, 8, u", "ds_read_b96, 3, 12, u",
    "ds_read_b128, 4, 16, u", "ds_read_u8, 1, 1, u", "ds_read_i8, 1, 1, s",
    "ds_read_u16, 1, 2, u", "ds_read_i16, 1, 2, s", "ds_read_u8_d16_hi, 1, 1, hi",
    "ds_read_u16_d16_hi, 1, 2, hi", "ds_read_u16_d16, 1, 2, u"
  })
  void readsAtAnyAlignment(String name, int dwords, int bytes, String extend) {
    Machine m = new Machine(bytes);
    m.wave.s64(Wave.EXEC, m.random.nextLong());
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 13 * lane);
    }
    int[] before = m.wave.v.clone();
    m.run(
        ds(
            name,
            Machine.at(1027, false),
            "vdst",
            Machine.vector(2, dwords),
            "addr",
            Machine.vector(2, 1)));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int d = 0; d < dwords; d++) {
        int raw = m.lds.get(INT, 1027 + 13L * lane + 4 * d);
        int bits = 32 - 8 * Math.min(4, bytes);
        int expected =
            switch (extend) {
              case "s" -> raw << bits >> bits;
              case "hi" -> raw << bits >>> bits << 16;
              default -> raw << bits >>> bits;
            };
        assertThat(m.v(2 + d, lane))
            .isEqualTo(m.active(lane) ? expected : before[(2 + d) * Wave.LANES + lane]);
      }
    }
  }

  private static Instruction transposed() {
    return ds(
        "ds_read_b64_tr_b16",
        Machine.at(8, false),
        "vdst",
        Machine.vector(4, 2),
        "addr",
        Machine.vector(2, 1));
  }

  /** Rows of 16 elements, each read by four lanes; of the lanes, a quarter is active. */
  @Test
  void sixteenLanesTranspose() {
    Machine m = new Machine(3);
    m.wave.s64(Wave.EXEC, 0xffff_0000L);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 24 * lane);
    }
    int[] before = m.wave.v.clone();
    m.run(transposed());
    for (int lane = 0; lane < Wave.LANES; lane++) {
      for (int row = 0; row < 4; row++) {
        int from = lane / 16 * 16 + 4 * row + lane % 16 / 4;
        short read = m.lds.get(ValueLayout.JAVA_SHORT_UNALIGNED, 8 + 24L * from + lane % 4 * 2L);
        short kept = (short) (before[(4 + row / 2) * Wave.LANES + lane] >>> 16 * (row & 1));
        assertThat((short) (m.v(4 + row / 2, lane) >>> 16 * (row & 1)))
            .isEqualTo(m.active(lane) ? read : kept);
      }
    }
  }

  @Test
  void someOfSixteenLanesCannotTranspose() {
    Machine m = new Machine(4);
    m.wave.s64(Wave.EXEC, 0x7fff);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, 8 * lane);
    }
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(() -> m.run(transposed()))
        .withMessageContaining("ds_read_b64_tr_b16 transposes among 16 lanes");
  }

  @ParameterizedTest
  @CsvSource({"b32, 1, 4", "b64, 2, 8"})
  void twoOffsetsCountElements(String type, int dwords, int bytes) {
    for (int scale : new int[] {1, 64}) {
      String form = scale == 1 ? "2_" : "2st64_";
      Machine m = new Machine(scale);
      for (int lane = 0; lane < Wave.LANES; lane++) {
        m.v(2, lane, (m.random.nextBoolean() ? 4 : 8) * lane);
      }
      int[] before = m.wave.v.clone();
      m.run(
          ds(
              "ds_read" + form + type,
              two(3, 5),
              "vdst",
              Machine.vector(2, 2 * dwords),
              "addr",
              Machine.vector(2, 1)));
      for (int lane = 0; lane < Wave.LANES; lane++) {
        long at = before[2 * Wave.LANES + lane];
        for (int d = 0; d < 2 * dwords; d++) {
          long place = at + (d < dwords ? 3L : 5L) * bytes * scale + 4 * (d % dwords);
          assertThat(m.v(2 + d, lane)).isEqualTo(m.lds.get(INT, place));
        }
        m.v(2, lane, 16 * lane);
      }
      m.run(
          ds(
              "ds_write" + form + type,
              two(3, 4),
              "addr",
              Machine.vector(2, 1),
              "data0",
              Machine.vector(10, dwords),
              "data1",
              Machine.vector(14, dwords)));
      for (int lane = 0; lane < Wave.LANES && scale == 1; lane++) {
        assertThat(m.lds.get(INT, 16L * lane + 3L * bytes)).isEqualTo(m.v(10, lane));
        assertThat(m.lds.get(INT, 16L * lane + 5L * bytes - 4)).isEqualTo(m.v(13 + dwords, lane));
      }
      int[] values = {m.lds.get(INT, 2L * bytes * scale), m.lds.get(INT, 6L * bytes * scale)};
      m.wave.s64(Wave.EXEC, 1);
      m.run(
          ds(
              "ds_wrxchg" + form.replace("_", "_rtn_") + type,
              two(2, 6),
              "vdst",
              Machine.vector(20, 2 * dwords),
              "addr",
              Machine.vector(2, 1),
              "data0",
              Machine.vector(10, dwords),
              "data1",
              Machine.vector(14, dwords)));
      assertThat(m.v(20, 0)).isEqualTo(values[0]);
      assertThat(m.v(20 + dwords, 0)).isEqualTo(values[1]);
      assertThat(m.lds.get(INT, 6L * bytes * scale)).isEqualTo(m.v(14, 0));
    }
  }

  @Test
  void countersMoveByTheActiveLanes() {
    Machine m = new Machine(1);
    m.wave.s64(Wave.EXEC, 0xf0f0L);
    m.wave.s[Wave.M0] = 0xabcd0010;
    m.lds.set(INT, 24, 100);
    m.run(ds("ds_append", Machine.at(8, false), "vdst", Machine.vector(5, 1)));
    assertThat(m.lds.get(INT, 24)).isEqualTo(108);
    assertThat(m.v(5, 4)).isEqualTo(100);
    m.run(ds("ds_consume", Machine.at(8, false), "vdst", Machine.vector(5, 1)));
    assertThat(m.v(5, 15)).isEqualTo(108);
    assertThat(m.lds.get(INT, 24)).isEqualTo(100);
  }

  @Test
  void threadsAddressByTheirNumber() {
    Machine m = new Machine(2);
    m.wave.s[Wave.M0] = 32;
    m.run(ds("ds_read_addtid_b32", Machine.at(4, false), "vdst", Machine.vector(5, 1)));
    assertThat(m.v(5, 9)).isEqualTo(m.lds.get(INT, 36 + 4 * 9));
    m.run(ds("ds_write_addtid_b32", Machine.at(1024, false), "data0", Machine.vector(6, 1)));
    assertThat(m.lds.get(INT, 1056 + 4 * 63)).isEqualTo(m.v(6, 63));
  }

  @Test
  void lanesTakeAndGiveValues() {
    Machine m = new Machine(3);
    long exec = m.random.nextLong();
    m.wave.s64(Wave.EXEC, exec);
    int[] names = new int[Wave.LANES];
    int[] data = new int[Wave.LANES];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      names[lane] = m.random.nextInt(Wave.LANES);
      data[lane] = m.v(4, lane);
      m.v(2, lane, 4 * names[lane] + 256 * m.random.nextInt(3) - 8 + m.random.nextInt(4));
    }
    Object[] slots = {
      "vdst", Machine.vector(8, 1), "addr", Machine.vector(2, 1), "data0", Machine.vector(4, 1)
    };
    m.run(ds("ds_bpermute_b32", Machine.at(8, false), slots));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if (m.active(lane)) {
        assertThat(m.v(8, lane)).isEqualTo(m.active(names[lane]) ? data[names[lane]] : 0);
      }
    }
    m.run(ds("ds_permute_b32", Machine.at(8, false), slots));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int target = lane;
      int expected =
          IntStream.range(0, Wave.LANES)
              .filter(l -> m.active(l) && names[l] == target)
              .map(l -> data[l])
              .reduce(0, (_, last) -> last);
      if (m.active(lane)) {
        assertThat(m.v(8, lane)).isEqualTo(expected);
      }
    }
  }

  /** The expected lanes are those that AMD's manual prints for 1, 2 ... 20 (hexadecimal). */
  @ParameterizedTest
  @CsvSource({
    "0xe000, 1 11 9 19 5 15 d 1d 3 13 b 1b 7 17 f 1f 2 12 a 1a 6 16 e 1e 4 14 c 1c 8 18 10 20",
    "0xe010, 1 9 5 d 3 b 7 f 2 a 6 e 4 c 8 10 11 19 15 1d 13 1b 17 1f 12 1a 16 1e 14 1c 18 20",
    "0xc020, 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20 1",
    "0xc420, 20 1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f",
    "0xc021, 1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20 1f 2",
    "0x801b, 4 3 2 1 8 7 6 5 c b a 9 10 f e d 14 13 12 11 18 17 16 15 1c 1b 1a 19 20 1f 1e 1d",
    "0x041f, 2 1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20 1f",
    "0x0050, 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13"
  })
  void swizzlesAsTheManualPrints(String pattern, String lanes) {
    int[] expected =
        Arrays.stream(lanes.split(" ")).mapToInt(s -> Integer.parseInt(s, 16)).toArray();
    Machine m = new Machine(4);
    for (int lane = 0; lane < Wave.LANES; lane++) {
      m.v(2, lane, lane + 1);
    }
    m.run(
        ds(
            "ds_swizzle_b32",
            Machine.at(Integer.decode(pattern), false),
            "vdst",
            Machine.vector(2, 1),
            "addr",
            Machine.vector(2, 1)));
    for (int lane = 0; lane < Wave.LANES; lane++) {
      assertThat(m.v(2, lane)).isEqualTo(expected[lane % 32] + lane / 32 * 32);
    }
  }

  @Test
  void anInactiveSourceSwizzlesToZero() {
    Machine m = new Machine(5);
    m.wave.s64(Wave.EXEC, ~2L);
    m.run(
        ds(
            "ds_swizzle_b32",
            Machine.at(0x041f, false),
            "vdst",
            Machine.vector(8, 1),
            "addr",
            Machine.vector(2, 1)));
    assertThat(m.v(8, 0)).isZero();
    assertThat(m.v(8, 2)).isEqualTo(m.v(2, 3));
  }

  @Test
  void aGridBarrierWaits() {
    Machine m = new Machine(6);
    m.run(ds("ds_gws_barrier", Machine.at(0, false), "data0", Machine.vector(2, 1)));
    assertThat(m.wave.state).isEqualTo(WaveState.GRID_BARRIER);
    m.v(2, 0, 7);
    m.run(ds("ds_gws_init", Machine.at(0, false), "data0", Machine.vector(2, 1)));
    m.v(2, 0, 3);
    assertThatExceptionOfType(WaveTrap.class)
        .isThrownBy(
            () -> m.run(ds("ds_gws_init", Machine.at(0, false), "data0", Machine.vector(2, 1))))
        .withMessageContaining("for 4 waves in a launch of 8 workgroups");
  }
}
