package dev.rocport.warp.ir;

import dev.rocport.io.PackedWriter;

/** Writes what is known about a file for {@link UnitReader}. */
public final class UnitWriter {
  private final PackedWriter out;

  public UnitWriter(PackedWriter out) {
    this.out = out;
  }

  public void unit(Unit u) {
    out.text(u.path());
    out.list(u.functions(), this::function);
    out.list(u.launches(), this::launch);
    out.map(u.constants(), x -> out.optional(x, this::expr));
    u.mentions().write(out);
    out.number(u.lineStarts().length);
    int before = 0;
    for (int start : u.lineStarts()) {
      out.number(start - before);
      before = start;
    }
  }

  public void launch(Launch l) {
    out.text(l.path());
    out.text(l.kernel());
    expr(l.block());
    out.map(l.locals(), this::expr);
    span(l.at());
  }

  private void function(Function f) {
    out.text(f.path());
    out.text(f.name());
    out.number(f.number());
    out.flag(f.kernel());
    out.flag(f.device());
    out.list(f.templates(), this::variable);
    out.list(f.parameters(), this::variable);
    out.text(f.returns());
    span(f.returnsAt());
    span(f.nameAt());
    f.body().write(out);
    out.flag(f.clean());
  }

  void block(Stmt.Block block) {
    stmt(block);
  }

  private void variable(Variable v) {
    out.text(v.name());
    out.text(v.type());
    span(v.typeAt());
    out.flag(v.alone());
    out.flag(v.pointer());
    out.flag(v.reference());
    out.list(v.dimensions(), this::expr);
    out.flag(v.shared());
    out.optional(v.init(), this::expr);
  }

  private void span(Span s) {
    out.number(s.start());
    out.number(s.end() - s.start());
    out.flag(s.editable());
  }

  private void kind(Packed kind) {
    out.constant(kind);
  }

  private void stmt(Stmt s) {
    switch (s) {
      case Stmt.Block(var list) -> {
        kind(Packed.BLOCK);
        out.list(list, this::stmt);
      }
      case Stmt.Let(var variable) -> {
        kind(Packed.LET);
        variable(variable);
      }
      case Stmt.Eval(var x) -> {
        kind(Packed.EVAL);
        expr(x);
      }
      case Stmt.If(var condition, var yes, var no) -> {
        kind(Packed.IF);
        expr(condition);
        stmt(yes);
        out.optional(no, this::stmt);
      }
      case Stmt.For(var init, var condition, var step, var body, var at) -> {
        kind(Packed.FOR);
        stmt(init);
        out.optional(condition, this::expr);
        out.optional(step, this::expr);
        stmt(body);
        span(at);
      }
      case Stmt.While(var condition, var body, var bodyFirst) -> {
        kind(Packed.WHILE);
        expr(condition);
        stmt(body);
        out.flag(bodyFirst);
      }
      case Stmt.Return(var value, var at) -> {
        kind(Packed.RETURN);
        out.optional(value, this::expr);
        span(at);
      }
      case Stmt.Jump(var at) -> {
        kind(Packed.JUMP);
        span(at);
      }
      case Stmt.Unknown(var parts, var at) -> {
        kind(Packed.UNKNOWN);
        out.list(parts, this::expr);
        span(at);
      }
    }
  }

  /** Writes an expression. */
  public void expr(Expr x) {
    switch (x) {
      case Expr.Name(var id, var _) -> {
        kind(Packed.NAME);
        out.text(id);
      }
      case Expr.Literal(var value, var integer, var text, var _) -> {
        kind(Packed.LITERAL);
        out.number(value);
        out.flag(integer);
        out.text(text);
      }
      case Expr.Unary(var op, var operand, var _) -> {
        kind(Packed.UNARY);
        out.text(op);
        expr(operand);
      }
      case Expr.Binary(var op, var left, var right, var _) -> {
        kind(Packed.BINARY);
        out.text(op);
        expr(left);
        expr(right);
      }
      case Expr.Pick(var condition, var yes, var no, var _) -> {
        kind(Packed.PICK);
        expr(condition);
        expr(yes);
        expr(no);
      }
      case Expr.Call(var name, var receiver, var templates, var args, var nameAt, var _) -> {
        kind(Packed.CALL);
        out.text(name);
        out.list(receiver, this::expr);
        out.list(templates, this::expr);
        out.list(args, this::expr);
        span(nameAt);
      }
      case Expr.Index(var base, var index, var _) -> {
        kind(Packed.INDEX);
        expr(base);
        expr(index);
      }
      case Expr.Field(var base, var name, var _) -> {
        kind(Packed.FIELD);
        expr(base);
        out.text(name);
      }
      case Expr.Cast(var type, var operand, var _) -> {
        kind(Packed.CAST);
        out.text(type);
        expr(operand);
      }
      case Expr.Other(var text, var parts, var _) -> {
        kind(Packed.OTHER);
        out.text(text);
        out.list(parts, this::expr);
      }
    }
    span(x.at());
  }
}
