package dev.rocport.warp.uniformity;

import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.jspecify.annotations.Nullable;

/** What the value of an expression goes back to. */
final class Provenance {
  private final Lanes lanes;

  Provenance(Lanes lanes) {
    this.lanes = lanes;
  }

  /** The only expression that is assigned to a variable; null if there is none. */
  @Nullable IASTExpression onlyValue(IASTIdExpression id) {
    Symbol s = lanes.symbols().of(id);
    return s == null ? null : onlyValue(s);
  }

  private @Nullable IASTExpression onlyValue(Symbol s) {
    List<IASTNode> all = lanes.definitions().of(s);
    return all.size() == 1
            && all.getFirst() instanceof IASTEqualsInitializer e
            && e.getInitializerClause() instanceof IASTExpression x
        ? x
        : null;
  }

  /**
   * True if lanes differ in an expression for sure where it spreads: it goes back to the number of
   * the thread, not to what a warp function gave, and not to memory unless {@code loads} count.
   */
  boolean isSure(@Nullable IASTNode node, boolean loads) {
    return isSure(node, loads, new HashSet<>());
  }

  /**
   * As {@link #isSure(IASTNode, boolean)}.
   *
   * @param open the variables whose only value this one is part of
   */
  private boolean isSure(@Nullable IASTNode node, boolean loads, Set<Symbol> open) {
    IASTNode n = Syntax.bare(node);
    if (n == null) {
      return false;
    }
    LaneValue v = lanes.of(n);
    return switch (n) {
      case IASTIdExpression id ->
          v.uniformity() == Uniformity.BLOCK
              || v.kind() != Kind.OTHER
              || isSureVariable(lanes.symbols().of(id), loads, open);
      case IASTFieldReference _, IASTLiteralExpression _ -> true;
      case IASTBinaryExpression b ->
          isSure(b.getOperand1(), loads, open) && isSure(b.getOperand2(), loads, open);
      case IASTUnaryExpression u ->
          (loads || u.getOperator() != IASTUnaryExpression.op_star)
              && isSure(u.getOperand(), loads, open);
      case IASTFunctionCallExpression c -> {
        boolean sure = !Syntax.callee(c).startsWith("__");
        for (IASTInitializerClause a : Syntax.arguments(c)) {
          sure &= isSure(a, loads, open);
        }
        yield sure || v.kind() != Kind.OTHER;
      }
      case IASTArraySubscriptExpression a -> loads && isSure(a.getArgument(), loads, open);
      case IASTConditionalExpression c ->
          loads
              && isSure(c.getPositiveResultExpression(), loads, open)
              && isSure(c.getNegativeResultExpression(), loads, open);
      default -> v.uniformity() == Uniformity.BLOCK;
    };
  }

  private boolean isSureVariable(@Nullable Symbol s, boolean loads, Set<Symbol> open) {
    if (s == null || !open.add(s)) {
      return false;
    }
    boolean sure = isSure(onlyValue(s), loads, open);
    open.remove(s);
    return sure;
  }

  /** True if a value goes back to a call of such a function, in this one. */
  boolean comesFrom(IASTNode node, Predicate<String> called) {
    return reachable(node).stream().anyMatch(n -> Syntax.calls(n, called));
  }

  /**
   * True for what another block stores: its address differs from that of this block by a distance.
   */
  boolean isOfOtherBlock(IASTNode node) {
    if (isInSharedMemory(node, new HashSet<>())) {
      return false;
    }
    boolean block = false;
    boolean distance = false;
    for (IASTNode n : reachable(node)) {
      block |= Syntax.names(n).contains("blockIdx");
      distance |=
          Syntax.all(n, IASTBinaryExpression.class).stream()
              .anyMatch(b -> b.getOperator() == IASTBinaryExpression.op_minus);
    }
    return block && distance;
  }

  /** True if an expression leads into shared memory, by references and pointers, too. */
  private boolean isInSharedMemory(@Nullable IASTNode node, Set<Symbol> seen) {
    return switch (Syntax.bare(node)) {
      case IASTFieldReference f -> isInSharedMemory(f.getFieldOwner(), seen);
      case IASTArraySubscriptExpression a -> isInSharedMemory(a.getArrayExpression(), seen);
      case IASTUnaryExpression u -> isInSharedMemory(u.getOperand(), seen);
      case IASTEqualsInitializer e -> isInSharedMemory(e.getInitializerClause(), seen);
      case IASTIdExpression id -> {
        Symbol s = lanes.symbols().of(id);
        yield lanes.code().isShared(Syntax.simple(id.getName()))
            || (s != null
                && seen.add(s)
                && lanes.definitions().of(s).stream().anyMatch(n -> isInSharedMemory(n, seen)));
      }
      case null, default -> false;
    };
  }

  /** An expression and all that its variables were given. */
  private List<IASTNode> reachable(IASTNode node) {
    List<IASTNode> all = new ArrayList<>(List.of(node));
    Set<Symbol> seen = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      for (IASTIdExpression id : Syntax.all(all.get(i), IASTIdExpression.class)) {
        Symbol s = lanes.symbols().of(id);
        if (s != null && seen.add(s)) {
          all.addAll(lanes.definitions().of(s));
        }
      }
    }
    return all;
  }
}
