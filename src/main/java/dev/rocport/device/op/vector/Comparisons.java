package dev.rocport.device.op.vector;

import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.UGE;
import static jdk.incubator.vector.VectorOperators.UGT;
import static jdk.incubator.vector.VectorOperators.ULE;
import static jdk.incubator.vector.VectorOperators.ULT;

import dev.rocport.device.isa.DataType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators.Comparison;
import org.jspecify.annotations.Nullable;

/** v_cmp_* and v_cmpx_*. */
final class Comparisons {
  private static final Pattern NAME = Pattern.compile("v_cmpx?_([a-z]+)_([iuf])(16|32|64)");

  private Comparisons() {}

  static @Nullable Definition named(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    String how = matcher.group(1);
    int width = Integer.parseInt(matcher.group(3));
    DataType type = DataType.valueOf(matcher.group(2).toUpperCase(java.util.Locale.ROOT) + width);
    if (how.equals("class")) {
      return type.isFloat() ? ofClass(type) : null;
    }
    return type.isFloat() ? real(how, type) : integer(how, type);
  }

  private static @Nullable Definition integer(String how, DataType type) {
    Test.Long2 test = ordered(how);
    if (test == null) {
      return null;
    }
    boolean signed = type.name().startsWith("I");
    Definition definition =
        Definition.ofTest(
            switch (type) {
              case I16 -> Test.longs((a, b) -> test.test((short) a, (short) b));
              case U16 -> Test.longs((a, b) -> test.test(a & 0xffff, b & 0xffff));
              case I32 -> Test.ints((a, b) -> test.test(a, b));
              case U32, I64 -> Test.longs(test);
              default -> Test.longs((a, b) -> test.test(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE));
            },
            type,
            type);
    Comparison operator = operator(how, signed);
    if (operator == null || type.elementBits() == 16) {
      return definition;
    }
    return definition.form(
        type.elementBits() == 32
            ? (VectorForm.IntTest) (a, b) -> a.compare(operator, b)
            : (VectorForm.PairTest) (a, b) -> a.compare(operator, b));
  }

  private static Test.@Nullable Long2 ordered(String how) {
    return switch (how) {
      case "f" -> (a, b) -> false;
      case "lt" -> (a, b) -> a < b;
      case "eq" -> (a, b) -> a == b;
      case "le" -> (a, b) -> a <= b;
      case "gt" -> (a, b) -> a > b;
      case "ne" -> (a, b) -> a != b;
      case "ge" -> (a, b) -> a >= b;
      case "t" -> (a, b) -> true;
      default -> null;
    };
  }

  private static @Nullable Comparison operator(String how, boolean signed) {
    return switch (how) {
      case "lt" -> signed ? LT : ULT;
      case "eq" -> EQ;
      case "le" -> signed ? LE : ULE;
      case "gt" -> signed ? GT : UGT;
      case "ne" -> NE;
      case "ge" -> signed ? GE : UGE;
      default -> null;
    };
  }

  private static @Nullable Definition real(String how, DataType type) {
    Test.Double2 test = unordered(how);
    if (test == null) {
      return null;
    }
    Definition definition =
        Definition.ofTest(
                switch (type) {
                  case F16 -> Test.halves(test);
                  case F32 -> Test.floats(test);
                  default -> Test.doubles(test);
                },
                type,
                type)
            .byMode();
    boolean not = how.length() == 3 && how.startsWith("n");
    Comparison operator =
        switch (how) {
          case "lt", "nlt" -> LT;
          case "eq" -> EQ;
          case "neq" -> NE;
          case "le", "nle" -> LE;
          case "gt", "ngt" -> GT;
          case "ge", "nge" -> GE;
          default -> null;
        };
    if (operator == null || type == DataType.F16) {
      return definition;
    }
    if (type == DataType.F64) {
      return definition.form(
          (VectorForm.PairTest)
              (a, b) -> {
                VectorMask<Long> mask =
                    a.reinterpretAsDoubles()
                        .compare(operator, b.reinterpretAsDoubles())
                        .cast(a.species());
                return not && operator != NE ? mask.not() : mask;
              });
    }
    return definition.form(
        (VectorForm.IntTest)
            (a, b) -> {
              VectorMask<Integer> mask =
                  a.reinterpretAsFloats()
                      .compare(operator, b.reinterpretAsFloats())
                      .cast(a.species());
              return not && operator != NE ? mask.not() : mask;
            });
  }

  private static Test.@Nullable Double2 unordered(String how) {
    return switch (how) {
      case "f" -> (a, b) -> false;
      case "lt" -> (a, b) -> a < b;
      case "eq" -> (a, b) -> a == b;
      case "le" -> (a, b) -> a <= b;
      case "gt" -> (a, b) -> a > b;
      case "lg" -> (a, b) -> a < b || a > b;
      case "ge" -> (a, b) -> a >= b;
      case "o" -> (a, b) -> !Double.isNaN(a) && !Double.isNaN(b);
      case "u" -> (a, b) -> Double.isNaN(a) || Double.isNaN(b);
      case "nge" -> (a, b) -> !(a >= b);
      case "nlg" -> (a, b) -> !(a < b || a > b);
      case "ngt" -> (a, b) -> !(a > b);
      case "nle" -> (a, b) -> !(a <= b);
      case "neq" -> (a, b) -> a != b;
      case "nlt" -> (a, b) -> !(a < b);
      case "tru" -> (a, b) -> true;
      default -> null;
    };
  }

  /**
   * Bits of the second source: 0 signaling NaN, 1 quiet NaN, 2 -inf, 3 negative normal, 4 negative
   * denormal, 5 -0, 6 +0, 7 positive denormal, 8 positive normal, 9 +inf. Source: AMD's CDNA3 ISA
   * manual, V_CMP_CLASS_F32.
   */
  private static Definition ofClass(DataType type) {
    int width = type.elementBits();
    int mantissa = width == 16 ? 10 : width == 32 ? 23 : 52;
    long exponents = (1L << (width - 1 - mantissa)) - 1;
    return Definition.ofTest(
        (a, b, c, bit) -> {
          long fraction = a & (1L << mantissa) - 1;
          long exponent = a >>> mantissa & exponents;
          boolean negative = (a >>> (width - 1) & 1) != 0;
          int kind;
          if (exponent == exponents && fraction != 0) {
            kind = fraction >>> (mantissa - 1) == 0 ? 0 : 1;
          } else {
            int size = exponent == exponents ? 3 : exponent != 0 ? 2 : fraction != 0 ? 1 : 0;
            kind = negative ? 5 - size : 6 + size;
          }
          return (b >>> kind & 1) != 0;
        },
        type,
        DataType.B32);
  }
}
