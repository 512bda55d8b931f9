package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.symbols.Definition.Reach;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.GuardMacro;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Names with the form of a CUDA name that a file declares itself: macros, functions, types,
 * variables, members, parameters. Recognized by the surrounding tokens. A replacement for a CUDA
 * name is not a name of the project: code that only HIP or other CUDA versions compile, macros that
 * expand to the HIP name or to the older name without a mask, and overloads of warp functions.
 */
public final class Declarations {
  /** The family of the warp functions of which projects define overloads. */
  public static final String WARP_FAMILY = "W64-GROUPS";

  private static final Set<String> NOT_TYPES =
      Set.of(
          "return",
          "else",
          "case",
          "throw",
          "new",
          "delete",
          "goto",
          "sizeof",
          "do",
          "co_return",
          "and",
          "or",
          "not",
          "if",
          "while",
          "typename",
          "defined",
          "ifdef",
          "ifndef",
          "elif",
          "undef",
          "include",
          "pragma",
          "operator",
          "typedef",
          "using",
          "const",
          "volatile",
          "static",
          "inline",
          "constexpr",
          "extern",
          "explicit",
          "virtual",
          "friend",
          "mutable",
          "register",
          "public",
          "private",
          "protected",
          "__host__",
          "__device__",
          "__global__",
          "__constant__",
          "__shared__",
          "__managed__",
          "__restrict__",
          "__forceinline__",
          "__inline__");

  private Declarations() {}

  /**
   * What a file declares.
   *
   * @param unknown names in the form of a CUDA name that CUDA does not have, and macros for the
   *     version of a CUDA library that the file defines itself
   * @param local CUDA names of variables, which hold in this file only
   * @param global those of them that a variable at file scope has
   * @param definitions definitions of CUDA names, in source order
   */
  public record Names(
      SortedSet<String> unknown,
      SortedSet<String> local,
      SortedSet<String> global,
      List<Definition> definitions) {
    /** True if the file declares this name as CUDA does, and does not define it. */
    public boolean repeats(String name) {
      return definitions.stream()
          .anyMatch(d -> d.reach() == Reach.PROTOTYPE && d.name().equals(name));
    }

    /** True if the file gives this name, outside classes and namespaces, a meaning of its own. */
    boolean has(String name) {
      return unknown.contains(name)
          || local.contains(name)
          || definitions.stream()
              .anyMatch(d -> d.reach() != Reach.PROTOTYPE && d.name().equals(name));
    }
  }

