package dev.rocport.lang.java;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.AssignExpr;
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.CharLiteralExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.MethodCallExpr;
import com.github.javaparser.ast.expr.NameExpr;
import com.github.javaparser.ast.expr.ObjectCreationExpr;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import com.github.javaparser.ast.expr.TextBlockLiteralExpr;
import com.github.javaparser.ast.stmt.BlockStmt;
import com.github.javaparser.ast.stmt.ExpressionStmt;
import com.github.javaparser.ast.stmt.Statement;
import dev.rocport.lang.ptx.find.JavaPart;
import dev.rocport.lang.ptx.find.Literals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds all texts of a file, in source order: literals, text blocks, and concatenations by {@code
 * +}, {@code String.join}, and {@code append}.
 */
final class JavaStrings {
  private final JavaTree tree;
  private final List<JavaString> found = new ArrayList<>();
  private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private JavaStrings(JavaTree tree) {
    this.tree = tree;
  }

  static List<JavaString> of(JavaTree tree) {
    JavaStrings strings = new JavaStrings(tree);
    tree.unit().walk(strings::node);
    strings.found.sort((a, b) -> Integer.compare(a.start(), b.start()));
    return List.copyOf(strings.found);
  }

  private void node(Node n) {
    switch (n) {
      case BlockStmt b -> appends(b);
      case MethodCallExpr c when isAppend(c) && !seen.contains(c) -> chain(c);
      case MethodCallExpr c when isJoin(c) && !seen.contains(c) -> join(c);
      case BinaryExpr x when isText(x) && !seen.contains(x) -> add(x, parts(x));
      case StringLiteralExpr x when !seen.contains(x) -> add(x, parts(x));
      case TextBlockLiteralExpr x when !seen.contains(x) -> add(x, parts(x));
      default -> {}
    }
  }

  private void add(Node n, List<JavaPart> parts) {
    if (parts.stream().anyMatch(JavaPart.Literal.class::isInstance)) {
      found.add(new JavaString(n, parts, Literals.ofJava(tree.file().bytes(), parts)));
    }
  }

  private static boolean isText(Expression x) {
    return switch (x) {
      case StringLiteralExpr s -> true;
      case TextBlockLiteralExpr t -> true;
      case EnclosedExpr e -> isText(e.getInner());
      case BinaryExpr b ->
          b.getOperator() == BinaryExpr.Operator.PLUS
              && operands(b).stream().anyMatch(JavaStrings::isText);
      default -> false;
    };
  }

  /** The operands of a row of {@code +}, from left to right, however long it is. */
  private static List<Expression> operands(BinaryExpr x) {
    Deque<Expression> operands = new ArrayDeque<>();
    Expression at = x;
    while (at instanceof BinaryExpr b && b.getOperator() == BinaryExpr.Operator.PLUS) {
      operands.addFirst(b.getRight());
      at = b.getLeft();
    }
    operands.addFirst(at);
    return List.copyOf(operands);
  }

  private List<JavaPart> parts(Expression x) {
    List<JavaPart> parts = new ArrayList<>();
    parts(x, parts);
    return parts;
  }

  private void parts(Expression x, List<JavaPart> out) {
    seen.add(x);
    int start = tree.start(x);
    int end = tree.end(x);
    switch (x) {
      case StringLiteralExpr s -> out.add(new JavaPart.Literal(start, end));
      case TextBlockLiteralExpr t -> out.add(new JavaPart.Literal(start, end));
      case EnclosedExpr e when isText(e) -> parts(e.getInner(), out);
      case BinaryExpr b when isText(b) -> {
        mark(b);
        operands(b).forEach(o -> parts(o, out));
      }
      case CharLiteralExpr c when c.getValue().equals("\\n") ->
          out.add(new JavaPart.Said(start, end, '\n'));
      case MethodCallExpr c when c.getNameAsString().equals("lineSeparator") ->
          out.add(new JavaPart.Said(start, end, '\n'));
      default -> out.add(new JavaPart.Unknown(start, end));
    }
  }

  /** The left operands of a row are rows themselves. */
  private void mark(BinaryExpr row) {
    Expression at = row;
    while (at instanceof BinaryExpr b && b.getOperator() == BinaryExpr.Operator.PLUS) {
      seen.add(b);
      at = b.getLeft();
    }
  }

  /** {@code String.join("\n", ...)}, whose texts are parted by line ends. */
  private static boolean isJoin(MethodCallExpr c) {
    return c.getNameAsString().equals("join")
        && c.getScope().orElse(null) instanceof NameExpr type
        && type.getNameAsString().equals("String")
        && c.getArguments().size() > 1
        && c.getArgument(0) instanceof StringLiteralExpr s
        && s.getValue().equals("\\n");
  }

  private void join(MethodCallExpr c) {
    List<JavaPart> parts = new ArrayList<>();
    seen.add(c.getArgument(0));
    for (int i = 1; i < c.getArguments().size(); i++) {
      if (i > 1) {
        int at = tree.start(c.getArgument(i));
        parts.add(new JavaPart.Said(at, at, '\n'));
      }
      parts(c.getArgument(i), parts);
    }
    add(c, parts);
  }

  private static boolean isAppend(MethodCallExpr c) {
    return c.getNameAsString().equals("append")
        && c.getArguments().size() == 1
        && c.getScope().isPresent();
  }

  /** The calls of a chain, the first one first; what it begins with is their first one's scope. */
  private static List<MethodCallExpr> calls(MethodCallExpr last) {
    Deque<MethodCallExpr> calls = new ArrayDeque<>();
    Expression at = last;
    while (at instanceof MethodCallExpr c && isAppend(c)) {
      calls.addFirst(c);
      at = c.getScope().orElseThrow();
    }
    return List.copyOf(calls);
  }

  private void chain(MethodCallExpr last) {
    List<JavaPart> parts = new ArrayList<>();
    List<MethodCallExpr> calls = calls(last);
    if (calls.getFirst().getScope().orElse(null) instanceof ObjectCreationExpr made
        && made.getArguments().size() == 1
        && isText(made.getArgument(0))) {
      parts(made.getArgument(0), parts);
    }
    for (MethodCallExpr c : calls) {
      seen.add(c);
      parts(c.getArgument(0), parts);
    }
    add(last, parts);
  }

  /** Statements in a row that append to one variable spell one text. */
  private void appends(BlockStmt block) {
    List<JavaPart> parts = new ArrayList<>();
    String name = "";
    Node last = block;
    for (Statement s : block.getStatements()) {
      String to = target(s);
      if (!to.equals(name) && !name.isEmpty()) {
        add(last, parts);
        parts = new ArrayList<>();
      }
      name = to;
      if (!to.isEmpty()) {
        last = s;
        for (MethodCallExpr c : calls((MethodCallExpr) ((ExpressionStmt) s).getExpression())) {
          seen.add(c);
          parts(c.getArgument(0), parts);
        }
      }
    }
    if (!name.isEmpty()) {
      add(last, parts);
    }
  }

  /** The variable that a statement appends to; empty if it does something else. */
  private static String target(Statement s) {
    if (s instanceof ExpressionStmt e
        && !(e.getExpression() instanceof AssignExpr)
        && e.getExpression() instanceof MethodCallExpr c
        && isAppend(c)
        && calls(c).getFirst().getScope().orElse(null) instanceof NameExpr n) {
      return n.getNameAsString();
    }
    return "";
  }
}
