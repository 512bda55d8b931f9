package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The form of a row, parsed for comparison with instructions.
 *
 * <p>{@code ld[.weak].global.{T:u32,s32} d, [a]}: words after dots, alternatives in braces, which a
 * capital letter may name, optional words in brackets, followed by {@code =word} if their absence
 * means a word of the group; then the operands, each with its type where it is not that of group
 * {@code T}, or of the last type among the words. Names that begin with {@code d} are written. A
 * head that ends in {@code .*} matches every instruction with that prefix. {@code a[.{X:b0,b1}]} is
 * an operand of which a part may be taken; a last one after {@code ?} is optional.
 */
final class Form {
  /** {@code {a}}, {@code $T} or {@code $$T} in a translation. */
  static final Pattern PLACE = Pattern.compile("\\{(\\w+)\\}|\\$(\\$?)([A-Z])");

  /**
   * An operand of an instruction under the name that the form gives it.
   *
   * @param type null for constants and addresses
   * @param address whether it is in brackets
   */
  record Bound(String name, Operand operand, @Nullable PtxType type, boolean address) {
    boolean isWritten() {
      return name.startsWith("d");
    }
  }

  /**
   * An instruction that fits.
   *
   * @param words what each group chose
   * @param operands in the order of the form
   */
  record Match(Form form, Map<Character, String> words, List<Bound> operands) {
    PtxRow row() {
      return form.row;
    }

    /** Whether predicates occur exactly where the form has them. */
    boolean fitsPredicates(Predicate<String> isPredicate) {
      for (Bound b : operands) {
        if (b.type() != null
            && b.operand() instanceof Operand.Register(String name)
            && isPredicate.test(name) != (b.type().kind() == PtxType.Kind.PREDICATE)) {
          return false;
        }
      }
      return true;
    }

    /** The operand of this name. */
    @Nullable Bound operand(String name) {
      return operands.stream().filter(b -> b.name().equals(name)).findFirst().orElse(null);
    }
  }

  private final PtxRow row;
  private final String opcode;
  private final boolean open;
  private final List<Choice> elements;
  private final Map<Character, String> absent;
  private final List<Shape> shapes;
  private final int required;

  /** All words that its elements may choose. */
  private final Set<String> vocabulary = new HashSet<>();

  Form(
      PtxRow row,
      String opcode,
      boolean open,
      List<Choice> elements,
      Map<Character, String> absent,
      List<Shape> shapes,
      int required) {
    this.row = row;
    this.opcode = opcode;
    this.open = open;
    this.elements = List.copyOf(elements);
    this.absent = Map.copyOf(absent);
    this.shapes = List.copyOf(shapes);
    this.required = required;
    this.elements.forEach(e -> vocabulary.addAll(e.words()));
  }

  PtxRow row() {
    return row;
  }

  String opcode() {
    return opcode;
  }

  boolean isOpen() {
    return open;
  }

  /** How much of an instruction's head an open form names. */
  int length() {
    return elements.size();
  }

  /** Whether each word is one that an element may choose. */
  boolean has(List<String> words) {
    return vocabulary.containsAll(words);
  }

  /** Whether the head fits, whatever the operands are. */
  boolean fitsHead(Item.Instruction i) {
    if (open) {
      return i.opcode().equals(opcode) && begins(i.qualifiers());
    }
    return i.opcode().equals(opcode) && choose(i.qualifiers()) != null;
  }

  private boolean begins(List<String> qualifiers) {
    if (qualifiers.size() < elements.size()) {
      return false;
    }
    for (int k = 0; k < elements.size(); k++) {
      if (!elements.get(k).words().contains(qualifiers.get(k))) {
        return false;
      }
    }
    return true;
  }

  /** The instruction as one of this form, or null. */
  @Nullable Match match(Item.Instruction i) {
    if (!i.opcode().equals(opcode)) {
      return null;
    }
    if (open) {
      return begins(i.qualifiers()) ? new Match(this, Map.of(), List.of()) : null;
    }
    @Nullable String @Nullable [] chosen = choose(i.qualifiers());
    int operands = i.operands().size();
    if (chosen == null || operands < required || operands > shapes.size()) {
      return null;
    }
    Map<Character, String> words = new HashMap<>();
    String last = "";
    for (int k = 0; k < chosen.length; k++) {
      String word = chosen[k];
      if (word == null) {
        word = "";
      }
      if (elements.get(k).group() != 0) {
        char group = elements.get(k).group();
        words.put(group, word.isEmpty() ? absent.getOrDefault(group, "") : word);
      }
      last = PtxType.of(word) != null ? word : last;
    }
    String type = words.getOrDefault('T', last);
    List<Bound> bound = new ArrayList<>();
    for (int k = 0; k < operands; k++) {
      if (!bind(shapes.get(k), i.operands().get(k), type, words, bound)) {
        return null;
      }
    }
    return new Match(this, words, bound);
  }

