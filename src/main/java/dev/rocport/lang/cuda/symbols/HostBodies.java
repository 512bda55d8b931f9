package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Blanks the bodies of host functions for the parser, except for what the warp analyses need:
 * launches, the code that sets their block sizes, and constants, which device code can name.
 */
public final class HostBodies {
  /** Text that keeps a body unchanged: device code, and names that can expand to it. */
  private static final List<byte[]> BYTES = List.of(bytes("__"), bytes("volatile"), bytes("Idx"));

  private static final Words WORDS =
      Words.of("enum", "struct", "class", "union", "namespace", "template", "asm", "blockDim");

  private static final byte[] CONST = bytes("const");

  private static final List<byte[]> DEVICE = List.of(bytes("__global__"), bytes("__device__"));

  private static final Set<String> SCOPES =
      Set.of("namespace", "class", "struct", "union", "extern");

  /** Words that can appear between the parameters and the body. */
  private static final Set<String> BETWEEN = Set.of("const", "noexcept", "override");

  /** Keywords that are not function names and do not precede one. */
  private static final Set<String> NO_NAMES =
      Set.of(
          "if",
          "for",
          "while",
          "switch",
          "catch",
          "return",
          "else",
          "do",
          "case",
          "constexpr",
          "requires",
          "decltype",
          "alignas",
          "noexcept",
          "sizeof",
          "explicit",
          "new",
          "operator");

  private final Tokens t;
  private final byte[] masked;
  private final BlockSizes sizes;
  private final BitSet blank = new BitSet();

  /** Tokens that make their statement stay. */
  private final BitSet kept = new BitSet();

  /** Macros that launch something. */
  private final Words launchers = new Words();

  private HostBodies(Tokens t, byte[] masked) {
    this.t = t;
    this.masked = masked;
    this.sizes = new BlockSizes(t);
  }

  /**
   * Writes blanks over the bodies.
   *
   * @param masked the file's bytes, launches masked
   * @return the tokens that are gone
   */
  public static BitSet blank(Tokens t, byte[] masked) {
    HostBodies bodies = new HostBodies(t, masked);
    bodies.launchers();
    bodies.walk();
    return bodies.blank;
  }

  private void launchers() {
    boolean grown = true;
    while (grown) {
      grown = false;
      for (Directive d : t.directives()) {
        if (d.name().equals("define") && d.last() > d.body() && launches(d)) {
          grown |= launchers.add(t.text(d.body()));
        }
      }
    }
  }

  private boolean launches(Directive d) {
    for (int i = d.body() + 1; i < d.last(); i++) {
      if (sizes.isLaunch(i) || launchers.hold(t, i)) {
        return true;
      }
    }
    return false;
  }

  /** Goes through namespaces and classes, and over all else. */
  private void walk() {
    int head = 0;
    int depth = isGuarded() ? -1 : 0;
    for (int i = 0; i < t.count(); i++) {
      if (t.inDirective(i)) {
        Directive d = t.directives().get(t.directiveOf(i));
        depth += d.opens() ? 1 : d.closes() ? -1 : 0;
        i = d.last() - 1;
        head = d.last();
      } else if (t.is(i, '(') || t.is(i, '[')) {
        i = Math.max(i, t.match(i));
      } else if (t.is(i, ';') || t.is(i, '}')) {
        head = i + 1;
      } else if (t.is(i, '{')) {
        int end = t.match(i);
        if (end < 0) {
          return;
        }
        int name = function(head, i);
        if (name < 0 && isScope(head, i)) {
          head = i + 1;
          continue;
        }
        if (name >= 0 && depth == 0 && isHost(name, i) && isPlain(i, end)) {
          body(i, end);
        }
        depth += nesting(i, end);
        i = end;
        head = name >= 0 || t.isIdentifier(end + 1) ? end + 1 : head;
      }
    }
  }

  /** A header whose whole text is in one conditional. */
  private boolean isGuarded() {
    List<Directive> all = t.directives();
    if (all.size() < 3
        || all.getFirst().first() != 0
        || !all.getFirst().name().equals("ifndef")
        || !all.get(1).name().equals("define")) {
      return false;
    }
    int depth = 0;
    for (int i = 0; i < all.size(); i++) {
      Directive d = all.get(i);
      depth += d.opens() ? 1 : d.closes() ? -1 : 0;
      if ((depth < 1 && i + 1 < all.size()) || (depth == 1 && d.turns())) {
        return false;
      }
    }
    return depth == 0;
  }

  /** How many conditionals open in a stretch and do not close there. */
  private int nesting(int first, int last) {
    int open = 0;
    for (int i = first; i < last; i++) {
      if (t.inDirective(i)) {
        Directive d = t.directives().get(t.directiveOf(i));
        open += d.opens() ? 1 : d.closes() ? -1 : 0;
        i = d.last() - 1;
      }
    }
    return open;
  }

