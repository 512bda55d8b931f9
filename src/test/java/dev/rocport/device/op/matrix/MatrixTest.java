package dev.rocport.device.op.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.device.isa.Decoder;
import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.isa.Target;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Environment;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.NoEnvironment;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Temporaries;
import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every matrix opcode against sums over the element positions that AMD's calculator prints for it.
 * The elements are small integers, so that each sum is exact.
 */
final class MatrixTest {
  private static final int VDST = 64;
  private static final int SRC0 = 0;
  private static final int SRC1 = 8;
  private static final int SRC2 = 16;

  private record Dimensions(int m, int n, int k, int blocks) {
    static Dimensions of(Opcode opcode) {
      String[] words = opcode.name().replaceFirst("v_\\w+?_[fi]\\d\\d_", "").split("x", 3);
      int m = Integer.parseInt(words[0]);
      int n = Integer.parseInt(words[1]);
      int k = Integer.parseInt(words[2].replaceFirst("^(\\d+).*", "$1"));
      int dwords = opcode.slots().getFirst().type().dwords();
      boolean wide = opcode.name().contains("_f64_");
      return new Dimensions(m, n, k, dwords * 64 / (wide ? 2 : 1) / m / n);
    }
  }

  /** What a register's element of some bits means. */
  private static IntToDoubleFunction decode(String type) {
    return switch (type) {
      case "f32", "xf32" -> Float::intBitsToFloat;
      case "f16" -> b -> Float.float16ToFloat((short) b);
      case "bf16" -> b -> Float.intBitsToFloat(b << 16);
      case "i8" -> b -> (byte) b;
      case "fp8" -> b -> small(b & 0xff, 3, 8);
      case "bf8" -> b -> small(b & 0xff, 2, 16);
      case "ocpfp8" -> b -> small(b & 0xff, 3, 7);
      case "ocpbf8" -> b -> small(b & 0xff, 2, 15);
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static double small(int bits, int mantissa, int bias) {
    int exponent = (bits & 0x7f) >> mantissa;
    double fraction = (bits & (1 << mantissa) - 1) / (double) (1 << mantissa);
    double value =
        exponent == 0
            ? fraction * Math.pow(2, 1 - bias)
            : (1 + fraction) * Math.pow(2, exponent - bias);
    return bits >= 0x80 ? -value : value;
  }

  private static int bits(String type) {
    return type.endsWith("8") ? 8 : type.endsWith("16") ? 16 : 32;
  }

  static Stream<Arguments> opcodes() {
    return Target.withLanes(64).stream()
        .flatMap(
            t ->
                Decoder.of(t).opcodes().stream()
                    .filter(o -> o.encoding() == Encoding.VOP3P)
                    .filter(o -> o.name().matches("v_s?mf[m]?(ma|mac).*"))
                    .filter(o -> !o.name().endsWith("_f8f6f4"))
                    .map(o -> Arguments.of(t, o.name(), o)));
  }

  @Test
  void everyMatrixOpcodeIsHere() {
    assertThat(opcodes().count()).isEqualTo(27 + 46 + 34 + 16);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("opcodes")
  void multiplies(Target target, String name, Opcode opcode) {
    Dimensions size = Dimensions.of(opcode);
    boolean sparse = name.startsWith("v_smfmac");
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      int cbsz = 0;
      int abid = 0;
      int blgp = 0;
      if (sparse) {
        cbsz = random.nextInt(2);
        abid = random.nextInt(4);
      } else if (seed > 1 && !name.contains("_f64_")) {
        cbsz = random.nextInt(Integer.numberOfTrailingZeros(size.blocks()) + 1);
        abid = random.nextInt(1 << cbsz);
        blgp = random.nextInt(8);
      } else if (seed > 1) {
        blgp = random.nextInt(8);
      }
      Wave wave = wave(target, random);
      Modifiers.Matrix modifiers = new Modifiers.Matrix(cbsz, abid, blgp);
      if (name.contains("_f64_")) {
        doubles(wave, opcode, size, modifiers, random);
      } else {
        small(wave, opcode, size, modifiers, seed, random);
      }
    }
  }

  private static Wave wave(Target target, Random random) {
    Environment environment = new NoEnvironment(target);
    Code code =
        new Code(
            0,
            0,
            _ -> {
              throw new IllegalStateException();
            },
            _ -> Optional.empty());
    Group group = new Group(environment, 0, 0, 0, 0, 0);
    Wave wave = new Wave(code, group, 0, 128, 128, 0, 0, new Temporaries());
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] = random.nextInt();
      wave.a[i] = random.nextInt();
    }
    return wave;
  }

