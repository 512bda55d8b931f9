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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.ASTTypeUtil;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTPointer;
import org.eclipse.cdt.core.dom.ast.IASTProblem;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IProblemType;
import org.eclipse.cdt.core.dom.ast.IType;
import org.jspecify.annotations.Nullable;

/**
 * Splits branches at the points where their threads synchronize: each part stays under its
 * condition, which is evaluated once, and the synchronization is between the parts, for all
 * threads.
 */
final class Split {
  private static final String FIRST = "rocport_first";
  private static final String ROLE = "rocport_role";
  private static final String GOT = "rocport_got";

  private final SourceText text;
  private final Lanes lanes;
  private final Roles roles;
  private final Predicate<IASTFunctionCallExpression> met;
  private final Uniformity most;
  private final String rule;
  private final List<Piece> pieces = new ArrayList<>();
  private final List<Edit> inner = new ArrayList<>();

  /** Spans that are removed, with all other edits inside them. */
  private final List<int[]> dropped = new ArrayList<>();

  private final Map<String, String> hoisted = new LinkedHashMap<>();
  private final String line;
  private final String indent;
  private String problem = "";
  private int exchanges;

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
    this.rule = rule;
    this.line = text.newline();
    this.indent = text.indent(text.start(roles.statement()));
    make();
  }

  /** Why the branches cannot be taken apart; empty if they can. */
  String problem() {
    return problem;
  }

  List<int[]> dropped() {
    return dropped;
  }

  /** The whole statement, rewritten. */
  Edit edit() {
    return new Edit(
        text.start(roles.statement()), text.end(roles.statement()), pieces, Edit.Side.BEFORE, rule);
  }

  /** What changes inside the parts that stay. */
  List<Edit> inner() {
    return inner;
  }

  private void make() {
    for (Way w : roles.ways()) {
      if (!Syntax.all(w.node(), IASTGotoStatement.class).isEmpty()
          || !Syntax.all(w.node(), IASTLabelStatement.class).isEmpty()) {
        problem = "a jump leaves them";
        return;
      }
    }
    if (!text.isWritten(roles.statement())) {
      problem = "a macro generates them";
      return;
    }
    if (text.hasDirective(text.start(roles.statement()), text.end(roles.statement()))) {
      problem = "they contain preprocessor directives";
      return;
    }
    List<List<IASTStatement>> all = roles.ways().stream().map(Way::statements).toList();
    List<int[]> spans = new ArrayList<>();
    for (Way w : roles.ways()) {
      spans.add(span(w.node()));
    }
    List<Piece> body = new ArrayList<>();
    split(all, spans, body, indent + "  ");
    if (!problem.isEmpty()) {
      return;
    }
    pieces.add(new Piece.Text("{"));
    condition();
    for (Map.Entry<String, String> e : hoisted.entrySet()) {
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
    return node instanceof org.eclipse.cdt.core.dom.ast.IASTCompoundStatement
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

  private String is(int way) {
    return roles.conditions().size() > 1 ? ROLE + " == " + way : way == 0 ? FIRST : "!" + FIRST;
  }

  private void fail(String reason) {
    if (problem.isEmpty()) {
      problem = reason;
    }
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
        fail("they do not synchronize equally often");
        return;
      }
    }
    for (int w = 0; w < ways.size(); w++) {
      hoist(ways, w, meetings.get(w));
    }
    if (!problem.isEmpty()) {
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
      if (!problem.isEmpty()) {
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
      String head = rest ? " else {" : (open ? " else " : line + margin) + "if (" + is(w) + ") {";
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
          drop(text.start(m.statement()), text.end(m.statement()));
        }
      }
      case Meeting.Exchange _ when here.stream().allMatch(Meeting.Exchange.class::isInstance) ->
          exchange(here.stream().map(m -> (Meeting.Exchange) m).toList(), heads, out, margin);
      case Meeting.Loop _ when here.stream().allMatch(Meeting.Loop.class::isInstance) ->
          loop(here.stream().map(m -> ((Meeting.Loop) m).statement()).toList(), out, margin);
      default -> fail("they synchronize inside other statements, or in different ways");
    }
  }

  private void exchange(
      List<Meeting.Exchange> here, List<List<Piece>> heads, List<Piece> out, String margin) {
    IASTFunctionCallExpression first = here.getFirst().call();
    IASTInitializerClause[] a = Syntax.arguments(first);
    for (Meeting.Exchange e : here) {
      if (!text.tight(e.call().getFunctionNameExpression())
              .equals(text.tight(first.getFunctionNameExpression()))
          || Syntax.arguments(e.call()).length != a.length
          || !text.isWritten(e.call())) {
        fail("they call different functions");
        return;
      }
    }
    boolean alone = here.stream().allMatch(e -> Syntax.callOf(e.statement()) == e.call());
    String got = exchanges++ == 0 ? GOT : GOT + exchanges;
    out.add(new Piece.Text(line + margin + (alone ? "" : "const auto " + got + " = ")));
    int from = text.start(first);
    for (int i = 0; i < a.length; i++) {
      out.add(new Piece.Moved(from, text.start(a[i])));
      from = text.end(a[i]);
      List<IASTInitializerClause> given = new ArrayList<>();
      for (Meeting.Exchange e : here) {
        given.add(Syntax.arguments(e.call())[i]);
      }
      argument(first, i, given, out);
    }
    out.add(new Piece.Moved(from, text.end(first)));
    out.add(new Piece.Text(";"));
    for (int w = 0; w < here.size(); w++) {
      Meeting.Exchange e = here.get(w);
      if (w > 0) {
        gaps(e.call());
      }
      if (Syntax.callOf(e.statement()) != e.call()) {
        List<Piece> head = heads.get(w);
        head.add(new Piece.Text(line + margin + "  "));
        head.add(new Piece.Moved(text.start(e.statement()), text.start(e.call())));
        head.add(new Piece.Text(got));
        head.add(new Piece.Moved(text.end(e.call()), text.end(e.statement())));
      }
    }
  }

  /** What is around the arguments of a call that is made by another one now. */
  private void gaps(IASTFunctionCallExpression call) {
    int from = text.start(call);
    for (IASTInitializerClause a : Syntax.arguments(call)) {
      drop(from, text.start(a));
      from = text.end(a);
    }
    drop(from, text.end(call));
  }

  private void argument(
      IASTFunctionCallExpression call,
      int index,
      List<IASTInitializerClause> given,
      List<Piece> out) {
    IASTInitializerClause first = given.getFirst();
    boolean same = true;
    for (IASTInitializerClause g : given) {
      same &= text.tight(g).equals(text.tight(first));
      if (!text.isWhole(g)) {
        fail("a macro generates their arguments");
        return;
      }
    }
    if (same) {
      out.add(new Piece.Moved(text.start(first), text.end(first)));
      for (IASTInitializerClause g : given.subList(1, given.size())) {
        drop(text.start(g), text.end(g));
      }
      return;
    }
    if (!isNumber(call, index)) {
      for (IASTInitializerClause g : given) {
        if (type(g).isEmpty() || !type(g).equals(type(first))) {
          fail("their arguments may be of different types");
          return;
        }
      }
    }
    for (int w = 0; w < given.size(); w++) {
      boolean last = w == given.size() - 1;
      out.add(new Piece.Text(last ? "(" : is(w) + " ? ("));
      out.add(new Piece.Moved(text.start(given.get(w)), text.end(given.get(w))));
      out.add(new Piece.Text(last ? ")" : ") : "));
    }
  }

  /** True for arguments that a warp function takes as an int, whatever they are. */
  private static boolean isNumber(IASTFunctionCallExpression call, int index) {
    String name = Syntax.callee(call);
    return name.startsWith("__shfl")
        ? index >= 2
        : index == 1
            && (name.equals("__ballot_sync")
                || name.equals("__any_sync")
                || name.equals("__all_sync")
                || name.equals("__uni_sync"));
  }

  private static String type(IASTInitializerClause clause) {
    if (!(Syntax.bare(clause) instanceof IASTExpression x)) {
      return "";
    }
    IType type = x.getExpressionType();
    if (type == null || type instanceof IProblemType || type instanceof IASTProblem) {
      return "";
    }
    String name = ASTTypeUtil.getType(type);
    return name.contains("?") ? "" : name.replaceAll("\\b(const|volatile) |( ?&)+$", "");
  }

  private void loop(List<IASTForStatement> loops, List<Piece> out, String margin) {
    IASTForStatement first = loops.getFirst();
    String head = head(first);
    for (IASTForStatement f : loops) {
      if (!head(f).equals(head) || f.getBody() == null) {
        fail("they synchronize in different loops");
        return;
      }
      boolean jumps =
          Syntax.all(f.getBody(), IASTBreakStatement.class).stream().anyMatch(b -> leaves(b, f))
              || Syntax.all(f.getBody(), IASTContinueStatement.class).stream()
                  .anyMatch(b -> leaves(b, f));
      if (jumps) {
        fail("a jump leaves the loop in which they synchronize");
        return;
      }
    }
    Set<String> fixed = new HashSet<>(Syntax.names(first.getConditionExpression()));
    fixed.removeAll(Syntax.assigned(first.getIterationExpression()));
    for (Way w : roles.ways()) {
      if (Syntax.assigned(w.node()).stream().anyMatch(fixed::contains)) {
        fail("the loop in which they synchronize changes its own condition");
        return;
      }
    }
    if (first.getConditionExpression() == null
        || lanes.of(first.getConditionExpression()).uniformity().compareTo(most) > 0) {
      fail("the loop in which they synchronize is not the same for all");
      return;
    }
    List<List<IASTStatement>> ways = new ArrayList<>();
    List<int[]> spans = new ArrayList<>();
    for (IASTForStatement f : loops) {
      ways.add(Syntax.statements(f.getBody()));
      spans.add(span(f.getBody()));
      if (f != first) {
        drop(text.start(f), text.start(f.getBody()));
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
      if (Syntax.isLoop(n) || n instanceof org.eclipse.cdt.core.dom.ast.IASTSwitchStatement) {
        return false;
      }
    }
    return true;
  }

  /** Variables that a way declares in one part and uses in another are declared before all. */
  private void hoist(List<List<IASTStatement>> ways, int way, List<Meeting> meetings) {
    List<IASTStatement> statements = ways.get(way);
    int part = 0;
    int next = 0;
    Map<String, IASTDeclarationStatement> declared = new LinkedHashMap<>();
    Map<String, Integer> where = new LinkedHashMap<>();
    Set<IASTDeclarationStatement> crossing = new java.util.LinkedHashSet<>();
    for (IASTStatement s : statements) {
      boolean meets = next < meetings.size() && meetings.get(next).statement() == s;
      if (meets) {
        // Its operands are needed outside the parts.
        IASTNode outside = meetings.get(next) instanceof Meeting.Exchange e ? e.call() : s;
        for (String name : Syntax.names(outside)) {
          if (declared.containsKey(name)) {
            crossing.add(declared.get(name));
          }
        }
        part++;
        next++;
      }
      for (String name : Syntax.names(s)) {
        Integer there = where.get(name);
        if (there != null && there != part) {
          crossing.add(declared.get(name));
        }
      }
      if (s instanceof IASTDeclarationStatement d) {
        for (IASTDeclarator x : Syntax.all(d, IASTDeclarator.class)) {
          declared.put(Syntax.simple(x.getName()), d);
          where.put(Syntax.simple(x.getName()), part);
        }
      }
    }
    for (IASTDeclarationStatement d : crossing) {
      hoist(ways, way, d);
    }
  }

  private void hoist(List<List<IASTStatement>> ways, int way, IASTDeclarationStatement d) {
    if (!(d.getDeclaration() instanceof IASTSimpleDeclaration simple) || !text.isWritten(d)) {
      fail("their declarations are used after the synchronization");
      return;
    }
    String type = text.of(simple.getDeclSpecifier()).strip();
    IASTDeclarator[] all = simple.getDeclarators();
    boolean pointer =
        all.length == 1
            && all[0].getPointerOperators().length == 1
            && all[0].getPointerOperators()[0] instanceof IASTPointer;
    boolean plain =
        type.matches("[\\w:\\s]+")
            && !type.matches(".*\\b(auto|static|constexpr|extern|struct|cuda\\w*|half\\w*)\\b.*");
    boolean any = false;
    for (IASTDeclarator x : all) {
      plain &=
          !(x instanceof IASTArrayDeclarator)
              && !(x instanceof IASTFunctionDeclarator)
              && (pointer || x.getPointerOperators().length == 0)
              && (x.getInitializer() == null
                  || (x.getInitializer() instanceof IASTEqualsInitializer e
                      && e.getInitializerClause() instanceof IASTExpression));
      any |= x.getInitializer() != null;
    }
    String before = text.of(text.before(d), text.start(simple.getDeclSpecifier()));
    if (!plain || before.contains("__shared__")) {
      fail("their declarations are used after the synchronization");
      return;
    }
    String bare = pointer ? type + "*" : type.replaceAll("\\bconst\\b\\s*", "").strip();
    for (IASTDeclarator x : all) {
      String name = Syntax.simple(x.getName());
      for (int w = 0; w < ways.size(); w++) {
        if (w != way && !declares(ways.get(w), name) && mentions(ways.get(w), name)) {
          fail("a name that one of them declares means something else in another");
          return;
        }
      }
      boolean taken = roles.conditions().stream().anyMatch(c -> Syntax.names(c).contains(name));
      if (taken || !hoisted.getOrDefault(name, bare).equals(bare)) {
        fail("they declare the same name differently");
        return;
      }
      hoisted.put(name, bare);
    }
    int from = text.start(d);
    int to = any ? text.start(all[0].getName()) : text.end(d);
    drop(from, to);
    inner.add(Edit.delete(from, to, rule));
  }

  private static boolean declares(List<IASTStatement> statements, String name) {
    return statements.stream()
        .filter(IASTDeclarationStatement.class::isInstance)
        .flatMap(s -> Syntax.all(s, IASTDeclarator.class).stream())
        .anyMatch(x -> Syntax.simple(x.getName()).equals(name));
  }

  private static boolean mentions(List<IASTStatement> statements, String name) {
    return statements.stream().anyMatch(s -> Syntax.names(s).contains(name));
  }

  private void drop(int start, int end) {
    if (end > start) {
      dropped.add(new int[] {start, end});
    }
  }
}
