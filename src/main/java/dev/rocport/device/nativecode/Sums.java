package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Opcode;
import dev.rocport.device.isa.Operand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The registers that a {@link Run} sets to the sum of a register, as it is before the run, and of
 * scalars. The bounds of such an address follow from those of the register, so an access can be
 * checked before the run that computes its address.
 */
final class Sums {
  /**
   * A word that is the same in all lanes.
   *
   * @param code its scalar register, or -1
   * @param constant the word if it is in no register
   */
  record Word(int code, int constant) {}

  /**
   * A sum.
   *
   * @param base the register, the first one of a pair
   * @param low the low words that are added
   * @param high the high words; empty for a sum of 32 bits
   */
  record Sum(int base, List<Word> low, List<Word> high) {}

  /** What a register has. */
  sealed interface Value {
    /** The same word in all lanes. */
    record Same(Word word) implements Value {}

    /** The low word of a sum. */
    record Low(int base, List<Word> words) implements Value {}

    /** The high word of a sum, with the carries of its low words. */
    record High(int base, List<Word> low, List<Word> words) implements Value {}

    /** Anything else. */
    record Other() implements Value {}
  }

  /**
   * What an instruction sets.
   *
   * @param carry the code of the mask of the carries, or -1
   */
  record Change(int register, Value value, int carry) {}

  /** What the run has set. */
  private final Map<Integer, Value> registers = new HashMap<>();

  /** The sums that carries belong to, by the code of their mask. */
  private final Map<Integer, Value.Low> carries = new HashMap<>();

  /** What an instruction sets, if it is the next one of the run. */
  List<Change> of(Instruction i) {
    if (i.modifiers() instanceof Modifiers.Dual(Instruction x, Instruction y)) {
      // Both halves read what was there before.
      List<Change> both = new ArrayList<>(of(x));
      both.addAll(of(y));
      return both;
    }
    boolean plain =
        i.modifiers() instanceof Modifiers.None
            || i.modifiers().equals(new Modifiers.Vop3(0, 0, 0, false, 0));
    if (!plain) {
      return List.of();
    }
    return switch (i.name()) {
      case "v_mov_b32" -> {
        Word word = word(i, "src0", 0);
        yield word == null ? List.of() : changes(i, new Value.Same(word), -1);
      }
      case "v_add_u32" -> add(i, -1);
      case "v_add_co_u32" -> add(i, scalar(i, "sdst"));
      case "v_addc_co_u32" -> addWithCarry(i);
      case "v_lshl_add_u64" -> addPairs(i);
      default -> List.of();
    };
  }

  /** A sum whose operands may come in either order. */
  private static List<Change> either(
      String one, String other, BiFunction<String, String, List<Change>> sum) {
    List<Change> changes = sum.apply(one, other);
    return changes.isEmpty() ? sum.apply(other, one) : changes;
  }

  private List<Change> add(Instruction i, int carry) {
    return either(
        "src0",
        "src1",
        (sum, added) ->
            value(i, sum) instanceof Value.Low low && value(i, added) instanceof Value.Same(Word w)
                ? changes(i, new Value.Low(low.base(), with(low.words(), w)), carry)
                : List.of());
  }

  private List<Change> addWithCarry(Instruction i) {
    Value.Low low = carries.get(scalar(i, "src2"));
    return low == null
        ? List.of()
        : either("src0", "src1", (sum, added) -> addWithCarry(i, sum, added, low));
  }

  private List<Change> addWithCarry(Instruction i, String sum, String added, Value.Low low) {
    List<Word> before = low.words().subList(0, low.words().size() - 1);
    List<Word> high =
        i.operand(sum) instanceof Operand.Vector(int register, int _)
            ? high(register, low.base(), before)
            : null;
    return high != null && value(i, added) instanceof Value.Same(Word w)
        ? changes(i, new Value.High(low.base(), low.words(), with(high, w)), -1)
        : List.of();
  }

  private List<Change> addPairs(Instruction i) {
    if (!(i.operand("src1") instanceof Operand.Inline) || !isZero(word(i, "src1", 0))) {
      return List.of();
    }
    return either("src0", "src2", (sum, added) -> addPairs(i, sum, added));
  }

