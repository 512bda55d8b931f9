package dev.rocport.warp.ir;

import dev.rocport.warp.ir.Expr.Binary;
import dev.rocport.warp.ir.Expr.Call;
import dev.rocport.warp.ir.Expr.Cast;
import dev.rocport.warp.ir.Expr.Literal;
import dev.rocport.warp.ir.Expr.Name;
import dev.rocport.warp.ir.Expr.Other;
import dev.rocport.warp.ir.Expr.Pick;
import dev.rocport.warp.ir.Expr.Unary;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Values of constant integer expressions, in 64 bits. */
public final class Constants {
  private static final int DEPTH = 16;

  private Constants() {}

  /**
   * The value of an expression.
   *
   * @param names the values of names; empty if unknown
   */
  public static Optional<Long> of(Expr x, Function<String, Optional<Expr>> names) {
    return of(x, names, DEPTH);
  }

  private static Optional<Long> of(Expr x, Function<String, Optional<Expr>> names, int depth) {
    if (depth == 0) {
      return Optional.empty();
    }
    return switch (x) {
      case Literal n -> n.integer() ? Optional.of(n.value()) : Optional.empty();
      case Name n -> names.apply(n.id()).flatMap(v -> of(v, names, depth - 1));
      case Cast c -> of(c.x(), names, depth - 1);
      case Unary u -> of(u.x(), names, depth - 1).flatMap(v -> unary(u.op(), v));
      case Binary b ->
          of(b.left(), names, depth - 1)
              .flatMap(l -> of(b.right(), names, depth - 1).flatMap(r -> binary(b.op(), l, r)));
      case Pick p ->
          of(p.condition(), names, depth - 1)
              .flatMap(c -> of(c != 0 ? p.yes() : p.no(), names, depth - 1));
      case Expr.Call c -> Optional.empty();
      case Expr.Index i -> Optional.empty();
      case Expr.Field f -> Optional.empty();
      case Other o -> Optional.empty();
    };
  }

  /** The threads of a block in x, y and z; empty if one of them is not known. */
  public static Optional<List<Long>> dimensions(Expr x, Function<String, Optional<Expr>> names) {
    return dimensions(x, names, DEPTH);
  }

  private static Optional<List<Long>> dimensions(
      Expr x, Function<String, Optional<Expr>> names, int depth) {
    if (depth == 0) {
      return Optional.empty();
    }
    if (x instanceof Call c && c.name().equals("dim3")) {
      return three(c.args(), names);
    }
    if (x instanceof Other o && o.text().equals("{}")) {
      return three(o.parts(), names);
    }
    if (x instanceof Name n) {
      Optional<Expr> value = names.apply(n.id());
      if (value.isPresent()) {
        return dimensions(value.get(), names, depth - 1);
      }
    }
    return of(x, names).map(v -> List.of(v, 1L, 1L));
  }

  private static Optional<List<Long>> three(
      List<Expr> parts, Function<String, Optional<Expr>> names) {
    if (parts.size() == 1 && parts.getFirst() instanceof Name) {
      Optional<List<Long>> whole = dimensions(parts.getFirst(), names, DEPTH / 2);
      if (whole.isPresent()) {
        return whole;
      }
    }
    Long[] d = {1L, 1L, 1L};
    for (int i = 0; i < parts.size() && i < 3; i++) {
      Optional<Long> v = of(parts.get(i), names);
      if (v.isEmpty()) {
        return Optional.empty();
      }
      d[i] = v.get();
    }
    return Optional.of(List.of(d));
  }

  private static Optional<Long> unary(String op, long v) {
    return switch (op) {
      case "-" -> Optional.of(-v);
      case "+" -> Optional.of(v);
      case "~" -> Optional.of(~v);
      case "!" -> Optional.of(v == 0 ? 1L : 0L);
      default -> Optional.empty();
    };
  }

  private static Optional<Long> binary(String op, long l, long r) {
    return switch (op) {
      case "+" -> Optional.of(l + r);
      case "-" -> Optional.of(l - r);
      case "*" -> Optional.of(l * r);
      case "/" -> r == 0 ? Optional.empty() : Optional.of(l / r);
      case "%" -> r == 0 ? Optional.empty() : Optional.of(l % r);
      case "<<" -> r < 0 || r > 62 ? Optional.empty() : Optional.of(l << r);
      case ">>" -> r < 0 || r > 62 ? Optional.empty() : Optional.of(l >> r);
      case "&" -> Optional.of(l & r);
      case "|" -> Optional.of(l | r);
      case "^" -> Optional.of(l ^ r);
      default -> Optional.empty();
    };
  }
}
