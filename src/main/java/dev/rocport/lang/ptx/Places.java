package dev.rocport.lang.ptx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of a statement live in C++: its operands in their own expressions or, where
 * those would be evaluated more than once or after an output is written, in variables; its
 * registers in variables that are declared where they are first written.
 */
final class Places {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9a-fA-FxX]*[uUlL]*");
  private static final Pattern EFFECTS =
      Pattern.compile("\\+\\+|--|(?:[^=!<>]|<<|>>)=[^=]|[\\w>)]\\s*\\(|\\bnew\\b");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_](?:\\w|\\.|->|\\[\\w+\\])*");

  private final Statement statement;
  private final Set<String> taken = new HashSet<>();
  private final Map<Integer, String> inputs = new LinkedHashMap<>();
  private final Map<Integer, String> outputs = new LinkedHashMap<>();
  private final Map<Integer, String> bound = new HashMap<>();
  private final List<Set<String>> identifiers = new ArrayList<>();
  private final List<Integer> unused = new ArrayList<>();
  private final Set<String> declared = new HashSet<>();
  private final Map<String, PtxType> hoisted = new LinkedHashMap<>();

  Places(Statement statement) {
    this.statement = statement;
    for (Statement.Outer o : statement.operands()) {
      Set<String> names = new HashSet<>();
      Matcher m = IDENTIFIER.matcher(o.expression());
      while (m.find()) {
        names.add(m.group());
      }
      identifiers.add(names);
      taken.addAll(names);
    }
  }

  /** Names, beside C++'s own, that no variable of the translation may have; new ones are added. */
  Set<String> taken() {
    return taken;
  }

  Statement.Outer outer(int k) {
    return statement.operands().get(k);
  }

  /** The variable that holds an operand, or null if its expression does. */
  @Nullable String own(int k) {
    return inputs.getOrDefault(k, outputs.get(k));
  }

  /** The variable that holds an output, or null. */
  @Nullable String ownOutput(int k) {
    return outputs.get(k);
  }

  /**
   * Decides which operands need a variable.
   *
   * @param simple whether the statement is one instruction
   * @param looping whether it has branches
   */
  void choose(List<Matched> order, boolean simple, boolean looping) throws Refusal {
    int n = statement.operands().size();
    int[] reads = new int[n];
    int[] writes = new int[n];
    int[] firstWrite = new int[n];
    int[] lastRead = new int[n];
    boolean[] inLoop = new boolean[n];
    Arrays.fill(firstWrite, Integer.MAX_VALUE);
    Arrays.fill(lastRead, -1);
    for (int k = 0; k < order.size(); k++) {
      Matched m = order.get(k);
      for (Form.Bound b : m.match().operands()) {
        int index = index(b.operand());
        if (index < 0) {
          continue;
        }
        if (index >= n) {
          throw m.refuse("there is no operand %" + index);
        }
        int uses = uses(m.match().row().hip(), b.name());
        if (b.isWritten()) {
          writes[index]++;
          firstWrite[index] = Math.min(firstWrite[index], k);
        } else {
          reads[index] += uses;
          lastRead[index] = k;
        }
        inLoop[index] |= looping;
      }
    }
    Set<String> written = new HashSet<>();
    int first = Integer.MAX_VALUE;
    for (int k = 0; k < n; k++) {
      if (writes[k] > 0) {
        written.addAll(identifiers(k));
        first = Math.min(first, firstWrite[k]);
      }
    }
    boolean ordered = false;
    int inputCount = 0;
    for (int k = 0; k < n; k++) {
      ordered |= effects(outer(k)) && (reads[k] > 0 || writes[k] > 0);
      inputCount += reads[k] > 0 && !outer(k).written() ? 1 : 0;
    }
    ordered &= n > 1;
    for (int k = 0; k < n; k++) {
      Statement.Outer o = outer(k);
      if (o.written()) {
        boolean asIs = isName(o) && others(k) && (reads[k] == 0 || !o.mayBePointer());
        boolean once = writes[k] == 1 && reads[k] == 0 && !inLoop[k];
        if (writes[k] > 0
            && !asIs
            && !(once && !names(k) && (simple ? !ordered || n == 1 : !effects(o)))) {
          outputs.put(k, free("out" + k));
        }
        continue;
      }
      if (reads[k] == 0 && o.constraint() != 'n' && effects(o)) {
        unused.add(k);
      }
      if (reads[k] == 0 || o.constraint() == 'n') {
        continue;
      }
      boolean late = lastRead[k] > first || (inLoop[k] && first < Integer.MAX_VALUE);
      // A name may be a reference to what is written, unless it was seen to be a variable.
      boolean clash =
          late
              && (o.known() != Statement.Known.UNSIGNED
                  || identifiers(k).stream().anyMatch(written::contains));
      boolean once = reads[k] == 1 && !inLoop[k] && (simple || (lastRead[k] == 0 && !effects(o)));
      if (isNumber(o)) {
        continue;
      }
      if (clash || (ordered && inputCount > 1) || !(isName(o) || once)) {
        inputs.put(k, free("in" + k));
      }
    }
  }

  /** Whether no other operand's expression mentions the name of this one. */
  private boolean others(int k) {
    String name = outer(k).expression().strip();
    for (int other = 0; other < statement.operands().size(); other++) {
      boolean same = !outer(other).written() && outer(other).expression().strip().equals(name);
      if (other != k && !same && identifiers(other).contains(name)) {
        return false;
      }
    }
    return true;
  }

  /** Whether nothing that the statement writes or declares changes which place it is. */
  private boolean isFixed(int k) {
    boolean capitals =
        identifiers(k).stream()
            .anyMatch(n -> n.length() > 1 && n.equals(n.toUpperCase(Locale.ROOT)));
    return !statement.macro()
        && !capitals
        && !names(k)
        && PLAIN.matcher(outer(k).expression().strip()).matches();
  }

  /** Whether the expression mentions another output. */
  private boolean names(int k) {
    for (int other = 0; other < statement.operands().size(); other++) {
      Statement.Outer o = outer(other);
      if (other != k
          && o.written()
          && identifiers(other).stream().anyMatch(identifiers(k)::contains)) {
        return true;
      }
    }
    return false;
  }

  /** How often a translation reads an operand. */
  static int uses(String hip, String name) {
    String place = "{" + name + "}";
    int n = 0;
    for (int at = hip.indexOf(place); at >= 0; at = hip.indexOf(place, at + 1)) {
      n++;
    }
    return n;
  }

  private static int index(Operand o) {
    return switch (o) {
      case Operand.Outer(int index) -> index;
      case Operand.Address a -> index(a.base());
      case Operand.Not(Operand of) -> index(of);
      default -> -1;
    };
  }

  private Set<String> identifiers(int k) {
    return identifiers.get(k);
  }

  /** Whether its expression is a name, which can be used anywhere. */
  boolean isName(Statement.Outer o) {
    String text = o.expression().strip();
    boolean capitals = text.length() > 1 && text.equals(text.toUpperCase(Locale.ROOT));
    return !statement.macro() && !capitals && isIdentifier(text);
  }

  private static boolean isIdentifier(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && (i == 0 || c < '0' || c > '9')) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  static boolean isNumber(Statement.Outer o) {
    return NUMBER.matcher(o.expression().strip()).matches();
  }

  private boolean effects(Statement.Outer o) {
    return statement.macro()
        || (!isIdentifier(o.expression()) && EFFECTS.matcher(o.expression()).find());
  }

  /** A name for a new variable. */
  String free(String plain) {
    String name = statement.macro() ? "rocport_" + plain : plain;
    String free = name;
    for (int n = 2; !CppWords.take(free, taken); n++) {
      free = name + "_" + n;
    }
    return free;
  }

  /** The expression of an operand. */
  static String raw(int k) {
    return String.valueOf(Translation.operand(k));
  }

  static String carrier(Statement.Outer o) {
    return switch (o.constraint()) {
      case 'h' -> "unsigned short";
      case 'l' -> "unsigned long long";
      case 'f' -> "float";
      case 'd' -> "double";
      default -> "unsigned";
    };
  }

  static PtxType type(Statement.Outer o) {
    String name =
        switch (o.constraint()) {
          case 'h' -> "b16";
          case 'l' -> "b64";
          case 'f' -> "f32";
          case 'd' -> "f64";
          default -> "b32";
        };
    return Objects.requireNonNull(PtxType.of(name));
  }

  /** What precedes the translation. */
  List<Code> before() {
    List<Code> list = new ArrayList<>();
    unused.forEach(k -> list.add(new Code.Line("(void)(" + raw(k) + ")")));
    outputs.forEach(
        (k, name) -> {
          String place = raw(k);
          if (!isFixed(k)) { // which place it is may depend on what is written before
            place = free("place" + k);
            bound.put(k, place);
            list.add(new Code.Line("auto& " + place + " = " + raw(k)));
          }
          String value = outer(k).mayBePointer() ? "rocport::ptx::word(" + place + ")" : place;
          String begin = outer(k).read() ? " = " + value : "";
          list.add(new Code.Line(carrier(outer(k)) + " " + name + begin));
        });
    inputs.forEach((k, name) -> list.add(new Code.Line(declaredInput(k, name))));
    return list;
  }

  /** The registers that are declared before it. */
  List<Code> declarations() {
    List<Code> list = new ArrayList<>();
    hoisted.forEach((name, type) -> list.add(new Code.Line(type.carrier() + " " + name)));
    return list;
  }

  /** What is after it. */
  List<Code> after() {
    List<Code> list = new ArrayList<>();
    outputs.forEach((k, name) -> list.add(new Code.Line(assigned(k, name))));
    return list;
  }

  private String declaredInput(int k, String name) {
    Statement.Outer o = outer(k);
    boolean comma = o.expression().indexOf(',') >= 0;
    String value = comma ? "(" + raw(k) + ")" : raw(k);
    value = o.mayBePointer() ? "rocport::ptx::word(" + value + ")" : value;
    return "const " + carrier(o) + " " + name + " = " + value;
  }

  /** An assignment to the place of an output. */
  String assigned(int k, String value) {
    String place = bound.get(k);
    if (place == null) {
      String text = outer(k).expression().strip();
      boolean plain = isIdentifier(text) || PLAIN.matcher(text).matches();
      place = plain && !statement.macro() ? raw(k) : "(" + raw(k) + ")";
    }
    return outer(k).mayBePointer()
        ? "rocport::ptx::set(" + place + ", " + value + ")"
        : place + " = " + value;
  }

  /** A register that is written. */
  Flow.Local place(Matched at, String name) throws Refusal {
    Flow.Local local = at.step().registers().get(name);
    if (local == null) {
      throw at.refuse("'" + name + "' is not declared before this instruction");
    }
    return local;
  }

  /** A register that is read: where nothing wrote it, it is as undefined as in PTX. */
  Flow.Local local(Matched at, String name) throws Refusal {
    Flow.Local local = place(at, name);
    if (declared.add(local.name())) {
      hoisted.put(local.name(), local.type());
    }
    return local;
  }

  /**
   * Whether a register is to be declared where it is written now: it is the first time, and outside
   * of conditions and loops. Inside of them it is declared before the translation.
   */
  boolean declaresHere(Flow.Local local, int depth) {
    if (!declared.add(local.name())) {
      return false;
    }
    if (depth > 0) {
      hoisted.put(local.name(), local.type());
    }
    return depth == 0;
  }
}
