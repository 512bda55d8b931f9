package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The types of objects, as far as the declarations of the file define them. */
public final class ObjectTypes {
  private static final Set<String> NOT_TYPES =
      Set.of(
          "return",
          "else",
          "case",
          "throw",
          "goto",
          "new",
          "delete",
          "sizeof",
          "const",
          "auto",
          "co_return",
          "typename",
          "and",
          "or",
          "not");

  private final Tokens t;

  /** Names in declarations, in the order of the file. */
  private final Map<String, int[]> declarations = new HashMap<>();

  public ObjectTypes(Tokens t) {
    this.t = t;
  }

  /** What is known about the type of an object. */
  public sealed interface Type {}

  /** The last name of the type, or of a container's element. */
  public record Known(String name) implements Type {}

  /** No declaration is visible, or it does not determine the type. */
  public record Unknown() implements Type {}

  private static final Unknown UNKNOWN = new Unknown();

  /**
   * The type of the object that ends at token {@code last}: {@code p}, {@code p[i]}, {@code a.p}.
   */
  public Type ofObject(int last) {
    int i = last;
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    if (t.is(i, ')') && t.is(t.match(i) + 1, '*') && t.match(i) + 2 == i - 1) {
      i--; // (*p).field
    }
    if (t.is(i, "this")) {
      return new Known("this");
    }
    if (!t.isIdentifier(i)) {
      return UNKNOWN;
    }
    int type = declared(i);
    if (type >= 0) {
      return new Known(t.text(type));
    }
    // A structure inside a CUDA structure: the object before it determines the type.
    return t.is(i - 1, '.') || t.isPair(i - 1, '-') ? ofObject(i - 2) : UNKNOWN;
  }

  /** The first token of the object that ends at {@code last}, {@code p[i]}; -1 for others. */
  public int startOfObject(int last) {
    int i = last;
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    return t.isIdentifier(i) && !NOT_TYPES.contains(t.text(i)) ? i : -1;
  }

  /**
   * The token of the type whose braces hold the designator after token {@code i}, or -1: {@code T x
   * = {.a = 1, .b = 2}}, {@code T{.a = 1}}.
   */
  public int ofInitialized(int i) {
    int k = i;
    while (k >= 0 && !t.is(k, '{') && !t.is(k, ';')) {
      k = t.before(k);
    }
    if (!t.is(k--, '{')) {
      return -1;
    }
    k -= t.is(k, '=') ? 1 : 0;
    while (t.is(k, ']')) {
      k = t.match(k) - 1;
    }
    if (!t.isIdentifier(k)) {
      return -1;
    }
    return t.isIdentifier(k - 1) && !NOT_TYPES.contains(t.text(k - 1)) ? k - 1 : k;
  }

  /** True if a class of the file has a member of the name at {@code i}. */
  public boolean declaresMember(int i) {
    for (int k = 1; k < t.count(); k++) {
      if (t.isSame(k, i) && t.isIdentifier(k - 1) && !NOT_TYPES.contains(t.text(k - 1))) {
        return true;
      }
    }
    return false;
  }

  private int declared(int i) {
    int name = declaration(i);
    return name < 0 ? -1 : typeBefore(name);
  }

  /**
   * The name in the nearest declaration before {@code i}, otherwise in the first one after it; -1
   * if there is none.
   */
  private int declaration(int i) {
    int[] names = declarations.computeIfAbsent(t.text(i), name -> declarationsOf(i));
    int at = Arrays.binarySearch(names, i);
    int after = at >= 0 ? at + 1 : -at - 1;
    int before = at >= 0 ? at - 1 : after - 1;
    return before >= 0 ? names[before] : after < names.length ? names[after] : -1;
  }

  private int[] declarationsOf(int name) {
    return IntStream.range(1, t.count())
        .filter(k -> t.isSame(k, name) && typeBefore(k) >= 0)
        .toArray();
  }

  /** True for a word after which a type can follow, in the same declaration. */
  static boolean canPrecedeType(String word) {
    return word.equals("const") || word.equals("typename") || !NOT_TYPES.contains(word);
  }

  static boolean isQualifier(Tokens t, int k) {
    return t.is(k, '&') || t.is(k, "const") || t.is(k, "__restrict__") || t.is(k, "__restrict");
  }

  /** The token of the type in the declaration of a name, or -1. */
  public int typeBefore(int name) {
    int k = name - 1;
    while (t.is(k, '*') || isQualifier(t, k)) {
      k--;
    }
    if (t.isIdentifier(k)) {
      return NOT_TYPES.contains(t.text(k)) || t.inDirective(k) ? -1 : k;
    }
    if (t.is(k, '>')) {
      int open = Angles.open(t, k);
      int last = open + 1;
      while (t.isPair(last + 1, ':') || (t.isPair(last, ':') && last < k)) {
        last++;
      }
      return open > 0 && t.isIdentifier(open - 1) && t.isIdentifier(last) ? last : -1;
    }
    return t.is(k, ',') && k == name - 1 ? listed(k) : -1;
  }

  /** The type that begins a list of declarators: {@code T a, *b = 0, c;}. */
  private int listed(int comma) {
    int k = comma;
    while (k >= 0 && !t.is(k, ';') && !t.is(k, '{') && !t.is(k, '}') && !t.is(k, '(')) {
      k = t.before(k);
    }
    int type = k + 1;
    while (t.is(type, "const") || t.is(type, "static") || t.is(type, "struct")) {
      type++;
    }
    boolean declaration =
        !t.is(k, '(') && t.isIdentifier(type) && (t.isIdentifier(type + 1) || t.is(type + 1, '*'));
    return declaration && !NOT_TYPES.contains(t.text(type)) ? type : -1;
  }
}
