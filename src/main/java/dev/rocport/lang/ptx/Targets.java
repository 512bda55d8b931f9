package dev.rocport.lang.ptx;

import java.util.List;
import java.util.Objects;

/**
 * Destination operands of an instruction: assignments, and locations that are passed by reference.
 */
final class Targets {
  private final Places places;

  Targets(Places places) {
    this.places = places;
  }

  /** A place for a destination that is passed by reference. */
  String reference(Matched at, Form.Bound b, int depth, List<Code> before, List<Code> after)
      throws Refusal {
    PtxType type = type(at, b);
    if (b.operand() instanceof Operand.Register(String name)) {
      Flow.Local local = places.place(at, name);
      if (local.type().carrier().equals(type.carrier())) {
        if (places.declaresHere(local, depth)) {
          before.add(new Code.Line(local.type().carrier() + " " + local.name()));
        }
        return local.name();
      }
    }
    if (b.operand() instanceof Operand.Outer(int k)) {
      Statement.Outer o = places.outer(k);
      boolean typed =
          o.constraint() == 'f'
              || o.constraint() == 'd'
              || (places.isName(o) && o.known() == Statement.Known.UNSIGNED)
              || places.ownOutput(k) != null;
      boolean same = typed && Places.carrier(o).equals(type.carrier());
      if (same) {
        return Objects.requireNonNullElse(places.ownOutput(k), Places.raw(k));
      }
    }
    String own = places.free(b.name());
    before.add(new Code.Line(type.carrier() + " " + own));
    if (!(b.operand() instanceof Operand.Sink)) {
      after.add(new Code.Line(store(at, b, own, depth)));
    }
    return own;
  }

  /** An assignment of a value of the operand's type to it. */
  String store(Matched at, Form.Bound b, String value, int depth) throws Refusal {
    PtxType type = type(at, b);
    switch (b.operand()) {
      case Operand.Sink k -> {
        return value;
      }
      case Operand.Register(String name) -> {
        Flow.Local local = places.place(at, name);
        String text = stored(at, value, type, local.type());
        String declared = places.declaresHere(local, depth) ? local.type().carrier() + " " : "";
        return declared + local.name() + " = " + text;
      }
      case Operand.Outer(int k) -> {
        Statement.Outer o = places.outer(k);
        if (!o.written()) {
          throw at.refuse("it writes to the input %" + k);
        }
        String text = stored(at, value, type, Places.type(o));
        String own = places.ownOutput(k);
        return own != null ? own + " = " + text : places.assigned(k, text);
      }
      default -> throw at.refuse("a destination has an unsupported form");
    }
  }

  private String stored(Matched at, String value, PtxType from, PtxType to) throws Refusal {
    if (from.kind() == to.kind()) {
      return value;
    }
    boolean predicate =
        from.kind() == PtxType.Kind.PREDICATE || to.kind() == PtxType.Kind.PREDICATE;
    boolean floating = to.kind() == PtxType.Kind.FLOAT || to.kind() == PtxType.Kind.DOUBLE;
    boolean fits =
        floating ? from.kind().bits() == to.kind().bits() : from.kind().bits() <= to.kind().bits();
    if (predicate || !fits) {
      throw at.refuse(
          "a result of type ."
              + from.name()
              + " is assigned to a destination of type ."
              + to.name());
    }
    return switch (to.kind()) {
      case FLOAT -> "__uint_as_float(" + value + ")";
      case DOUBLE -> "__longlong_as_double(" + value + ")";
      default ->
          switch (from.kind()) {
            case FLOAT -> "__float_as_uint(" + value + ")";
            case DOUBLE -> "__double_as_longlong(" + value + ")";
            default -> value;
          };
    };
  }

  private static PtxType type(Matched at, Form.Bound b) {
    PtxType type = b.type();
    if (type == null) {
      throw new IllegalStateException(
          "rules/ptx: '" + at.match().row().form() + "': no type for " + b.name());
    }
    return type;
  }
}
