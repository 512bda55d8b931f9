package dev.rocport.lang.java;

import com.github.javaparser.ast.body.EnumConstantDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.CastExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.IntegerLiteralExpr;
import com.github.javaparser.ast.expr.LongLiteralExpr;
import com.github.javaparser.ast.expr.UnaryExpr;
import dev.rocport.core.edit.Edit;
import dev.rocport.lang.java.Differences.Constant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ports constants with the name and value of CUDA enumerators whose HIP value differs. */
final class ConstantPass {
  static final String RULE = "JAVA-CONSTANT";

  private final JavaWork w;

  ConstantPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    if (w.imports("jcuda")) {
      return;
    }
    for (VariableDeclarator v : w.tree().unit().findAll(VariableDeclarator.class)) {
      v.getInitializer().ifPresent(x -> constant(v.getNameAsString(), x));
    }
    for (EnumConstantDeclaration e : w.tree().unit().findAll(EnumConstantDeclaration.class)) {
      e.getArguments().stream().findFirst().ifPresent(x -> constant(e.getNameAsString(), x));
    }
  }

  private void constant(String name, Expression value) {
    Optional<Constant> constant = w.differences().constant(name);
    if (constant.isEmpty() || !w.changes().allows(RULE)) {
      return;
    }
    Constant c = constant.get();
    Expression literal = literal(value);
    Long number = number(literal);
    if (number == null || number != c.value()) {
      if (number == null || number != c.hipValue()) {
        w.warn(
            RULE,
            w.tree().start(value),
            w.tree().end(value),
            name + ": " + c.hip() + " is " + c.hipValue() + ", not " + c.value());
      }
      return;
    }
    String suffix = w.tree().text(literal).toUpperCase(Locale.ROOT).endsWith("L") ? "L" : "";
    w.changes()
        .edit(
            Edit.replace(
                w.tree().start(literal), w.tree().end(literal), c.hipValue() + suffix, RULE));
  }

  /** Without casts and parentheses. */
  private static Expression literal(Expression x) {
    return switch (x) {
      case CastExpr c -> literal(c.getExpression());
      case EnclosedExpr e -> literal(e.getInner());
      default -> x;
    };
  }

  private static @Nullable Long number(Expression x) {
    return switch (x) {
      case IntegerLiteralExpr i -> i.asNumber().longValue();
      case LongLiteralExpr l -> l.asNumber().longValue();
      case UnaryExpr u when u.getOperator() == UnaryExpr.Operator.MINUS -> {
        Long n = number(u.getExpression());
        yield n == null ? null : Long.valueOf(-n);
      }
      default -> null;
    };
  }
}
