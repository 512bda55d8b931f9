package dev.rocport.device.op.scalar;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What AMD's CDNA manuals say of the scalar instructions that compute, over unbounded integers: it
 * reads the fields of the encoded instruction itself, and takes widths from the mnemonic.
 */
final class Manual {
  private static final Pattern TYPE = Pattern.compile("_([biu])(\\d+)");
  private static final BigInteger ONE = BigInteger.ONE;
  private static final BigInteger CARRY = ONE.shiftLeft(32);
  private static final int VCC = 106;
  private static final int EXEC = 126;

  /** The second source of these is a count or a field, whatever the first is. */
  private static final Set<String> COUNTED =
      Set.of("lshl", "lshr", "ashr", "bfe", "bfm", "bitcmp0", "bitcmp1");

  private record Type(char kind, int bits) {
    BigInteger mask() {
      return ONE.shiftLeft(bits).subtract(ONE);
    }

    /** The value as this type reads bits: signed for i, else unsigned. */
    BigInteger of(BigInteger value) {
      return kind == 'i' ? signed(value, bits) : value;
    }
  }

  final int[] s;
  int scc;

  Manual(int[] s, int scc) {
    this.s = s.clone();
    this.scc = scc;
  }

  /** The mnemonic without s_ and types. */
  static String stem(String name) {
    return TYPE.matcher(name.substring(2)).replaceAll("");
  }

  private static List<Type> types(String name) {
    return TYPE.matcher(name).results().map(Manual::type).toList();
  }

  private static Type type(MatchResult r) {
    return new Type(r.group(1).charAt(0), Integer.parseInt(r.group(2)));
  }

  /** The bits of the destination, and of the sources. */
  static int destinationBits(String name) {
    return types(name).getFirst().bits();
  }

  private static Type source(String name, int index) {
    String stem = stem(name);
    Type last = types(name).getLast();
    boolean word =
        stem.startsWith("bitset") || stem.equals("bfm") || (index == 1 && COUNTED.contains(stem));
    return word ? new Type('u', 32) : new Type(last.kind(), Math.max(32, last.bits()));
  }

  static int sourceBits(String name, int index) {
    return source(name, index).bits();
  }

  /** SOP1: sdst and ssrc0; SOP2: ssrc1 too; SOPC: ssrc0 and ssrc1. */
  void run(String name, int sdst, int ssrc0, int ssrc1, int literal) {
    Type first = source(name, 0);
    Type second = source(name, 1);
    BigInteger a = read(ssrc0, first, literal);
    BigInteger b = ssrc1 < 0 ? BigInteger.ZERO : read(ssrc1, second, literal);
    compute(name, sdst, first, a, b);
  }

  /** SOPK: simm16 is sign extended, but for comparisons of unsigned numbers. */
  void runConstant(String name, int sdst, int simm16) {
    Type type = types(name).getFirst();
    BigInteger constant = BigInteger.valueOf(simm16 & 0xffff);
    if (type.kind() == 'i') {
      constant = signed(constant, 16).and(type.mask());
    }
    BigInteger old = registers(sdst, 32);
    String stem = stem(name);
    if (stem.startsWith("cmpk_")) {
      compare(stem.substring(5), type.of(old).compareTo(type.of(constant)));
      return;
    }
    switch (stem) {
      case "movk" -> write(sdst, 32, constant);
      case "cmovk" -> write(sdst, 32, scc != 0 ? constant : old);
      case "mulk" -> write(sdst, 32, old.multiply(constant));
      case "addk" -> {
        BigInteger sum = signed(old, 32).add(signed(constant, 32));
        flag(sum.bitLength() > 31);
        write(sdst, 32, sum);
      }
      default -> throw new IllegalArgumentException(name);
    }
  }

