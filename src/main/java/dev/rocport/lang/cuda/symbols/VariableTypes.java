package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The types of variables by the declarations in whose scope they are used. A declaration that
 * leaves the type to the compiler, such as {@code auto n = 5}, hides those around it.
 */
public final class VariableTypes {
  private final Tokens t;
  private final ObjectTypes objects;

  /** Names in declarations, in the order of the file. */
  private final Map<String, int[]> declarations = new HashMap<>();

  public VariableTypes(Tokens t) {
    this.t = t;
    this.objects = new ObjectTypes(t);
  }

  /**
   * The type of the variable or the element that ends at token {@code last}: {@code p[i]} of {@code
   * T* p}, but not {@code p}.
   *
   * @return a name of the global scope; empty for other types and for members of objects
   */
  public String of(int last) {
    int levels = 0;
    for (int k = last; t.is(k, ']'); k = t.match(k) - 1) {
      levels--;
    }
    int name = declaration(last);
    return name < 0 ? "" : type(name, levels);
  }

  /**
   * The type that a declaration gives to the name at token {@code k}, also after the first name of
   * its list.
   *
   * @return a name of the global scope; empty for pointers, arrays and tokens that declare nothing
   */
  public String ofDeclared(int k) {
    return isDeclared(k) ? type(k, 0) : "";
  }

  /**
   * The type of what is left of a variable after indexing.
   *
   * @param levels minus the number of indices
   */
  private String type(int name, int levels) {
    for (int k = name + 1; t.is(k, '[') && t.match(k) > 0; k = t.match(k) + 1) {
      levels++;
    }
    int k = name - 1;
    for (; t.is(k, '*') || ObjectTypes.isQualifier(t, k); k--) {
      levels += t.is(k, '*') ? 1 : 0;
    }
    return levels == 0 && !t.is(k, '>') ? type(name) : "";
  }

  /** The same for the object that a variable holds or points to. */
  public String ofPointed(int last) {
    int name = declaration(last);
    return name < 0 ? "" : type(name);
  }

  /** True if token {@code k} is a name that is declared there, as far as the tokens show. */
  public boolean isDeclared(int k) {
    int type = objects.typeBefore(k);
    return type >= 0 ? !isProduct(type, k) : isDeduced(k);
  }

  /** True for {@code n * k.x} and {@code = n * k}, which are not declarations of pointers. */
  private boolean isProduct(int type, int name) {
    int operator = name - 1;
    while (t.is(operator, '*') || t.is(operator, '&')) {
      operator--;
    }
    if (operator == name - 1 || operator != type) {
      return false;
    }
    int before = type - 1;
    while (t.isPair(before, ':')) {
      before -= 2;
    }
    boolean word = t.isIdentifier(before) && ObjectTypes.canPrecedeType(t.text(before));
    boolean begins =
        before < 0
            || word
            || t.kind(before) == Tokens.STRING
            || (t.end(before) - t.start(before) == 1 && "(){};:,>".contains(t.text(before)));
    return !begins || t.is(name + 1, '.') || t.isPair(name + 1, '-');
  }

  private String type(int name) {
    int type = objects.typeBefore(name);
    return type < 0 || Scopes.isInNamed(t, type) ? "" : t.text(type);
  }

  /**
   * The name in the declaration of the variable or the element that ends at token {@code last}, -1
   * if it is not known.
   */
  public int declaration(int last) {
    int i = last;
    while (t.is(i, ']')) {
      i = t.match(i) - 1;
    }
    if (!t.isIdentifier(i) || Scopes.isMember(t, i)) {
      return -1;
    }
    int use = i;
    int[] names = declarations.computeIfAbsent(t.text(use), name -> declarationsOf(use));
    int at = Arrays.binarySearch(names, i);
    for (int k = (at >= 0 ? at : -at - 1) - 1; k >= 0; k--) {
      if (reaches(names[k], i)) {
        return names[k];
      }
    }
    // A member function outside its class.
    boolean member = names.length == 1 && names[0] < i && Scopes.isInClass(t, names[0]);
    return member ? names[0] : -1;
  }

  private int[] declarationsOf(int name) {
    return IntStream.range(1, t.count()).filter(k -> t.isSame(k, name) && isDeclared(k)).toArray();
  }

  /** True if the scope of a declaration holds a token after it. */
  private boolean reaches(int name, int use) {
    int k = name;
    while (k < use && !t.is(k, '}') && !t.is(k, ')')) {
      int partner = t.match(k);
      if (partner > use) {
        return true;
      }
      k = Math.max(k, partner) + 1;
    }
    return k >= use || (t.is(k, ')') && t.match(k) > 0 && isInBody(k, use));
  }

  /** True if a token is in the body after the brackets of parameters, or of {@code for}. */
  private boolean isInBody(int close, int use) {
    int head = t.match(close) - 1;
    if (Statements.header(t, head) == close) {
      return Statements.end(t, head, t.count()) >= use;
    }
    int k = close + 1;
    while (k < use && !t.is(k, '{') && !t.is(k, ';') && !t.is(k, ')') && !t.is(k, '}')) {
      k = t.after(k);
    }
    return t.is(k, '{') && t.match(k) > use;
  }

  /** {@code auto n}, {@code auto [m, n]}, {@code decltype(m) n}, {@code map<K, V> n}. */
  private boolean isDeduced(int name) {
    int k = name - 1;
    while (t.is(k, '*') || ObjectTypes.isQualifier(t, k)) {
      k--;
    }
    if (t.is(k, "auto")) {
      return true;
    }
    if (t.is(k, ')')) {
      int head = t.match(k) - 1;
      return t.is(head, "decltype") || t.is(head, "typeof") || t.is(head, "__typeof__");
    }
    if (t.is(k, '>')) {
      int open = Angles.open(t, k);
      return open > 0 && t.isIdentifier(open - 1);
    }
    return (t.is(k, ',') || t.is(k, '[')) && isInDeducedList(k);
  }

  /** {@code auto a = 1, n = 2} and {@code auto &[m, n] = pair}. */
  private boolean isInDeducedList(int separator) {
    int k = separator;
    while (k >= 0 && !t.is(k, ';') && !t.is(k, '{') && !t.is(k, '(') && !t.is(k, '[')) {
      k = t.before(k);
    }
    if (t.is(k, '[')) {
      while (t.is(k - 1, '&')) {
        k--;
      }
      return t.is(k - 1, "auto");
    }
    int first = t.is(k + 1, "const") ? k + 2 : k + 1;
    return t.is(first, "auto") && (!t.is(k, '(') || t.is(k - 1, "for"));
  }
}
