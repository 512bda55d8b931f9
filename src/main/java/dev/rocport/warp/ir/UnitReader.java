package dev.rocport.warp.ir;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.PackedReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what {@link UnitWriter} wrote. */
public final class UnitReader {
  private final PackedReader in;

  public UnitReader(PackedReader in) {
    this.in = in;
  }

  public Unit unit() {
    String path = in.text();
    List<Function> functions = in.list(this::function);
    List<Launch> launches = in.list(this::launch);
    Map<String, Optional<Expr>> constants = in.map(() -> in.optional(this::expr));
    Names mentions = Names.read(in);
    int[] lineStarts = new int[in.integer()];
    int before = 0;
    for (int i = 0; i < lineStarts.length; i++) {
      before += in.integer();
      lineStarts[i] = before;
    }
    return new Unit(path, functions, launches, constants, mentions, lineStarts);
  }

  public Launch launch() {
    return new Launch(in.text(), in.text(), expr(), in.map(this::expr), span());
  }

  private Function function() {
    return new Function(
        in.text(),
        in.text(),
        in.integer(),
        in.flag(),
        in.flag(),
        in.list(this::variable),
        in.list(this::variable),
        in.text(),
        span(),
        span(),
        Body.read(in),
        in.flag());
  }

  Stmt.Block block() {
    if (stmt() instanceof Stmt.Block block) {
      return block;
    }
    throw new InvalidFileException("the body of a packed function is not a block");
  }

  private Variable variable() {
    return new Variable(
        in.text(),
        in.text(),
        span(),
        in.flag(),
        in.flag(),
        in.flag(),
        in.list(this::expr),
        in.flag(),
        in.optional(this::expr));
  }

  private Span span() {
    int start = in.integer();
    return new Span(start, start + in.integer(), in.flag());
  }

  private Stmt stmt() {
    Packed kind = in.constant(Packed.class);
    return switch (kind) {
      case BLOCK -> new Stmt.Block(in.list(this::stmt));
      case LET -> new Stmt.Let(variable());
      case EVAL -> new Stmt.Eval(expr());
      case IF -> new Stmt.If(expr(), stmt(), in.optional(this::stmt));
      case FOR ->
          new Stmt.For(stmt(), in.optional(this::expr), in.optional(this::expr), stmt(), span());
      case WHILE -> new Stmt.While(expr(), stmt(), in.flag());
      case RETURN -> new Stmt.Return(in.optional(this::expr), span());
      case JUMP -> new Stmt.Jump(span());
      case UNKNOWN -> new Stmt.Unknown(in.list(this::expr), span());
      default -> throw new InvalidFileException("a packed statement is an expression");
    };
  }

  /** Reads an expression. */
  public Expr expr() {
    Packed kind = in.constant(Packed.class);
    return switch (kind) {
      case NAME -> new Expr.Name(in.text(), span());
      case LITERAL -> new Expr.Literal(in.number(), in.flag(), in.text(), span());
      case UNARY -> new Expr.Unary(in.text(), expr(), span());
      case BINARY -> new Expr.Binary(in.text(), expr(), expr(), span());
      case PICK -> new Expr.Pick(expr(), expr(), expr(), span());
      case CALL ->
          new Expr.Call(
              in.text(),
              in.list(this::expr),
              in.list(this::expr),
              in.list(this::expr),
              span(),
              span());
      case INDEX -> new Expr.Index(expr(), expr(), span());
      case FIELD -> new Expr.Field(expr(), in.text(), span());
      case CAST -> new Expr.Cast(in.text(), expr(), span());
      case OTHER -> new Expr.Other(in.text(), in.list(this::expr), span());
      default -> throw new InvalidFileException("a packed expression is a statement");
    };
  }
}
