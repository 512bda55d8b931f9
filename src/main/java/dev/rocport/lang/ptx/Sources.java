package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.Objects;
import java.util.Set;

/** Source operands of an instruction, as C++ expressions. */
final class Sources {
  private final Places places;
  private final PtxTable table;
  private final Set<PtxRow> rows;

  /**
   * The operands of a statement.
   *
   * @param rows takes the rows of the special registers that are read
   */
  Sources(Places places, PtxTable table, Set<PtxRow> rows) {
    this.places = places;
    this.table = table;
    this.rows = rows;
  }

  /**
   * An operand as a value of the type that the form gives it.
   *
   * @param argument whether the place converts it
   */
  String value(Matched at, Form.Bound b, boolean argument) throws Refusal {
    if (b.address()) {
      return address(at, b.name(), (Operand.Address) b.operand());
    }
    PtxType type = b.type();
    if (type == null) {
      return constant(at, b.operand());
    }
    return value(at, b.operand(), type, argument);
  }

  private String constant(Matched at, Operand o) throws Refusal {
    if (o instanceof Operand.Outer(int k) && places.outer(k).constraint() == 'n') {
      return "(" + Places.raw(k) + ")";
    }
    Long v = o instanceof Operand.Immediate(String text) ? Numbers.integer(text) : null;
    if (v != null) {
      return v < 0 || v > Integer.MAX_VALUE ? "0x" + Long.toHexString(v) + "u" : v.toString();
    }
    throw at.refuse("an operand must be a constant here");
  }

  private String value(Matched at, Operand o, PtxType type, boolean argument) throws Refusal {
    return switch (o) {
      case Operand.Register(String name) -> {
        Flow.Local local = places.local(at, name);
        yield converted(at, local.name(), local.type(), type, argument, true);
      }
      case Operand.Outer(int k) -> {
        Statement.Outer outer = places.outer(k);
        String own = places.own(k);
        if (outer.constraint() == 'n') {
          yield argument
              ? Places.raw(k)
              : "static_cast<" + type.carrier() + ">(" + Places.raw(k) + ")";
        }
        boolean wrapped = own == null && outer.mayBePointer() && type.kind() != PtxType.Kind.DOUBLE;
        String text =
            own != null
                ? own
                : wrapped ? "rocport::ptx::word(" + Places.raw(k) + ")" : Places.raw(k);
        boolean exact =
            own != null
                || wrapped
                || (places.isName(outer) && outer.known() == Statement.Known.UNSIGNED);
        String value = converted(at, text, Places.type(outer), type, argument, exact);
        boolean bare =
            !argument
                && value.equals(Places.raw(k))
                && !places.isName(outer)
                && !Places.isNumber(outer);
        yield bare ? "(" + value + ")" : value;
      }
      case Operand.Special(String name) -> {
        PtxRow row = table.register(name);
        if (row == null || !row.isTranslated()) {
          String why = row == null ? name + " is not a known register" : row.note();
          throw new Refusal(at.step().instruction(), row, why);
        }
        rows.add(row);
        yield argument ? row.hip() : "static_cast<" + type.carrier() + ">(" + row.hip() + ")";
      }
      case Operand.Immediate(String text) -> immediate(at, text, type, argument);
      case Operand.Not(Operand of) -> {
        if (type.kind() != PtxType.Kind.PREDICATE) {
          throw at.refuse("'!' precedes an operand that is not a predicate");
        }
        yield "!" + value(at, of, type, false);
      }
      default -> throw at.refuse("an operand has an unsupported form");
    };
  }

  private String converted(
      Matched at, String text, PtxType from, PtxType to, boolean argument, boolean exact)
      throws Refusal {
    if (from.kind() == to.kind()) {
      boolean same = exact && from.carrier().equals(to.carrier());
      boolean plain =
          argument
              || same
              || from.kind() == PtxType.Kind.FLOAT
              || from.kind() == PtxType.Kind.DOUBLE
              || from.kind() == PtxType.Kind.PREDICATE;
      return plain ? text : "static_cast<" + to.carrier() + ">(" + text + ")";
    }
    String bits =
        switch (from.kind()) {
          case FLOAT -> "__float_as_uint(" + text + ")";
          case DOUBLE -> "static_cast<unsigned long long>(__double_as_longlong(" + text + "))";
          default -> text;
        };
    int have = from.kind().bits();
    int want = to.kind().bits();
    boolean predicate =
        from.kind() == PtxType.Kind.PREDICATE || to.kind() == PtxType.Kind.PREDICATE;
    if (predicate || have < want) {
      throw at.refuse("an operand of type ." + from.name() + " is used as type ." + to.name());
    }
    return switch (to.kind()) {
      case FLOAT -> {
        requireSize(at, from, to);
        yield "__uint_as_float(" + bits + ")";
      }
      case DOUBLE -> {
        requireSize(at, from, to);
        yield "__longlong_as_double(" + bits + ")";
      }
      default -> argument ? bits : "static_cast<" + to.carrier() + ">(" + bits + ")";
    };
  }

