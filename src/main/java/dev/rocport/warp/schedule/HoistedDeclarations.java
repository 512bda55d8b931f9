package dev.rocport.warp.schedule;

import dev.rocport.core.edit.Edit;
import dev.rocport.warp.code.SourceText;
import dev.rocport.warp.code.Syntax;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTPointer;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;

/** Declares variables before all parts that one part declares and another uses. */
final class HoistedDeclarations {
  private final SourceText text;
  private final Roles roles;
  private final SplitDraft draft;
  private final String rule;
  private final Map<String, String> hoisted = new LinkedHashMap<>();

  HoistedDeclarations(SourceText text, Roles roles, SplitDraft draft, String rule) {
    this.text = text;
    this.roles = roles;
    this.draft = draft;
    this.rule = rule;
  }

  /** Returns the types of the variables by their names. */
  Map<String, String> types() {
    return hoisted;
  }

  /** Variables that a way declares in one part and uses in another are declared before all. */
  void hoist(List<List<IASTStatement>> ways, int way, List<Meeting> meetings) {
    List<IASTStatement> statements = ways.get(way);
    int part = 0;
    int next = 0;
    Map<String, IASTDeclarationStatement> declared = new LinkedHashMap<>();
    Map<String, Integer> where = new LinkedHashMap<>();
    Set<IASTDeclarationStatement> crossing = new LinkedHashSet<>();
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
      draft.fail("variables that they declare are used after the synchronization");
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
      draft.fail("variables that they declare are used after the synchronization");
      return;
    }
    String bare = pointer ? type + "*" : type.replaceAll("\\bconst\\b\\s*", "").strip();
    for (IASTDeclarator x : all) {
      String name = Syntax.simple(x.getName());
      for (int w = 0; w < ways.size(); w++) {
        if (w != way && !declares(ways.get(w), name) && mentions(ways.get(w), name)) {
          draft.fail("a name that one branch declares has a different meaning in another branch");
          return;
        }
      }
      boolean taken = roles.conditions().stream().anyMatch(c -> Syntax.names(c).contains(name));
      if (taken || !hoisted.getOrDefault(name, bare).equals(bare)) {
        draft.fail(
            "a name that one branch declares is used differently in the condition or in another"
                + " branch");
        return;
      }
      hoisted.put(name, bare);
    }
    int from = text.start(d);
    int to = any ? text.start(all[0].getName()) : text.end(d);
    draft.drop(from, to);
    draft.inner().add(Edit.delete(from, to, rule));
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
}
