package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import org.jspecify.annotations.Nullable;

/**
 * Follows the values of lanes that did not participate through scalar registers: bit by bit where
 * lane masks are combined, as a whole in arithmetic.
 */
final class ScalarFlow {
  private ScalarFlow() {}

  /** The bits of a value that are known, and those that come from such values. */
  private record Bits(long value, long from) {
    Bits not() {
      return new Bits(~value, from);
    }

    Bits and(Bits b) {
      return new Bits(value & b.value, (from & (b.value | b.from)) | (b.from & (value | from)));
    }

    Bits or(Bits b) {
      return not().and(b.not()).not();
    }

    Bits xor(Bits b) {
      return new Bits(value ^ b.value, from | b.from);
    }

    /** Whether being 0 depends on such values. */
    boolean openZero(long mask) {
      return (from & mask) != 0 && (value & ~from & mask) == 0;
    }
  }

  static void before(Shadow shadow, Wave wave, Instruction i) {
    String name = i.name();
    int suffix = name.lastIndexOf('_');
    String work = name.substring(2, suffix < 2 ? name.length() : suffix);
    boolean wide = name.endsWith("_b64");
    Origin origin = shadow.scalarOrigin();
    if (work.endsWith("_saveexec") || work.endsWith("_wrexec")) {
      saveExec(shadow, wave, i, work, wide, origin);
      return;
    }
    switch (i.opcode().encoding()) {
      case SOPC -> {
        boolean any = any(shadow, i);
        if (any && name.endsWith("_u64") && isZero(i.operands().get(1))) {
          any = bits(shadow, wave, i.operands().get(0), true).openZero(-1L);
        }
        shadow.scc(any, origin);
      }
      case SOP1 -> one(shadow, wave, i, work, wide, origin);
      case SOP2 -> two(shadow, wave, i, work, wide, origin);
      default -> whole(shadow, i, origin);
    }
  }

  private static boolean isZero(Operand operand) {
    return operand instanceof Operand.Inline(int code) && code == 128;
  }

  private static void one(
      Shadow shadow, Wave wave, Instruction i, String work, boolean wide, @Nullable Origin origin) {
    switch (work) {
      case "mov" -> to(shadow, i, bits(shadow, wave, i.operands().get(1), wide), wide, origin);
      case "not" -> {
        Bits result = bits(shadow, wave, i.operands().get(1), wide).not();
        to(shadow, i, result, wide, origin);
        shadow.scc(result.openZero(wide ? -1L : 0xffffffffL), origin);
      }
      default -> whole(shadow, i, origin);
    }
  }

  private static void two(
      Shadow shadow, Wave wave, Instruction i, String work, boolean wide, @Nullable Origin origin) {
    if (work.equals("cselect")) {
      Operand chosen = i.operands().get(wave.scc != 0 ? 1 : 2);
      Bits bits = bits(shadow, wave, chosen, wide);
      Bits other = bits(shadow, wave, i.operands().get(wave.scc != 0 ? 2 : 1), wide);
      long open =
          shadow.scc() ? (bits.value() ^ other.value()) | bits.from() | other.from() : bits.from();
      to(shadow, i, new Bits(bits.value(), open), wide, origin);
      return;
    }
    boolean logic = i.name().endsWith("_b32") || wide;
    Bits a = bits(shadow, wave, i.operands().get(1), wide);
    Bits b = bits(shadow, wave, i.operands().get(2), wide);
    Bits result = logic ? joined(work, a, b) : null;
    if (result == null) {
      whole(shadow, i, origin);
      return;
    }
    to(shadow, i, result, wide, origin);
    shadow.scc(result.openZero(wide ? -1L : 0xffffffffL), origin);
  }

