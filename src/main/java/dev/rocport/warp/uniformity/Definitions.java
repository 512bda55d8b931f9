package dev.rocport.warp.uniformity;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Symbols;
import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTInitializerList;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTStructuredBindingDeclaration;
import org.jspecify.annotations.Nullable;

/**
 * What gives the variables of one function their values: initializers, assignments, and other
 * stores.
 */
final class Definitions {
  private final DeviceFunction function;
  private final Symbols symbols;
  private final Map<Symbol, List<IASTNode>> sources = new LinkedHashMap<>();

  /** What the initializer of a reference names. */
  private final Map<Symbol, IASTNode> referred = new HashMap<>();

  private final Set<Symbol> floating = new HashSet<>();
  private final Map<IASTNode, Set<Symbol>> outputs = new HashMap<>();

  Definitions(DeviceCode code, DeviceFunction function, Symbols symbols) {
    this.function = function;
    this.symbols = symbols;
    symbols.all().forEach(s -> sources.put(s, new ArrayList<>()));
    declarations();
    assignments(code);
  }

  /** Returns whether a variable is a floating-point number. */
  boolean isFloating(Symbol symbol) {
    return floating.contains(symbol);
  }

  /** Returns whether a call stores to a variable through an argument. */
  boolean isOutput(IASTNode place, Symbol symbol) {
    return outputs.getOrDefault(place, Set.of()).contains(symbol);
  }

  private void declarations() {
    for (Symbol s : symbols.all()) {
      IASTNode d = s.declaration();
      IASTNode initializer =
          switch (d.getParent()) {
            case IASTNode p when p.getParent() instanceof ICPPASTRangeBasedForStatement r ->
                r.getInitializerClause();
            case ICPPASTStructuredBindingDeclaration b
                when b.getParent() instanceof ICPPASTRangeBasedForStatement r ->
                r.getInitializerClause();
            case ICPPASTStructuredBindingDeclaration b -> b.getInitializer();
            default -> d instanceof IASTDeclarator x ? initializer(x) : null;
          };
      if (initializer != null) {
        of(s).add(initializer);
        if (isReference(d)) {
          referred.put(s, initializer);
        }
      }
      if (d instanceof IASTDeclarator x && isFloating(x)) {
        floating.add(s);
      }
    }
  }

  private static boolean isReference(IASTNode declaration) {
    return declaration instanceof IASTDeclarator d
        ? DeviceFunction.isReference(d)
        : declaration.getParent() instanceof ICPPASTStructuredBindingDeclaration b
            && b.getRefQualifier() != null;
  }

  /** A nested declarator leaves the initializer to the outermost one. */
  private static @Nullable IASTNode initializer(IASTDeclarator d) {
    IASTDeclarator outer = d;
    while (outer.getInitializer() == null && outer.getParent() instanceof IASTDeclarator p) {
      outer = p;
    }
    return outer.getInitializer();
  }

  private void assignments(DeviceCode code) {
    for (IASTBinaryExpression b : function.all(IASTBinaryExpression.class)) {
      if (Syntax.isAssignment(b.getOperator())) {
        source(b.getOperand1(), b);
      }
    }
    for (IASTUnaryExpression u : function.all(IASTUnaryExpression.class)) {
      if (Syntax.isStep(u)) {
        source(u.getOperand(), u);
      }
    }
    Outputs.of(code, function, symbols)
        .forEach(
            (place, stored) -> {
              Set<Symbol> changed = new LinkedHashSet<>();
              stored.forEach(s -> changed.addAll(aliases(s)));
              changed.forEach(s -> of(s).add(place));
              outputs.put(place, changed);
            });
  }

  private void source(IASTNode target, IASTNode by) {
    aliases(variableIn(target)).forEach(s -> of(s).add(by));
  }

  /** A variable, and those that it refers to as a reference. */
  private Set<Symbol> aliases(@Nullable Symbol symbol) {
    Set<Symbol> all = new LinkedHashSet<>();
    Symbol s = symbol;
    while (s != null && all.add(s)) {
      IASTNode other = referred.get(s);
      s = other == null ? null : variableIn(other);
    }
    return all;
  }

  private @Nullable Symbol variableIn(IASTNode place) {
    IASTNode n = Syntax.bare(place);
    while (true) {
      switch (n) {
        case IASTFieldReference f -> n = Syntax.bare(f.getFieldOwner());
        case IASTArraySubscriptExpression a -> n = Syntax.bare(a.getArrayExpression());
        case IASTEqualsInitializer e -> n = Syntax.bare(e.getInitializerClause());
        case ICPPASTConstructorInitializer c when c.getArguments().length == 1 ->
            n = Syntax.bare(c.getArguments()[0]);
        case ICPPASTInitializerList l when l.getClauses().length == 1 ->
            n = Syntax.bare(l.getClauses()[0]);
        case IASTIdExpression id -> {
          return symbols.of(id);
        }
        case null, default -> {
          return null;
        }
      }
    }
  }

  /** Returns what may give a variable its value: initializers, assignments, and other stores. */
  List<IASTNode> of(Symbol symbol) {
    return sources.computeIfAbsent(symbol, k -> new ArrayList<>());
  }

  private static boolean isFloating(IASTDeclarator d) {
    IASTNode parent = d.getParent();
    IASTDeclSpecifier specifier =
        parent instanceof IASTSimpleDeclaration s ? s.getDeclSpecifier() : null;
    return specifier != null && d.getPointerOperators().length == 0 && isFloating(specifier);
  }

  static boolean isFloating(IASTDeclSpecifier specifier) {
    return specifier instanceof IASTSimpleDeclSpecifier s
        && (s.getType() == IASTSimpleDeclSpecifier.t_float
            || s.getType() == IASTSimpleDeclSpecifier.t_double);
  }
}
