package dev.rocport.warp.code;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.ASTGenericVisitor;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.jspecify.annotations.Nullable;

/** Queries on syntax trees. */
public final class Syntax {
  private Syntax() {}

  /** An expression without brackets and casts around it. */
  public static @Nullable IASTNode bare(@Nullable IASTNode node) {
    IASTNode n = node;
    while (true) {
      if (n instanceof IASTUnaryExpression u
          && u.getOperator() == IASTUnaryExpression.op_bracketedPrimary) {
        n = u.getOperand();
      } else if (n instanceof IASTCastExpression c) {
        n = c.getOperand();
      } else {
        return n;
      }
    }
  }

  /** The last part of a name, without template arguments. */
  public static String simple(IASTName name) {
    IASTName last = name instanceof ICPPASTQualifiedName q ? q.getLastName() : name;
    return last instanceof ICPPASTTemplateId t ? t.getTemplateName().toString() : last.toString();
  }

  /** The name of the function or member that a call names; empty for other calls. */
  public static String callee(IASTFunctionCallExpression call) {
    return switch (bare(call.getFunctionNameExpression())) {
      case IASTIdExpression id -> simple(id.getName());
      case IASTFieldReference f -> simple(f.getFieldName());
      case null, default -> "";
    };
  }

  /** The object of a call of a member; null for other calls. */
  public static @Nullable IASTExpression receiver(IASTFunctionCallExpression call) {
    return bare(call.getFunctionNameExpression()) instanceof IASTFieldReference f
        ? f.getFieldOwner()
        : null;
  }

  public static IASTInitializerClause[] arguments(IASTFunctionCallExpression call) {
    IASTInitializerClause[] arguments = call.getArguments();
    return arguments == null ? new IASTInitializerClause[0] : arguments;
  }

  /** The call that an expression statement consists of; null for other statements. */
  public static @Nullable IASTFunctionCallExpression callOf(IASTStatement statement) {
    return statement instanceof IASTExpressionStatement e
            && bare(e.getExpression()) instanceof IASTFunctionCallExpression call
        ? call
        : null;
  }

  /** All nodes of a kind below a node, itself included, in order; lambdas' bodies left out. */
  public static <T extends IASTNode> List<T> all(@Nullable IASTNode root, Class<T> kind) {
    List<T> found = new ArrayList<>();
    if (root != null) {
      root.accept(new Collector<>(kind, found));
    }
    return found;
  }

  public static boolean calls(@Nullable IASTNode root, Predicate<String> names) {
    return all(root, IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> names.test(callee(c)));
  }

  /** Names of variables and functions that are in an expression. */
  public static Set<String> names(@Nullable IASTNode root) {
    Set<String> names = new TreeSet<>();
    all(root, IASTIdExpression.class).forEach(id -> names.add(simple(id.getName())));
    return names;
  }

  /**
   * Names of the variables that are assigned, incremented, decremented, or whose address is taken.
   */
  public static Set<String> assigned(@Nullable IASTNode root) {
    Set<String> names = new TreeSet<>();
    for (IASTBinaryExpression b : all(root, IASTBinaryExpression.class)) {
      if (isAssignment(b.getOperator())) {
        addTarget(b.getOperand1(), names);
      }
    }
    for (IASTUnaryExpression u : all(root, IASTUnaryExpression.class)) {
      if (isStep(u)) {
        addTarget(u.getOperand(), names);
      }
    }
    return names;
  }

  private static void addTarget(IASTNode target, Set<String> names) {
    if (bare(target) instanceof IASTIdExpression id) {
      names.add(simple(id.getName()));
    }
  }

  public static boolean isAssignment(int operator) {
    return operator >= IASTBinaryExpression.op_assign
        && operator <= IASTBinaryExpression.op_binaryOrAssign;
  }

  /** True for {@code ++} and {@code --}. */
  public static boolean isStep(IASTUnaryExpression u) {
    return switch (u.getOperator()) {
      case IASTUnaryExpression.op_prefixIncr,
          IASTUnaryExpression.op_prefixDecr,
          IASTUnaryExpression.op_postFixIncr,
          IASTUnaryExpression.op_postFixDecr ->
          true;
      default -> false;
    };
  }

  /** True if something but a plain variable is assigned below a node. */
  public static boolean stores(@Nullable IASTNode root) {
    return all(root, IASTBinaryExpression.class).stream()
        .anyMatch(
            b ->
                isAssignment(b.getOperator())
                    && !(bare(b.getOperand1()) instanceof IASTIdExpression));
  }

  public static boolean isLoop(IASTNode node) {
    return node instanceof IASTWhileStatement
        || node instanceof IASTDoStatement
        || node instanceof IASTForStatement
        || node instanceof ICPPASTRangeBasedForStatement;
  }

  /** The condition of a loop; null if it has none. */
  public static @Nullable IASTExpression condition(IASTNode loop) {
    return switch (loop) {
      case IASTWhileStatement w -> w.getCondition();
      case IASTDoStatement d -> d.getCondition();
      case IASTForStatement f -> f.getConditionExpression();
      default -> null;
    };
  }

  public static @Nullable IASTStatement body(IASTNode loop) {
    return switch (loop) {
      case IASTWhileStatement w -> w.getBody();
      case IASTDoStatement d -> d.getBody();
      case IASTForStatement f -> f.getBody();
      case ICPPASTRangeBasedForStatement r -> r.getBody();
      default -> null;
    };
  }

  /** The innermost loop around a node, below {@code limit}; null if there is none. */
  public static @Nullable IASTNode loopAround(IASTNode node, IASTNode limit) {
    for (IASTNode n = node.getParent(); n != null && n != limit; n = n.getParent()) {
      if (isLoop(n)) {
        return n;
      }
    }
    return null;
  }

  public static boolean isInside(IASTNode node, @Nullable IASTNode outer) {
    for (IASTNode n = node; n != null; n = n.getParent()) {
      if (n == outer) {
        return true;
      }
    }
    return false;
  }

  /** True for {@code true}, for a number but zero, and if there is no condition. */
  public static boolean isAlways(@Nullable IASTNode condition) {
    IASTNode n = bare(condition);
    return n == null
        || (n instanceof IASTLiteralExpression l
            && !l.toString().equals("0")
            && !l.toString().equals("false"));
  }

  public static List<IASTStatement> statements(@Nullable IASTNode node) {
    return switch (node) {
      case null -> List.of();
      case IASTCompoundStatement c -> List.of(c.getStatements());
      case IASTStatement s -> List.of(s);
      default -> List.of();
    };
  }

  /** Gathers nodes; a visitor, since a node makes the list of its children anew for each asker. */
  private static final class Collector<T extends IASTNode> extends ASTGenericVisitor {
    private final Class<T> kind;
    private final List<T> found;

    Collector(Class<T> kind, List<T> found) {
      super(true);
      this.kind = kind;
      this.found = found;
    }

    @Override
    protected int genericVisit(IASTNode node) {
      if (kind.isInstance(node)) {
        found.add(kind.cast(node));
      }
      return node instanceof ICPPASTLambdaExpression ? PROCESS_SKIP : PROCESS_CONTINUE;
    }
  }
}
