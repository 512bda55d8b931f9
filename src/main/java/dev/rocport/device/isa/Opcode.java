package dev.rocport.device.isa;

import java.util.List;

/**
 * One row of the opcode table.
 *
 * @param name what it does: the mnemonic without the suffix of its encoding, {@code v_add_f32},
 *     never {@code v_add_f32_e32}; of an RDNA opcode that does the work of a CDNA one, that one's;
 *     {@code ocp} before a type of 8 bits tells the floats of gfx950 from those of gfx942, whose
 *     instructions have the same mnemonics
 * @param encoding the family; VOP1, VOP2 and VOPC opcodes in their 64-bit form have VOP3 here
 * @param number the value of the opcode field
 * @param slots the operands in the order of {@link Instruction#operands()}: destinations first,
 *     then sources, as the assembler writes them, with implied ones (the vcc of {@code
 *     v_cndmask_b32}, {@code v_addc_co_u32} and VOPC's 32-bit form; not EXEC, SCC or M0) spelled
 *     out
 * @param mnemonic as assemblers of the target write it
 */
public record Opcode(
    String name,
    Encoding encoding,
    int number,
    List<Slot> slots,
    String mnemonic,
    Generation generation) {
  static final String OCP = "ocp";

  private static final String SPARSE = "v_swmmac_";

  /** An opcode of CDNA, whose mnemonic is its name but for {@code ocp}. */
  public Opcode(String name, Encoding encoding, int number, List<Slot> slots) {
    this(name, encoding, number, slots, name.replace(OCP, ""), Generation.CDNA);
  }

  /** Whether it multiplies matrices that a wave holds: WMMA and SWMMAC of RDNA. */
  public boolean isWaveMatrix() {
    return isWaveMatrix(name);
  }

  static boolean isWaveMatrix(String name) {
    return name.startsWith("v_wmma_") || name.startsWith(SPARSE);
  }

  /** Whether its matrix A holds two of each four columns, and its third source says which. */
  public boolean isSparseWaveMatrix() {
    return name.startsWith(SPARSE);
  }

  /** Whether there is an operand of that name. */
  public boolean has(String slot) {
    return slots.stream().anyMatch(s -> s.name().equals(slot));
  }

  /**
   * An operand of an opcode.
   *
   * @param name the field's name in AMD's manuals: vdst, sdst, src0, vsrc1, src2, addr, data0,
   *     saddr, ...
   */
  public record Slot(String name, boolean destination, DataType type) {}
}
