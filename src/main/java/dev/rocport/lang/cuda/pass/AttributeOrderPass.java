package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts {@code alignas} and {@code [[attributes]]} before CUDA specifiers: {@code __shared__
 * alignas(16) float a[4]} becomes {@code alignas(16) __shared__ float a[4]}. The specifiers move,
 * so that other edits inside the attributes keep their positions. Also removes {@code __restrict__}
 * before and after the type that a pointer points to, writes a pragma in a macro as {@code
 * _Pragma}, and adds {@code template} before the name of a template in a type that depends on
 * parameters.
 */
public final class AttributeOrderPass {
  static final String RULE = "CXX-ATTRIBUTE-ORDER";
  static final String RESTRICT = "CXX-RESTRICT-PLACE";
  static final String TEMPLATE = "CXX-TEMPLATE-NAME";
  static final String PRAGMA = "CXX-PRAGMA-MACRO";

  static final Set<String> CUDA =
      Set.of("__shared__", "__device__", "__constant__", "__managed__", "__host__", "__global__");

  /** Other words that can appear among them and that no rule edits. */
  private static final Set<String> SPECIFIERS =
      Set.of(
          "static",
          "extern",
          "inline",
          "constexpr",
          "virtual",
          "explicit",
          "friend",
          "__inline__",
          "__forceinline__",
          "__noinline__");

  private final CudaFile f;
  private final Tokens t;

  /** Names of parameters of templates, and aliases of them; null until they are needed. */
  private @Nullable Set<String> parameters;

