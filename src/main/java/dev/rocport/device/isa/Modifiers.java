package dev.rocport.device.isa;

/** The instruction bits that modify an operation. */
public sealed interface Modifiers {

  /** Nothing but operands. */
  record None() implements Modifiers {}

  /**
   * VOP3, and the float bits that SDWA and DPP share with it.
   *
   * @param abs bit i: absolute value of source i
   * @param neg bit i: negated source i, after abs
   * @param omod 0 none, 1 times 2, 2 times 4, 3 divided by 2
   * @param opSel bits 0 to 2: the high half of source i; bit 3: of the destination
   */
  record Vop3(int abs, int neg, int omod, boolean clamp, int opSel) implements Modifiers {}

  /**
   * VOP3P's packed math and dot products.
   *
   * @param opSel bit i: source i of the low result comes from the high half
   * @param opSelHi bit i: source i of the high result comes from the high half
   * @param negLo bit i: negates source i of the low result (for v_mad_mix: neg)
   * @param negHi bit i: of the high result (for v_mad_mix: abs)
   */
  record Packed(int opSel, int opSelHi, int negLo, int negHi, boolean clamp) implements Modifiers {
    private static final Packed PLAIN = new Packed(0, 7, 0, 0, false);

    /** What an instruction has, or what it means where its encoding has none. */
    public static Packed of(Instruction i) {
      Modifiers all = i.modifiers() instanceof Moved moved ? moved.with() : i.modifiers();
      return all instanceof Packed m ? m : PLAIN;
    }
  }

  /**
   * Any operation on three bits.
   *
   * @param bits bit 4a + 2b + c is the result of the bits a, b and c of sources 0, 1 and 2
   * @param opSel as for VOP3
   */
  record TruthTable(int bits, int opSel) implements Modifiers {}

  /** MFMA: broadcast of A (cbsz, abid) and permutation, or for F64 negation, by blgp. */
  record Matrix(int cbsz, int abid, int blgp) implements Modifiers {}

  /**
   * MFMA of floats of 8, 6 and 4 bits.
   *
   * @param formatA 0 FP8, 1 BF8, 2 FP6, 3 BF6, 4 FP4
   * @param byteA which byte of the first scale is used; 0 where there are no scales
   */
  record ScaledMatrix(int formatA, int formatB, int byteA, int byteB) implements Modifiers {
    private static final ScaledMatrix PLAIN = new ScaledMatrix(0, 0, 0, 0);

    /** Those of an instruction, or those of an opcode whose bits are all 0. */
    public static ScaledMatrix of(Instruction i) {
      return i.modifiers() instanceof ScaledMatrix m ? m : PLAIN;
    }
  }

  /**
   * Sub-dword addressing. Selections: 0 to 3 BYTE_n, 4 WORD_0, 5 WORD_1, 6 DWORD.
   *
   * @param dstUnused 0 UNUSED_PAD, 1 UNUSED_SEXT, 2 UNUSED_PRESERVE
   * @param sext bit i: source i is sign extended
   */
  record Sdwa(
      int dstSel,
      int dstUnused,
      int src0Sel,
      int src1Sel,
      int sext,
      int abs,
      int neg,
      int omod,
      boolean clamp)
      implements Modifiers {}

  /**
   * Data-parallel primitives on source 0.
   *
   * @param control the 9 bits of dpp_ctrl
   * @param boundControl an invalid source lane reads 0
   */
  record Dpp(int control, int rowMask, int bankMask, boolean boundControl, int abs, int neg)
      implements Modifiers {}

  /**
   * Data-parallel primitives of RDNA on source 0, in either form of an instruction.
   *
   * @param eight within groups of eight lanes: {@code control} has three bits for each
   * @param control else as in {@link Dpp}
   * @param fetchInactive inactive lanes are sources like active ones
   * @param with the other bits: {@link None}, {@link Vop3} or {@link Packed}
   */
  record Moved(
      boolean eight,
      int control,
      int rowMask,
      int bankMask,
      boolean boundControl,
      boolean fetchInactive,
      Modifiers with)
      implements Modifiers {}

  /** The halves of a dual instruction, which both read before either writes. */
  record Dual(Instruction x, Instruction y) implements Modifiers {}

  /**
   * Memory instructions.
   *
   * @param offset signed for GLOBAL, SCRATCH and SMEM; for DS with two offsets the first
   * @param offset1 the second offset of DS instructions that have two, else 0
   * @param sc0 glc on gfx90a; on atomics: return the old value
   * @param nt slc on gfx90a
   * @param sc1 scc on gfx90a
   * @param gds DS on the global data share
   * @param offen MUBUF: the offset comes from a VGPR
   * @param idxen MUBUF: the index comes from a VGPR
   * @param lds the data goes to LDS
   * @param scope 0 to 3 on RDNA 4, where sc0, nt and sc1 are the bits 0 to 2 of the temporal hint
   */
  record Memory(
      int offset,
      int offset1,
      boolean sc0,
      boolean nt,
      boolean sc1,
      boolean gds,
      boolean offen,
      boolean idxen,
      boolean lds,
      int scope)
      implements Modifiers {

    static Memory at(int offset) {
      return at(offset, 0);
    }

    static Memory at(int offset, int offset1) {
      return new Memory(offset, offset1, false, false, false, false, false, false, false, 0);
    }

    Memory cached(boolean first, boolean nonTemporal, boolean second) {
      return new Memory(offset, offset1, first, nonTemporal, second, gds, offen, idxen, lds, scope);
    }

    Memory indexed(boolean byOffset, boolean byIndex) {
      return new Memory(offset, offset1, sc0, nt, sc1, gds, byOffset, byIndex, lds, scope);
    }

    Memory hinted(int temporal, int scope) {
      return new Memory(
          offset,
          offset1,
          (temporal & 1) != 0,
          (temporal & 2) != 0,
          (temporal & 4) != 0,
          gds,
          offen,
          idxen,
          lds,
          scope);
    }

    /** The temporal hint of RDNA 4. */
    int temporal() {
      return (sc0 ? 1 : 0) | (nt ? 2 : 0) | (sc1 ? 4 : 0);
    }

    Memory global() {
      return new Memory(offset, offset1, sc0, nt, sc1, true, offen, idxen, lds, scope);
    }

    Memory toLds() {
      return new Memory(offset, offset1, sc0, nt, sc1, gds, offen, idxen, true, scope);
    }
  }

  /**
   * Image instructions.
   *
   * @param components bit i: component i is moved; of a gather the one that is gathered
   * @param unnormalized coordinates count texels
   * @param halfAddress coordinates have 16 bits, two in a register
   * @param halfData components have 16 bits, two in a register
   * @param cache the bits of other memory instructions; sc0 on atomics: return the old value
   */
  record Image(
      ImageDim dim,
      int components,
      boolean unnormalized,
      boolean halfAddress,
      boolean halfData,
      Memory cache)
      implements Modifiers {}
}
