package dev.rocport.device.isa;

import dev.rocport.device.isa.Opcode.Slot;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A row of the table for one target.
 *
 * @param modifiers what the 64-bit form of a vector ALU opcode takes
 */
record Row(Opcode opcode, Vop3Bits modifiers, Set<Trait> traits) {

  /** The encodings that an opcode has beside its own, and what else tells it from its like. */
  enum Trait {
    E64,
    SDWA,
    DPP,
    /** Data-parallel primitives in its 64-bit form. */
    DPP64,
    /** Its SDWA form writes whole registers only. */
    WHOLE,
    /** Two offsets of 8 bits. */
    OFFSETS,
    /** Global wave sync. */
    GWS,
    /** Moves data between lanes, not through memory. */
    LANES,
    /** Can move data to LDS: MUBUF, and GLOBAL and SCRATCH of gfx90a. */
    LDS,
    /** A float atomic: it has no scc on gfx90a. */
    FLOAT_ATOMIC,
    /** A cache operation with scope bits. */
    SCOPED,
    /** Its sources are registers, never constants. */
    REGISTER,
    /** A truth table lies in the bits of abs, neg and omod. */
    TABLE
  }

  /** Whether there is an operand of that name. */
  boolean has(String slot) {
    return opcode.has(slot);
  }

  /** A row as VOP3, by the rule that numbers follow. */
  Row wide() {
    int base =
        switch (opcode.encoding()) {
          case VOPC -> 0;
          case VOP2 -> 0x100;
          case VOP1 -> opcode.generation() == Generation.CDNA ? 0x140 : 0x180;
          default -> throw new IllegalStateException(opcode.name());
        };
    Opcode wide =
        new Opcode(
            opcode.name(),
            Encoding.VOP3,
            base + opcode.number(),
            opcode.slots(),
            opcode.mnemonic(),
            opcode.generation());
    return new Row(wide, modifiers, traits);
  }

  /**
   * Reads a row.
   *
   * @param wide whether masks of lanes are a pair of scalar registers where the row has single ones
   */
  static Row parse(String[] cells, Generation generation, boolean wide) {
    List<Slot> slots = new ArrayList<>();
    slots(cells, 4, true, slots);
    slots(cells, 5, false, slots);
    if (wide) {
      slots.replaceAll(
          s -> isMask(cells, s) ? new Slot(s.name(), s.destination(), DataType.B64) : s);
    }
    Set<Trait> traits = EnumSet.noneOf(Trait.class);
    for (String trait : words(cells, 7)) {
      traits.add(
          switch (trait) {
            case "e64" -> Trait.E64;
            case "sdwa" -> Trait.SDWA;
            case "dpp" -> Trait.DPP;
            case "dpp64" -> Trait.DPP64;
            case "whole" -> Trait.WHOLE;
            case "offsets" -> Trait.OFFSETS;
            case "gws" -> Trait.GWS;
            case "lanes" -> Trait.LANES;
            case "lds" -> Trait.LDS;
            case "float" -> Trait.FLOAT_ATOMIC;
            case "scoped" -> Trait.SCOPED;
            case "register" -> Trait.REGISTER;
            case "table" -> Trait.TABLE;
            default -> throw new IllegalArgumentException(trait);
          });
    }
    Opcode opcode =
        new Opcode(
            cells.length > 8 ? cells[8] : cells[3],
            Encoding.valueOf(cells[1]),
            Integer.parseInt(cells[2]),
            List.copyOf(slots),
            cells[3].replace(Opcode.OCP, ""),
            generation);
    Vop3Bits modifiers = Vop3Bits.parse(words(cells, 6));
    boolean halves = generation != Generation.CDNA && RdnaHalves.areNamed(opcode.encoding());
    return new Row(opcode, halves ? modifiers.picking(RdnaHalves.of(opcode)) : modifiers, traits);
  }

  /** Whether a slot of RDNA has a mask of lanes. */
  private static boolean isMask(String[] cells, Slot slot) {
    if (slot.type() != DataType.B32) {
      return false;
    }
    boolean carries =
        switch (Encoding.valueOf(cells[1])) {
          case VOPC, VOP2 -> true;
          case VOP3 -> !cells[3].equals("v_readlane_b32");
          default -> false;
        };
    boolean chooses = cells[3].startsWith("v_cndmask_") || cells[3].endsWith("_co_ci_u32");
    return (slot.name().equals("sdst") && carries) || (slot.name().equals("src2") && chooses);
  }

  private static void slots(String[] cells, int column, boolean destination, List<Slot> to) {
    for (String word : words(cells, column)) {
      int colon = word.indexOf(':');
      to.add(
          new Slot(
              word.substring(0, colon), destination, DataType.valueOf(word.substring(colon + 1))));
    }
  }

  private static List<String> words(String[] cells, int column) {
    return column < cells.length && !cells[column].isEmpty()
        ? List.of(cells[column].split(" ", -1))
        : List.of();
  }
}
