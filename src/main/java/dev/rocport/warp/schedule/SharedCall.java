package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Piece;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.ASTTypeUtil;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTProblem;
import org.eclipse.cdt.core.dom.ast.IProblemType;
import org.eclipse.cdt.core.dom.ast.IType;

/** Replaces the calls of a warp function in all ways by one call for all threads. */
final class SharedCall {
  private static final String GOT = "rocport_got";

  private final SourceText text;
  private final Roles roles;
  private final SplitDraft draft;
  private final String line;
  private int exchanges;

  SharedCall(SourceText text, Roles roles, SplitDraft draft) {
    this.text = text;
    this.roles = roles;
    this.draft = draft;
    this.line = text.newline();
  }

  void write(List<Meeting.Exchange> here, List<List<Piece>> heads, List<Piece> out, String margin) {
    IASTFunctionCallExpression first = here.getFirst().call();
    IASTInitializerClause[] a = Syntax.arguments(first);
    for (Meeting.Exchange e : here) {
      if (!text.tight(e.call().getFunctionNameExpression())
              .equals(text.tight(first.getFunctionNameExpression()))
          || Syntax.arguments(e.call()).length != a.length
          || !text.isWritten(e.call())) {
        draft.fail("they call different functions");
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
      draft.drop(from, text.start(a));
      from = text.end(a);
    }
    draft.drop(from, text.end(call));
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
        draft.fail("a macro generates the arguments of their calls");
        return;
      }
    }
    if (same) {
      out.add(new Piece.Moved(text.start(first), text.end(first)));
      for (IASTInitializerClause g : given.subList(1, given.size())) {
        draft.drop(text.start(g), text.end(g));
      }
      return;
    }
    if (!isNumber(call, index)) {
      for (IASTInitializerClause g : given) {
        if (type(g).isEmpty() || !type(g).equals(type(first))) {
          draft.fail("the arguments of their calls may have different types");
          return;
        }
      }
    }
    for (int w = 0; w < given.size(); w++) {
      boolean last = w == given.size() - 1;
      out.add(new Piece.Text(last ? "(" : Split.is(roles, w) + " ? ("));
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
}
