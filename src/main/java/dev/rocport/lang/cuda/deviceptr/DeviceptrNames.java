package dev.rocport.lang.cuda.deviceptr;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The names that a file declares as {@code CUdeviceptr}, and where each name has that type:
 * variables from their declaration to the end of its block, parameters in their function's body,
 * members after {@code .} and {@code ->} and inside the member functions of the file. Members of
 * classes in included headers count if the type of the object is visible.
 */
public final class DeviceptrNames {
  private static final Set<String> TYPES =
      Set.of("CUdeviceptr", "CUdeviceptr_v1", "CUdeviceptr_v2");
  private static final Set<String> NOT_TYPES =
      Set.of("return", "else", "case", "throw", "goto", "co_return", "delete", "new", "sizeof");

  /**
   * One declared name.
   *
   * @param from first token at which it holds
   * @param to token at which it ends
   * @param level 0 for a pointer itself, 1 for arrays, containers and pointers to it
   * @param member whether it is a member of a class
   */
  private record Name(int from, int to, int level, boolean member) {}

  private final Tokens t;

  /** Whether the file uses the type by one of its own names. */
  private final boolean typed;

  private final Set<String> types = new HashSet<>(TYPES);
  private final Map<String, List<Name>> names = new HashMap<>();
  private final Map<String, List<int[]>> hidden = new HashMap<>();

  /** Names that classes of the file give to members of other types too. */
  private final Set<String> ambiguous = new HashSet<>();

  private final Set<String> functions = new HashSet<>();
  private final List<int[]> returning = new ArrayList<>();

  /** Members that the file's own classes declare, as {@link #members} gives them. */
  private final SortedSet<String> members = new TreeSet<>();

  /** Members of classes in other files, {@code Class::name}, with their levels. */
  private final Map<String, Integer> foreign = new HashMap<>();

  private final Set<String> foreignNames = new HashSet<>();
  private final ObjectTypes objects;
  private final DeclarationContext context;

  private DeviceptrNames(Tokens t) {
    this.t = t;
    this.typed = t.mentions(TYPES);
    this.objects = new ObjectTypes(t);
    this.context = new DeclarationContext(t);
  }

  /** The names of a file that no other file declares. */
  public static DeviceptrNames of(Tokens t) {
    return of(t, List.of());
  }

