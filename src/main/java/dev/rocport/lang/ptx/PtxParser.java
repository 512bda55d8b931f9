package dev.rocport.lang.ptx;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parses the text of an asm statement: instructions, labels, declarations, and scopes. It does not
 * check instructions, so it also parses unknown ones. One recursive-descent parser with one method
 * for each production; a split would spread the grammar.
 */
public final class PtxParser {
  private static final int DEEPEST = 64;
  private static final int MOST_REGISTERS = 1 << 16;

  private final String s;
  private final char outer;
  private final Deque<Set<String>> scopes = new ArrayDeque<>();
  private int i;

  private PtxParser(String text, char outer) {
    this.s = text;
    this.outer = outer;
  }

  /**
   * The items of an asm statement's template.
   *
   * @param template the text as the compiler's back end gets it: literals joined, escapes resolved
   * @throws PtxException if it is no PTX
   */
  public static List<Item> template(String template) throws PtxException {
    return new PtxParser(template, '%').all();
  }

  /** The same, where the statement's operands are {@code $0}: MLIR, LLVM and Triton. */
  public static List<Item> dollars(String template) throws PtxException {
    return new PtxParser(template, '$').all();
  }

  private List<Item> all() throws PtxException {
    scopes.push(new HashSet<>());
    List<Item> items = items(0);
    if (i < s.length()) {
      throw new PtxException(i, "unmatched '}'");
    }
    return items;
  }

  private List<Item> items(int depth) throws PtxException {
    List<Item> list = new ArrayList<>();
    while (true) {
      blanks();
      if (i >= s.length() || s.charAt(i) == '}') {
        return List.copyOf(list);
      }
      int start = i;
      char c = s.charAt(i);
      if (c == ';') {
        i++;
      } else if (c == '{') {
        if (depth >= DEEPEST) {
          throw new PtxException(i, "braces nested deeper than " + DEEPEST);
        }
        i++;
        scopes.push(new HashSet<>());
        List<Item> inner = items(depth + 1);
        scopes.pop();
        if (i >= s.length()) {
          throw new PtxException(start, "unclosed '{'");
        }
        i++;
        list.add(new Item.Scope(start, i, inner));
      } else if (c == '.') {
        list.add(directive());
      } else {
        list.add(labelOrInstruction());
      }
    }
  }

  private Item directive() throws PtxException {
    int start = i;
    i++;
    String word = identifier();
    switch (word) {
      case "reg", "shared", "local", "const", "global", "param" -> {
        return declaration(start, word);
      }
      default -> {
        while (i < s.length() && s.charAt(i) != ';' && s.charAt(i) != '\n') {
          i++;
        }
        return new Item.Directive(start, i, s.substring(start, i));
      }
    }
  }

  private Item declaration(int start, String space) throws PtxException {
    PtxType type = null;
    blanks();
    while (peek('.')) {
      i++;
      String word = identifier();
      PtxType t = PtxType.of(word);
      type = t != null ? t : type;
      blanks();
      if (word.equals("align")) {
        number();
        blanks();
      }
    }
    List<String> names = new ArrayList<>();
    do {
      blanks();
      String percent = peek('%') ? "%" : "";
      if (peek('%')) {
        i += s.startsWith("%%", i) ? 2 : 1;
      }
      String plain = identifier();
      if (plain.isEmpty()) {
        throw new PtxException(i, "expected a name");
      }
      String name = percent + plain;
      blanks();
      if (peek('<')) {
        i++;
        blanks();
        int count = Integer.parseInt(digits());
        blanks();
        expect('>');
        if (count > MOST_REGISTERS) {
          throw new PtxException(i, "more registers than " + MOST_REGISTERS);
        }
        for (int k = 0; k < count; k++) {
          names.add(name + k);
        }
      } else {
        names.add(name);
      }
      blanks();
      while (peek('[')) { // an array, which no translation knows
        while (i < s.length() && s.charAt(i) != ']') {
          i++;
        }
        i = Math.min(s.length(), i + 1);
        blanks();
      }
    } while (take(','));
    end();
    here().addAll(names);
    return new Item.Declaration(start, i, space, type, List.copyOf(names));
  }

