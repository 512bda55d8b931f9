package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The faces of cube maps as the OpenGL specification has them ("Cube Map Texture Selection"). */
final class CubeFacesTest {
  private static float of(String opcode, float x, float y, float z) {
    Definition usual = VectorTranslator.definition(opcode).orElseThrow();
    long bits =
        Definition.known(usual.lane())
            .apply(
                Float.floatToRawIntBits(x),
                Float.floatToRawIntBits(y),
                Float.floatToRawIntBits(z),
                false);
    return Float.intBitsToFloat((int) bits);
  }

  @ParameterizedTest
  @CsvSource({
    // x, y, z, face, sc, tc, ma
    "3, 1, 2, 0, -2, -1, 3",
    "-3, 1, 2, 1, 2, -1, -3",
    "1, 3, 2, 2, 1, 2, 3",
    "1, -3, 2, 3, 1, -2, -3",
    "1, 2, 3, 4, 1, -2, 3",
    "1, 2, -3, 5, -1, -2, -3",
    // of equal ones, z comes first and x last
    "2, -2, 2, 4, 2, 2, 2",
    "2, -2, 1, 3, 2, -1, -2"
  })
  void directionsHitFaces(
      float x, float y, float z, float face, float column, float row, float major) {
    assertThat(of("v_cubeid_f32", x, y, z)).isEqualTo(face);
    assertThat(of("v_cubesc_f32", x, y, z)).isEqualTo(column);
    assertThat(of("v_cubetc_f32", x, y, z)).isEqualTo(row);
    assertThat(of("v_cubema_f32", x, y, z)).isEqualTo(2 * major);
  }
}