  private void compute(String name, int sdst, Type type, BigInteger a, BigInteger b) {
    String stem = stem(name);
    if (stem.startsWith("cmp_")) {
      compare(stem.substring(4), type.of(a).compareTo(type.of(b)));
      return;
    }
    if (stem.startsWith("bitcmp")) {
      boolean one = a.testBit(b.intValue() & (type.bits() - 1));
      flag(one == stem.endsWith("1"));
      return;
    }
    if (stem.endsWith("_saveexec") || stem.endsWith("_wrexec")) {
      exec(stem, sdst, a);
      return;
    }
    int bits = destinationBits(name);
    BigInteger mask = ONE.shiftLeft(bits).subtract(ONE);
    BigInteger old = registers(sdst, bits);
    int count = b.intValue() & (bits - 1);
    BigInteger carry = BigInteger.valueOf(scc);
    BigInteger x = type.of(a);
    BigInteger y = type.of(b);
    boolean setsFlag = true;
    BigInteger r;
    switch (stem) {
      case "add", "addc", "sub", "subb" -> {
        BigInteger in = stem.length() == 4 ? carry : BigInteger.ZERO;
        r = stem.startsWith("add") ? x.add(y).add(in) : x.subtract(y).subtract(in);
        flag(type.kind() == 'i' ? r.bitLength() > 31 : r.signum() < 0 || r.bitLength() > 32);
        setsFlag = false;
      }
      case "lshl1_add", "lshl2_add", "lshl3_add", "lshl4_add" -> {
        r = a.multiply(BigInteger.valueOf(1L << (stem.charAt(4) - '0'))).add(b);
        flag(r.compareTo(CARRY) >= 0);
        setsFlag = false;
      }
      case "min" -> {
        flag(x.compareTo(y) < 0);
        r = scc != 0 ? a : b;
        setsFlag = false;
      }
      case "max" -> {
        flag(x.compareTo(y) >= 0);
        r = scc != 0 ? a : b;
        setsFlag = false;
      }
      case "cselect" -> {
        r = scc != 0 ? a : b;
        setsFlag = false;
      }
      case "lshl" -> r = a.shiftLeft(count);
      case "lshr" -> r = a.shiftRight(count);
      case "ashr" -> r = signed(a, bits).shiftRight(count);
      case "bfm" -> {
        r = ONE.shiftLeft(a.intValue() & (bits - 1)).subtract(ONE).shiftLeft(count);
        setsFlag = false;
      }
      case "bfe" -> {
        int width = b.shiftRight(16).intValue() & 127;
        BigInteger field = x.shiftRight(count).and(ONE.shiftLeft(width).subtract(ONE));
        r = type.kind() == 'i' && width > 0 ? signed(field, width) : field;
      }
      case "mul" -> {
        r = a.multiply(b);
        setsFlag = false;
      }
      case "mul_hi" -> {
        r = x.multiply(y).shiftRight(32);
        setsFlag = false;
      }
      case "absdiff" -> r = signed(a.subtract(b).and(mask), 32).abs();
      case "abs" -> r = signed(a, 32).abs();
      case "pack_ll" -> {
        r = join(half(b, 0), half(a, 0));
        setsFlag = false;
      }
      case "pack_lh" -> {
        r = join(half(b, 1), half(a, 0));
        setsFlag = false;
      }
      case "pack_hh" -> {
        r = join(half(b, 1), half(a, 1));
        setsFlag = false;
      }
      case "mov" -> {
        r = a;
        setsFlag = false;
      }
      case "cmov" -> {
        r = scc != 0 ? a : old;
        setsFlag = false;
      }
      case "not" -> r = mask.subtract(a);
      case "wqm" -> r = bits(bits, i -> quad(a, i / 4));
      case "quadmask" -> r = bits(bits / 4, i -> quad(a, i));
      case "bcnt0" -> r = BigInteger.valueOf(type.bits() - a.bitCount());
      case "bcnt1" -> r = BigInteger.valueOf(a.bitCount());
      case "brev" -> {
        r = bits(bits, i -> a.testBit(bits - 1 - i));
        setsFlag = false;
      }
      case "bitreplicate" -> {
        r = bits(bits, i -> a.testBit(i / 2));
        setsFlag = false;
      }
      case "ff0" -> {
        r = first(type.bits(), i -> !a.testBit(i));
        setsFlag = false;
      }
      case "ff1" -> {
        r = first(type.bits(), a::testBit);
        setsFlag = false;
      }
      case "flbit" -> {
        int top = type.bits() - 1;
        boolean other = type.kind() != 'i' || !a.testBit(top);
        r = first(type.bits(), i -> a.testBit(top - i) == other);
        setsFlag = false;
      }
      case "sext" -> {
        int from = types(name).getLast().bits();
        r = signed(a.and(ONE.shiftLeft(from).subtract(ONE)), from);
        setsFlag = false;
      }
      case "bitset0" -> {
        r = old.clearBit(a.intValue() & (bits - 1));
        setsFlag = false;
      }
      case "bitset1" -> {
        r = old.setBit(a.intValue() & (bits - 1));
        setsFlag = false;
      }
      default -> r = logic(stem, a, b, mask);
    }
    BigInteger result = r.and(mask);
    if (setsFlag) {
      flag(result.signum() != 0);
    }
    write(sdst, bits, result);
  }

  /** EXEC changes, then the destination gets the old EXEC, or the new one for wrexec. */
  private void exec(String stem, int sdst, BigInteger source) {
    BigInteger mask = ONE.shiftLeft(64).subtract(ONE);
    BigInteger old = registers(EXEC, 64);
    BigInteger now = logic(stem.substring(0, stem.indexOf('_')), source, old, mask);
    write(EXEC, 64, now);
    write(sdst, 64, stem.endsWith("_wrexec") ? now : old);
    flag(now.signum() != 0);
  }