  private AttributeOrderPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (f.isC()) {
      return;
    }
    DependentMembers.run(f);
    AttributeOrderPass pass = new AttributeOrderPass(f);
    f.t.directives().forEach(pass::pragma);
    boolean cuda = f.mayBelongToCuda();
    for (int i = 1; i < f.t.count(); i++) {
      pass.restrict(i);
      if (cuda && f.t.is(i, "typename")) {
        pass.templateName(i + 1);
      }
      int end = pass.attributesEnd(i);
      if (end > i) {
        pass.attributes(i, end);
        i = end - 1;
      }
    }
  }

  /** {@code #define UNROLL #pragma unroll}, which nvcc reads again after it has preprocessed it. */
  private void pragma(Directive d) {
    int hash = d.body() + 1;
    boolean parameters = t.is(hash, '(');
    if (d.name().equals("define")
        && !parameters
        && hash + 2 < d.last()
        && t.is(hash, '#')
        && t.is(hash + 1, "pragma")
        && f.changes.allows(PRAGMA)) {
      int end = t.end(d.last() - 1);
      String text = f.source.text(t.start(hash + 2), end);
      String quoted = text.replace("\\", "\\\\").replace("\"", "\\\"");
      f.changes.edit(Edit.replace(t.start(hash), end, "_Pragma(\"" + quoted + "\")", PRAGMA));
    }
  }

  /**
   * {@code const __restrict__ T* p} and {@code const T __restrict__ *p}, where it says nothing
   * about the pointer.
   */
  private void restrict(int i) {
    if (!t.is(i, "__restrict__") && !t.is(i, "__restrict")) {
      return;
    }
    int before = t.is(i - 1, "const") ? i - 2 : i - 1;
    int behind = endOfType(i + 1);
    boolean first = t.is(before, '(') || t.is(before, ',') || isStatement(before);
    boolean beforeType = first && behind > i + 1 && t.is(behind, '*');
    boolean pointer = t.is(before, '*') || t.is(before, '&');
    boolean afterType = !pointer && t.is(i + 1, '*') && (t.isIdentifier(i - 1) || t.is(i - 1, '>'));
    if ((beforeType || afterType) && f.changes.allows(RESTRICT)) {
      int end = t.end(i);
      int next = t.start(i + 1);
      boolean comment = !f.source.text(end, next).isBlank();
      f.changes.edit(Edit.delete(t.start(i), comment ? end : next, RESTRICT));
    }
  }

  private boolean isStatement(int before) {
    return t.is(before, ';') || t.is(before, '{') || t.is(before, '}');
  }

  /**
   * {@code typename Traits<T>::rebind<U>}: after {@code typename} a bracket can only be one of a
   * template, but clang requires the word anyway.
   *
   * @param first the token after {@code typename}
   */
  private void templateName(int first) {
    int i = t.isPair(first, ':') ? first + 1 : first;
    boolean member = false;
    boolean dependent = isParameter(i);
    while (t.isIdentifier(i)) {
      int next = i + 1;
      boolean template = t.is(next, '<');
      if (template) {
        next = Angles.closeOfTemplate(t, next) + 1;
        if (next == 0) {
          return;
        }
        if (member && f.changes.allows(TEMPLATE)) {
          f.changes.edit(Edit.before(t.start(i), "template ", TEMPLATE));
        }
      }
      if (!t.isPair(next, ':')) {
        return;
      }
      member = template || dependent;
      i = next + 1;
    }
  }

  /** Whether a token names a parameter of a template of this file. */
  private boolean isParameter(int i) {
    Set<String> known = parameters;
    if (known == null) {
      known = new HashSet<>();
      for (int k = 1; k < t.count(); k++) {
        boolean opens = t.is(k - 1, '<') || t.is(k - 1, ',');
        boolean type = opens && (t.is(k, "typename") || t.is(k, "class"));
        if (type && (t.is(k + 2, ',') || t.is(k + 2, '>') || t.is(k + 2, '='))) {
          known.add(t.text(k + 1));
        }
        // using Element = Element_; using Load = typename Op::Load;
        boolean alias = t.is(k - 1, "using") && t.is(k + 1, '=');
        boolean renamed = t.is(k + 3, ';') && known.contains(t.text(k + 2));
        if (alias && (renamed || t.is(k + 2, "typename"))) {
          known.add(t.text(k));
        }
      }
      parameters = known;
    }
    return known.contains(t.text(i));
  }

  /** Index after the names, scopes and template arguments that begin at {@code first}. */
  private int endOfType(int first) {
    int i = first;
    while (t.isIdentifier(i) || t.isPair(i, ':') || (i > first && t.is(i, '<'))) {
      int close = t.is(i, '<') ? Angles.close(t, i, t.count()) : i;
      if (close < 0) {
        return first;
      }
      i = close + 1;
    }
    return i;
  }

  /** Index after the attributes that begin at {@code i}; {@code i} if none do. */
  private int attributesEnd(int i) {
    int at = i;
    while (true) {
      int next = attributeEnd(at);
      if (next < 0) {
        return at;
      }
      at = next;
    }
  }

  private int attributeEnd(int i) {
    int close = -1;
    if (t.is(i, "alignas") && t.is(i + 1, '(')) {
      close = t.match(i + 1);
    } else if (t.is(i, '[') && t.is(i + 1, '[') && t.match(i) == t.match(i + 1) + 1) {
      close = t.match(i);
    }
    return close < 0 ? -1 : close + 1;
  }

  private void attributes(int first, int end) {
    int from = first;
    boolean cuda = false;
    while (isSpecifier(from - 1) && sameLine(from - 1, first)) {
      from--;
      cuda |= CUDA.contains(t.text(from));
    }
    int start = t.start(from);
    int stop = t.end(first - 1);
    if (!cuda || !isStart(from) || !f.changes.allows(RULE)) {
      return;
    }
    boolean comment = !f.source.text(stop, t.start(first)).isBlank();
    f.changes.edit(Edit.delete(start, comment ? stop : t.start(first), RULE));
    f.changes.edit(Edit.after(t.end(end - 1), " " + f.source.text(start, stop), RULE));
  }

  private boolean isSpecifier(int i) {
    return t.isIdentifier(i)
        && !t.isSpliced(i)
        && (CUDA.contains(t.text(i)) || SPECIFIERS.contains(t.text(i)));
  }

  /** Both in the program's text, or both in one directive. */
  private boolean sameLine(int a, int b) {
    return t.directiveOf(a) == t.directiveOf(b);
  }

  /** A declaration begins here; what is unsure, a macro before it say, is not a beginning. */
  private boolean isStart(int i) {
    int before = i - 1;
    if (before < 0 || !sameLine(before, i)) {
      return true;
    }
    if (t.inDirective(i)) {
      return isMacroBody(i);
    }
    return t.is(before, ';')
        || t.is(before, '{')
        || t.is(before, '}')
        || t.is(before, ':')
        || t.is(before, '>') // of template parameters
        || t.kind(before) == Tokens.STRING // of extern "C"
        || isAttribute(before);
  }

  private boolean isMacroBody(int i) {
    Directive d = t.directives().get(t.directiveOf(i));
    int name = d.body();
    if (!d.name().equals("define")) {
      return false;
    }
    boolean parameters = t.is(name + 1, '(') && t.touches(name);
    return i == (parameters ? t.match(name + 1) : name) + 1;
  }

  /** The end of an attribute, and not of a lambda's captures. */
  private boolean isAttribute(int close) {
    int open = t.match(close);
    return open >= 0 && t.is(open, '[') && attributeEnd(open) == close + 1;
  }
}
