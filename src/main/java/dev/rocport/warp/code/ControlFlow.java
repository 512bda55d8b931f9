package dev.rocport.warp.code;

import dev.rocport.warp.flow.ControlDependence;
import dev.rocport.warp.flow.FlowGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDefaultStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCatchHandler;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTIfStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTryBlockStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.gnu.IGNUASTCompoundStatementExpression;
import org.jspecify.annotations.Nullable;

/**
 * The control flow of a function body: basic blocks, the conditions at their ends, and the scopes
 * that they belong to. Short-circuit operators and {@code ?:} branch, too. The builder is an inner
 * class, because it fills the maps that the queries read.
 */
public final class ControlFlow {
  private final FlowGraph graph = new FlowGraph();

  /** What the branch at the end of a block depends on. */
  private final Map<Integer, IASTNode> branches = new HashMap<>();

  /** The block in which the evaluation of a statement or operand begins. */
  private final IdentityHashMap<IASTNode, Integer> blocks = new IdentityHashMap<>();

  /** The first and last block of a scope. */
  private final IdentityHashMap<IASTNode, int[]> scopes = new IdentityHashMap<>();

  private final IdentityHashMap<IASTNode, Conditions> conditions = new IdentityHashMap<>();
  private final IASTStatement body;
  private @Nullable Conditions ofReturns;

  /** Builds the control flow of a function. */
  public ControlFlow(DeviceFunction function) {
    this.body = function.body();
    new Builder().function(body);
  }

  /**
   * Returns the conditions that decide whether, and how often, a thread evaluates a node after it
   * entered a scope. Threads that leave the scope in between do not count.
   *
   * @param node a node in the scope
   * @param scope a compound statement, loop or switch of the function
   */
  public Set<IASTNode> conditions(IASTNode node, IASTNode scope) {
    IASTNode around = scope;
    while (!scopes.containsKey(around) && around != body) {
      around = around.getParent();
    }
    int[] range = scopes.getOrDefault(around, new int[] {0, graph.size() - 1});
    return conditions
        .computeIfAbsent(around, k -> new Conditions(range[0], range[1], false))
        .of(block(node));
  }

  /** Returns the conditions that decide whether a thread returns at a statement. */
  public Set<IASTNode> conditions(IASTReturnStatement statement) {
    if (ofReturns == null) {
      ofReturns = new Conditions(0, graph.size() - 1, true);
    }
    return ofReturns.of(block(statement));
  }

  /** Those that decide about the blocks of a region. */
  private final class Conditions {
    private final int first;
    private final int last;
    private final ControlDependence dependence;
    private final Map<Integer, Set<IASTNode>> known = new HashMap<>();

    Conditions(int first, int last, boolean endings) {
      this.first = first;
      this.last = last;
      this.dependence = ControlDependence.of(graph, first, last, endings);
    }

    Set<IASTNode> of(int block) {
      return block < first || block > last ? Set.of() : known.computeIfAbsent(block, this::collect);
    }

    private Set<IASTNode> collect(int block) {
      Set<IASTNode> all = new LinkedHashSet<>();
      for (int decider : dependence.deciders(block)) {
        IASTNode condition = branches.get(decider);
        if (condition != null) {
          all.add(condition);
        }
      }
      return all;
    }
  }

  private int block(IASTNode node) {
    for (IASTNode n = node; n != null; n = n.getParent()) {
      Integer block = blocks.get(n);
      if (block != null) {
        return block;
      }
    }
    return 0;
  }

  /** Builds the graph; {@link #current} is the block that the next statement goes to. */
  private final class Builder {
    /** A loop or switch that jumps may leave. */
    private record Jumps(List<Integer> breaks, @Nullable List<Integer> continues) {
      List<Integer> continuesOf() {
        return continues == null ? List.of() : continues;
      }
    }

    private record Labels(int branch, boolean[] hasDefault) {}

    private final ArrayDeque<Jumps> jumps = new ArrayDeque<>();
    private final ArrayDeque<Labels> switches = new ArrayDeque<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private final Map<Integer, String> gotos = new HashMap<>();
    private int current = graph.add();