  private static BigInteger logic(String stem, BigInteger a, BigInteger b, BigInteger mask) {
    return switch (stem) {
      case "and" -> a.and(b);
      case "or" -> a.or(b);
      case "xor" -> a.xor(b);
      case "nand" -> mask.subtract(a.and(b));
      case "nor" -> mask.subtract(a.or(b));
      case "xnor" -> mask.subtract(a.xor(b));
      case "andn2" -> a.and(mask.subtract(b));
      case "orn2" -> a.or(mask.subtract(b));
      case "andn1" -> mask.subtract(a).and(b);
      case "orn1" -> mask.subtract(a).or(b);
      default -> throw new IllegalArgumentException(stem);
    };
  }

  private void compare(String relation, int order) {
    flag(
        switch (relation) {
          case "eq" -> order == 0;
          case "lg" -> order != 0;
          case "gt" -> order > 0;
          case "ge" -> order >= 0;
          case "lt" -> order < 0;
          case "le" -> order <= 0;
          default -> throw new IllegalArgumentException(relation);
        });
  }

  /** A source field of 8 bits: unsigned, of the type's width. */
  private BigInteger read(int code, Type type, int literal) {
    if (code < 128) {
      return registers(code, type.bits());
    }
    if (code <= 208) {
      return BigInteger.valueOf(code <= 192 ? code - 128 : 192 - code).and(type.mask());
    }
    boolean wide = type.bits() == 64;
    return switch (code) {
      case 235 -> BigInteger.valueOf(0x0001_0000_0000_0000L);
      case 236 -> BigInteger.valueOf(0x0001_0000_ffff_ffffL);
      case 237 -> BigInteger.valueOf(0x0002_0000_0000_0000L);
      case 238 -> BigInteger.valueOf(0x0002_0000_ffff_ffffL);
      case 240 -> real(0.5, wide);
      case 241 -> real(-0.5, wide);
      case 242 -> real(1, wide);
      case 243 -> real(-1, wide);
      case 244 -> real(2, wide);
      case 245 -> real(-2, wide);
      case 246 -> real(4, wide);
      case 247 -> real(-4, wide);
      case 248 -> BigInteger.valueOf(wide ? 0x3fc45f306dc9c882L : 0x3e22f983L);
      case 251 -> registers(VCC, 64).signum() == 0 ? ONE : BigInteger.ZERO;
      case 252 -> registers(EXEC, 64).signum() == 0 ? ONE : BigInteger.ZERO;
      case 253 -> BigInteger.valueOf(scc);
      case 255 -> {
        BigInteger bits = unsigned(literal);
        yield (type.kind() == 'i' ? signed(bits, 32) : bits).and(type.mask());
      }
      default -> throw new IllegalArgumentException("source " + code);
    };
  }

  private static BigInteger real(double value, boolean wide) {
    long bits = wide ? Double.doubleToLongBits(value) : Float.floatToIntBits((float) value);
    return BigInteger.valueOf(bits).and(ONE.shiftLeft(wide ? 64 : 32).subtract(ONE));
  }

  private BigInteger registers(int code, int bits) {
    BigInteger low = unsigned(s[code]);
    return bits == 64 ? unsigned(s[code + 1]).shiftLeft(32).or(low) : low;
  }

  private void write(int code, int bits, BigInteger value) {
    s[code] = value.intValue();
    if (bits == 64) {
      s[code + 1] = value.shiftRight(32).intValue();
    }
  }

  private void flag(boolean set) {
    scc = set ? 1 : 0;
  }

  private static BigInteger unsigned(int word) {
    return BigInteger.valueOf(Integer.toUnsignedLong(word));
  }

  private static BigInteger signed(BigInteger value, int bits) {
    return value.testBit(bits - 1) ? value.subtract(ONE.shiftLeft(bits)) : value;
  }

  private static BigInteger bits(int count, IntPredicate set) {
    return IntStream.range(0, count)
        .filter(set)
        .mapToObj(ONE::shiftLeft)
        .reduce(BigInteger.ZERO, BigInteger::or);
  }

  private static BigInteger first(int count, IntPredicate found) {
    return BigInteger.valueOf(IntStream.range(0, count).filter(found).findFirst().orElse(-1));
  }

  private static boolean quad(BigInteger a, int quad) {
    return IntStream.range(4 * quad, 4 * quad + 4).anyMatch(a::testBit);
  }

  private static BigInteger half(BigInteger a, int high) {
    return BigInteger.valueOf(a.shiftRight(16 * high).intValue() & 0xffff);
  }

  private static BigInteger join(BigInteger high, BigInteger low) {
    return high.shiftLeft(16).or(low);
  }
}