  private static Instruction instruction(
      Opcode opcode, Modifiers.Matrix modifiers, boolean accumulators, Operand src2) {
    List<Operand> operands = new ArrayList<>();
    for (Opcode.Slot slot : opcode.slots()) {
      int dwords = slot.type().dwords();
      operands.add(
          switch (slot.name()) {
            case "vdst" ->
                accumulators
                    ? new Operand.Accumulator(VDST, dwords)
                    : new Operand.Vector(VDST, dwords);
            case "src0" -> new Operand.Vector(SRC0, dwords);
            case "src1" ->
                accumulators
                    ? new Operand.Accumulator(SRC1, dwords)
                    : new Operand.Vector(SRC1, dwords);
            default -> src2;
          });
    }
    return new Instruction(opcode, 8, operands, modifiers);
  }

  private static void run(Wave wave, Instruction instruction) {
    new MatrixTranslator().translate(instruction).orElseThrow().execute(wave);
  }

  /** Small integers in every element of some registers. */
  private static void fill(int[] registers, int first, int dwords, String type, Random random) {
    int bits = bits(type);
    int[] codes =
        type.equals("i8")
            ? IntStream.range(0, 256).toArray()
            : IntStream.rangeClosed(-4, 4).map(v -> code(type, v)).toArray();
    for (int x = first * 64; x < (first + dwords) * 64; x++) {
      registers[x] = 0;
      for (int shift = 0; shift < 32; shift += bits) {
        registers[x] |= codes[random.nextInt(codes.length)] << shift;
      }
    }
  }

  private static int code(String type, int value) {
    return switch (type) {
      case "f32", "xf32" -> Float.floatToRawIntBits(value);
      case "f16" -> Float.floatToFloat16(value) & 0xffff;
      case "bf16" -> Float.floatToRawIntBits(value) >>> 16;
      default ->
          IntStream.range(0, 256)
              .filter(c -> c != 0x80 && decode(type).applyAsDouble(c) == value)
              .findFirst()
              .orElseThrow();
    };
  }

  private static void small(
      Wave wave,
      Opcode opcode,
      Dimensions size,
      Modifiers.Matrix modifiers,
      int seed,
      Random random) {
    String name = opcode.name();
    boolean sparse = name.startsWith("v_smfmac");
    String types = name.replaceFirst(".*x\\d+(_\\d+b)?_?", "").replace("_1k", "");
    String typeA = types.contains("_") ? types.substring(0, types.indexOf('_')) : types;
    String typeB = types.substring(types.indexOf('_') + 1);
    boolean accumulators = seed % 2 == 1;
    boolean integer = name.contains("_i32_");
    int[] cFile = accumulators ? wave.a : wave.v;
    int dwords = opcode.slots().getFirst().type().dwords();
    fill(wave.v, SRC0, opcode.slots().get(1).type().dwords(), typeA, random);
    fill(
        accumulators ? wave.a : wave.v, SRC1, opcode.slots().get(2).type().dwords(), typeB, random);
    int c = sparse ? VDST : SRC2;
    for (int x = c * 64; x < (c + dwords) * 64; x++) {
      int value = random.nextInt(100) - 50;
      cFile[x] = integer ? value : Float.floatToRawIntBits(value);
    }
    boolean constant = !sparse && seed == 0;
    Operand src2 =
        sparse
            ? new Operand.Vector(SRC2 + 40, 1)
            : constant
                ? new Operand.Inline(integer ? 128 + 7 : 242)
                : accumulators
                    ? new Operand.Accumulator(SRC2, dwords)
                    : new Operand.Vector(SRC2, dwords);
    if (sparse) {
      // of each four columns, two different ones in ascending order
      int[] pairs = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
      for (int lane = 0; lane < 64; lane++) {
        int word = 0;
        for (int shift = 0; shift < 32; shift += 4) {
          word |= pairs[random.nextInt(pairs.length)] << shift;
        }
        wave.v[(SRC2 + 40) * 64 + lane] = word;
      }
    }
    int[] v = wave.v.clone();
    int[] a = wave.a.clone();
    run(wave, instruction(opcode, modifiers, accumulators, src2));
    double[][] matrixA = new double[size.m()][size.k()];
    for (int block = 0; block < size.blocks(); block++) {
      for (int i = 0; i < size.m(); i++) {
        matrixA[i] =
            sparse
                ? sparseRow(v, typeA, size, modifiers, i)
                : denseRow(v, typeA, size, modifiers, block, i);
      }
      for (int i = 0; i < size.m(); i++) {
        for (int j = 0; j < size.n(); j++) {
          int at = resultRegister(size, block, i) * 64 + resultLane(size, block, i, j);
          int[] old = accumulators ? a : v;
          double sum =
              constant
                  ? integer ? 7 : 1
                  : (integer ? old[c * 64 + at] : Float.intBitsToFloat(old[c * 64 + at]));
          for (int k = 0; k < size.k(); k++) {
            int div = size.k() * size.n() * size.blocks() / 64;
            int lane =
                permuted(
                    size.n() * block + size.n() * size.blocks() * (k / div) + j,
                    sparse ? 0 : modifiers.blgp());
            double b = element(accumulators ? a : v, SRC1, lane, k % div, typeB);
            sum += matrixA[i][k] * b;
          }
          int got = cFile[VDST * 64 + at];
          double value = integer ? got : Float.intBitsToFloat(got);
          assertThat(value)
              .as("%s %s block %d [%d][%d]", name, modifiers, block, i, j)
              .isEqualTo(sum);
        }
      }
    }
  }