  /**
   * The words that the elements choose so that all are used, or null. Types keep their order, the
   * others can occur anywhere.
   */
  private @Nullable String @Nullable [] choose(List<String> qualifiers) {
    int n = qualifiers.size();
    if (n > elements.size() || !vocabulary.containsAll(qualifiers)) {
      return null;
    }
    boolean[] types = new boolean[n];
    for (int w = 0; w < n; w++) {
      types[w] = PtxType.of(qualifiers.get(w)) != null;
    }
    @Nullable String[] chosen = new @Nullable String[elements.size()];
    return choose(0, qualifiers, types, new boolean[n], chosen) ? chosen : null;
  }

  private boolean choose(
      int k, List<String> words, boolean[] types, boolean[] used, @Nullable String[] chosen) {
    if (k == elements.size()) {
      for (boolean u : used) {
        if (!u) {
          return false;
        }
      }
      return true;
    }
    Choice e = elements.get(k);
    boolean typesOnly = true;
    for (int w = 0; w < words.size(); w++) {
      if (used[w]) {
        continue;
      }
      boolean type = types[w];
      if (e.words().contains(words.get(w)) && (!type || typesOnly)) {
        used[w] = true;
        chosen[k] = words.get(w);
        if (choose(k + 1, words, types, used, chosen)) {
          return true;
        }
        used[w] = false;
        chosen[k] = null;
      }
      typesOnly &= !type;
    }
    return e.optional() && choose(k + 1, words, types, used, chosen);
  }

  /** Whether a part, or the lack of one, is what an operand of a form allows. */
  private static boolean fits(Shape.Value v, @Nullable String part, Map<Character, String> words) {
    if (v.part() == null || part == null) {
      if (v.part() != null) {
        words.put(v.part().group(), "");
      }
      return part == null && (v.part() == null || v.part().optional());
    }
    words.put(v.part().group(), part);
    return v.part().words().stream()
        .anyMatch(
            w ->
                w.endsWith("*") ? part.startsWith(w.substring(0, w.length() - 1)) : part.equals(w));
  }

  private static boolean bind(
      Shape shape, Operand whole, String type, Map<Character, String> words, List<Bound> bound) {
    return switch (shape) {
      case Shape.Value v -> {
        Operand operand = whole instanceof Operand.Part(Operand of, String _) ? of : whole;
        String part = whole instanceof Operand.Part(Operand _, String word) ? word : null;
        if (!fits(v, part, words)) {
          yield false;
        }
        boolean constant = v.type().equals("imm");
        boolean fits =
            switch (operand) {
              case Operand.Register r -> !constant;
              case Operand.Special r -> !constant && !v.isWritten();
              case Operand.Not n -> !constant && !v.isWritten();
              case Operand.Outer o -> true;
              case Operand.Immediate m -> !v.isWritten();
              case Operand.Sink s -> v.isWritten();
              case Operand.Symbol s -> v.type().equals("symbol");
              default -> false;
            };
        String name =
            v.type().isEmpty()
                ? type
                : v.type().length() == 1 ? words.getOrDefault(v.type().charAt(0), "") : v.type();
        bound.add(new Bound(v.name(), operand, PtxType.of(name), false));
        yield fits;
      }
      case Shape.Memory m -> {
        if (!(whole instanceof Operand.Address a) || a.further().size() != m.further().size()) {
          yield false;
        }
        bound.add(new Bound(m.address().name(), a, null, true));
        for (int k = 0; k < m.further().size(); k++) {
          if (!bind(m.further().get(k), a.further().get(k), type, words, bound)) {
            yield false;
          }
        }
        yield true;
      }
      case Shape.Several s -> {
        if (!(whole instanceof Operand.Vector v) || v.elements().size() != s.elements().size()) {
          yield false;
        }
        for (int k = 0; k < s.elements().size(); k++) {
          if (!bind(s.elements().get(k), v.elements().get(k), type, words, bound)) {
            yield false;
          }
        }
        yield true;
      }
      case Shape.Two t ->
          whole instanceof Operand.Pair p
              && bind(t.first(), p.first(), type, words, bound)
              && bind(t.second(), p.second(), type, words, bound);
      case Shape.Constant c -> {
        Long value = whole instanceof Operand.Immediate m ? Numbers.integer(m.text()) : null;
        yield value != null && value == c.value();
      }
    };
  }
}
