package dev.rocport.lang.ptx.find;

import dev.rocport.lang.ptx.Item;
import dev.rocport.lang.ptx.Item.Instruction;
import dev.rocport.lang.ptx.Item.Label;
import dev.rocport.lang.ptx.Operand;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxParser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A template that implements a signal between blocks and GPUs: storing a flag, waiting for a flag,
 * or reading the thread number. Its function is in {@code hip-runtime/triton/signals.c}.
 *
 * @param symbol the function
 * @param arguments the inputs of the template that it receives, numbered from 0, in order
 */
public record Signal(String symbol, List<Integer> arguments) {
  private static final Map<String, String> SCOPES =
      Map.of("sys", "system", "gpu", "gpu", "cta", "cta");
  private static final Set<String> WORDS = Set.of("u32", "b32", "s32");
  private static final Set<String> ORDERS = Set.of("relaxed", "acquire", "release", "acq_rel");

  /** Comparisons of unsigned numbers, and what is true where they are not. */
  private static final Map<String, String> OPPOSITE =
      Map.of("eq", "ne", "ne", "eq", "lt", "ge", "ge", "lt", "le", "gt", "gt", "le");

  /** The same comparison with its sides exchanged. */
  private static final Map<String, String> MIRROR =
      Map.of("eq", "eq", "ne", "ne", "lt", "gt", "gt", "lt", "le", "ge", "ge", "le");

  /** Names that say that numbers are unsigned. */
  private static final Map<String, String> UNSIGNED =
      Map.of("lo", "lt", "ls", "le", "hi", "gt", "hs", "ge");

  /** A template that has the shape of a signal, and why it is none. */
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  /**
   * The signal that a template is, or null.
   *
   * @param template with operands {@code $0}
   * @param constraints as {@code =r,l,r}; each output's value must be 0 or of no matter
   * @throws Refused if it is one that no memory model has
   */
  public static @Nullable Signal of(String template, String constraints) throws Refused {
    int outputs = 0;
    int inputs = 0;
    for (String c : constraints.split(",", -1)) {
      String word = c.strip();
      if (word.startsWith("=")) {
        outputs++;
      } else if (!word.isEmpty() && !word.startsWith("~")) {
        inputs++;
      }
    }
    try {
      List<Item> flat = new ArrayList<>();
      return flatten(PtxParser.dollars(template), flat)
          ? new Reader(flat, outputs, inputs).read()
          : null;
    } catch (PtxException e) {
      return null;
    }
  }

  private static boolean flatten(List<Item> items, List<Item> out) {
    boolean all = true;
    for (Item item : items) {
      switch (item) {
        case Item.Scope s -> all &= flatten(s.items(), out);
        case Item.Declaration d -> all &= d.space().equals("reg");
        case Item.Directive d -> all = false;
        case Label l -> out.add(l);
        case Instruction i -> out.add(i);
      }
    }
    return all;
  }

  private static final class Reader {
    private final List<Item> items;
    private final int outputs;
    private final int inputs;
    private int at;

    Reader(List<Item> items, int outputs, int inputs) {
      this.items = items;
      this.outputs = outputs;
      this.inputs = inputs;
    }

    @Nullable Signal read() throws Refused {
      if (items.size() == 1
          && here() instanceof Instruction i
          && i.opcode().equals("mov")
          && i.guard() == null
          && Set.copyOf(i.qualifiers()).stream().allMatch(WORDS::contains)
          && i.operands().size() == 2
          && i.operands().get(0) instanceof Operand.Outer(int d)
          && d < outputs
          && i.operands().get(1) instanceof Operand.Special(String name)
          && name.equals("%tid.x")) {
        return inputs == 0 ? new Signal("rocport_getthreadid", List.of()) : null;
      }
      zeros();
      Mask mask = mask();
      Signal found = write(mask);
      if (found == null) {
        found = spinWait(mask);
      }
      zeros();
      return at == items.size() ? found : null;
    }

    /** A predicate that is true if an input is not 0. */
    private record Mask(Operand register, boolean negated, int input) {
      /** Whether a guard lets pass what the mask does. */
      boolean lets(Item.Guard g) {
        return g.register().equals(register) && g.negated() == negated;
      }

      boolean stops(Item.Guard g) {
        return g.register().equals(register) && g.negated() != negated;
      }
    }

    private @Nullable Item here() {
      return at < items.size() ? items.get(at) : null;
    }

    /** {@code mov.u32 $0, 0}: what the functions return. */
    private void zeros() {
      while (here() instanceof Instruction i
          && i.opcode().equals("mov")
          && i.guard() == null
          && i.operands().size() == 2
          && i.operands().get(0) instanceof Operand.Outer(int d)
          && d < outputs
          && i.operands().get(1) instanceof Operand.Immediate(String text)
          && text.equals("0")) {
        at++;
      }
    }

    private @Nullable Mask mask() {
      if (here() instanceof Instruction i
          && i.opcode().equals("setp")
          && i.guard() == null
          && i.operands().size() == 3
          && input(i.operands().get(1)) >= 0
          && i.operands().get(2) instanceof Operand.Immediate(String zero)
          && zero.equals("0")) {
        Set<String> words = new HashSet<>(i.qualifiers());
        boolean ne = words.remove("ne");
        boolean eq = !ne && words.remove("eq");
        if ((ne || eq) && words.size() == 1 && WORDS.containsAll(words)) {
          at++;
          return new Mask(i.operands().get(0), eq, input(i.operands().get(1)));
        }
      }
      return null;
    }

