package dev.rocport.lang.python.syntax;

import java.util.ArrayList;
import java.util.List;

/** The parts of a node, in the order of the source. */
public final class Children {
  private final List<Node> list = new ArrayList<>();

  private Children() {}

  /** All nodes right below a node. */
  public static List<Node> of(Node node) {
    Children c = new Children();
    switch (node) {
      case Expr x -> c.expression(x);
      case Stmt s -> c.statement(s);
      case Argument a -> c.list.add(a.value());
      case Parameter p -> {
        p.annotation().ifPresent(c.list::add);
        p.initial().ifPresent(c.list::add);
      }
      case Clause x -> c.clause(x);
    }
    return c.list;
  }

  private void expression(Expr expression) {
    switch (expression) {
      case Expr.Name x -> {}
      case Expr.Constant x -> {}
      case Expr.Text x -> list.addAll(x.parts());
      case Expr.Attribute x -> list.add(x.base());
      case Expr.Call x -> {
        list.add(x.function());
        list.addAll(x.arguments());
      }
      case Expr.Subscript x -> {
        list.add(x.base());
        list.add(x.index());
      }
      case Expr.Slice x -> list.addAll(x.parts());
      case Expr.Unary x -> list.add(x.operand());
      case Expr.Binary x -> {
        list.add(x.left());
        list.add(x.right());
      }
      case Expr.Logical x -> list.addAll(x.operands());
      case Expr.Comparison x -> list.addAll(x.operands());
      case Expr.Conditional x -> {
        list.add(x.then());
        list.add(x.condition());
        list.add(x.otherwise());
      }
      case Expr.Lambda x -> {
        list.addAll(x.parameters());
        list.add(x.body());
      }
      case Expr.TupleOf x -> list.addAll(x.items());
      case Expr.ListOf x -> list.addAll(x.items());
      case Expr.SetOf x -> list.addAll(x.items());
      case Expr.Dict x -> {
        for (Expr.Entry e : x.entries()) {
          e.key().ifPresent(list::add);
          list.add(e.value());
        }
      }
      case Expr.Comprehension x -> {
        list.addAll(x.items());
        list.addAll(x.clauses());
      }
      case Expr.Starred x -> list.add(x.value());
      case Expr.Await x -> list.add(x.value());
      case Expr.Yield x -> x.value().ifPresent(list::add);
      case Expr.Walrus x -> {
        list.add(x.target());
        list.add(x.value());
      }
    }
  }

  private void statement(Stmt statement) {
    switch (statement) {
      case Stmt.Expression s -> list.add(s.value());
      case Stmt.Assign s -> {
        list.addAll(s.targets());
        s.annotation().ifPresent(list::add);
        s.value().ifPresent(list::add);
      }
      case Stmt.Keyword s -> list.addAll(s.values());
      case Stmt.Plain s -> {}
      case Stmt.Scope s -> {}
      case Stmt.Import s -> {}
      case Stmt.ImportFrom s -> {}
      case Stmt.If s -> {
        list.add(s.condition());
        list.addAll(s.body());
        list.addAll(s.otherwise());
      }
      case Stmt.While s -> {
        list.add(s.condition());
        list.addAll(s.body());
        list.addAll(s.otherwise());
      }
      case Stmt.For s -> {
        list.add(s.target());
        list.add(s.over());
        list.addAll(s.body());
        list.addAll(s.otherwise());
      }
      case Stmt.Try s -> {
        list.addAll(s.body());
        list.addAll(s.handlers());
        list.addAll(s.otherwise());
        list.addAll(s.finish());
      }
      case Stmt.With s -> {
        list.addAll(s.items());
        list.addAll(s.body());
      }
      case Stmt.Function s -> {
        list.addAll(s.decorators());
        list.addAll(s.types());
        list.addAll(s.parameters());
        s.returns().ifPresent(list::add);
        list.addAll(s.body());
      }
      case Stmt.ClassOf s -> {
        list.addAll(s.decorators());
        list.addAll(s.types());
        list.addAll(s.bases());
        list.addAll(s.body());
      }
      case Stmt.Match s -> {
        list.add(s.subject());
        list.addAll(s.cases());
      }
      case Stmt.TypeAlias s -> {
        list.add(s.name());
        list.addAll(s.types());
        list.add(s.value());
      }
    }
  }

  private void clause(Clause clause) {
    switch (clause) {
      case Clause.For c -> {
        list.add(c.target());
        list.add(c.over());
        list.addAll(c.conditions());
      }
      case Clause.Except c -> {
        list.addAll(c.types());
        list.addAll(c.body());
      }
      case Clause.With c -> {
        list.add(c.context());
        c.target().ifPresent(list::add);
      }
      case Clause.Case c -> {
        c.guard().ifPresent(list::add);
        list.addAll(c.body());
      }
    }
  }
}