  /**
   * The names that a file declares itself.
   *
   * @param dead whether a token is in a branch that HIP never compiles; queried for CUDA names only
   */
  public static Names of(Tokens t, ApiTable api, IntPredicate dead) {
    Names names = new Names(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new ArrayList<>());
    int includes = 0;
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      if (t.is(i - 1, '#') && t.inDirective(i)) {
        includes += t.directives().get(t.directiveOf(i)).isInclude() ? 1 : 0;
      }
      ApiTable.Entry known = api.find(t, i);
      ApiName name = known == null ? null : known.name;
      boolean strict = name != null;
      if (isLibraryVersion(known) && t.is(i - 1, "define") && t.is(i - 2, '#')) {
        names.unknown().add(t.text(i));
      }
      if (known != null && !strict && !known.qualified.isEmpty() && t.is(i - 1, "namespace")) {
        for (String nested : nested(t, i, known)) {
          names.definitions().add(new Definition(nested, includes, Reach.INCLUDE));
        }
      }
      if (!strict && (known != null || !UnknownShape.matches(t, i))) {
        continue;
      }
      // The scope is determined last, since that walks back over the function.
      String scope = strict && t.is(i + 1, '(') && isDeclared(t, i, false) ? scope(t, i) : "";
      if (name != null
          && isDeclared(t, i, true)
          && (isStandIn(t, i)
              || isWarpOverload(t, i, name)
              || isAddition(t, i, api, name)
              || dead.test(i))) {
        continue;
      }
      String text = t.text(i);
      if (!scope.isEmpty()) {
        names.definitions().add(new Definition(scope + "::" + text, includes, Reach.INCLUDE));
      } else if (!strict && isDeclared(t, i, false)) {
        names.unknown().add(text);
      } else if (strict && isVariable(t, i)) {
        // A variable with a CUDA name hides that name in its scope, not elsewhere.
        names.local().add(text);
        if (isAtFileScope(t, i)) {
          names.global().add(text);
        }
      } else if (strict && isDeclared(t, i, true)) {
        Reach reach = isExternal(t, i) ? Reach.LINK : Reach.INCLUDE;
        names.definitions().add(new Definition(text, includes, reach));
      } else if (strict && isPrototype(t, i)) {
        names.definitions().add(new Definition(text, includes, Reach.PROTOTYPE));
      }
    }
    return repeatsOnly(t, api, names) ? repeated(names) : names;
  }

  /**
   * The namespaces that a project has in a namespace of its own with a CUDA name, such as {@code
   * cuda::device}, if CUDA has one of that name without a counterpart. Programs also add to {@code
   * cuda::std}.
   *
   * @param i the name after {@code namespace}
   */
  private static List<String> nested(Tokens t, int i, ApiTable.Entry known) {
    List<String> found = new ArrayList<>();
    if (!t.is(i + 1, '{') || t.match(i + 1) < 0) {
      return found;
    }
    for (int k = i + 2; k < t.match(i + 1); k = Math.max(k + 1, t.after(k))) {
      String name = t.text(i) + "::" + t.text(k + 1);
      if (t.is(k, "namespace")
          && t.is(k + 2, '{')
          && !t.is(k + 1, "std")
          && known.qualified.stream().anyMatch(n -> n.cuda().equals(name) && !n.isSupported())) {
        found.add(name);
      }
    }
    return found;
  }

  /**
   * True if all that a file declares are handles as CUDA declares them, {@code typedef struct
   * CUstream_st *CUstream;}, so that it needs no CUDA header: they are CUDA's. A file that declares
   * more replaces a header of CUDA.
   */
  private static boolean repeatsOnly(Tokens t, ApiTable api, Names names) {
    if (!names.unknown().isEmpty() || names.definitions().isEmpty()) {
      return false;
    }
    Set<String> handles = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      ApiTable.Entry known = t.is(i - 1, "struct") && isOpaque(t, i) ? api.find(t, i) : null;
      if (known != null && known.name != null && !api.target(known.name).isEmpty()) {
        handles.add(t.text(i));
        handles.add(t.text(i + 2));
      }
    }
    return names.definitions().stream().allMatch(d -> handles.contains(d.name()));
  }

  private static Names repeated(Names names) {
    List<Definition> all =
        names.definitions().stream()
            .map(d -> new Definition(d.name(), d.includes(), Reach.PROTOTYPE))
            .toList();
    return new Names(names.unknown(), names.local(), names.global(), all);
  }

  private static boolean isLibraryVersion(ApiTable.@Nullable Entry known) {
    return known != null && known.guard != null && known.guard.kind() == GuardMacro.Kind.LIBRARY;
  }

  /** {@code namespace cub} where a header of CUB is included, to specialize its templates. */
  private static boolean isAddition(Tokens t, int i, ApiTable api, ApiName name) {
    return name.kind() == ApiName.Kind.NAMESPACE
        && t.is(i - 1, "namespace")
        && t.is(i + 1, '{')
        && t.directives().stream()
            .filter(d -> d.isInclude() && d.first() < i)
            .map(d -> api.header(t.included(d)))
            .anyMatch(h -> h != null && h.family().equals(name.family()));
  }

  /** A variable, or a type that is not at file scope. */
  private static boolean isVariable(Tokens t, int i) {
    return !t.is(i + 1, '(')
        && !t.is(i - 1, "define")
        && isDeclared(t, i, true)
        && !isGlobalType(t, i);
  }

  /** True outside all brackets but those of {@code extern "C"} and of anonymous namespaces. */
  private static boolean isAtFileScope(Tokens t, int i) {
    int k = i - 1;
    while (k >= 0
        && !t.is(k, '(')
        && (!t.is(k, '{') || t.is(k - 2, "extern") || t.is(k - 1, "namespace"))) {
      k = t.before(k);
    }
    return k < 0;
  }

  private static boolean isGlobalType(Tokens t, int i) {
    int first = Statements.definitionStart(t, i);
    boolean type =
        t.is(i - 1, "struct")
            || t.is(i - 1, "class")
            || t.is(i - 1, "enum")
            || t.is(i - 1, "union")
            || t.is(i - 1, "using")
            || isTypedef(t, i);
    return (type && isGlobal(t, first)) || isNamedBody(t, i) || isGlobalEnumerator(t, i);
  }

  /** {@code typedef struct S *name;} */
  private static boolean isTypedef(Tokens t, int i) {
    return t.is(i + 1, ';') && t.is(Statements.definitionStart(t, i), "typedef");
  }

  /** {@code typedef enum E {...} name;} at file scope. */
  private static boolean isNamedBody(Tokens t, int i) {
    int open = t.is(i - 1, '}') && t.is(i + 1, ';') ? t.match(i - 1) : -1;
    int first = open > 0 ? Statements.definitionStart(t, open) : -1;
    return first >= 0 && t.is(first, "typedef") && isGlobal(t, first);
  }

  /** An enumerator whose name needs no scope. */
  private static boolean isGlobalEnumerator(Tokens t, int i) {
    if (!isEnumerator(t, i)) {
      return false;
    }
    int open = i;
    while (!t.is(open, '{')) {
      open = t.before(open);
    }
    int first = Statements.definitionStart(t, open);
    for (int k = first; k < open; k++) {
      if (t.is(k, "class") || t.is(k, "struct")) {
        return false;
      }
    }
    return isGlobal(t, first);
  }

  /** True if a host function with this CUDA name and external linkage is defined at a token. */
  public static boolean isExternal(Tokens t, int i) {
    if (t.inDirective(i) || !t.is(i + 1, '(') || !isDeclared(t, i, true)) {
      return false;
    }
    int first = Statements.definitionStart(t, i);
    boolean internal = !isGlobal(t, first);
    for (int k = first; k < i; k++) {
      internal |=
          t.is(k, "static")
              || t.is(k, "inline")
              || t.is(k, "template")
              || t.is(k, "__device__")
              || t.is(k, "__global__");
    }
    return !internal;
  }

  /** True if a function at file scope is declared at token {@code i}, without a body. */
  private static boolean isPrototype(Tokens t, int i) {
    return isDeclared(t, i, false)
        && t.is(i + 1, '(')
        && !t.inDirective(i)
        && t.is(t.match(i + 1) + 1, ';')
        && isGlobal(t, Statements.definitionStart(t, i));
  }

  /** True if a CUDA name is defined at token {@code i}, not used. */
  public static boolean defines(Tokens t, int i) {
    return isDeclared(t, i, true);
  }

  /** A macro that maps a CUDA name to its HIP name, or to its older name without a mask. */
  private static boolean isStandIn(Tokens t, int i) {
    if (!t.is(i - 1, "define")) {
      return false;
    }
    String name = t.text(i);
    String older = name.endsWith("_sync") ? name.substring(0, name.length() - 5) : "";
    int last = t.directives().get(t.directiveOf(i)).last();
    for (int k = i + 1; k < last; k++) {
      if (t.isIdentifier(k)) {
        String text = t.text(k);
        if (text.equals(older) || text.startsWith("hip") || text.startsWith("HIP")) {
          return true;
        }
      }
    }
    return false;
  }

  /** The class or namespace whose braces hold token {@code i} directly; empty for any other. */
  private static String scope(Tokens t, int i) {
    int k = Scopes.enclosing(t, i);
    for (int back = k - 1; back >= 0 && back > k - 40; back--) {
      if (t.is(back, ';') || t.is(back, '{') || t.is(back, '}') || t.is(back, ')')) {
        return "";
      }
      if ((t.is(back, "class") || t.is(back, "struct") || t.is(back, "namespace"))
          && t.isIdentifier(back + 1)) {
        return t.text(back + 1);
      }
    }
    return "";
  }

  /**
   * @param strict the name is CUDA's: only a definition makes it the project's own; a prototype may
   *     repeat CUDA's, and a local variable of that name is too unlikely
   */
  private static boolean isDeclared(Tokens t, int i, boolean strict) {
    if (t.is(i - 1, "define") && t.is(i - 2, '#')) {
      return true;
    }
    if (t.inDirective(i)) {
      return false;
    }
    if (t.is(i - 1, "struct")
        || t.is(i - 1, "class")
        || t.is(i - 1, "enum")
        || t.is(i - 1, "union")) {
      return t.is(i + 1, '{')
          || t.is(i + 1, ':')
          || (!strict && t.is(i + 1, ';'))
          || isOpaque(t, i);
    }
    if (t.is(i - 1, "using") || t.is(i - 1, "namespace")) {
      return t.is(i + 1, '=') || t.is(i + 1, '{');
    }
    boolean typed =
        (t.isIdentifier(i - 1) && !NOT_TYPES.contains(t.text(i - 1)))
            || ((t.is(i - 1, '*') || t.is(i - 1, '&'))
                && isTypeBefore(t, i - 1)
                // n * CUDA_CONSTANT is not a declaration; T* f(...) { is one.
                && (!strict || t.is(i + 1, '(') || isTypedef(t, i)))
            || (t.is(i - 1, '>') && !t.is(i - 2, '>') && Angles.open(t, i - 1) > 0);
    if (!typed) {
      return strict
          ? isNamedBody(t, i) || isGlobalEnumerator(t, i)
          : isEnumerator(t, i) || t.is(i - 1, '~');
    }
    if (t.is(i + 1, '(')) {
      int close = t.match(i + 1);
      return close > 0 && (strict ? definesBody(t, close + 1) : true);
    }
    return t.is(i + 1, ';')
        || t.is(i + 1, '=')
        || t.is(i + 1, ',')
        || t.is(i + 1, ')')
        || t.is(i + 1, '[')
        || (t.is(i + 1, '{') && !strict)
        || (t.is(i + 1, ':') && !strict);
  }

  /** {@code typedef struct CUctx_st *CUcontext;}, at the name of the structure. */
  private static boolean isOpaque(Tokens t, int i) {
    return t.is(i - 2, "typedef")
        && t.is(i + 1, '*')
        && t.isIdentifier(i + 2)
        && UnknownShape.matches(t, i + 2)
        && t.is(i + 3, ';');
  }

  private static boolean isTypeBefore(Tokens t, int i) {
    int k = i;
    while (t.is(k, '*') || t.is(k, '&') || t.is(k, "const")) {
      k--;
    }
    return (t.isIdentifier(k) && !NOT_TYPES.contains(t.text(k))) || t.is(k, '>');
  }

  private static boolean definesBody(Tokens t, int i) {
    int k = i;
    while (t.is(k, "const") || t.is(k, "noexcept") || t.is(k, "override") || t.is(k, "final")) {
      k++;
    }
    return t.is(k, '{'); // no ':' of a constructor, which is that of b ? n * f(x) : 0
  }

  private static boolean isEnumerator(Tokens t, int i) {
    if (!(t.is(i - 1, '{') || t.is(i - 1, ','))
        || !(t.is(i + 1, '=') || t.is(i + 1, ',') || t.is(i + 1, '}'))) {
      return false;
    }
    int k = i;
    while (k >= 0 && !t.is(k, '{') && !t.is(k, ';') && !t.is(k, '(')) {
      k = t.before(k);
    }
    return t.is(k, '{')
        && (t.is(k - 1, "enum")
            || t.is(k - 2, "enum")
            || t.is(k - 3, "enum")
            || t.is(k - 4, "enum"));
  }

  /** The form of a CUDA name, whatever it is used for. */
  private static final class UnknownShape {
    static boolean matches(Tokens t, int i) {
      if (t.end(i) - t.start(i) < 4) {
        return false;
      }
      byte c = t.file().bytes()[t.start(i)];
      if (c != 'c' && c != 'C' && c != 'n' && c != 'N') {
        return false;
      }
      String s = t.text(i);
      return s.startsWith("cu")
          || s.startsWith("CU")
          || s.startsWith("nv")
          || s.startsWith("NV")
          || s.startsWith("nccl")
          || s.startsWith("NCCL")
          || s.startsWith("npp");
    }
  }

  /** Returns whether a device function with this CUDA name is defined at token {@code i}. */
  public static boolean isWarpOverload(Tokens t, int i, ApiName name) {
    if (!name.family().equals(WARP_FAMILY) || t.inDirective(i) || !defines(t, i)) {
      return false;
    }
    int first = Statements.definitionStart(t, i);
    int behind = t.match(i + 1) + 1;
    boolean device = false;
    for (int k = first; k < i; k++) {
      device |= t.is(k, "__device__");
    }
    return device && t.is(behind, '{') && t.match(behind) > 0 && isGlobal(t, first);
  }

  /**
   * True if nothing is around the definition that begins here, except for {@code extern "C" {}}.
   */
  private static boolean isGlobal(Tokens t, int first) {
    int k = first - 1;
    while (k >= 0) {
      if (t.is(k, '{') && !t.is(k - 2, "extern")) {
        return false;
      }
      k = t.before(k);
    }
    return true;
  }
}