  private static @Nullable Bits joined(String work, Bits a, Bits b) {
    return switch (work) {
      case "and" -> a.and(b);
      case "or" -> a.or(b);
      case "xor" -> a.xor(b);
      case "andn2" -> a.and(b.not());
      case "orn2" -> a.or(b.not());
      case "nand" -> a.and(b).not();
      case "nor" -> a.or(b).not();
      case "xnor" -> a.xor(b).not();
      case "andn1" -> a.not().and(b);
      case "orn1" -> a.not().or(b);
      default -> null;
    };
  }

  private static void saveExec(
      Shadow shadow, Wave wave, Instruction i, String work, boolean wide, @Nullable Origin origin) {
    Bits source = bits(shadow, wave, i.operands().get(1), wide);
    Bits exec = new Bits(wave.exec(), shadow.pair(Wave.EXEC));
    Bits now = joined(work.substring(0, work.lastIndexOf('_')), source, exec);
    if (now == null) {
      whole(shadow, i, origin);
      return;
    }
    to(shadow, i, work.endsWith("_saveexec") ? exec : now, wide, origin);
    long all = wide ? -1L : 0xffffffffL;
    shadow.pair(Wave.EXEC, now.from() & all, origin);
    shadow.scc(now.openZero(all), origin);
  }

  private static Bits bits(Shadow shadow, Wave wave, Operand operand, boolean wide) {
    return switch (operand) {
      case Operand.Scalar(int code, _) ->
          wide
              ? new Bits(wave.s64(code), shadow.pair(code))
              : new Bits(wave.s[code] & 0xffffffffL, shadow.scalar(code) & 0xffffffffL);
      case Operand.Inline(int code) when code <= 192 -> new Bits(code - 128L, 0);
      case Operand.Inline(int code) when code <= 208 -> new Bits(192L - code, 0);
      case Operand.Literal(int value) -> new Bits(value, 0);
      // A register that cannot hold such a value; its bits are not known here.
      default -> new Bits(0, 0);
    };
  }

  private static void to(
      Shadow shadow, Instruction i, Bits bits, boolean wide, @Nullable Origin origin) {
    if (i.operands().getFirst() instanceof Operand.Scalar(int code, _)) {
      if (wide) {
        shadow.pair(code, bits.from(), origin);
      } else {
        shadow.scalar(code, (int) bits.from(), origin);
      }
    }
  }

  private static boolean any(Shadow shadow, Instruction i) {
    for (int n = 0; n < i.operands().size(); n++) {
      boolean read =
          !i.opcode().slots().get(n).destination() || i.opcode().slots().get(n).name().isEmpty();
      if (read
          && i.operands().get(n) instanceof Operand.Scalar(int code, int dwords)
          && shadow.bits(code, dwords) != 0) {
        return true;
      }
    }
    return false;
  }

  /** The result as a whole comes from such values where any source does. */
  private static void whole(Shadow shadow, Instruction i, @Nullable Origin origin) {
    boolean carries = i.name().startsWith("s_addc") || i.name().startsWith("s_subb");
    boolean any = any(shadow, i) || (carries && shadow.scc());
    for (int n = 0; n < i.operands().size(); n++) {
      if (i.opcode().slots().get(n).destination()
          && i.operands().get(n) instanceof Operand.Scalar(int code, int dwords)) {
        for (int d = 0; d < dwords; d++) {
          shadow.scalar(code + d, any ? -1 : 0, origin);
        }
      }
    }
    if (any || setsScc(i.name())) {
      shadow.scc(any && setsScc(i.name()), origin);
    }
  }

  private static boolean setsScc(String name) {
    if (name.contains("_nc_") || name.endsWith("_f32") || name.endsWith("_f16")) {
      return false;
    }
    return name.startsWith("s_add")
        || name.startsWith("s_sub")
        || name.startsWith("s_cmpk")
        || name.startsWith("s_lsh")
        || name.startsWith("s_ashr")
        || name.startsWith("s_bfe")
        || name.startsWith("s_min")
        || name.startsWith("s_max")
        || name.startsWith("s_abs")
        || name.startsWith("s_bcnt");
  }
}