  private Item labelOrInstruction() throws PtxException {
    int start = i;
    Item.Guard guard = null;
    if (take('@')) {
      blanks();
      boolean negated = take('!');
      blanks();
      guard = new Item.Guard(operand(), negated);
      blanks();
    }
    int at = i;
    String opcode = labelName();
    if (opcode.isEmpty()) {
      throw new PtxException(at, "expected an instruction, found " + shown());
    }
    int behind = i;
    blanks();
    if (guard == null && peek(':') && !s.startsWith("::", i)) {
      i++;
      return new Item.Label(start, i, opcode);
    }
    i = behind;
    if (!opcode.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new PtxException(at, "'" + opcode + "' is not an instruction");
    }
    List<String> qualifiers = new ArrayList<>();
    while (peek('.')) {
      i++;
      String word = qualifier();
      if (word.isEmpty()) {
        throw new PtxException(i, "expected a qualifier after the dot");
      }
      qualifiers.add(word);
    }
    List<Operand> operands = new ArrayList<>();
    blanks();
    if (i < s.length() && s.charAt(i) != ';' && s.charAt(i) != '}') {
      do {
        blanks();
        operands.add(operand());
        blanks();
      } while (take(','));
    }
    int stop = i;
    end();
    return new Item.Instruction(
        start, stop, guard, opcode, List.copyOf(qualifiers), List.copyOf(operands));
  }

  private Operand operand() throws PtxException {
    Operand first = part(single());
    blanks();
    if (take('|')) {
      blanks();
      return new Operand.Pair(first, single());
    }
    return first;
  }

  private Operand part(Operand of) {
    if (!peek('.') || !(of instanceof Operand.Outer || of instanceof Operand.Register)) {
      return of;
    }
    i++;
    return new Operand.Part(of, identifier());
  }

  private Operand single() throws PtxException {
    if (i >= s.length()) {
      throw new PtxException(i, "expected an operand, found the end of the text");
    }
    char c = s.charAt(i);
    if (c == '!') {
      i++;
      blanks();
      return new Operand.Not(single());
    }
    if (c == '{') {
      i++;
      List<Operand> list = new ArrayList<>();
      do {
        blanks();
        list.add(single());
        blanks();
      } while (take(','));
      expect('}');
      return new Operand.Vector(List.copyOf(list));
    }
    if (c == '[') {
      return address();
    }
    if (c == '(') {
      i++;
      blanks();
      Operand inside = single();
      blanks();
      expect(')');
      return inside;
    }
    if (c == '-' || c == '+' || isDigit(c)) {
      return new Operand.Immediate(number());
    }
    if (c == outer && i + 1 < s.length() && isDigit(s.charAt(i + 1))) {
      i++;
      return new Operand.Outer(Integer.parseInt(digits()));
    }
    if (c == '%') {
      i += s.startsWith("%%", i) ? 2 : 1;
      String name = identifier();
      if (name.isEmpty()) {
        throw new PtxException(i, "expected a register name after '%'");
      }
      if (declared("%" + name)) {
        return new Operand.Register("%" + name);
      }
      while (peek('.')) {
        i++;
        name += "." + identifier();
      }
      return new Operand.Special("%" + name);
    }
    String name = labelName();
    if (name.isEmpty()) {
      throw new PtxException(i, "expected an operand, found " + shown());
    }
    if (name.equals("_")) {
      return new Operand.Sink();
    }
    if (declared(name)) {
      return new Operand.Register(name);
    }
    if (name.equals("WARP_SZ")) {
      return new Operand.Immediate("32"); // a logical warp, whatever the wave's width
    }
    return new Operand.Symbol(name);
  }

