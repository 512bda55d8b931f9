package dev.rocport.warp.schedule;

import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.LockCalls.Helper;
import dev.rocport.warp.schedule.LockCalls.Role;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;

/** Finds the functions of a file that take, try, or release a lock that is passed to them. */
final class LockFunctions {
  private final LockCalls locks;
  private final Sections sections;

  /** Functions that take a lock, with the loop that waits for it. */
  private final Map<DeviceFunction, Spin> takers = new LinkedHashMap<>();

  LockFunctions(LockCalls locks, Sections sections) {
    this.locks = locks;
    this.sections = sections;
  }

  /** Returns the functions that take a lock, with the loop that waits for it. */
  Map<DeviceFunction, Spin> takers() {
    return takers;
  }

  /** Records what a function does with a lock. */
  void classify(DeviceFunction f) {
    if (f.kernel()) {
      return;
    }
    List<IASTFunctionCallExpression> calls = f.all(IASTFunctionCallExpression.class);
    Set<String> tried = new HashSet<>();
    for (IASTFunctionCallExpression c : calls) {
      String lock = locks.tried(c);
      if (!lock.isEmpty()) {
        tried.add(lock);
      }
    }
    for (IASTNode n : f.all(IASTStatement.class)) {
      Spin spin = Spin.of(n, locks::tried);
      if (spin != null && sections.releases(f.body(), spin).isEmpty()) {
        takers.put(f, spin);
        locks.add(f.name(), new Helper(Role.TAKES, parameter(f, LockCalls.names(spin.call()))));
        return;
      }
    }
    boolean loops = f.all(IASTStatement.class).stream().anyMatch(Syntax::isLoop);
    if (!tried.isEmpty() && !loops && isShort(f)) {
      IASTFunctionCallExpression c =
          calls.stream().filter(x -> !locks.tried(x).isEmpty()).findFirst().orElseThrow();
      boolean returned = f.all(IASTReturnStatement.class).size() > 0;
      boolean both = tried.size() == 1 && !returned;
      locks.add(
          f.name(),
          new Helper(both ? Role.RELEASES : Role.TRIES, parameter(f, LockCalls.names(c))));
    } else if (!loops && isShort(f) && f.all(IASTReturnStatement.class).isEmpty()) {
      releaser(f);
    }
  }

  private void releaser(DeviceFunction f) {
    for (IASTStatement s : Syntax.statements(f.body())) {
      IASTFunctionCallExpression c = Syntax.callOf(s);
      if (c != null
          && (Syntax.callee(c).startsWith("atomic") || Syntax.callee(c).equals("store"))) {
        locks.add(f.name(), new Helper(Role.RELEASES, parameter(f, LockCalls.names(c))));
        return;
      }
      if (s instanceof IASTExpressionStatement e
          && e.getExpression() instanceof IASTBinaryExpression b
          && b.getOperator() == IASTBinaryExpression.op_assign) {
        locks.add(f.name(), new Helper(Role.RELEASES, parameter(f, Syntax.names(b.getOperand1()))));
        return;
      }
    }
  }

  private static boolean isShort(DeviceFunction f) {
    return Syntax.statements(f.body()).size() <= 4;
  }

  private static int parameter(DeviceFunction f, Set<String> names) {
    for (int i = 0; i < f.parameters().size(); i++) {
      if (names.contains(f.parameters().get(i))) {
        return i;
      }
    }
    return -1;
  }
}
