package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The texture and surface references of a file, {@code texture<T, dimensions, mode>} and {@code
 * surface<void, dimensions>}: declarations, and parameters of these types.
 */
public final class TextureReferences {
  /** The suffix of the device variable of a reference. */
  public static final String HANDLE = "_handle";

  private static final int TEXTURE = Tokens.hash("texture");
  private static final int SURFACE = Tokens.hash("surface");

  /**
   * One use of the type.
   *
   * @param type the token {@code texture} or {@code surface}
   * @param close the bracket that ends its arguments
   * @param names the tokens of the names declared; empty for a parameter, and where it is unknown
   *     what is here
   * @param parameter whether a function gets it
   */
  public record Use(int type, int close, List<Integer> names, boolean parameter) {}

  private final Tokens t;
  private final List<Use> uses = new ArrayList<>();
  private final SortedSet<String> names = new TreeSet<>();
  private final SortedSet<String> templates = new TreeSet<>();

  private TextureReferences(Tokens t) {
    this.t = t;
  }

  public static TextureReferences of(Tokens t) {
    TextureReferences all = new TextureReferences(t);
    for (int i = 0; i < t.count(); i++) {
      if (t.hash(i) != TEXTURE && t.hash(i) != SURFACE) {
        continue;
      }
      if (t.is(i + 1, '<')) {
        all.type(i);
      } else if (t.is(i - 1, "class") || t.is(i - 1, "struct")) {
        all.templates.add(own(t.text(i)));
      }
    }
    all.dropTaken();
    return all;
  }

  public List<Use> uses() {
    return uses;
  }

  /** The name of a class or template of the project that is called like the type. */
  public static String own(String type) {
    return "class " + type;
  }

  /** Classes and templates of the file that are called like the types, see {@link #own}. */
  public SortedSet<String> templates() {
    return templates;
  }

  /** The references that can be ported, by name. */
  public SortedSet<String> names() {
    return names;
  }

  private void type(int i) {
    boolean word = t.is(i, "texture") || t.is(i, "surface");
    boolean member = t.is(i - 1, '.') || t.isPair(i - 1, '-') || t.isPair(i - 1, ':');
    int close = close(i + 1);
    if (!word || member || close < 0) {
      return;
    }
    int open = enclosing(i);
    if (t.is(open, '(')) {
      boolean last = t.is(close + 1, '&') || t.is(close + 1, '*') || t.isIdentifier(close + 1);
      if (last && t.isIdentifier(open - 1)) {
        uses.add(new Use(i, close, List.of(), true));
      }
      return;
    }
    List<Integer> declared = declarators(close + 1);
    if (declared == null) {
      return;
    }
    boolean plain =
        !t.inDirective(i) && isPlain(Statements.definitionStart(t, i), i) && isGlobal(open);
    uses.add(new Use(i, close, plain ? declared : List.of(), false));
    if (plain) {
      declared.forEach(name -> names.add(t.text(name)));
    }
  }

  /** The bracket after the arguments, or -1. */
  private int close(int open) {
    int depth = 0;
    for (int i = open; i < t.count(); i++) {
      if (t.is(i, '<')) {
        depth++;
      } else if (t.is(i, '>') && --depth == 0) {
        return i;
      } else if (t.is(i, ';') || t.is(i, '{') || t.is(i, '}') || t.is(i, '&') || t.is(i, '|')) {
        return -1;
      }
    }
    return -1;
  }

  /** {@code a, b(1, filter);}: the names, or null if it is not a declaration. */
  private @org.jspecify.annotations.Nullable List<Integer> declarators(int from) {
    List<Integer> found = new ArrayList<>();
    int i = from;
    while (t.isIdentifier(i)) {
      found.add(i++);
      if (t.is(i, '(')) {
        if (t.match(i) < 0 || t.match(i) == i + 1) {
          return null; // a function
        }
        i = t.match(i) + 1;
      }
      if (t.is(i, ';')) {
        return found;
      }
      if (!t.is(i++, ',')) {
        return null;
      }
    }
    return null;
  }

  private boolean isPlain(int first, int type) {
    return first == type || (first + 1 == type && t.is(first, "static"));
  }

  /** Only namespaces are around. */
  private boolean isGlobal(int open) {
    int k = open;
    while (k >= 0) {
      boolean namespace = t.is(k - 1, "namespace") || t.is(k - 2, "namespace");
      if (!namespace && !t.is(k - 2, "extern")) {
        return false;
      }
      k = enclosing(k);
    }
    return true;
  }

  /** The bracket around a token, or -1. */
  private int enclosing(int i) {
    int k = i - 1;
    while (k >= 0 && !t.is(k, '{') && !t.is(k, '(')) {
      k = t.before(k);
    }
    return k;
  }

  /** A reference whose variable for the device would take a name of the file's is left alone. */
  private void dropTaken() {
    if (names.isEmpty()) {
      return;
    }
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i) && t.text(i).endsWith(HANDLE)) {
        taken.add(t.text(i));
      }
    }
    names.removeIf(name -> taken.contains(name + HANDLE));
  }
}