  /**
   * The names of a file whose headers declare members, too.
   *
   * @param included the {@link #members} of the headers that the file includes
   */
  public static DeviceptrNames of(Tokens t, List<String> included) {
    DeviceptrNames n = new DeviceptrNames(t);
    if (included.isEmpty() && !n.typed) {
      return n;
    }
    n.include(included);
    Deque<Integer> braces = new ArrayDeque<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.inDirective(i)) {
        continue;
      }
      if (t.is(i, '{')) {
        braces.push(i);
      } else if (t.is(i, '}') && !braces.isEmpty()) {
        braces.pop();
      } else if (n.isType(i)) {
        n.type(i, braces.isEmpty() ? -1 : braces.element());
      }
    }
    n.hide();
    return n;
  }

  boolean isEmpty() {
    return names.isEmpty() && functions.isEmpty() && foreign.isEmpty();
  }

  /** Device pointers that classes of the file have: {@code Class::name}, {@code Class::name[]}. */
  public List<String> members() {
    return List.copyOf(members);
  }

  private void include(List<String> included) {
    Map<String, List<String>> classes = new HashMap<>();
    for (String member : included) {
      boolean holds = member.endsWith("[]");
      String name = holds ? member.substring(0, member.length() - 2) : member;
      int colon = name.indexOf("::");
      foreign.put(name, holds ? 1 : 0);
      foreignNames.add(name.substring(colon + 2));
      classes
          .computeIfAbsent(name.substring(0, colon), k -> new ArrayList<>())
          .add(name.substring(colon + 2));
    }
    for (int i = 0; !classes.isEmpty() && i + 3 < t.count(); i++) {
      if (t.isIdentifier(i) && t.isPair(i + 1, ':') && classes.containsKey(t.text(i))) {
        memberFunction(i, classes.getOrDefault(t.text(i), List.of()));
      }
    }
  }

  /** {@code Class::name(...) {}}: the class's members hold in it. */
  private void memberFunction(int i, List<String> of) {
    int open = t.is(i + 2, '~') ? i + 4 : i + 3;
    int body = t.is(open, '(') && t.match(open) > 0 ? context.body(t.match(open)) : -1;
    if (body < 0) {
      return;
    }
    for (String name : of) {
      int level = foreign.getOrDefault(t.text(i) + "::" + name, 0);
      names
          .computeIfAbsent(name, k -> new ArrayList<>())
          .add(new Name(i, t.match(body), level, false));
    }
  }

  /** The same as {@link #level} for the member of an object, by the object's type. */
  private int foreignLevel(int i) {
    return objects.ofObject(i - 2) instanceof ObjectTypes.Known known
        ? foreign.getOrDefault(known.name() + "::" + t.text(i), -1)
        : -1;
  }

  /** True if token {@code i} is the type, or a name that the file gives it. */
  boolean isType(int i) {
    return typed && t.isIdentifier(i) && types.contains(t.text(i));
  }

  /** 0 if the name at {@code i} is a device pointer, 1 if it holds some, -1 for all other names. */
  int level(int i) {
    String text = t.text(i);
    List<Name> all = names.getOrDefault(text, List.of());
    boolean qualified = t.is(i - 1, '.') || t.isPair(i - 1, '-');
    if (qualified && foreignNames.contains(text) && all.stream().noneMatch(Name::member)) {
      return foreignLevel(i);
    }
    Name best = null;
    for (Name n : all) {
      boolean holds = qualified ? n.member : i >= n.from && i < n.to;
      if (holds && (best == null || n.from >= best.from)) {
        best = n;
      }
    }
    if (best == null
        || (qualified && ambiguous.contains(text))
        || (!qualified && isHidden(text, i, best.from))) {
      return -1;
    }
    return best.level;
  }

  boolean isFunction(int i) {
    return functions.contains(t.text(i)) && t.is(i + 1, '(');
  }

  /** True if a return at {@code i} gives back a device pointer. */
  boolean returnsPointer(int i) {
    return returning.stream().anyMatch(r -> i > r[0] && i < r[1]);
  }

  private boolean isHidden(String text, int i, int since) {
    return hidden.getOrDefault(text, List.of()).stream()
        .anyMatch(r -> r[0] > since && i >= r[0] && i < r[1]);
  }

  private void type(int i, int brace) {
    if (t.is(i - 1, "using") || (t.is(i - 1, '=') && t.is(i - 3, "using"))) {
      types.add(t.text(i - 2));
      return;
    }
    if (t.is(i - 1, "typedef") && t.isIdentifier(i + 1) && t.is(i + 2, ';')) {
      types.add(t.text(i + 1));
      return;
    }
    int at = i + 1;
    int level = 0;
    if (t.is(i - 1, '<')) {
      int close = i + 1;
      while (close < i + 4 && !t.is(close, '>')) {
        close++; // std::array<CUdeviceptr, 4>
      }
      if (!t.is(close, '>')
          || !(t.isIdentifier(close + 1) || t.is(close + 1, '&'))
          || isCast(i - 2)) {
        return;
      }
      at = close + 1;
      level = 1;
    }
    declarators(at, level, brace);
  }

  private boolean isCast(int i) {
    return t.isIdentifier(i) && t.text(i).endsWith("_cast");
  }

  private void declarators(int first, int base, int brace) {
    int at = first;
    int paren = context.enclosingParen(first);
    while (true) {
      int level = base;
      while (t.is(at, '*') || t.is(at, '&') || t.is(at, "const") || t.is(at, "__restrict__")) {
        level += t.is(at, '*') ? 1 : 0;
        at++;
      }
      if (!t.isIdentifier(at)) {
        return;
      }
      int name = at++;
      while (t.isPair(at, ':') && t.isIdentifier(at + 1)) {
        name = at + 1; // Class::function
        at += 2;
      }
      if (t.is(at, '(') && context.isFunctionHead(at, brace)) {
        if (level == 0) {
          functions.add(t.text(name));
          int body = context.body(t.match(at));
          if (body > 0) {
            returning.add(new int[] {body, t.match(body)});
          }
        }
        return;
      }
      level += t.is(at, '[') ? 1 : 0;
      declare(name, level, brace, paren);
      if (paren >= 0 && !t.is(paren - 1, "for")) {
        return; // the next comma begins another parameter
      }
      while (at < t.count() && !t.is(at, ',') && !t.is(at, ';') && !t.is(at, ')')) {
        at = t.after(at);
      }
      if (!t.is(at++, ',')) {
        return;
      }
    }
  }

  private void declare(int name, int level, int brace, int paren) {
    int from = name;
    int to = brace < 0 ? t.count() : Math.max(name, t.match(brace));
    boolean member = false;
    if (paren >= 0 && !t.is(paren - 1, "for")) {
      int body = context.body(t.match(paren));
      if (body < 0) {
        return; // a declaration only
      }
      to = t.match(body);
    } else if (brace >= 0 && context.isClass(brace)) {
      member = true;
      String owner = context.className(brace);
      if (!owner.isEmpty()) {
        members.add(owner + "::" + t.text(name) + (level == 0 ? "" : "[]"));
      }
      from = 0; // member functions may come first, or be defined outside
      to = t.count();
    }
    names
        .computeIfAbsent(t.text(name), k -> new ArrayList<>())
        .add(new Name(from, to, level, member));
  }

  /** Blocks in which another declaration takes one of the names: {@code float* d = ...}. */
  private void hide() {
    Deque<Integer> braces = new ArrayDeque<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, '{')) {
        braces.push(i);
      } else if (t.is(i, '}') && !braces.isEmpty()) {
        braces.pop();
      } else if (t.isIdentifier(i) && names.containsKey(t.text(i)) && isOtherDeclaration(i)) {
        int paren = context.enclosingParen(i);
        if (paren < 0 && !braces.isEmpty() && context.isClass(braces.element())) {
          ambiguous.add(t.text(i));
        }
        int body = paren >= 0 && !t.is(paren - 1, "for") ? context.body(t.match(paren)) : -1;
        int end = braces.isEmpty() ? t.count() : t.match(braces.element());
        hidden
            .computeIfAbsent(t.text(i), k -> new ArrayList<>())
            .add(new int[] {i, body > 0 ? t.match(body) : Math.max(i + 1, end)});
      }
    }
  }

  private boolean isOtherDeclaration(int i) {
    int k = i - 1;
    while (t.is(k, '*') || t.is(k, '&') || t.is(k, "const")) {
      k--;
    }
    if (!(t.isIdentifier(k) || (k == i - 1 && t.is(k, '>')))
        || NOT_TYPES.contains(t.text(k))
        || isType(k)) {
      return false;
    }
    if (t.is(k, '>')) {
      int open = Angles.open(t, k);
      return open > 0 && !isType(open + 1);
    }
    boolean starts =
        t.is(k - 1, ';')
            || t.is(k - 1, '{')
            || t.is(k - 1, '}')
            || t.is(k - 1, '(')
            || t.is(k - 1, ',')
            || t.isIdentifier(k - 1)
            || t.isPair(k - 1, ':');
    boolean product = k < i - 1 && (t.is(k - 1, '(') || t.is(k - 1, ','));
    return starts && !(product && level(k) >= 0) && !(k < i - 1 && t.is(i + 1, '+'));
  }
}
