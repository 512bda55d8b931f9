package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Ports code that nvcc and gcc accept and clang rejects: functions with the name of a function that
 * clang has without a header, shifts of -1 in enumerators, types of {@code stdint.h} for run-time
 * compilers, a backslash before a comment, macros directly after a string, default arguments in the
 * definition of a member of a class template outside the class, {@code __shared__} variables with
 * initializers of members or with {@code extern} and a size, arrays of variable size with
 * initializers, members that are missing, {@code nullptr_t} without {@code std::}, {@code
 * constexpr} functions that read the place of a thread, and what the types of HIP do not allow: two
 * specializations for one vector, {@code =} before the braces of one element, and {@code ::} before
 * functions of half.
 */
public final class ClangPass {
  static final String BUILTIN = "CXX-CLANG-BUILTIN";
  static final String DEFAULT = "CXX-DEFAULT-PLACE";
  static final String SHIFT = "CXX-NEGATIVE-SHIFT";
  static final String SUFFIX = "CXX-LITERAL-SUFFIX";
  static final String WIDE = "CXX-STDINT-TYPE";

  private static final Set<String> WIDE_TYPES = Set.of("int64_t", "uint64_t");
  private static final Set<String> INTEGER_WORDS = Set.of("signed", "unsigned", "long", "int");

  private static final String TIME_STAMP = "__rdtsc";

  private ClangPass() {}

  public static void run(CudaFile f) {
    SharedVariables.run(f);
    ExternShared.run(f);
    VariableArrays.run(f);
    MissingMembers.run(f);
    EmptyConstructors.run(f);
    AlignedVectors.run(f);
    HalfQualifiers.run(f);
    NullPointerType.run(f);
    ConstantFunctions.run(f);
    SingleVectors.run(f);
    StrayBackslashes.run(f);
    Tokens t = f.t;
    boolean suffixes = !f.isC() && f.mayBelongToCuda();
    for (int i = 1; i < t.count(); i++) {
      if (suffixes && t.kind(i - 1) == Tokens.STRING && t.isIdentifier(i)) {
        suffix(f, i);
      }
      if (t.is(i, ';') && WIDE_TYPES.contains(t.text(i - 1)) && f.isCudaSource()) {
        wide(f, i);
      }
      if (t.is(i, '(') && t.is(i + 1, '-') && t.is(i + 2, "1")) {
        shift(f, i);
      }
      if (!t.is(i, '(') || !t.isIdentifier(i - 1) || t.inDirective(i)) {
        continue;
      }
      if (t.is(i - 1, TIME_STAMP)) {
        builtin(f, i);
      } else if (t.is(i - 3, '>') && t.isPair(i - 2, ':') && isTemplate(t, i)) {
        defaults(f, i);
      }
    }
  }

  /** Leaves out the definition of a function that clang has. */
  private static void builtin(CudaFile f, int open) {
    Tokens t = f.t;
    int body = bodyOf(t, open);
    boolean defined = t.isIdentifier(open - 2) && body > 0 && t.match(body) > 0;
    if (defined && !f.regions.isDead(open) && f.changes.allows(BUILTIN)) {
      HipGate.around(f, open - 1, t.match(body), "!defined(__clang__)", BUILTIN);
    }
  }

  /** {@code (-1 << n)} as the value of an enumerator. */
  private static void shift(CudaFile f, int open) {
    Tokens t = f.t;
    int close = t.match(open);
    boolean shifts = t.is(open + 3, '<') && t.is(open + 4, '<') && t.touches(open + 3);
    boolean one = t.isIdentifier(open + 5) || t.kind(open + 5) == Tokens.NUMBER;
    if (shifts && one && close == open + 6 && isEnumerator(t, open) && f.changes.allows(SHIFT)) {
      f.changes.edit(Edit.replace(t.start(open + 1), t.end(open + 2), "int(~0u", SHIFT));
      f.changes.alsoEdit(Edit.after(t.end(open + 5), ")", SHIFT));
    }
  }

  /** Whether the braces directly around a token are those of an enumeration. */
  private static boolean isEnumerator(Tokens t, int i) {
    int k = Scopes.enclosing(t, i) - 1;
    while ((t.isIdentifier(k) || t.is(k, ':')) && !t.is(k, "enum")) {
      k--;
    }
    return t.is(k, "enum");
  }

  /** Leaves out {@code typedef long long int64_t;}, which is {@code long} in the system headers. */
  private static void wide(CudaFile f, int semicolon) {
    Tokens t = f.t;
    int first = semicolon - 2;
    int longs = 0;
    while (first >= 0 && INTEGER_WORDS.contains(t.text(first))) {
      longs += t.is(first--, "long") ? 1 : 0;
    }
    boolean global = Scopes.enclosing(t, first) < 0;
    boolean found = longs == 2 && t.is(first, "typedef") && global && !t.inDirective(first);
    if (found && !f.regions.isDead(first) && f.changes.allows(WIDE)) {
      HipGate.around(f, first, semicolon, WIDE);
    }
  }

  /**
   * Separates a macro such as {@code PRIu64} from the string before it, and {@code __global__} from
   * {@code extern "C"}.
   */
  private static void suffix(CudaFile f, int i) {
    Tokens t = f.t;
    String name = t.text(i);
    boolean known = Character.isUpperCase(name.charAt(0)) || AttributeOrderPass.CUDA.contains(name);
    if (known && t.touches(i - 1) && !f.regions.isDead(i) && f.changes.allows(SUFFIX)) {
      f.changes.edit(Edit.before(t.start(i), " ", SUFFIX));
    }
  }

  /** Reports default arguments in a definition. */
  private static void defaults(CudaFile f, int open) {
    Tokens t = f.t;
    if (f.isC() || bodyOf(t, open) < 0 || f.regions.isDead(open) || !f.changes.allows(DEFAULT)) {
      return;
    }
    for (Arguments.Span parameter : Arguments.of(t, open)) {
      IntStream.rangeClosed(parameter.first(), parameter.last())
          .filter(k -> t.is(k, '='))
          .findFirst()
          .ifPresent(
              k ->
                  f.changes.finding(
                      DEFAULT,
                      Disposition.UNPORTED,
                      t.start(k),
                      t.end(parameter.last()),
                      "clang rejects default arguments in a definition outside the class"
                          + " template"));
    }
  }

  /** The brace of the body that follows the parameters, or -1. */
  private static int bodyOf(Tokens t, int open) {
    int i = t.match(open) + 1;
    while (t.is(i, "const") || t.is(i, "noexcept")) {
      i++;
    }
    return i > open && t.is(i, '{') ? i : -1;
  }

  /** Whether the definition with token {@code i} in its head is one of a template. */
  static boolean isTemplate(Tokens t, int i) {
    int first = Statements.definitionStart(t, i);
    return t.is(first, "template") && t.is(first + 1, '<') && !t.is(first + 2, '>');
  }
}
