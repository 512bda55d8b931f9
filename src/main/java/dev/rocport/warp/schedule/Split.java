package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.Piece;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.schedule.Roles.Way;
import dev.rocport.warp.uniformity.Lanes;
import dev.rocport.warp.uniformity.Uniformity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.jspecify.annotations.Nullable;

/**
 * Splits branches at the points where their threads synchronize: each part stays under its
 * condition, which is evaluated once, and the synchronization is between the parts, for all
 * threads.
 */
final class Split {
  private static final String FIRST = "rocport_first";
  private static final String ROLE = "rocport_role";

  private final SourceText text;
  private final Lanes lanes;
  private final Roles roles;
  private final Predicate<IASTFunctionCallExpression> met;
  private final Uniformity most;
  private final String rule;
  private final List<Piece> pieces = new ArrayList<>();
  private final SplitDraft draft = new SplitDraft();
  private final HoistedDeclarations hoisted;
  private final SharedCall calls;
  private final String line;
  private final String indent;

  /**
   * @param met which calls are meetings
   * @param most how far the condition of a loop may differ in which threads meet
   */
  Split(
      SourceText text,
      Lanes lanes,
      Roles roles,
      Predicate<IASTFunctionCallExpression> met,
      Uniformity most,
      String rule) {
    this.text = text;
    this.lanes = lanes;
    this.roles = roles;
    this.met = met;
    this.most = most;
    this.hoisted = new HoistedDeclarations(text, roles, draft, rule);
    this.calls = new SharedCall(text, roles, draft);
    this.rule = rule;
    this.line = text.newline();
    this.indent = text.indent(text.start(roles.statement()));
    make();
  }

  /** Why the branches cannot be taken apart; empty if they can. */
  String problem() {
    return draft.problem();
  }

  List<int[]> dropped() {
    return draft.dropped();
  }

  /** The whole statement, rewritten. */
  Edit edit() {
    return new Edit(
        text.start(roles.statement()), text.end(roles.statement()), pieces, Edit.Side.BEFORE, rule);
  }

  /** What changes inside the parts that stay. */
  List<Edit> inner() {
    return draft.inner();
  }

  private void make() {
    for (Way w : roles.ways()) {
      if (!Syntax.all(w.node(), IASTGotoStatement.class).isEmpty()
          || !Syntax.all(w.node(), IASTLabelStatement.class).isEmpty()) {
        draft.fail("a jump leaves them");
        return;
      }
    }
    if (!text.isWritten(roles.statement())) {
      draft.fail("a macro generates them");
      return;
    }
    if (text.hasDirective(text.start(roles.statement()), text.end(roles.statement()))) {
      draft.fail("they contain preprocessor directives");
      return;
    }
    List<List<IASTStatement>> all = roles.ways().stream().map(Way::statements).toList();
    List<int[]> spans = new ArrayList<>();
    for (Way w : roles.ways()) {
      spans.add(span(w.node()));
    }
    List<Piece> body = new ArrayList<>();
    split(all, spans, body, indent + "  ");
    if (!draft.problem().isEmpty()) {
      return;
    }
    pieces.add(new Piece.Text("{"));
    condition();
    for (Map.Entry<String, String> e : hoisted.types().entrySet()) {
      String type = e.getValue();
      String gap = type.endsWith("*") ? "" : " ";
      pieces.add(new Piece.Text(line + indent + "  " + type + gap + e.getKey() + ";"));
    }
    pieces.addAll(body);
    pieces.add(new Piece.Text(line + indent + "}"));
  }

  /** The bytes between the braces of a block, or of a single statement. */
  private int[] span(@Nullable IASTStatement node) {
    if (node == null) {
      return new int[] {0, 0};
    }
    return node instanceof IASTCompoundStatement
        ? new int[] {text.start(node) + 1, text.end(node) - 1}
        : new int[] {text.start(node), text.end(node)};
  }

  private void condition() {
    List<IASTExpression> c = roles.conditions();
    if (c.size() == 1) {
      pieces.add(new Piece.Text(line + indent + "  const bool " + FIRST + " = "));
      pieces.add(new Piece.Moved(text.start(c.getFirst()), text.end(c.getFirst())));
      pieces.add(new Piece.Text(";"));
      return;
    }
    pieces.add(new Piece.Text(line + indent + "  const int " + ROLE + " = "));
    for (int i = 0; i < c.size(); i++) {
      pieces.add(new Piece.Text("("));
      pieces.add(new Piece.Moved(text.start(c.get(i)), text.end(c.get(i))));
      pieces.add(new Piece.Text(") ? " + i + " : "));
    }
    pieces.add(new Piece.Text(c.size() + ";"));
  }

  static String is(Roles roles, int way) {
    return roles.conditions().size() > 1 ? ROLE + " == " + way : way == 0 ? FIRST : "!" + FIRST;
  }

