package dev.rocport.warp.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;

/**
 * The statements, declarations and expressions below a node, itself included, in order; excluding
 * names, literals, and bodies of lambdas. One walk collects those of a whole file; the nodes of a
 * function body are a part of them.
 */
public final class Nodes {
  private static final List<Class<? extends IASTNode>> SORTS =
      List.of(
          IASTStatement.class,
          IASTExpression.class,
          IASTDeclaration.class,
          IASTDeclarator.class,
          IASTDeclSpecifier.class);

  /** A list for each of the sorts. */
  private final List<List<IASTNode>> lists;

  private final Map<Class<?>, List<?>> kinds = new HashMap<>();

  /** Those below the bodies of functions; of a walk's own nodes only. */
  private final IdentityHashMap<IASTNode, Nodes> bodies;

  private Nodes(List<List<IASTNode>> lists, IdentityHashMap<IASTNode, Nodes> bodies) {
    this.lists = lists;
    this.bodies = bodies;
  }

  static Nodes of(IASTNode root) {
    Walk walk = new Walk();
    root.accept(walk);
    return new Nodes(walk.lists, walk.bodies());
  }

  /** The nodes of a function's body. */
  Nodes below(IASTNode body) {
    Nodes known = bodies.get(body);
    return known == null ? of(body) : known;
  }

  /** Those of a kind, which must be one of the sorts or belong to one. */
  public <T extends IASTNode> List<T> all(Class<T> kind) {
    @SuppressWarnings("unchecked") // a list is put in for the class of its elements
    List<T> known = (List<T>) kinds.get(kind);
    if (known == null) {
      known = new ArrayList<>();
      for (IASTNode n : lists.get(sort(kind))) {
        if (kind.isInstance(n)) {
          known.add(kind.cast(n));
        }
      }
      kinds.put(kind, known);
    }
    return known;
  }

  private static int sort(Class<? extends IASTNode> kind) {
    for (int i = 0; i < SORTS.size(); i++) {
      if (SORTS.get(i).isAssignableFrom(kind)) {
        return i;
      }
    }
    throw new IllegalArgumentException(kind + " is not gathered");
  }

  private static final class Walk extends ASTVisitor {
    private final List<List<IASTNode>> lists = new ArrayList<>();

    /** Where the nodes of a body begin and end in each of the lists. */
    private final IdentityHashMap<IASTNode, int[][]> ranges = new IdentityHashMap<>();

    Walk() {
      shouldVisitStatements = true;
      shouldVisitExpressions = true;
      shouldVisitDeclarations = true;
      shouldVisitDeclarators = true;
      shouldVisitDeclSpecifiers = true;
      SORTS.forEach(s -> lists.add(new ArrayList<>()));
    }

    private IdentityHashMap<IASTNode, Nodes> bodies() {
      IdentityHashMap<IASTNode, Nodes> bodies = new IdentityHashMap<>();
      ranges.forEach(
          (body, range) -> {
            List<List<IASTNode>> parts = new ArrayList<>();
            for (int i = 0; i < range[0].length; i++) {
              parts.add(lists.get(i).subList(range[0][i], range[1][i]));
            }
            bodies.put(body, new Nodes(parts, new IdentityHashMap<>()));
          });
      return bodies;
    }

    private int[] sizes() {
      return lists.stream().mapToInt(List::size).toArray();
    }

    private static boolean isBody(IASTStatement s) {
      return s instanceof IASTCompoundStatement && s.getParent() instanceof IASTFunctionDefinition;
    }

    @Override
    public int visit(IASTStatement s) {
      if (isBody(s)) {
        ranges.put(s, new int[][] {sizes(), {}});
      }
      lists.get(0).add(s);
      return PROCESS_CONTINUE;
    }

    @Override
    public int leave(IASTStatement s) {
      int[][] range = isBody(s) ? ranges.get(s) : null;
      if (range != null) {
        range[1] = sizes();
      }
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTExpression x) {
      if (!(x instanceof IASTIdExpression) && !(x instanceof IASTLiteralExpression)) {
        lists.get(1).add(x);
      }
      return x instanceof ICPPASTLambdaExpression ? PROCESS_SKIP : PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTDeclaration d) {
      lists.get(2).add(d);
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTDeclarator d) {
      lists.get(3).add(d);
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTDeclSpecifier s) {
      lists.get(4).add(s);
      return PROCESS_CONTINUE;
    }
  }
}
