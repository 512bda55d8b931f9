package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Explains PTX that a user types: the meaning of each instruction and the translation of the whole.
 * Undeclared registers are treated as operands of an asm statement.
 */
public final class PtxExplainer {
  private final PtxTable table;

  public PtxExplainer(PtxTable table) {
    this.table = table;
  }

  /**
   * The facts about a text.
   *
   * @param instructions in their order
   * @param translation of the whole, operands written as {@code %0}'s names
   * @param names the registers that represent the operands of {@link Translation#operand}
   */
  public record Answer(List<Explained> instructions, Translation translation, List<String> names) {
    /** The translation as text; empty if there is none. */
    public String hip() {
      if (!(translation instanceof Translation.Hip hip)) {
        return "";
      }
      StringBuilder out = new StringBuilder();
      for (char c : Code.text(hip.code(), "\n", "").toCharArray()) {
        int operand = Translation.operandOf(c);
        out.append(operand < 0 ? String.valueOf(c) : names.get(operand));
      }
      return out.toString();
    }
  }

  /**
   * One instruction.
   *
   * @param text as it was typed
   * @param row null for one that is not known
   */
  public record Explained(String text, @Nullable PtxRow row) {}

  /**
   * Explains a text of one or more instructions.
   *
   * @throws PtxException if it is no PTX
   */
  public Answer explain(String text) throws PtxException {
    Set<String> open = new LinkedHashSet<>();
    List<Item> items =
        PtxParser.template(text).stream().map(i -> over(i, o -> named(o, open))).toList();
    List<Explained> explained = new ArrayList<>();
    Map<String, PtxType> free = new LinkedHashMap<>();
    Set<String> written = new TreeSet<>();
    Set<String> read = new TreeSet<>();
    for (Item.Instruction i : instructions(items)) {
      Form.Match match = table.match(i);
      explained.add(new Explained(text.substring(i.start(), i.end()).strip(), table.row(i)));
      if (match != null) {
        for (Form.Bound b : match.operands()) {
          note(b.operand(), i, b, open, free, written, read);
        }
      }
      if (i.guard() != null
          && i.guard().register() instanceof Operand.Register(String name)
          && open.contains(name)) {
        free.putIfAbsent(name, pred());
      }
    }
    List<String> names = new ArrayList<>();
    List<Statement.Outer> outers = new ArrayList<>();
    Set<String> predicates = new LinkedHashSet<>();
    free.forEach(
        (name, type) -> {
          if (type.kind() == PtxType.Kind.PREDICATE) {
            predicates.add(name);
          } else {
            names.add(name);
            outers.add(
                new Statement.Outer(
                    constraint(type),
                    names.getLast(),
                    written.contains(name),
                    read.contains(name) || !written.contains(name),
                    Statement.Known.UNSIGNED));
          }
        });
    List<String> places = new ArrayList<>();
    free.keySet().stream().filter(n -> !predicates.contains(n)).forEach(places::add);
    List<Item> bound = new ArrayList<>();
    if (!predicates.isEmpty()) {
      bound.add(new Item.Declaration(0, 0, "reg", pred(), List.copyOf(predicates)));
    }
    for (Item item : items) {
      bound.add(
          over(
              item,
              o ->
                  o instanceof Operand.Register(String name) && places.contains(name)
                      ? new Operand.Outer(places.indexOf(name))
                      : o));
    }
    Translation translation =
        new Translator(table).translate(new Statement(bound, outers, false), true);
    return new Answer(List.copyOf(explained), translation, List.copyOf(names));
  }

  private static PtxType pred() {
    return java.util.Objects.requireNonNull(PtxType.of("pred"));
  }

  private static List<Item.Instruction> instructions(List<Item> items) {
    List<Item.Instruction> list = new ArrayList<>();
    for (Item item : items) {
      switch (item) {
        case Item.Instruction i -> list.add(i);
        case Item.Scope s -> list.addAll(instructions(s.items()));
        default -> {}
      }
    }
    return list;
  }

  private static void note(
      Operand o,
      Item.Instruction i,
      Form.Bound b,
      Set<String> open,
      Map<String, PtxType> free,
      Set<String> written,
      Set<String> read) {
    switch (o) {
      case Operand.Register(String name) when open.contains(name) -> {
        boolean shared = i.qualifiers().stream().anyMatch(q -> q.startsWith("shared"));
        PtxType address = PtxType.of(shared ? "b32" : "b64");
        PtxType type = b.address() ? address : b.type();
        if (type != null) {
          free.putIfAbsent(name, type);
        }
        (b.isWritten() ? written : read).add(name);
      }
      case Operand.Address a -> note(a.base(), i, b, open, free, written, read);
      case Operand.Not(Operand of) -> note(of, i, b, open, free, written, read);
      default -> {}
    }
  }

  private static char constraint(PtxType type) {
    return switch (type.kind()) {
      case BITS8, BITS16 -> 'h';
      case BITS64, BITS128 -> 'l';
      case FLOAT -> 'f';
      case DOUBLE -> 'd';
      default -> 'r';
    };
  }

  /** A name for what the text declares nowhere: a register, or an operand of an asm statement. */
  private Operand named(Operand o, Set<String> open) {
    String name =
        switch (o) {
          case Operand.Special(String special) when table.register(special) == null ->
              special.replace("%", "").replace('.', '_');
          case Operand.Outer(int index) -> "operand" + index;
          default -> "";
        };
    if (name.isEmpty()) {
      return o;
    }
    open.add(name);
    return new Operand.Register(name);
  }

  /** The same item with other operands. */
  private static Item over(Item item, UnaryOperator<Operand> change) {
    return switch (item) {
      case Item.Instruction i ->
          new Item.Instruction(
              i.start(),
              i.end(),
              i.guard() == null
                  ? null
                  : new Item.Guard(over(i.guard().register(), change), i.guard().negated()),
              i.opcode(),
              i.qualifiers(),
              i.operands().stream().map(o -> over(o, change)).toList());
      case Item.Scope s ->
          new Item.Scope(s.start(), s.end(), s.items().stream().map(x -> over(x, change)).toList());
      default -> item;
    };
  }

  private static Operand over(Operand o, UnaryOperator<Operand> change) {
    return switch (o) {
      case Operand.Not(Operand of) -> new Operand.Not(over(of, change));
      case Operand.Part(Operand of, String word) -> new Operand.Part(over(of, change), word);
      case Operand.Address(Operand base, long offset, List<Operand> further) ->
          new Operand.Address(
              over(base, change), offset, further.stream().map(x -> over(x, change)).toList());
      case Operand.Vector(List<Operand> elements) ->
          new Operand.Vector(elements.stream().map(x -> over(x, change)).toList());
      case Operand.Pair(Operand first, Operand second) ->
          new Operand.Pair(over(first, change), over(second, change));
      default -> change.apply(o);
    };
  }
}
