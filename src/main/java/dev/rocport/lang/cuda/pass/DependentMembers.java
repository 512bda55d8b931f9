package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.MemberTemplates;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds {@code template} to calls such as {@code grid.cell<0>(x)} where the type of {@code grid} is
 * a parameter of a template. Without it, standard C++ reads a comparison, and nvcc a call.
 */
final class DependentMembers {
  static final String RULE = "CXX-TEMPLATE-MEMBER";

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes objects;
  private @Nullable VariableTypes variables;

  private DependentMembers(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.objects = new ObjectTypes(f.t);
  }

  static void run(CudaFile f) {
    if (f.isC() || !f.mayBelongToCuda() || !f.t.mentions("template") || !f.changes.allows(RULE)) {
      return;
    }
    DependentMembers pass = new DependentMembers(f);
    for (int i = 2; i < f.t.count(); i++) {
      if (f.t.is(i, '<') && pass.isCall(i - 1, i)) {
        f.changes.edit(Edit.before(f.t.start(i - 1), "template ", RULE));
      }
    }
  }

  /** Whether a bracket opens the arguments of a template that is a member of a parameter. */
  private boolean isCall(int name, int open) {
    boolean arrow = t.isPair(name - 1, '-') && t.is(name - 1, "->");
    if (!t.isIdentifier(name)
        || !(arrow || t.is(name - 1, '.'))
        || !t.isIdentifier(name - 2)
        || t.inDirective(name)
        || f.regions.isDead(name)
        || !MemberTemplates.has(f.project.shared(), t.text(name))) {
      return false;
    }
    int close = Angles.close(t, open, t.count());
    return close > 0 && t.is(close + 1, '(') && isParameter(name - 2) && !isData(name);
  }

  /** Whether the type of a variable is a parameter of a template around it. */
  private boolean isParameter(int variable) {
    VariableTypes known = variables;
    if (known == null) {
      known = new VariableTypes(t);
      variables = known;
    }
    int name = known.declaration(variable);
    int type = name < 0 ? -1 : objects.typeBefore(name);
    if (type < 0 || Scopes.isInNamed(t, type)) {
      return false;
    }
    for (int k = Scopes.enclosing(t, variable); k >= 0; k = Scopes.enclosing(t, k)) {
      for (int i = templateBefore(k); i >= 0 && t.is(i, "template") && t.is(i + 1, '<'); ) {
        int close = Angles.closeOfTemplate(t, i + 1);
        if (close > type || close < 0) {
          break;
        }
        if (declares(i + 1, close, type)) {
          return true;
        }
        i = close + 1;
      }
    }
    return false;
  }

  /** The first token of the definition whose braces open at a token, after labels of access. */
  private int templateBefore(int brace) {
    int first = brace;
    for (int k = brace - 1; k >= 0 && !t.inDirective(k); k--) {
      if (t.is(k, ';') || t.is(k, '{') || t.is(k, '}')) {
        break;
      }
      first = t.is(k, "template") && !t.is(k - 1, '>') ? k : first;
      k = t.is(k, ')') && t.match(k) > 0 ? t.match(k) : k;
    }
    return first;
  }

  /** Whether the parameters between two brackets have the type that a token names. */
  private boolean declares(int open, int close, int type) {
    return IntStream.range(open + 2, close)
        .anyMatch(
            i ->
                t.isSame(i, type)
                    && (t.is(i - 1, "class") || t.is(i - 1, "typename"))
                    && (t.is(i - 2, ',') || i - 2 == open));
  }

  /** Whether the file has a variable or a member with the name that is no function. */
  private boolean isData(int name) {
    return IntStream.range(1, t.count())
        .anyMatch(i -> t.isSame(i, name) && !t.is(i + 1, '(') && !t.is(i + 1, '<'));
  }
}
