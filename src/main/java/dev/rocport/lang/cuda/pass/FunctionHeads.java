package dev.rocport.lang.cuda.pass;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the declarations of functions at namespace and class scope, with their execution spaces.
 * Declarations that are split by directives are left out, since they may have several forms.
 */
final class FunctionHeads {
  static final int HOST = 1;
  static final int DEVICE = 2;

  enum Kind {
    FUNCTION,
    /** Not a specialization, and not a member of a class template as such. */
    TEMPLATE,
    SPECIALIZATION
  }

  /**
   * A declaration.
   *
   * @param start its first token
   * @param place the token before which further words for execution spaces can be written
   * @param family the scopes and name, and the number of parameters
   * @param signature the same with the types of the parameters
   * @param qualified whether it names the class of a member, outside this class
   * @param constructs whether it is a constructor in a class template or its specialization
   * @param spaces {@link #HOST} and {@link #DEVICE} as written, also by a macro
   * @param isSure whether no macro or {@code constexpr} may add spaces
   */
  record Head(
      int start,
      int place,
      Kind kind,
      String family,
      String signature,
      boolean qualified,
      boolean defines,
      boolean constructs,
      int spaces,
      boolean isSure) {}

  private static final Pattern MACRO = Pattern.compile("[A-Z][A-Z0-9_]{2,}|__[A-Z]\\w*");
  private static final Set<String> SCOPES = Set.of("namespace", "class", "struct", "union");
  private static final Set<String> ACCESS = Set.of("public", "private", "protected");

  /** Words with brackets that do not hold parameters. */
  private static final Set<String> NO_NAMES =
      Set.of("__launch_bounds__", "__attribute__", "alignas", "__align__", "decltype", "noexcept");

  /** Declarations that are no functions, or have rules of their own. */
  private static final Set<String> OTHERS =
      Set.of("__global__", "typedef", "using", "friend", "requires", "static_assert", "auto");

  private final Tokens t;
  private final Map<String, Integer> macros;
  private final List<Head> heads = new ArrayList<>();

  private FunctionHeads(Tokens t, Map<String, Integer> macros) {
    this.t = t;
    this.macros = macros;
  }

  /**
   * In source order.
   *
   * @param macros the spaces of macros that stand for nothing but spaces and specifiers
   */
  static List<Head> of(Tokens t, Map<String, Integer> macros) {
    FunctionHeads found = new FunctionHeads(t, macros);
    found.scope(0, t.count(), "", false);
    return List.copyOf(found.heads);
  }

  /** Reads the declarations between two tokens of a scope. */
  private void scope(int from, int to, String path, boolean generic) {
    int start = from;
    int i = from;
    boolean split = false;
    while (i < to) {
      boolean initializer = t.is(i, '{') && t.is(i - 1, '=');
      if (t.inDirective(i)) {
        split |= start < i;
        start = start < i ? start : i + 1;
        i++;
      } else if (t.is(i, '{') && !initializer) {
        int close = t.match(i);
        if (close < i) {
          return;
        }
        if (isScope(start, i)) {
          boolean template = generic || t.is(start, "template");
          scope(i + 1, close, path + nameOfScope(start, i) + "::", template);
        } else if (!split) {
          function(start, i, path, true, generic);
        }
        start = close + 1;
        i = start;
        split = false;
      } else if (t.is(i, ';') || t.is(i, '}') || isAccess(i)) {
        if (t.is(i, ';') && !split) {
          function(start, i, path, false, generic);
        }
        start = i + 1;
        i = start;
        split = false;
      } else {
        i = Math.max(i, t.match(i)) + 1;
      }
    }
  }

  private boolean isAccess(int i) {
    return t.is(i, ':') && ACCESS.contains(t.text(i - 1));
  }

  /** Whether braces hold declarations: those of a namespace, a class or {@code extern "C"}. */
  private boolean isScope(int start, int brace) {
    if (t.is(start, "extern") && t.kind(start + 1) == Tokens.STRING && start + 2 == brace) {
      return true;
    }
    boolean named = false;
    for (int i = declarator(start); i < brace; i++) {
      named |= SCOPES.contains(t.text(i));
      if (t.is(i, '(') && !NO_NAMES.contains(t.text(i - 1))) {
        return false;
      }
      i = Math.max(i, t.match(i));
    }
    return named;
  }

  private String nameOfScope(int start, int brace) {
    int i = declarator(start);
    while (i < brace && !SCOPES.contains(t.text(i))) {
      i++;
    }
    String name = "";
    while (++i < brace && !t.is(i, ':') && !t.is(i, '<')) {
      boolean bracket = t.is(i + 1, '(');
      name = t.isIdentifier(i) && !bracket && !t.is(i, "final") ? t.text(i) : name;
      i = bracket ? Math.max(i, t.match(i + 1)) : i;
    }
    return name;
  }