  private static boolean isZero(@Nullable Word word) {
    return word != null && word.code() < 0 && word.constant() == 0;
  }

  private List<Change> addPairs(Instruction i, String sum, String added) {
    Word low = word(i, added, 0);
    Word high = word(i, added, 1);
    if (low == null
        || high == null
        || !(i.operand(sum) instanceof Operand.Vector(int register, int _))
        || !(i.operand("vdst") instanceof Operand.Vector(int to, int _))) {
      return List.of();
    }
    Sum before = sum(register, true);
    if (before == null) {
      return List.of();
    }
    List<Word> lows = with(before.low(), low);
    return List.of(
        new Change(to, new Value.Low(before.base(), lows), -1),
        new Change(to + 1, new Value.High(before.base(), lows, with(before.high(), high)), -1));
  }

  private static List<Change> changes(Instruction i, Value value, int carry) {
    return i.operand("vdst") instanceof Operand.Vector(int register, int _)
        ? List.of(new Change(register, value, carry))
        : List.of();
  }

  private static List<Word> with(List<Word> words, Word word) {
    List<Word> all = new ArrayList<>(words);
    all.add(word);
    return List.copyOf(all);
  }

  private static int scalar(Instruction i, String slot) {
    return i.operand(slot) instanceof Operand.Scalar(int code, int _) ? code : -1;
  }

  private @Nullable Value value(Instruction i, String slot) {
    if (i.operand(slot) instanceof Operand.Vector(int register, int _)) {
      Value set = registers.get(register);
      return set == null ? new Value.Low(register, List.of()) : set;
    }
    Word word = word(i, slot, 0);
    return word == null ? null : new Value.Same(word);
  }

  /** A word of a scalar operand. */
  private static @Nullable Word word(Instruction i, String slot, int word) {
    return switch (i.operand(slot)) {
      case Operand.Scalar(int code, int _) when code == Operand.NULL -> new Word(-1, 0);
      case Operand.Scalar(int code, int dwords) when word < dwords -> new Word(code + word, 0);
      case Operand.Inline constant -> new Word(-1, constant(i, slot, constant, word));
      case Operand.Literal constant -> new Word(-1, constant(i, slot, constant, word));
      default -> null;
    };
  }

  private static int constant(Instruction i, String slot, Operand constant, int word) {
    Opcode.Slot type =
        i.opcode().slots().stream().filter(s -> s.name().equals(slot)).findFirst().orElseThrow();
    return (int) (type.type().constant(constant) >>> (32 * word));
  }

  /** The high words that are added in a register, if it has the high word of that sum. */
  private @Nullable List<Word> high(int register, int base, List<Word> low) {
    return switch (registers.get(register)) {
      case null -> low.isEmpty() && register == base + 1 ? List.of() : null;
      case Value.High h when h.base() == base && h.low().equals(low) -> h.words();
      default -> null;
    };
  }

  /**
   * The sum in a register, or in a pair. Its scalars are as they were when it was computed unless
   * the run makes some of them.
   */
  @Nullable Sum sum(int register, boolean wide) {
    Value low = registers.get(register);
    if (low == null) {
      low = new Value.Low(register, List.of());
    }
    if (!(low instanceof Value.Low(int base, List<Word> words))) {
      return null;
    }
    List<Word> high = wide ? high(register + 1, base, words) : List.of();
    return high == null ? null : new Sum(base, words, high);
  }

  /** A step sets these registers. */
  void changes(int register, int words) {
    for (int r = register; r < register + words; r++) {
      registers.put(r, new Value.Other());
    }
  }

  /**
   * A step makes a mask.
   *
   * @param words its scalar registers
   */
  void makes(int code, int words) {
    carries.keySet().removeIf(c -> Math.abs(c - code) < words);
  }

  /** Notes what an instruction sets, after its step was added to the run. */
  void add(List<Change> changes) {
    for (Change change : changes) {
      registers.put(change.register(), change.value());
      if (change.carry() >= 0 && change.value() instanceof Value.Low low) {
        carries.put(change.carry(), low);
      }
    }
  }
}