  /** Writes the parts of all ways and the meetings between them. */
  private void split(
      List<List<IASTStatement>> ways, List<int[]> spans, List<Piece> out, String margin) {
    List<List<Meeting>> meetings = new ArrayList<>();
    for (List<IASTStatement> w : ways) {
      meetings.add(Meeting.in(w, lanes, met));
    }
    int count = meetings.getFirst().size();
    for (List<Meeting> m : meetings) {
      if (m.size() != count) {
        draft.fail("they do not synchronize the same number of times");
        return;
      }
    }
    for (int w = 0; w < ways.size(); w++) {
      hoisted.hoist(ways, w, meetings.get(w));
    }
    if (!draft.problem().isEmpty()) {
      return;
    }
    String[] lead = new String[ways.size()];
    List<List<Piece>> heads = new ArrayList<>();
    int[] at = new int[ways.size()];
    for (int w = 0; w < ways.size(); w++) {
      heads.add(new ArrayList<>());
      at[w] = spans.get(w)[0];
      lead[w] = "";
    }
    for (int k = 0; k <= count; k++) {
      List<List<Piece>> parts = new ArrayList<>();
      for (int w = 0; w < ways.size(); w++) {
        int end = k < count ? text.start(meetings.get(w).get(k).statement()) : spans.get(w)[1];
        List<Piece> part = new ArrayList<>(heads.get(w));
        if (!text.of(at[w], end).isBlank()) {
          int last = end;
          while (text.of(last - 1, last).isBlank()) {
            last--;
          }
          part.add(new Piece.Moved(at[w], last));
        }
        heads.get(w).clear();
        parts.add(part);
      }
      parts(parts, out, margin);
      if (k == count) {
        break;
      }
      List<Meeting> here = new ArrayList<>();
      for (List<Meeting> m : meetings) {
        here.add(m.get(k));
      }
      meet(here, heads, out, margin);
      if (!draft.problem().isEmpty()) {
        return;
      }
      for (int w = 0; w < ways.size(); w++) {
        at[w] = text.end(here.get(w).statement());
      }
    }
  }

  private void parts(List<List<Piece>> parts, List<Piece> out, String margin) {
    boolean open = false;
    for (int w = 0; w < parts.size(); w++) {
      if (parts.get(w).isEmpty()) {
        continue;
      }
      boolean rest = open && roles.conditions().size() == 1;
      String head =
          rest ? " else {" : (open ? " else " : line + margin) + "if (" + is(roles, w) + ") {";
      out.add(new Piece.Text(head));
      out.addAll(parts.get(w));
      out.add(new Piece.Text(line + margin + "}"));
      open = true;
    }
  }

  private void meet(List<Meeting> here, List<List<Piece>> heads, List<Piece> out, String margin) {
    switch (here.getFirst()) {
      case Meeting.Barrier(IASTStatement s)
          when here.stream().allMatch(Meeting.Barrier.class::isInstance) -> {
        out.add(new Piece.Text(line + margin));
        out.add(new Piece.Moved(text.start(s), text.end(s)));
        for (Meeting m : here.subList(1, here.size())) {
          draft.drop(text.start(m.statement()), text.end(m.statement()));
        }
      }
      case Meeting.Exchange _ when here.stream().allMatch(Meeting.Exchange.class::isInstance) ->
          calls.write(here.stream().map(m -> (Meeting.Exchange) m).toList(), heads, out, margin);
      case Meeting.Loop _ when here.stream().allMatch(Meeting.Loop.class::isInstance) ->
          loop(here.stream().map(m -> ((Meeting.Loop) m).statement()).toList(), out, margin);
      default ->
          draft.fail(
              "their synchronization is nested in other statements or differs between the"
                  + " branches");
    }
  }

  private void loop(List<IASTForStatement> loops, List<Piece> out, String margin) {
    IASTForStatement first = loops.getFirst();
    String head = head(first);
    for (IASTForStatement f : loops) {
      if (!head(f).equals(head) || f.getBody() == null) {
        draft.fail("they synchronize in different loops");
        return;
      }
      boolean jumps =
          Syntax.all(f.getBody(), IASTBreakStatement.class).stream().anyMatch(b -> leaves(b, f))
              || Syntax.all(f.getBody(), IASTContinueStatement.class).stream()
                  .anyMatch(b -> leaves(b, f));
      if (jumps) {
        draft.fail("a jump leaves the loop in which they synchronize");
        return;
      }
    }
    Set<String> fixed = new HashSet<>(Syntax.names(first.getConditionExpression()));
    fixed.removeAll(Syntax.assigned(first.getIterationExpression()));
    for (Way w : roles.ways()) {
      if (Syntax.assigned(w.node()).stream().anyMatch(fixed::contains)) {
        draft.fail("they change the condition of the loop in which they synchronize");
        return;
      }
    }
    if (first.getConditionExpression() == null
        || lanes.of(first.getConditionExpression()).uniformity().compareTo(most) > 0) {
      draft.fail(
          "the loop in which they synchronize might run a different number of times for different"
              + " threads");
      return;
    }
    List<List<IASTStatement>> ways = new ArrayList<>();
    List<int[]> spans = new ArrayList<>();
    for (IASTForStatement f : loops) {
      ways.add(Syntax.statements(f.getBody()));
      spans.add(span(f.getBody()));
      if (f != first) {
        draft.drop(text.start(f), text.start(f.getBody()));
      }
    }
    out.add(new Piece.Text(line + margin));
    out.add(new Piece.Moved(text.start(first), text.start(first.getBody())));
    out.add(new Piece.Text("{"));
    split(ways, spans, out, margin + "  ");
    out.add(new Piece.Text(line + margin + "}"));
  }

  private String head(IASTForStatement f) {
    return text.of(text.start(f), text.start(f.getBody())).replaceAll("\\s+", "");
  }

  private static boolean leaves(IASTStatement jump, IASTForStatement loop) {
    for (IASTNode n = jump.getParent(); n != null && n != loop; n = n.getParent()) {
      if (Syntax.isLoop(n) || n instanceof IASTSwitchStatement) {
        return false;
      }
    }
    return true;
  }
}