  /** The token after {@code template <...>}; -1 if there is something else. */
  private int declarator(int start) {
    int i = start;
    while (t.is(i, "template") && t.is(i + 1, '<')) {
      int close = Angles.closeOfTemplate(t, i + 1);
      if (close < 0) {
        return i + 1;
      }
      i = close + 1;
    }
    return i;
  }

  private void function(int start, int end, String path, boolean defines, boolean generic) {
    int first = declarator(start);
    int open = open(first, end);
    if (open < 0 || t.is(first, "template") || t.is(first, "extern")) {
      return;
    }
    int name = open - 1;
    if (t.is(name, '>')) {
      name = Angles.open(t, name) - 1;
    }
    boolean operator = false;
    for (int i = first; i < open; i++) {
      if (t.is(i, "operator")) {
        name = i;
        operator = true;
      }
    }
    if (name < first || !t.isIdentifier(name) || t.is(name - 1, '~')) {
      return;
    }
    int owner = t.isPair(name - 1, ':') ? owner(name - 1) : -1;
    boolean qualified = t.isPair(name - 1, ':');
    boolean special = t.is(start, "template") && t.is(start + 2, '>');
    if (qualified && (owner < first || special)) {
      return;
    }
    add(start, first, name, open, end, path, owner, operator, special, defines, generic);
  }

  private void add(
      int start,
      int first,
      int name,
      int open,
      int end,
      String path,
      int owner,
      boolean operator,
      boolean special,
      boolean defines,
      boolean generic) {
    int spaces = 0;
    int place = first;
    boolean sure = !t.is(end - 1, "default") && !t.is(end - 1, "delete");
    Set<String> parameters = parameters(start, first);
    for (int i = first; i < name; i++) {
      String word = t.text(i);
      Integer ofMacro = parameters.contains(word) ? null : macros.get(word);
      int space =
          word.equals("__host__")
              ? HOST
              : word.equals("__device__") ? DEVICE : ofMacro == null ? 0 : ofMacro;
      place = space != 0 && spaces == 0 ? i : place;
      spaces |= space;
      if (OTHERS.contains(word)) {
        return;
      }
      boolean attributes = t.is(i, '[') || word.equals("alignas");
      boolean macro =
          MACRO.matcher(word).matches() && ofMacro == null && !parameters.contains(word);
      sure &= !attributes && !macro && !word.equals("constexpr") && !word.equals("consteval");
    }
    int close = t.match(open);
    String qualifier = t.is(close + 1, "const") ? " const" : "";
    String scopes = path + (owner < 0 ? "" : t.text(owner) + "::");
    String named = operator ? t.text(name, open - 1) : t.text(name);
    List<Arguments.Span> arguments = Arguments.of(t, open);
    boolean template = t.is(start, "template") && owner < 0;
    heads.add(
        new Head(
            start,
            place,
            special ? Kind.SPECIALIZATION : template ? Kind.TEMPLATE : Kind.FUNCTION,
            scopes + named + "/" + arguments.size(),
            arguments.stream()
                    .map(this::type)
                    .collect(Collectors.joining(",", scopes + named + "(", ")"))
                + qualifier,
            owner >= 0,
            defines,
            generic && ("::" + path).endsWith("::" + named + "::"),
            spaces,
            sure || spaces == (HOST | DEVICE)));
  }

  /** The names that {@code template <...>} declares. */
  private Set<String> parameters(int start, int first) {
    Set<String> names = new HashSet<>();
    for (int i = start; i < first; i++) {
      if (t.isIdentifier(i)) {
        names.add(t.text(i));
      }
    }
    return names;
  }

  /** The class before {@code ::}, with template arguments or without; -1 if it is not clear. */
  private int owner(int colon) {
    int i = colon - 1;
    if (t.is(i, '>')) {
      i = Angles.open(t, i) - 1;
    }
    return i >= 0 && t.isIdentifier(i) && !t.isPair(i - 1, ':') ? i : -1;
  }

  /** The bracket that opens the parameters, or -1. */
  private int open(int first, int end) {
    for (int i = first; i < end; i++) {
      if (t.is(i, '=') && !t.is(i - 1, "operator")) {
        return -1;
      }
      boolean call = t.is(i, '(') && t.is(i - 1, "operator"); // operator()
      if (t.is(i, '(') && !call && !NO_NAMES.contains(t.text(i - 1))) {
        return i > first && t.match(i) > i && t.match(i) < end ? i : -1;
      }
      i = Math.max(i, t.match(i));
    }
    return -1;
  }

  /** The type of a parameter: its tokens without a name and a default. */
  private String type(Arguments.Span a) {
    int last = a.first();
    while (last < a.last() && !t.is(last + 1, '=')) {
      last++;
    }
    boolean named = last > a.first() && t.isIdentifier(last) && !t.isPair(last - 1, ':');
    return t.text(a.first(), named ? last - 1 : last);
  }
}