  private static double element(int[] file, int first, int lane, int element, String type) {
    int bit = element * bits(type);
    return decode(type).applyAsDouble(file[(first + bit / 32) * 64 + lane] >>> bit % 32);
  }

  private static double[] denseRow(
      int[] v, String type, Dimensions size, Modifiers.Matrix modifiers, int block, int i) {
    int receivers = 1 << modifiers.cbsz();
    int from = block / receivers * receivers + modifiers.abid();
    int div = size.k() * size.m() * size.blocks() / 64;
    return IntStream.range(0, size.k())
        .mapToDouble(
            k -> {
              int lane = size.m() * from + size.m() * size.blocks() * (k / div) + i;
              return element(v, SRC0, lane, k % div, type);
            })
        .toArray();
  }

  /** The row of a sparse A, with zeros where nothing was kept. */
  private static double[] sparseRow(
      int[] v, String type, Dimensions size, Modifiers.Matrix modifiers, int i) {
    double[] row = new double[size.k()];
    int lanes = 64 / size.m();
    int kept = size.k() / 2 / lanes;
    int shift =
        modifiers.cbsz() != 0
            ? 0
            : bits(type) == 16 ? 8 * (modifiers.abid() % 4) : 16 * (modifiers.abid() % 2);
    for (int g = 0; g < lanes; g++) {
      int lane = g * size.m() + i;
      int index = v[(SRC2 + 40) * 64 + lane] >>> shift;
      for (int e = 0; e < kept; e++) {
        int column = g * 2 * kept + e / 2 * 4 + (index >> 2 * e & 3);
        row[column] = element(v, SRC0, lane, e, type);
      }
    }
    return row;
  }

  private static int permuted(int lane, int blgp) {
    return switch (blgp) {
      case 0 -> lane;
      case 1 -> lane % 32;
      case 2 -> lane % 32 + 32;
      case 3 -> (lane + 16) % 64;
      default -> lane % 16 + 16 * (blgp - 4);
    };
  }

  /** As the calculator prints it for each shape of a 32-bit result. */
  private static int resultRegister(Dimensions size, int block, int i) {
    return switch (size.m() * 100 + size.blocks()) {
      case 416 -> i;
      case 1604 -> 4 * block + i % 4;
      case 1601 -> i % 4;
      case 3202 -> 16 * block + 4 * (i / 8) + i % 4;
      case 3201 -> 4 * (i / 8) + i % 4;
      default -> throw new IllegalArgumentException(size.toString());
    };
  }

  private static int resultLane(Dimensions size, int block, int i, int j) {
    return switch (size.m()) {
      case 4 -> 4 * block + j;
      case 16 -> 16 * (i / 4) + j;
      default -> 32 * (i / 4) % 64 + j;
    };
  }

  private static void doubles(
      Wave wave, Opcode opcode, Dimensions size, Modifiers.Matrix modifiers, Random random) {
    for (int x = 0; x < 64 * 64; x++) {
      int pair = x / 128 * 128 + x % 64;
      if (x % 128 < 64) {
        long bits = Double.doubleToRawLongBits(random.nextInt(2001) - 1000);
        wave.v[pair] = (int) bits;
        wave.v[pair + 64] = (int) (bits >>> 32);
      }
    }
    int[] v = wave.v.clone();
    int dwords = opcode.slots().getFirst().type().dwords();
    run(wave, instruction(opcode, modifiers, false, new Operand.Vector(SRC2, dwords)));
    int neg = modifiers.blgp();
    for (int block = 0; block < size.blocks(); block++) {
      for (int i = 0; i < size.m(); i++) {
        for (int j = 0; j < size.n(); j++) {
          int register = size.blocks() == 1 ? 2 * (i / 4) : 0;
          int lane = 16 * (i % 4) + (size.blocks() == 1 ? 0 : 4 * block) + j;
          double sum =
              (neg & 4) == 0 ? number(v, SRC2 + register, lane) : -number(v, SRC2 + register, lane);
          for (int k = 0; k < size.k(); k++) {
            int first = size.m() * (size.blocks() == 1 ? 0 : block) + 16 * k;
            double product = number(v, SRC0, first + i) * number(v, SRC1, first + j);
            sum += (neg & 1) == (neg >> 1 & 1) ? product : -product;
          }
          assertThat(number(wave.v, VDST + register, lane))
              .as("%s %s block %d [%d][%d]", opcode.name(), modifiers, block, i, j)
              .isEqualTo(sum);
        }
      }
    }
  }

