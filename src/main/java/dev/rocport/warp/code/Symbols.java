package dev.rocport.warp.code;

import java.util.ArrayDeque;
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
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCompositeTypeSpecifier;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTStructuredBindingDeclaration;
import org.jspecify.annotations.Nullable;

/**
 * The symbol table of a function: its variables, and the variable that each name stands for, by the
 * scopes of C++. Local types and lambdas are left out. Reads one file; names from elsewhere have no
 * symbol.
 */
public final class Symbols {
  /** The table of no function. */
  public static final Symbols NONE = new Symbols();

  private final List<Symbol> all = new ArrayList<>();
  private final Map<String, List<Symbol>> byName = new HashMap<>();
  private final IdentityHashMap<IASTNode, Symbol> uses = new IdentityHashMap<>();

  private Symbols() {}

  /** Resolves the names in the body of a function. */
  public static Symbols of(IASTFunctionDefinition function) {
    Symbols symbols = new Symbols();
    Walk walk = symbols.new Walk(function.getBody());
    if (function.getDeclarator() instanceof IASTStandardFunctionDeclarator declarator) {
      walk.parameters(declarator);
    }
    function.getBody().accept(walk);
    return symbols;
  }

  /** Returns all variables: parameters, then the others in the order of their declarations. */
  public List<Symbol> all() {
    return all;
  }

  /**
   * Returns the variable that a name refers to; null for names that the function does not declare.
   */
  public @Nullable Symbol of(IASTIdExpression name) {
    return uses.get(name);
  }

  /** Returns the variable that a declarator declares; null if it declares none. */
  public @Nullable Symbol declared(IASTNode declarator) {
    return uses.get(declarator);
  }

  /**
   * Returns the variable of a name in the innermost scope around a place; null if there is none.
   */
  public @Nullable Symbol visible(String name, IASTNode place) {
    Symbol found = null;
    for (Symbol s : byName.getOrDefault(name, List.of())) {
      if (Syntax.isInside(place, s.scope())
          && (found == null || Syntax.isInside(s.scope(), found.scope()))) {
        found = s;
      }
    }
    return found;
  }

  private Symbol declare(
      String name, boolean hides, IASTNode declaration, IASTNode scope, int parameter) {
    List<Symbol> same = byName.computeIfAbsent(name, k -> new ArrayList<>());
    String id = hides ? name + "#" + (same.size() + 1) : name;
    Symbol s = new Symbol(name, id, declaration, scope, parameter);
    all.add(s);
    same.add(s);
    uses.put(declaration, s);
    return s;
  }

  private final class Walk extends ASTVisitor {
    private final ArrayDeque<Map<String, Symbol>> scopes = new ArrayDeque<>();
    private final ArrayDeque<IASTNode> nodes = new ArrayDeque<>();

    Walk(IASTNode body) {
      shouldVisitStatements = true;
      shouldVisitDeclarations = true;
      shouldVisitDeclarators = true;
      shouldVisitDeclSpecifiers = true;
      shouldVisitExpressions = true;
      scopes.push(new HashMap<>());
      nodes.push(body);
    }

    void parameters(IASTStandardFunctionDeclarator declarator) {
      int index = 0;
      for (IASTParameterDeclaration p : declarator.getParameters()) {
        IASTDeclarator d = innermost(p.getDeclarator());
        if (d != null && !d.getName().toString().isEmpty()) {
          add(Syntax.simple(d.getName()), d, index);
        }
        index++;
      }
    }

    private void add(String name, IASTNode declaration, int parameter) {
      boolean hides = scopes.stream().anyMatch(s -> s.containsKey(name));
      scopes.element().put(name, declare(name, hides, declaration, nodes.element(), parameter));
    }

    private static @Nullable IASTDeclarator innermost(@Nullable IASTDeclarator d) {
      IASTDeclarator inner = d;
      while (inner != null && inner.getNestedDeclarator() != null) {
        inner = inner.getNestedDeclarator();
      }
      return inner;
    }

    private static boolean isScope(IASTStatement s) {
      return s instanceof IASTCompoundStatement
          || s instanceof IASTIfStatement
          || s instanceof IASTSwitchStatement
          || Syntax.isLoop(s);
    }

    @Override
    public int visit(IASTStatement s) {
      if (isScope(s)) {
        scopes.push(new HashMap<>());
        nodes.push(s);
      }
      return PROCESS_CONTINUE;
    }

    @Override
    public int leave(IASTStatement s) {
      if (isScope(s)) {
        scopes.pop();
        nodes.pop();
      }
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTDeclaration d) {
      if (d instanceof ICPPASTStructuredBindingDeclaration b) {
        for (IASTName name : b.getNames()) {
          add(name.toString(), name, -1);
        }
      }
      return PROCESS_CONTINUE;
    }

    /** Visited before the initializer, in which C++ sees the new variable, too. */
    @Override
    public int visit(IASTDeclarator d) {
      boolean declares =
          d.getNestedDeclarator() == null
              && !d.getName().toString().isEmpty()
              && !(d instanceof IASTFunctionDeclarator && d.getParent() instanceof IASTDeclaration);
      if (declares) {
        add(Syntax.simple(d.getName()), d, -1);
      }
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTDeclSpecifier s) {
      return s instanceof ICPPASTCompositeTypeSpecifier ? PROCESS_SKIP : PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTExpression x) {
      if (x instanceof ICPPASTLambdaExpression) {
        return PROCESS_SKIP;
      }
      if (x instanceof IASTIdExpression id && !(id.getName() instanceof ICPPASTQualifiedName)) {
        String name = Syntax.simple(id.getName());
        for (Map<String, Symbol> scope : scopes) {
          Symbol s = scope.get(name);
          if (s != null) {
            uses.put(id, s);
            break;
          }
        }
      }
      return PROCESS_CONTINUE;
    }
  }
}