    private @Nullable Signal write(@Nullable Mask mask) throws Refused {
      if (!(here() instanceof Instruction i)
          || !i.opcode().equals("st")
          || i.operands().size() != 2) {
        return null;
      }
      Access access = access(i);
      int flag = address(i.operands().get(0));
      int value = input(i.operands().get(1));
      Item.Guard g = i.guard();
      boolean guarded = mask == null ? g == null : g != null && mask.lets(g);
      if (access == null || flag < 0 || value < 0 || !guarded) {
        return null;
      }
      if (!access.order.equals("relaxed") && !access.order.equals("release")) {
        throw new Refused("a store cannot have the order " + access.order);
      }
      at++;
      return signal("atomicwrite_" + access.order + "_" + access.scope, flag, value, mask);
    }

    private @Nullable Signal spinWait(@Nullable Mask mask) throws Refused {
      String done = "";
      if (mask != null) {
        if (!(here() instanceof Instruction skip)
            || !skip.opcode().equals("bra")
            || skip.guard() == null
            || !mask.stops(skip.guard())
            || target(skip).isEmpty()) {
          return null;
        }
        done = target(skip);
        at++;
      }
      if (at >= items.size() || !(items.get(at) instanceof Label again)) {
        return null;
      }
      at++;
      if (!(here() instanceof Instruction load)
          || !load.opcode().equals("ld")
          || load.guard() != null
          || load.operands().size() != 2) {
        return null;
      }
      at++;
      Access access = access(load);
      int flag = address(load.operands().get(1));
      if (access == null
          || flag < 0
          || !(here() instanceof Instruction compare)
          || !compare.opcode().equals("setp")
          || compare.guard() != null) {
        return null;
      }
      at++;
      if (!(here() instanceof Instruction loop)
          || !loop.opcode().equals("bra")
          || loop.guard() == null
          || !target(loop).equals(again.name())
          || !loop.guard().register().equals(compare.operands().getFirst())) {
        return null;
      }
      at++;
      if (!done.isEmpty()) {
        if (at >= items.size() || !(items.get(at) instanceof Label l) || !l.name().equals(done)) {
          return null;
        }
        at++;
      }
      if (!access.order.equals("relaxed") && !access.order.equals("acquire")) {
        throw new Refused("a load cannot have the order " + access.order);
      }
      Compared said = compared(compare, load.operands().getFirst());
      if (said == null) {
        return null;
      }
      // The branch determines when it keeps waiting; the name of the operation does not.
      String word = loop.guard().negated() ? OPPOSITE.get(said.how) : said.how;
      String name = "atomicspinwait_" + access.order + "_" + access.scope + "_while_" + word;
      return signal(name, flag, said.with, mask);
    }

    private record Compared(String how, int with) {}

    private @Nullable Compared compared(Instruction i, Operand loaded) throws Refused {
      if (i.operands().size() != 3 || i.qualifiers().size() != 2) {
        return null;
      }
      String how = i.qualifiers().get(0);
      String type = i.qualifiers().get(1);
      String plain = UNSIGNED.getOrDefault(how, how);
      if (!OPPOSITE.containsKey(plain) || !WORDS.contains(type)) {
        return null;
      }
      boolean ordered = !plain.equals("eq") && !plain.equals("ne");
      if (ordered && !type.equals("u32")) {
        throw new Refused(
            "the ROCm functions compare flags as unsigned numbers, but this instruction compares "
                + type);
      }
      int right = input(i.operands().get(2));
      if (i.operands().get(1).equals(loaded) && right >= 0) {
        return new Compared(plain, right);
      }
      int left = input(i.operands().get(1));
      return i.operands().get(2).equals(loaded) && left >= 0
          ? new Compared(MIRROR.getOrDefault(plain, plain), left)
          : null;
    }

    /** How memory is accessed. */
    private record Access(String order, String scope) {}

    /** The order and scope of an access to global memory that has both; words in any order. */
    private static @Nullable Access access(Instruction i) {
      Set<String> words = new HashSet<>(i.qualifiers());
      if (!words.remove("global") || words.size() != 3 || i.qualifiers().size() != 4) {
        return null;
      }
      String order = "";
      String scope = "";
      boolean type = false;
      for (String w : words) {
        order = ORDERS.contains(w) ? w : order;
        scope = SCOPES.getOrDefault(w, scope);
        type |= WORDS.contains(w);
      }
      return order.isEmpty() || scope.isEmpty() || !type ? null : new Access(order, scope);
    }

    private int address(Operand o) {
      return o instanceof Operand.Address a && a.offset() == 0 && a.further().isEmpty()
          ? input(a.base())
          : -1;
    }

    /** The number of an input, or -1. */
    private int input(Operand o) {
      return o instanceof Operand.Outer(int n) && n >= outputs && n < outputs + inputs
          ? n - outputs
          : -1;
    }

    private static String target(Instruction branch) {
      return branch.operands().size() == 1
              && branch.operands().getFirst() instanceof Operand.Symbol(String name)
          ? name
          : "";
    }

    private Signal signal(String name, int flag, int value, @Nullable Mask mask) {
      return mask == null
          ? new Signal("rocport_" + name + "_nomask", List.of(flag, value))
          : new Signal("rocport_" + name + "_mask", List.of(flag, value, mask.input));
    }
  }
}
