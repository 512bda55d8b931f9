package dev.rocport.device.op.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Wave;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scaled conversions of gfx950. The nearest code is found by trying all codes; the sum with
 * random bits is computed in exact decimals.
 */
final class ScaledConversionTest {
  private static final int DESTINATION = 2;
  private static final int FIRST = 64;
  private static final int SECOND = 128;
  private static final int SCALE = 200;
  private static final int RANDOM = 201;

  private final Wave wave = new Machine(256).wave;
  private final Random random = new Random(950);

  private static Stream<String> names(Predicate<String> which) {
    return Decoder.of(Target.GFX950).opcodes().stream()
        .filter(o -> o.encoding() == Encoding.VOP3)
        .map(Opcode::name)
        .filter(n -> n.startsWith("v_cvt_scalef32_"))
        .filter(which);
  }

  private static String[] types(String name) {
    String[] parts = name.split("_", -1);
    return new String[] {parts[parts.length - 2], parts[parts.length - 1]};
  }

  private static boolean isNarrow(String type) {
    return !type.endsWith("16") && !type.endsWith("32");
  }

  static Stream<String> widening() {
    return names(n -> isNarrow(types(n)[1]));
  }

  static Stream<String> toNearest() {
    return names(n -> isNarrow(types(n)[0]) && !n.contains("_sr_"));
  }

  static Stream<String> byRandomBits() {
    return names(n -> n.contains("_sr_"));
  }

  private static int count(String name) {
    return name.contains("pk32") || name.contains("2xpk16") ? 32 : name.contains("pk_") ? 2 : 1;
  }

