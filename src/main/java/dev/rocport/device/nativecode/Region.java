package dev.rocport.device.nativecode;

import dev.rocport.device.isa.Encoding;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.WaveTrap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The instructions that branches lead to from an entry, in basic blocks.
 *
 * @param blocks by the index of their first instruction
 * @param lanes of the waves that run it: 64, or 32 with masks of one scalar register
 */
record Region(SortedMap<Integer, List<Region.Line>> blocks, int lanes) {
  /**
   * Instructions of the largest regions, but for those that do nothing. Others are cut: the
   * interpreter and other regions serve what is left out.
   */
  private static final int MOST = 1500;

  /**
   * An instruction.
   *
   * @param pc its index of 32-bit words
   * @param next the index after it
   * @param form what it does; null if only the interpreter knows
   */
  record Line(int pc, int next, Instruction instruction, @Nullable Form form) {
    /** The index that a branch goes to. */
    int target() {
      return instruction.operands().get(0) instanceof Operand.Immediate(int offset)
          ? next + (short) offset
          : next;
    }
  }

  /** Whether an entry begins with something that native code does. */
  boolean begins(int pc) {
    List<Line> block = blocks.get(pc);
    return block != null && known(block) > 0;
  }

  /** The instructions of a block before the first that only the interpreter knows. */
  static int known(List<Line> block) {
    int known = 0;
    while (known < block.size()
        && (block.get(known).form() != null || isBranch(block.get(known).instruction()))) {
      known++;
    }
    return known;
  }

  /** Where the blocks begin that are between a branch and an earlier place that it goes to. */
  Set<Integer> loops() {
    Set<Integer> loops = new HashSet<>();
    for (List<Line> block : blocks.values()) {
      Line last = block.getLast();
      if (isBranch(last.instruction()) && last.target() <= last.pc()) {
        loops.addAll(blocks.subMap(last.target(), last.pc() + 1).keySet());
      }
    }
    return loops;
  }

  /** What the region's lines have in all. */
  int instructions() {
    return blocks.values().stream().mapToInt(List::size).sum();
  }

  /**
   * The region of an entry.
   *
   * @param whole with what no wave has come to yet; otherwise the region ends before it, since most
   *     of that is for errors and other rare cases
   */
  static Region of(Code code, int entry, boolean whole) {
    SortedMap<Integer, Line> lines = new TreeMap<>();
    SortedSet<Integer> leaders = new TreeSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(entry));
    leaders.add(entry);
    int count = 0;
    while (!open.isEmpty()) {
      int pc = open.removeFirst();
      while (!lines.containsKey(pc) && count < MOST) {
        Instruction instruction = at(code, pc, whole);
        if (instruction == null) {
          break;
        }
        Line line =
            new Line(
                pc,
                pc + (instruction.size() >> 2),
                instruction,
                Forms.of(instruction, code.lanes()));
        lines.put(pc, line);
        count += line.form() instanceof Form.Nothing ? 0 : 1;
        pc = line.next();
        if (isBranch(instruction)) {
          leaders.add(line.target());
          open.add(line.target());
          if (instruction.name().equals("s_branch")) {
            break;
          }
          leaders.add(pc);
        } else if (line.form() == null || line.form() instanceof Form.Leaves) {
          if (ends(instruction.name())) {
            break;
          }
          // This is where the interpreter hands the wave back, or where it is ready again.
          leaders.add(pc);
        }
      }
    }
    SortedMap<Integer, List<Line>> blocks = new TreeMap<>();
    List<Line> block = new ArrayList<>();
    for (Line line : lines.values()) {
      boolean follows = !block.isEmpty() && block.getLast().next() == line.pc();
      if (!follows || leaders.contains(line.pc())) {
        block = new ArrayList<>();
        blocks.put(line.pc(), block);
      }
      block.add(line);
    }
    return new Region(blocks, code.lanes());
  }

  private static @Nullable Instruction at(Code code, int pc, boolean whole) {
    try {
      Op op = whole ? code.at(pc) : code.reached(pc);
      return op == null ? null : op.instruction();
    } catch (WaveTrap e) {
      // No instruction, or one that this device lacks: an error only if a wave gets there.
      return null;
    }
  }

  static boolean isBranch(Instruction instruction) {
    return instruction.opcode().encoding() == Encoding.SOPP
        && (instruction.name().equals("s_branch")
            || instruction.name().matches("s_cbranch_(scc[01]|vccn?z|execn?z)"));
  }

  private static boolean ends(String name) {
    return name.equals("s_endpgm") || name.equals("s_setpc_b64") || name.equals("s_trap");
  }
}
