package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import dev.rocport.lang.cuda.symbols.Variables;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ports arrays of numbers, pointers and handles whose size is not a constant and that have an
 * initializer, and pointers to arrays of such a size. gcc, which nvcc uses for host code,
 * initializes both; clang neither.
 */
final class VariableArrays {
  static final String RULE = "CXX-VARIABLE-ARRAY";

  /** Types of CUDA, which are those of C, and pointers. */
  private static final Pattern PLAIN = Pattern.compile("cuda[A-Z]\\w*|CU[a-z]\\w*|\\*");

  private static final Set<String> CONSTANT = Set.of("const", "constexpr", "static", "template");

  private static final Pattern ZERO = Pattern.compile("0|0?\\.0*[fF]?|false|nullptr|NULL");

  private final CudaFile f;
  private final Tokens t;
  private @Nullable VariableTypes types;

  private VariableArrays(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  static void run(CudaFile f) {
    if (f.isC() || !f.isCudaSource() || !f.changes.allows(RULE)) {
      return;
    }
    VariableArrays pass = new VariableArrays(f);
    for (int i = 2; i < f.t.count(); i++) {
      boolean opens = f.t.match(i) > i && !f.t.inDirective(i) && !f.regions.isDead(i);
      if (opens && f.t.is(i, '{')) {
        pass.braces(i);
      } else if (opens && f.t.is(i, '(') && f.t.is(i + 1, '*') && f.t.is(i + 3, ')')) {
        pass.pointer(i);
      }
    }
  }

  /** {@code int counts[n]{0};}, {@code int counts[n] = {1, 2};}. */
  private void braces(int open) {
    int bracket = t.is(open - 1, '=') ? open - 2 : open - 1;
    int name = t.is(bracket, ']') ? t.match(bracket) - 1 : -1;
    if (name < 1 || !t.isIdentifier(name) || !t.is(t.match(open) + 1, ';')) {
      return;
    }
    int first = Statements.start(t, name);
    boolean plain = first < name && IntStream.range(first, name).allMatch(this::isPlain);
    if (!plain || IntStream.range(name + 2, bracket).noneMatch(this::varies)) {
      return;
    }
    int close = t.match(open);
    if (close == open + 1 || (close == open + 2 && ZERO.matcher(t.text(open + 1)).matches())) {
      f.changes.edit(Edit.delete(t.end(bracket), t.end(close), RULE));
      String clear = " __builtin_memset(%1$s, 0, sizeof(%1$s));".formatted(t.text(name));
      f.changes.alsoEdit(Edit.after(t.end(close + 1), clear, RULE));
    } else {
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(name),
          t.end(close),
          "clang does not initialize arrays whose size is not a constant");
    }
  }

  /**
   * {@code double (*rows)[n] = (double (*)[n])p;}. For clang, the two types differ, as each size is
   * computed anew; {@code auto} has the type of the cast.
   */
  private void pointer(int open) {
    int name = open + 2;
    int end = Variables.objectEnd(t, open + 3) + 1;
    int first = Statements.start(t, open);
    int cast = end + 1;
    if (first < open
        && t.is(end, '=')
        && t.is(cast, '(')
        && IntStream.range(first, open).allMatch(t::isIdentifier)
        && IntStream.range(open + 4, end).anyMatch(this::varies)
        && words(cast + 1, t.match(cast)).equals(words(first, name) + words(name + 1, end))) {
      f.changes.edit(Edit.replace(t.start(first), t.end(end - 1), "auto " + t.text(name), RULE));
    }
  }

  private String words(int first, int end) {
    return IntStream.range(first, end).mapToObj(i -> t.text(i) + " ").collect(Collectors.joining());
  }

  private boolean isPlain(int i) {
    return ScalarTypes.WORDS.contains(t.text(i)) || PLAIN.matcher(t.text(i)).matches();
  }

  /** Whether a token of a size names a variable of the function that is not constant. */
  private boolean varies(int i) {
    if (!t.isIdentifier(i)) {
      return false;
    }
    VariableTypes known = types == null ? new VariableTypes(t) : types;
    types = known;
    int declared = known.declaration(i);
    if (declared < 0) {
      return false;
    }
    int k = declared - 1;
    boolean ofFirst = false;
    boolean comma = false;
    while (k >= 0 && !t.is(k, ';') && !t.is(k, '{') && !t.is(k, '}') && !t.is(k, '(')) {
      if (CONSTANT.contains(t.text(k)) && !isReference(k, declared)) {
        if (!comma) {
          return false;
        }
        ofFirst = true;
      }
      comma |= t.is(k, ',');
      k = t.is(k, ')') ? t.before(k) : k - 1;
    }
    // In a list of parameters, const before a comma belongs to another one.
    boolean parameter = t.is(k, '(') && !t.is(k - 1, "for");
    return parameter
        || (!ofFirst && (t.is(k, '(') || t.is(Scopes.enclosing(t, declared) - 1, ')')));
  }

  /** {@code const Shape& shape}: the members of such an object are no constants. */
  private boolean isReference(int word, int name) {
    return t.is(word, "const") && IntStream.range(word, name).anyMatch(j -> t.is(j, '&'));
  }
}