    void function(IASTStatement s) {
      blocks.put(s, current);
      scope(s, () -> list(s));
      gotos.forEach(
          (from, label) -> {
            Integer to = labels.get(label);
            if (to != null) {
              graph.edge(from, to);
            }
          });
    }

    private void list(IASTStatement s) {
      for (IASTStatement x : Syntax.statements(s)) {
        statement(x);
      }
    }

    private int after(int... before) {
      int block = graph.add();
      for (int b : before) {
        graph.edge(b, block);
      }
      return block;
    }

    /** A block that nothing leads to, after a jump. */
    private void unreachable() {
      current = graph.add();
    }

    private void scope(IASTNode s, Runnable inside) {
      current = after(current);
      int first = current;
      inside.run();
      current = after(current);
      scopes.put(s, new int[] {first, current});
    }

    private void statement(@Nullable IASTStatement s) {
      if (s == null) {
        return;
      }
      blocks.put(s, current);
      switch (s) {
        case IASTCompoundStatement c -> scope(c, () -> list(c));
        case IASTIfStatement i -> branch(i);
        case IASTWhileStatement w -> scope(w, () -> loop(w));
        case IASTDoStatement d -> scope(d, () -> loop(d));
        case IASTForStatement f -> scope(f, () -> loop(f));
        case ICPPASTRangeBasedForStatement r -> scope(r, () -> loop(r));
        case IASTSwitchStatement x -> scope(x, () -> select(x));
        case IASTCaseStatement c -> label(false);
        case IASTDefaultStatement d -> label(true);
        case IASTBreakStatement b -> {
          if (!jumps.isEmpty()) {
            jumps.element().breaks().add(current);
          }
          unreachable();
        }
        case IASTContinueStatement c -> {
          jumps.stream()
              .map(Jumps::continues)
              .filter(list -> list != null)
              .findFirst()
              .ifPresent(list -> list.add(current));
          unreachable();
        }
        case IASTGotoStatement g -> {
          gotos.put(current, g.getName().toString());
          unreachable();
        }
        case IASTLabelStatement l -> {
          current = after(current);
          labels.put(l.getName().toString(), current);
          statement(l.getNestedStatement());
        }
        case IASTReturnStatement r -> {
          expressions(r);
          unreachable();
        }
        case ICPPASTTryBlockStatement t -> {
          int before = current;
          statement(t.getTryBody());
          int end = current;
          for (ICPPASTCatchHandler h : t.getCatchHandlers()) {
            current = after(before);
            statement(h.getCatchBody());
            end = after(end, current);
          }
          current = end;
        }
        default -> expressions(s);
      }
    }

    private void branch(IASTIfStatement i) {
      IASTNode condition = i.getConditionExpression();
      if (i instanceof ICPPASTIfStatement c) {
        statement(c.getInitializerStatement());
        condition = condition == null ? c.getConditionDeclaration() : condition;
      }
      int branch = condition(condition);
      current = after(branch);
      statement(i.getThenClause());
      int yes = current;
      int no = branch;
      if (i.getElseClause() != null) {
        current = after(branch);
        statement(i.getElseClause());
        no = current;
      }
      current = after(yes, no);
    }

    /** Evaluates a condition; returns the block that branches on it. */
    private int condition(@Nullable IASTNode condition) {
      if (condition != null) {
        blocks.put(condition, current);
        expressions(condition);
        branches.put(current, condition);
      }
      return current;
    }

    private void loop(IASTWhileStatement w) {
      IASTNode condition = w.getCondition();
      if (w instanceof ICPPASTWhileStatement c && condition == null) {
        condition = c.getConditionDeclaration();
      }
      current = after(current);
      int head = current;
      boolean always = Syntax.isAlways(condition);
      int branch = condition(condition);
      Jumps inside = body(branch, w.getBody());
      graph.edge(current, head);
      inside.continuesOf().forEach(b -> graph.edge(b, head));
      end(inside, always ? -1 : branch);
    }

    private void loop(IASTDoStatement d) {
      current = after(current);
      int head = current;
      Jumps inside = body(head, d.getBody());
      current = after(current);
      for (int b : inside.continuesOf()) {
        graph.edge(b, current);
      }
      int branch = condition(d.getCondition());
      graph.edge(branch, head);
      end(inside, branch);
    }

