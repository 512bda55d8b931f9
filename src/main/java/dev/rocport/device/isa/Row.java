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
   * @param wide for waves of 64 lanes on RDNA, where the row has waves of 32
   */
  static Row parse(String[] cells, Generation generation, boolean wide) {
    List<Slot> slots = new ArrayList<>();
    slots(cells, 4, true, slots);
    slots(cells, 5, false, slots);
    if (wide) {
      slots.replaceAll(s -> wide(cells[3], Encoding.valueOf(cells[1]), s, generation));
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
    if (wide && opcode.isSparseWaveMatrix()) {
      // A register holds the columns of more matrices: a lane has half as many of each.
      modifiers = modifiers.picking(opcode.name().endsWith("iu4") ? 1 : 3);
    }
    boolean halves = generation != Generation.CDNA && RdnaHalves.areNamed(opcode.encoding());
    return new Row(opcode, halves ? modifiers.picking(RdnaHalves.of(opcode)) : modifiers, traits);
  }

  /**
   * A slot of RDNA in waves of 64 lanes: masks are pairs of scalar registers, and each lane has
   * half as much of a matrix. On RDNA 3, lanes repeat A and B instead.
   */
  private static Slot wide(String name, Encoding encoding, Slot slot, Generation generation) {
    DataType type = slot.type();
    if (isMask(name, encoding, slot)) {
      type = DataType.B64;
    } else if (Opcode.isWaveMatrix(name)
        && (generation == Generation.RDNA4 || !slot.name().matches("src[01]"))) {
      type =
          switch (type) {
            case B256 -> DataType.B128;
            case B128 -> DataType.B64;
            case B64 -> DataType.B32;
            default -> type;
          };
    }
    return new Slot(slot.name(), slot.destination(), type);
  }

  /** Whether a slot of RDNA has a mask of lanes. */
  private static boolean isMask(String name, Encoding encoding, Slot slot) {
    if (slot.type() != DataType.B32) {
      return false;
    }
    boolean carries =
        switch (encoding) {
          case VOPC, VOP2 -> true;
          case VOP3 -> !name.equals("v_readlane_b32");
          default -> false;
        };
    boolean chooses = name.startsWith("v_cndmask_") || name.endsWith("_co_ci_u32");
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