  private static double number(int[] v, int register, int lane) {
    return Double.longBitsToDouble(
        (v[register * 64 + lane] & 0xffffffffL) | (long) v[register * 64 + 64 + lane] << 32);
  }

  private static Opcode opcode(Target target, String name) {
    return Decoder.of(target).opcodes().stream()
        .filter(o -> o.name().equals(name) && o.encoding() == Encoding.VOP3P)
        .findFirst()
        .orElseThrow();
  }

  /** A product of one lane's elements, all others 0: D[0][0] = c + sum of a[k] * b[k]. */
  private static float dot(Target target, String name, int[] a, int[] b, float c) {
    Wave wave = wave(target, new Random(1));
    Arrays.fill(wave.v, 0);
    for (int r = 0; r < a.length; r++) {
      wave.v[(SRC0 + r) * 64] = a[r];
      wave.v[(SRC1 + r) * 64] = b[r];
    }
    wave.v[SRC2 * 64] = Float.floatToRawIntBits(c);
    Opcode opcode = opcode(target, name);
    run(
        wave,
        instruction(opcode, new Modifiers.Matrix(0, 0, 0), false, new Operand.Vector(SRC2, 4)));
    return Float.intBitsToFloat(wave.v[VDST * 64]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"v_mfma_f32_16x16x16_f16", "v_mfma_f32_32x32x4_xf32", "v_mfma_i32_16x16x32_i8"})
  void anOftenUsedOperationComputesTheSame(String name) {
    Opcode opcode = opcode(Target.GFX942, name);
    Wave wave = wave(Target.GFX942, new Random(3));
    for (int i = 0; i < wave.v.length; i++) {
      wave.v[i] &= 0xbfffbfff;
    }
    Operand src2 = new Operand.Vector(SRC2, opcode.slots().getFirst().type().dwords());
    Op op =
        new MatrixTranslator()
            .translate(instruction(opcode, new Modifiers.Matrix(0, 0, 0), false, src2))
            .orElseThrow();
    op.execute(wave);
    int[] first = wave.v.clone();
    for (int i = 0; i < 210; i++) {
      op.execute(wave);
    }
    assertThat(wave.v).isEqualTo(first);
  }

  @Test
  void aProductIsNotRoundedBeforeItIsAdded() {
    int x = Float.floatToRawIntBits(1 + 0x1p-12f);
    assertThat(dot(Target.GFX942, "v_mfma_f32_16x16x4_f32", new int[] {x}, new int[] {x}, -1))
        .isEqualTo(0x1p-11f + 0x1p-24f);
  }

  @Test
  void gfx90aTakesDenormalHalvesForZero() {
    int[] denormal = {0x0001};
    int[] large = {Float.floatToFloat16(1024) & 0xffff};
    assertThat(dot(Target.GFX90A, "v_mfma_f32_16x16x16f16", denormal, large, 1)).isEqualTo(1);
    assertThat(dot(Target.GFX942, "v_mfma_f32_16x16x16_f16", denormal, large, 1))
        .isEqualTo(1 + 0x1p-14f);
  }

  @Test
  void xf32DropsThirteenBits() {
    int one = Float.floatToRawIntBits(1);
    int[] a = {Float.floatToRawIntBits(1 + 0x1p-11f), Float.floatToRawIntBits(1 + 3 * 0x1p-11f)};
    assertThat(dot(Target.GFX942, "v_mfma_f32_16x16x8_xf32", a, new int[] {one, one}, 0))
        .isEqualTo(1 + (1 + 0x1p-9f));
  }

  @Test
  void minusZeroOfSmallFloatsIsNan() {
    assertThat(
            dot(
                Target.GFX942,
                "v_mfma_f32_16x16x32_fp8_bf8",
                new int[] {0x80, 0},
                new int[] {0x40, 0},
                0))
        .isNaN();
  }
}