  private Operand address() throws PtxException {
    expect('[');
    blanks();
    Operand base = single();
    blanks();
    long offset = 0;
    while (peek('+') || peek('-')) {
      boolean minus = s.charAt(i++) == '-';
      blanks();
      boolean again = take('-');
      blanks();
      int at = i;
      Long value = Numbers.integer(number());
      if (value == null) {
        throw new PtxException(at, "expected an offset in bytes");
      }
      offset += minus != again ? -value : value;
      blanks();
    }
    List<Operand> further = new ArrayList<>();
    while (take(',')) {
      blanks();
      further.add(single());
      blanks();
    }
    expect(']');
    return new Operand.Address(base, offset, List.copyOf(further));
  }

  /** Ends a statement: a semicolon, or where one is left out at the end of a block. */
  private void end() throws PtxException {
    blanks();
    if (i < s.length() && s.charAt(i) != '}') {
      if (s.charAt(i) != ';') {
        throw new PtxException(i, "expected ';', found " + shown());
      }
      i++;
    }
  }

  private Set<String> here() {
    Set<String> top = scopes.peek();
    if (top == null) {
      throw new IllegalStateException("no scope is open");
    }
    return top;
  }

  private boolean declared(String name) {
    return scopes.stream().anyMatch(x -> x.contains(name));
  }

  /** A number with its sign and whatever letters PTX puts into it. */
  private String number() throws PtxException {
    int start = i;
    if (peek('-') || peek('+')) {
      i++;
      blanks();
    }
    while (i < s.length()) {
      char c = s.charAt(i);
      boolean exponent =
          (c == '-' || c == '+')
              && (s.charAt(i - 1) == 'e' || s.charAt(i - 1) == 'E')
              && !s.startsWith("0x", start)
              && !s.startsWith("0X", start);
      if (!isWord(c) && c != '.' && !exponent) {
        break;
      }
      i++;
    }
    if (i == start) {
      throw new PtxException(start, "expected a number, found " + shown());
    }
    return s.substring(start, i);
  }

  private String digits() throws PtxException {
    int start = i;
    while (i < s.length() && isDigit(s.charAt(i)) && i - start < 9) {
      i++;
    }
    if (i == start) {
      throw new PtxException(i, "expected a number, found " + shown());
    }
    return s.substring(start, i);
  }

  private String identifier() {
    int start = i;
    while (i < s.length() && isWord(s.charAt(i))) {
      i++;
    }
    return s.substring(start, i);
  }

  /** A name that may hold the number of the statement, {@code wait%=}, and {@code $}. */
  private String labelName() {
    int start = i;
    while (i < s.length()) {
      if (isWord(s.charAt(i)) || (s.charAt(i) == '$' && outer != '$')) {
        i++;
      } else if (s.startsWith("%=", i)) {
        i += 2;
      } else if (s.startsWith("${:uid}", i)) {
        i += 7;
      } else {
        break;
      }
    }
    return s.substring(start, i);
  }

  /** A word after a dot; {@code shared::cta} and {@code L1::no_allocate} are one. */
  private String qualifier() {
    int start = i;
    identifier();
    while (s.startsWith("::", i)) {
      i += 2;
      identifier();
    }
    return s.substring(start, i);
  }

  private void blanks() throws PtxException {
    while (i < s.length()) {
      char c = s.charAt(i);
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == 0x0b) {
        i++;
      } else if (s.startsWith("//", i)) {
        while (i < s.length() && s.charAt(i) != '\n') {
          i++;
        }
      } else if (s.startsWith("/*", i)) {
        int close = s.indexOf("*/", i + 2);
        if (close < 0) {
          throw new PtxException(i, "unterminated comment");
        }
        i = close + 2;
      } else {
        return;
      }
    }
  }

  private String shown() {
    return i < s.length() ? "'" + s.charAt(i) + "'" : "the end";
  }

  private boolean peek(char c) {
    return i < s.length() && s.charAt(i) == c;
  }

  private boolean take(char c) {
    boolean is = peek(c);
    i += is ? 1 : 0;
    return is;
  }

  private void expect(char c) throws PtxException {
    if (!take(c)) {
      throw new PtxException(i, "expected '" + c + "', found " + shown());
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isWord(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