  private static Instruction instruction(String name, Modifiers modifiers) {
    Opcode opcode =
        Decoder.of(Target.GFX950).opcodes().stream()
            .filter(o -> o.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<Operand> operands = new ArrayList<>();
    operands.add(new Operand.Vector(DESTINATION, opcode.slots().getFirst().type().dwords()));
    operands.add(new Operand.Vector(FIRST, opcode.slots().get(1).type().dwords()));
    if (opcode.slots().size() == 4) {
      operands.add(
          name.contains("_sr_")
              ? new Operand.Vector(RANDOM, 1)
              : new Operand.Vector(SECOND, opcode.slots().get(2).type().dwords()));
    }
    operands.add(new Operand.Vector(SCALE, 1));
    return new Instruction(opcode, 8, operands, modifiers);
  }

  private void run(String name, int opSel) {
    ScaledConversion.of(instruction(name, new Modifiers.Vop3(0, 0, 0, false, opSel)))
        .orElseThrow()
        .execute(wave);
  }

  private int bits(int register, int lane, int bit, int width) {
    int word = wave.v[(register + bit / 32) * 64 + lane];
    return width == 32 ? word : BitFields.get(wave.v, register * 64 + lane, bit, width);
  }

  private void fill() {
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] = random.nextInt();
    }
    for (int lane = 0; lane < 64; lane++) {
      wave.v[SCALE * 64 + lane] =
          random.nextInt(16) == 0 ? 0x7f800000 : random.nextInt(100, 150) << 23 | lane;
    }
  }

  private int scale(int lane) {
    return (wave.v[SCALE * 64 + lane] >>> 23) - 127;
  }

  /** The value of a code of a type of which the name is that in mnemonics. */
  private static double value(String type, int code) {
    return switch (type) {
      case "f32" -> Float.intBitsToFloat(code);
      case "f16" -> Float.float16ToFloat((short) code);
      case "bf16" -> Float.intBitsToFloat(code << 16);
      case "fp8" -> OcpFp8.E4M3.value(code);
      case "bf8" -> OcpFp8.E5M2.value(code);
      case "fp6" -> small(code, 6, 3, 1);
      case "bf6" -> small(code, 6, 2, 3);
      default -> small(code, 4, 1, 1);
    };
  }

  /** OCP Microscaling Formats 1.0, 5.3: without infinities and NaN. */
  private static double small(int code, int bits, int mantissa, int bias) {
    int exponent = code >> mantissa & (1 << (bits - 1 - mantissa)) - 1;
    double fraction = (code & (1 << mantissa) - 1) / (double) (1 << mantissa);
    double size =
        exponent == 0
            ? fraction * Math.pow(2, 1 - bias)
            : (1 + fraction) * Math.pow(2, exponent - bias);
    return (code >> (bits - 1) & 1) != 0 ? -size : size;
  }

  private static int width(String type) {
    return type.endsWith("32") ? 32 : type.endsWith("16") ? 16 : type.charAt(2) - '0';
  }

  @ParameterizedTest
  @MethodSource("widening")
  void widens(String name) {
    String to = types(name)[0];
    String from = types(name)[1];
    fill();
    int[] before = wave.v.clone();
    run(name, 0);
    for (int lane = 0; lane < 64; lane++) {
      for (int i = 0; i < count(name); i++) {
        int code = BitFields.get(before, FIRST * 64 + lane, i * width(from), width(from));
        double exact = value(from, code) * Math.pow(2, scale(lane));
        double result = value(to, bits(DESTINATION, lane, i * width(to), width(to)));
        double expected =
            scale(lane) == 128
                ? Double.NaN
                : to.equals("f16")
                    ? Float.float16ToFloat(Float.floatToFloat16((float) exact))
                    : (float) exact;
        assertThat(Double.valueOf(result))
            .as("%s %x 2^%d", name, code, scale(lane))
            .isEqualTo(Double.valueOf(expected));
      }
    }
  }

  /** The place of a number in the sources: two operands give them in turn. */
  private int number(int[] before, String name, String from, int i, int lane) {
    boolean two = !name.contains("_sr_") && from.equals("f32") && count(name) > 1;
    int register = two && (i & 1) != 0 ? SECOND : FIRST;
    int bit = (two ? i / 2 : i) * width(from);
    int word = before[(register + bit / 32) * 64 + lane];
    return width(from) == 32 ? word : word >>> (bit & 31) & 0xffff;
  }

  /** Numbers near those that the narrow types have, so that few are too large or zero. */
  private void numbers(String from) {
    for (int register = FIRST; register < SCALE; register++) {
      for (int lane = 0; lane < 64; lane++) {
        int one = near(from, scale(lane));
        wave.v[register * 64 + lane] =
            width(from) == 32 ? one : one & 0xffff | near(from, scale(lane)) << 16;
      }
    }
  }

  private int near(String from, int scale) {
    if (random.nextInt(8) == 0) {
      return random.nextInt();
    }
    double value = (random.nextDouble() - 0.5) * Math.pow(2, random.nextInt(-20, 20) + scale);
    return switch (from) {
      case "f32" -> Float.floatToRawIntBits((float) value);
      case "f16" -> Float.floatToFloat16((float) value);
      default -> Float.floatToRawIntBits((float) value) >>> 16;
    };
  }

  @ParameterizedTest
  @MethodSource("toNearest")
  void narrowsToTheNearest(String name) {
    String to = types(name)[0];
    String from = types(name)[1];
    fill();
    numbers(from);
    int[] before = wave.v.clone();
    run(name, 0);
    for (int lane = 0; lane < 64; lane++) {
      for (int i = 0; i < count(name); i++) {
        double number = value(from, number(before, name, from, i, lane));
        double exact = scale(lane) == 128 ? Double.NaN : number / Math.pow(2, scale(lane));
        int code = bits(DESTINATION, lane, i * width(to), width(to));
        int negative = number(before, name, from, i, lane) >>> (width(from) - 1) & 1;
        assertThat(code)
            .as("%s %a 2^%d", name, number, scale(lane))
            .isEqualTo(negative << (width(to) - 1) | nearest(to, Math.abs(exact)));
      }
    }
  }

  /** The code of a number that is not negative. */
  private static int nearest(String to, double exact) {
    int top = top(to);
    if (Double.isNaN(exact)) {
      return (1 << (width(to) - 1)) - 1;
    }
    double largest = value(to, top);
    double number = Math.min(exact, 4 * largest);
    int best = 0;
    for (int code = 1; code <= top; code++) {
      double now = Math.abs(value(to, code) - number);
      double least = Math.abs(value(to, best) - number);
      best = now < least || (now == least && (code & 1) == 0) ? code : best;
    }
    // Beyond the middle between the largest number and the one that would follow it
    double over = number - largest - (largest - value(to, top - 1)) / 2;
    boolean overflows = width(to) == 8 && (over > 0 || (over == 0 && (top & 1) != 0));
    return overflows ? top + 1 : best;
  }

  private static int top(String type) {
    return switch (type) {
      case "fp8" -> 0x7e;
      case "bf8" -> 0x7b;
      default -> (1 << (width(type) - 1)) - 1;
    };
  }

  /**
   * A number lies between two codes; the upper bits of the random ones, as many as the source's
   * fraction has more than that of the code, decide by their size whether the sum reaches the upper
   * one.
   */
  @ParameterizedTest
  @MethodSource("byRandomBits")
  void narrowsByRandomBits(String name) {
    String to = types(name)[0];
    String from = types(name)[1];
    fill();
    numbers(from);
    int[] before = wave.v.clone();
    run(name, 0);
    int fraction = from.equals("f32") ? 23 : from.equals("f16") ? 10 : 7;
    int kept = to.equals("fp8") || to.equals("fp6") ? 3 : to.equals("fp4") ? 1 : 2;
    int least =
        switch (to) {
          case "fp8" -> -6;
          case "bf8" -> -14;
          case "bf6" -> -2;
          default -> 0;
        };
    int checked = 0;
    for (int lane = 0; lane < 64; lane++) {
      for (int i = 0; i < count(name); i++) {
        double exact = value(from, number(before, name, from, i, lane)) / Math.pow(2, scale(lane));
        int code = bits(DESTINATION, lane, i * width(to), width(to));
        double result = value(to, code);
        int exponent = Math.max(Math.getExponent(exact), least);
        if (scale(lane) == 128
            || !Double.isFinite(exact)
            || exact == 0
            || Math.abs(exact) > value(to, top(to))
            || Math.getExponent(exact) < -100) {
          continue;
        }
        // In units of the last bit of the source's fraction at that exponent, cut there
        BigDecimal unit = new BigDecimal(Math.pow(2, exponent - fraction));
        BigInteger units =
            new BigDecimal(Math.abs(exact)).divideToIntegralValue(unit).toBigInteger();
        long added =
            Integer.toUnsignedLong(before[RANDOM * 64 + lane]) >>> (32 - (fraction - kept));
        BigInteger steps = units.add(BigInteger.valueOf(added)).shiftRight(fraction - kept);
        double expected =
            Math.min(steps.doubleValue() * Math.pow(2, exponent - kept), Double.MAX_VALUE);
        if (expected <= value(to, top(to))) {
          assertThat(Math.abs(result)).as("%s %a", name, exact).isEqualTo(expected);
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(15);
  }

  /** Each place that op_sel picks; other bits of the destination stay. */
  @ParameterizedTest
  @CsvSource({
    "v_cvt_scalef32_f32_fp8, 2, 44332211, 22, 0, 32",
    "v_cvt_scalef32_f32_fp8, 1, 44332211, 33, 0, 32",
    "v_cvt_scalef32_f32_bf8, 3, 44332211, 44, 0, 32",
    "v_cvt_scalef32_f16_fp8, 8, 44332211, 11, 16, 16",
    "v_cvt_scalef32_f16_bf8, 10, 44332211, 22, 16, 16",
    "v_cvt_scalef32_f16_bf8, 0, 44332211, 11, 0, 16",
    "v_cvt_scalef32_pk_f32_fp8, 1, 44332211, 33, 0, 32",
    "v_cvt_scalef32_pk_bf16_bf8, 1, 44332211, 33, 0, 16"
  })
  void picksTheSource(String name, int opSel, String word, String code, int bit, int width) {
    wave.v[FIRST * 64] = Integer.parseUnsignedInt(word, 16);
    wave.v[SCALE * 64] = 0x3f800000;
    wave.v[DESTINATION * 64] = 0x12345678;
    run(name, opSel);
    String to = types(name)[0];
    assertThat(value(to, bits(DESTINATION, 0, bit, width)))
        .isEqualTo(value(types(name)[1], Integer.parseInt(code, 16)));
    if (width == 16 && count(name) == 1) {
      assertThat(bits(DESTINATION, 0, 16 - bit, 16)).isEqualTo(bit == 0 ? 0x1234 : 0x5678);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v_cvt_scalef32_pk_fp4_f32, 0, 12345642",
    "v_cvt_scalef32_pk_fp4_f32, 4, 12344278",
    "v_cvt_scalef32_pk_fp4_f32, 8, 12425678",
    "v_cvt_scalef32_pk_fp4_f32, 12, 42345678",
    "v_cvt_scalef32_sr_fp8_f32, 0, 12345638",
    "v_cvt_scalef32_sr_fp8_f32, 4, 12343878",
    "v_cvt_scalef32_sr_fp8_f32, 8, 12385678",
    "v_cvt_scalef32_pk_fp8_f32, 0, 12344038",
    "v_cvt_scalef32_pk_fp8_f32, 8, 40385678"
  })
  void picksTheDestination(String name, int opSel, String result) {
    wave.v[FIRST * 64] = Float.floatToRawIntBits(1);
    wave.v[SECOND * 64] = Float.floatToRawIntBits(2);
    wave.v[SCALE * 64] = 0x3f800000;
    wave.v[RANDOM * 64] = 0;
    wave.v[DESTINATION * 64] = 0x12345678;
    run(name, opSel);
    assertThat(Integer.toHexString(wave.v[DESTINATION * 64])).isEqualTo(result);
  }

  /** With FP16_OVFL in MODE, what is too large for 8 bits becomes the largest number. */
  @ParameterizedTest
  @CsvSource({
    "v_cvt_scalef32_sr_fp8_f32, 500, 7f, 7e",
    "v_cvt_scalef32_sr_bf8_f32, -1e9, fc, fb",
    "v_cvt_scalef32_pk_fp8_f32, -500, ff, fe"
  })
  void saturates(String name, float value, String usual, String saturated) {
    wave.v[FIRST * 64] = Float.floatToRawIntBits(value);
    wave.v[SECOND * 64] = 0;
    wave.v[SCALE * 64] = 0x3f800000;
    wave.v[RANDOM * 64] = 0;
    run(name, 0);
    assertThat(Integer.toHexString(bits(DESTINATION, 0, 0, 8))).isEqualTo(usual);
    wave.mode |= UnusualMode.SATURATES;
    run(name, 0);
    assertThat(Integer.toHexString(bits(DESTINATION, 0, 0, 8))).isEqualTo(saturated);
  }

  @Test
  void inactiveLanesKeepTheirRegisters() {
    fill();
    int[] before = wave.v.clone();
    wave.s64(Wave.EXEC, 2);
    run("v_cvt_scalef32_pk32_f32_fp6", 0);
    for (int register = DESTINATION; register < DESTINATION + 32; register++) {
      assertThat(wave.v[register * 64]).isEqualTo(before[register * 64]);
    }
    assertThat(wave.v[DESTINATION * 64 + 1]).isNotEqualTo(before[DESTINATION * 64 + 1]);
  }

  /** Signs of two sources are each their own; those of packed halves are not documented. */
  @Test
  void signs() {
    wave.v[FIRST * 64] = Float.floatToRawIntBits(-1);
    wave.v[SECOND * 64] = Float.floatToRawIntBits(2);
    wave.v[SCALE * 64] = 0x3f800000;
    wave.v[DESTINATION * 64] = 0;
    ScaledConversion.of(
            instruction("v_cvt_scalef32_pk_fp8_f32", new Modifiers.Vop3(1, 2, 0, false, 0)))
        .orElseThrow()
        .execute(wave);
    assertThat(Integer.toHexString(wave.v[DESTINATION * 64])).isEqualTo("c038");
    assertThat(
            ScaledConversion.of(
                instruction("v_cvt_scalef32_pk_fp8_f16", new Modifiers.Vop3(0, 1, 0, false, 0))))
        .isEmpty();
  }

  /** An inline constant is of the width of its operand's numbers. */
  @Test
  void constants() {
    Opcode opcode = instruction("v_cvt_scalef32_sr_fp8_f16", new Modifiers.None()).opcode();
    assertThat(opcode.slots().get(1).type()).isEqualTo(DataType.F16);
    wave.v[DESTINATION * 64] = 0;
    Operand one = new Operand.Inline(242);
    ScaledConversion.of(
            new Instruction(
                opcode,
                8,
                List.of(new Operand.Vector(DESTINATION, 1), one, new Operand.Inline(128), one),
                new Modifiers.None()))
        .orElseThrow()
        .execute(wave);
    assertThat(Integer.toHexString(wave.v[DESTINATION * 64])).isEqualTo("38");
  }
}