  private void requireSize(Matched at, PtxType from, PtxType to) throws Refusal {
    if (from.kind().bits() != to.kind().bits()) {
      throw at.refuse("an operand of type ." + from.name() + " is used as type ." + to.name());
    }
  }

  private String immediate(Matched at, String text, PtxType type, boolean argument) throws Refusal {
    Integer f = Numbers.floatBits(text);
    Long d = Numbers.doubleBits(text);
    Double decimal = d != null ? Double.valueOf(Double.longBitsToDouble(d)) : Numbers.decimal(text);
    Long integer = Numbers.integer(text);
    switch (type.kind()) {
      case FLOAT -> {
        if (f != null) {
          return "__uint_as_float(0x%08xu)".formatted(f);
        }
        if (decimal != null) { // the assembler rounds a double to the type of the instruction
          int bits = Float.floatToRawIntBits(decimal.floatValue());
          return "__uint_as_float(0x%08xu)".formatted(bits);
        }
      }
      case DOUBLE -> {
        if (d != null) {
          return "__longlong_as_double(0x%016xll)".formatted(d);
        }
        Double value = f != null ? Double.valueOf(Float.intBitsToFloat(f)) : decimal;
        if (value != null) {
          return "__longlong_as_double(0x%016xll)".formatted(Double.doubleToRawLongBits(value));
        }
      }
      case PREDICATE -> {
        if (integer != null) {
          return integer != 0 ? "true" : "false";
        }
      }
      default -> {
        if (f != null && type.kind().bits() == 32) {
          return "0x%08xu".formatted(f);
        }
        if (integer != null) {
          return number(integer, type, argument);
        }
      }
    }
    throw at.refuse("'" + text + "' is not a constant of type ." + type.name());
  }

  private static String number(long v, PtxType type, boolean argument) {
    int bits = type.kind().bits();
    boolean signed = type.name().startsWith("s");
    long cut = bits >= 64 ? v : signed ? v << (64 - bits) >> (64 - bits) : v & ((1L << bits) - 1);
    if (bits < 32) {
      String text = signed ? Long.toString(cut) : Long.toUnsignedString(cut);
      return argument ? text : "static_cast<" + type.carrier() + ">(" + text + ")";
    }
    if (signed) {
      boolean least = cut == (bits == 64 ? Long.MIN_VALUE : Integer.MIN_VALUE);
      String suffix = bits == 64 ? "ll" : "";
      return least
          ? "(" + (cut + 1) + suffix + " - 1)"
          : cut < 0 ? "(" + cut + suffix + ")" : cut + suffix;
    }
    String suffix = bits == 64 ? "ull" : "u";
    boolean small = cut >= 0 && cut < 1024;
    return (small ? Long.toString(cut) : "0x" + Long.toHexString(cut)) + suffix;
  }

  private String address(Matched at, String name, Operand.Address a) throws Refusal {
    // A copy has two addresses, to shared memory and from global memory.
    boolean global = at.step().instruction().opcode().equals("cp") && !name.equals("a");
    boolean shared =
        !global
            && at.step().instruction().qualifiers().stream().anyMatch(q -> q.startsWith("shared"));
    String text =
        switch (a.base()) {
          case Operand.Register(String register) -> {
            Flow.Local local = places.local(at, register);
            boolean wide = local.type().kind() == PtxType.Kind.BITS64;
            if (!wide && !(shared && local.type().kind() == PtxType.Kind.BITS32)) {
              throw at.refuse("its address is not 64 bits wide");
            }
            yield local.name();
          }
          case Operand.Outer(int k) -> {
            char c = places.outer(k).constraint();
            if (c != 'l' && !(shared && c == 'r')) {
              throw at.refuse("its address is not 64 bits wide");
            }
            yield Objects.requireNonNullElse(places.own(k), Places.raw(k));
          }
          default -> throw at.refuse("its address is a PTX variable");
        };
    if (a.offset() == 0) {
      return text;
    }
    String type = shared ? "rocport::ptx::SharedAddress(" : "rocport::ptx::Address(";
    return type + text + ") + " + (a.offset() < 0 ? "(" + a.offset() + ")" : a.offset());
  }
}
