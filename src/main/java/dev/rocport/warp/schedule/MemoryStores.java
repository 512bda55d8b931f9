package dev.rocport.warp.schedule;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;

/** Finds the stores of a function, and the variable or array that each leads to. */
final class MemoryStores {
  private static final Set<String> STORES =
      Set.of("store", "fetch_add", "exchange", "notify_one", "notify_all");

  private final DeviceCode code;

  /** Functions that wait for what a parameter points to. */
  private final Set<String> waiters;

  MemoryStores(DeviceCode code, Set<String> waiters) {
    this.code = code;
    this.waiters = waiters;
  }

  record Store(String place, IASTNode node) {}

  /** The name of the variable or array that an expression or a pointer leads to. */
  static String place(IASTNode node) {
    IASTNode n = Syntax.bare(node);
    return switch (n) {
      case null -> "";
      case IASTUnaryExpression u
          when u.getOperator() == IASTUnaryExpression.op_star
              || u.getOperator() == IASTUnaryExpression.op_amper ->
          place(u.getOperand());
      case IASTArraySubscriptExpression a -> place(a.getArrayExpression());
      case IASTBinaryExpression b when b.getOperator() == IASTBinaryExpression.op_plus ->
          place(b.getOperand1());
      case IASTFieldReference f -> Syntax.simple(f.getFieldName());
      case IASTIdExpression id -> Syntax.simple(id.getName());
      case IASTFunctionCallExpression c when Syntax.callee(c).equals("const_cast") ->
          Syntax.arguments(c).length == 1 ? place(Syntax.arguments(c)[0]) : "";
      default -> "";
    };
  }

  List<Store> of(DeviceFunction f) {
    List<Store> stores = new ArrayList<>();
    for (IASTBinaryExpression b : f.all(IASTBinaryExpression.class)) {
      if (Syntax.isAssignment(b.getOperator())) {
        stores.add(new Store(place(b.getOperand1()), b));
      }
    }
    for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
      String name = Syntax.callee(c);
      IASTInitializerClause[] a = Syntax.arguments(c);
      IASTExpression object = Syntax.receiver(c);
      if (object != null && STORES.contains(name)) {
        stores.add(new Store(place(object), c));
      } else if (object == null && name.startsWith("atomic") && a.length > 0) {
        stores.add(new Store(place(a[0]), c));
      }
      for (DeviceFunction g : code.named(name)) {
        for (int i = 0; i < Math.min(a.length, g.parameters().size()); i++) {
          if (!waiters.contains(name) && storesTo(g, g.parameters().get(i))) {
            stores.add(new Store(place(a[i]), c));
          }
        }
      }
    }
    return stores;
  }

  private boolean storesTo(DeviceFunction g, String parameter) {
    for (IASTBinaryExpression b : g.all(IASTBinaryExpression.class)) {
      if (Syntax.isAssignment(b.getOperator())
          && !(Syntax.bare(b.getOperand1()) instanceof IASTIdExpression)
          && place(b.getOperand1()).equals(parameter)) {
        return true;
      }
    }
    return g.all(IASTFunctionCallExpression.class).stream()
        .anyMatch(
            c ->
                Syntax.callee(c).startsWith("atomic")
                    && Syntax.arguments(c).length > 0
                    && place(Syntax.arguments(c)[0]).equals(parameter));
  }
}
