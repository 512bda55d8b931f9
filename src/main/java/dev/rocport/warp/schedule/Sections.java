package dev.rocport.warp.schedule;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;

/** Finds the code that a lock guards, and why it cannot move into the loop that takes the lock. */
final class Sections {
  private final DeviceCode code;
  private final SourceText text;
  private final LockCalls locks;

  Sections(DeviceCode code, LockCalls locks) {
    this.code = code;
    this.text = code.text();
    this.locks = locks;
  }

  /**
   * Describes what a lock guards: the statements after one that takes it, up to the release.
   *
   * @param problem why it cannot move; empty if it can
   */
  record Section(IASTStatement release, String problem) {}

  /**
   * Returns what a lock guards.
   *
   * @param taking the statement that takes the lock
   * @param names the names in the expression of the lock
   */
  Section of(IASTStatement taking, String lock, Set<String> names) {
    List<IASTStatement> inside = new ArrayList<>();
    if (!(taking.getParent() instanceof IASTCompoundStatement block)) {
      return new Section(
          taking,
          "the guarded code is not in the same compound statement as the code that takes the"
              + " lock");
    }
    IASTStatement release = null;
    List<IASTStatement> behind = new ArrayList<>();
    boolean seen = false;
    for (IASTStatement s : block.getStatements()) {
      if (s == taking) {
        seen = true;
      } else if (seen && release != null) {
        behind.add(s);
      } else if (seen && isRelease(s, lock)) {
        release = s;
      } else if (seen) {
        inside.add(s);
      }
    }
    if (release == null) {
      return new Section(
          taking, "no release of " + lock + " follows in the same compound statement");
    }
    if (text.hasDirective(text.start(taking), text.end(release))) {
      return new Section(release, "the guarded code contains preprocessor directives");
    }
    return new Section(release, problem(inside, release, behind, lock, names));
  }

  /** Returns whether a statement releases a lock. */
  boolean isRelease(IASTStatement s, String lock) {
    return s instanceof IASTExpressionStatement e
        && !locks.released(e.getExpression(), Set.of(lock)).isEmpty();
  }

  /** Returns the releases of a lock outside the loop that takes it. */
  List<IASTNode> releases(IASTNode root, Spin spin) {
    List<IASTNode> found = new ArrayList<>();
    for (IASTExpressionStatement s : Syntax.all(root, IASTExpressionStatement.class)) {
      if (!Syntax.isInside(s, spin.loop()) && isRelease(s, spin.lock())) {
        found.add(s);
      }
    }
    return found;
  }

  /** Returns whether code takes a lock. */
  boolean takesAnother(IASTNode root) {
    for (IASTNode n : Syntax.all(root, IASTStatement.class)) {
      if (Spin.of(n, locks::tried) != null) {
        return true;
      }
    }
    return Syntax.all(root, IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> !locks.taken(c).isEmpty());
  }

  /** Returns the loop or switch that a break or continue belongs to. */
  static IASTNode target(IASTStatement jump) {
    IASTNode n = jump.getParent();
    while (n != null
        && n.getParent() != null
        && !Syntax.isLoop(n)
        && !(n instanceof IASTSwitchStatement && jump instanceof IASTBreakStatement)) {
      n = n.getParent();
    }
    return n == null ? jump : n;
  }

  private String problem(
      List<IASTStatement> inside,
      IASTStatement release,
      List<IASTStatement> behind,
      String lock,
      Set<String> names) {
    Set<String> declared = new HashSet<>();
    for (IASTStatement s : inside) {
      if (leaves(s)) {
        return "the guarded code can exit before the release";
      }
      if (LockCalls.meets(s, code)) {
        return "the guarded code waits for other threads";
      }
      if (takesAnother(s)) {
        return "the lock is held while another lock is taken";
      }
      Set<String> assigned = Syntax.assigned(s);
      assigned.retainAll(names);
      if (!assigned.isEmpty()) {
        return "the guarded code changes which lock " + lock + " refers to";
      }
      if (s instanceof IASTDeclarationStatement d) {
        Syntax.all(d, IASTDeclarator.class).forEach(x -> declared.add(Syntax.simple(x.getName())));
      }
    }
    for (IASTStatement s : behind) {
      Set<String> used = Syntax.names(s);
      used.retainAll(declared);
      if (!used.isEmpty()) {
        return "the guarded code declares " + String.join(", ", used) + ", which later code uses";
      }
    }
    return text.isWritten(release) ? "" : "a macro generates the release";
  }

  /** Returns whether a jump leads out of a node. */
  private static boolean leaves(IASTNode root) {
    if (!Syntax.all(root, IASTReturnStatement.class).isEmpty()
        || !Syntax.all(root, IASTGotoStatement.class).isEmpty()
        || !Syntax.all(root, IASTLabelStatement.class).isEmpty()) {
      return true;
    }
    List<IASTStatement> jumps = new ArrayList<>(Syntax.all(root, IASTBreakStatement.class));
    jumps.addAll(Syntax.all(root, IASTContinueStatement.class));
    return jumps.stream().anyMatch(j -> !Syntax.isInside(target(j), root))
        || root instanceof IASTCaseStatement;
  }
}