  /** The name of the function that a brace begins the body of; -1 if it begins none. */
  private int function(int head, int brace) {
    int close = brace - 1;
    while (t.isIdentifier(close) && BETWEEN.contains(t.text(close))) {
      close--;
    }
    int name = t.is(close, ')') ? t.match(close) - 1 : -1;
    int before = name - 1;
    boolean typed =
        t.isIdentifier(before)
            ? !NO_NAMES.contains(t.text(before))
            : t.is(before, '*') || t.is(before, '&') || t.is(before, '>');
    if (name <= head || !typed || !t.isIdentifier(name) || NO_NAMES.contains(t.text(name))) {
      return -1;
    }
    for (int i = head; i < name; i++) {
      if (t.is(i, '=') || t.is(i, "operator")) {
        return -1;
      }
    }
    return name;
  }

  private boolean isScope(int head, int brace) {
    boolean named =
        (t.isIdentifier(brace - 1) && !BETWEEN.contains(t.text(brace - 1)))
            || t.is(brace - 1, '>')
            || t.kind(brace - 1) == Tokens.STRING;
    boolean scope = false;
    for (int i = head; i < brace && named; i++) {
      if (t.is(i, '=') || t.isPair(i, '-')) {
        return false;
      }
      scope |= t.isIdentifier(i) && SCOPES.contains(t.text(i));
    }
    return scope;
  }

  /** True if nothing before the body of a function makes it a GPU function. */
  private boolean isHost(int name, int brace) {
    byte[] bytes = t.file().bytes();
    int start = t.start(name);
    while (start > 0
        && bytes[start - 1] != ';'
        && bytes[start - 1] != '}'
        && bytes[start - 1] != '{') {
      start--;
    }
    for (byte[] w : DEVICE) {
      if (holds(start, t.start(brace), w)) {
        return false;
      }
    }
    return true;
  }

  private boolean isPlain(int first, int last) {
    for (byte[] w : BYTES) {
      if (holds(t.start(first), t.end(last), w)) {
        return false;
      }
    }
    for (int i = first; i < last; i++) {
      if (t.inDirective(i) || WORDS.hold(t, i)) {
        return false;
      }
    }
    return true;
  }

  private void body(int first, int last) {
    Words names = sizes.of(first, last);
    boolean begins = true;
    for (int i = first + 1; i < last; i++) {
      if (names.hold(t, i)
          || launchers.hold(t, i)
          || sizes.isLaunch(i)
          || (begins && isConstant(i, last))) {
        kept.set(i);
      }
      begins = t.is(i, ';') || t.is(i, '{') || t.is(i, '}');
    }
    statements(first, last);
  }

  /** True if a statement declares a constant with a value. */
  private boolean isConstant(int first, int last) {
    if (!t.isIdentifier(first) || (NO_NAMES.contains(t.text(first)) && !t.is(first, "constexpr"))) {
      return false;
    }
    for (int i = first; i < last; i++) {
      if (t.is(i, '=')) {
        return holds(t.start(first), t.start(i), CONST);
      }
      if (t.is(i, ';') || t.is(i, '}') || t.is(i, '(') || t.is(i, '{')) {
        return false;
      }
      i = Math.max(i, t.match(i));
    }
    return false;
  }

  // The statements.

  /** Blanks the statements between two braces in which nothing is kept. */
  private void statements(int open, int close) {
    int i = open + 1;
    while (i < close) {
      int end = Statements.end(t, i, close);
      if (stays(i, end)) {
        inside(i, end);
      } else {
        clear(i, end);
      }
      i = end + 1;
    }
  }

  private boolean stays(int first, int last) {
    int next = kept.nextSetBit(first);
    return next >= 0 && next <= last;
  }

  /** Blanks what is not kept in a statement that stays. */
  private void inside(int first, int last) {
    if (t.is(first, '{')) {
      statements(first, last);
      return;
    }
    int header = Statements.header(t, first);
    if (header < 0) {
      return;
    }
    int end = Statements.end(t, header + 1, last + 1);
    branch(header + 1, end);
    if (t.is(first, "if") && t.is(end + 1, "else") && end + 2 <= last) {
      branch(end + 2, last);
    }
  }

  private void branch(int first, int last) {
    if (stays(first, last)) {
      inside(first, last);
    } else {
      clear(first, last);
      masked[t.start(first)] = ';';
    }
  }

  private void clear(int first, int last) {
    blank.set(first, last + 1);
    for (int i = t.start(first); i < t.end(last); i++) {
      if (masked[i] != '\n' && masked[i] != '\r') {
        masked[i] = ' ';
      }
    }
  }

  private boolean holds(int start, int end, byte[] word) {
    byte[] bytes = t.file().bytes();
    for (int i = start; i + word.length <= end; i++) {
      if (bytes[i] != word[0]) {
        continue;
      }
      int k = 1;
      while (k < word.length && bytes[i + k] == word[k]) {
        k++;
      }
      if (k == word.length) {
        return true;
      }
    }
    return false;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