    private void loop(IASTForStatement f) {
      statement(f.getInitializerStatement());
      IASTNode condition = f.getConditionExpression();
      if (f instanceof ICPPASTForStatement c && condition == null) {
        condition = c.getConditionDeclaration();
      }
      current = after(current);
      int head = current;
      boolean always = Syntax.isAlways(condition);
      int branch = condition(condition);
      Jumps inside = body(branch, f.getBody());
      current = after(current);
      for (int b : inside.continuesOf()) {
        graph.edge(b, current);
      }
      if (f.getIterationExpression() != null) {
        blocks.put(f.getIterationExpression(), current);
        expressions(f.getIterationExpression());
      }
      graph.edge(current, head);
      end(inside, always ? -1 : branch);
    }

    private void loop(ICPPASTRangeBasedForStatement r) {
      current = after(current);
      int head = condition(r.getInitializerClause());
      Jumps inside = body(head, r.getBody());
      graph.edge(current, head);
      inside.continuesOf().forEach(b -> graph.edge(b, head));
      end(inside, head);
    }

    private Jumps body(int before, IASTStatement s) {
      Jumps inside = new Jumps(new ArrayList<>(), new ArrayList<>());
      jumps.push(inside);
      current = after(before);
      statement(s);
      jumps.pop();
      return inside;
    }

    /** Continues after a loop or switch, from its breaks and {@code other}, unless that is -1. */
    private void end(Jumps inside, int other) {
      current = other < 0 ? graph.add() : after(other);
      for (int b : inside.breaks()) {
        graph.edge(b, current);
      }
    }

    private void select(IASTSwitchStatement s) {
      if (s instanceof ICPPASTSwitchStatement c) {
        statement(c.getInitializerStatement());
      }
      int branch = condition(s.getControllerExpression());
      Labels cases = new Labels(branch, new boolean[1]);
      Jumps inside = new Jumps(new ArrayList<>(), null);
      jumps.push(inside);
      switches.push(cases);
      unreachable();
      blocks.put(s.getBody(), current);
      // Cases enter the body in its middle, so it is no scope of its own.
      list(s.getBody());
      jumps.pop();
      switches.pop();
      inside.breaks().add(current);
      end(inside, cases.hasDefault()[0] ? -1 : branch);
    }

    private void label(boolean isDefault) {
      current = after(current);
      if (!switches.isEmpty()) {
        graph.edge(switches.element().branch(), current);
        switches.element().hasDefault()[0] |= isDefault;
      }
    }

    /** Finds the branches in an expression or a declaration. */
    private void expressions(IASTNode root) {
      root.accept(
          new ASTVisitor() {
            {
              shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression x) {
              switch (x) {
                case IASTBinaryExpression b when isShort(b) -> {
                  expressions(b.getOperand1());
                  branches.put(current, b.getOperand1());
                  either(b.getOperand2(), null);
                  return PROCESS_SKIP;
                }
                case IASTConditionalExpression c -> {
                  expressions(c.getLogicalConditionExpression());
                  branches.put(current, c.getLogicalConditionExpression());
                  either(c.getPositiveResultExpression(), c.getNegativeResultExpression());
                  return PROCESS_SKIP;
                }
                case IGNUASTCompoundStatementExpression g -> {
                  statement(g.getCompoundStatement());
                  return PROCESS_SKIP;
                }
                case ICPPASTLambdaExpression _ -> {
                  return PROCESS_SKIP;
                }
                default -> {
                  return PROCESS_CONTINUE;
                }
              }
            }
          });
    }

    private void either(@Nullable IASTNode yes, @Nullable IASTNode no) {
      int branch = current;
      int end = operand(branch, yes);
      current = after(end, operand(branch, no));
    }

    private int operand(int branch, @Nullable IASTNode x) {
      if (x == null) {
        return branch;
      }
      current = after(branch);
      blocks.put(x, current);
      expressions(x);
      return current;
    }

    private static boolean isShort(IASTBinaryExpression b) {
      return b.getOperator() == IASTBinaryExpression.op_logicalAnd
          || b.getOperator() == IASTBinaryExpression.op_logicalOr;
    }
  }
}
