package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lane n of v2 holds 100 + n, lane n of v3 holds 200 + n. */
final class LaneSwapTest {
  private final Wave wave = new Machine().wave;

  private void run(String name, int opSel, long exec) {
    for (int lane = 0; lane < 64; lane++) {
      wave.v[2 * 64 + lane] = 100 + lane;
      wave.v[3 * 64 + lane] = 200 + lane;
    }
    wave.s64(Wave.EXEC, exec);
    Op op =
        new VectorTranslator()
            .translate(
                Machine.instruction(
                    name,
                    Encoding.VOP3,
                    new Modifiers.Vop3(0, 0, 0, false, opSel),
                    1,
                    Machine.v(2),
                    Machine.v(3)))
            .orElseThrow();
    op.execute(wave);
  }

  private int[] lanes(int register, int from, int count) {
    return IntStream.range(from, from + count).map(l -> wave.v[register * 64 + l]).toArray();
  }

  private static int[] from(int first, int count) {
    return IntStream.range(first, first + count).toArray();
  }

  @Test
  void rowsOf32LanesSwap() {
    run("v_permlane32_swap_b32", 0, -1);
    assertThat(lanes(2, 0, 32)).isEqualTo(from(100, 32));
    assertThat(lanes(2, 32, 32)).isEqualTo(from(200, 32));
    assertThat(lanes(3, 0, 32)).isEqualTo(from(132, 32));
    assertThat(lanes(3, 32, 32)).isEqualTo(from(232, 32));
  }

  @Test
  void rowsOf16LanesSwap() {
    run("v_permlane16_swap_b32", 0, -1);
    assertThat(lanes(2, 0, 16)).isEqualTo(from(100, 16));
    assertThat(lanes(2, 16, 16)).isEqualTo(from(200, 16));
    assertThat(lanes(2, 32, 16)).isEqualTo(from(132, 16));
    assertThat(lanes(2, 48, 16)).isEqualTo(from(232, 16));
    assertThat(lanes(3, 0, 16)).isEqualTo(from(116, 16));
    assertThat(lanes(3, 16, 16)).isEqualTo(from(216, 16));
    assertThat(lanes(3, 32, 16)).isEqualTo(from(148, 16));
    assertThat(lanes(3, 48, 16)).isEqualTo(from(248, 16));
  }

  /** Lane 32 of v2 is the partner of lane 0 of v3; only one of them is active. */
  @ParameterizedTest
  @CsvSource({
    "0, 1, 132, 200", // keeps its own
    "1, 1, 132, 132", // fetches from the inactive lane
    "2, 1, 132, 0", // bound_ctrl: 0
    "3, 1, 132, 132",
    "0, 4294967296, 132, 200",
    "1, 4294967296, 200, 200",
    "2, 4294967296, 0, 200"
  })
  void inactivePartners(int opSel, long exec, int upper, int lower) {
    run("v_permlane32_swap_b32", opSel, exec);
    assertThat(wave.v[2 * 64 + 32]).isEqualTo(upper);
    assertThat(wave.v[3 * 64]).isEqualTo(lower);
  }
}
