package dev.rocport.device.isa;

import java.util.List;

/**
 * The bits of a VOP3 encoding that an opcode takes; all others must be 0.
 *
 * @param abs mask of the sources with an absolute value
 * @param neg mask of the sources that can be negated
 * @param idleAbs bits of abs that may be set and do nothing
 * @param idleNeg bits of neg that may be set and do nothing
 * @param opSel mask of op_sel's bits that pick halves; if 0, they may be set and do nothing
 */
record Vop3Bits(
    int abs, int neg, int idleAbs, int idleNeg, boolean omod, boolean clamp, int opSel) {

  static Vop3Bits parse(List<String> words) {
    int abs = 0;
    int neg = 0;
    int idleAbs = 0;
    int idleNeg = 0;
    boolean omod = false;
    boolean clamp = false;
    int opSel = 0;
    for (String word : words) {
      int equals = word.indexOf('=');
      String key = equals < 0 ? word : word.substring(0, equals);
      int mask = equals < 0 ? 0 : Integer.parseInt(word.substring(equals + 1));
      switch (key) {
        case "abs" -> abs = mask;
        case "neg" -> neg = mask;
        case "abs?" -> idleAbs = mask;
        case "neg?" -> idleNeg = mask;
        case "omod" -> omod = true;
        case "clamp" -> clamp = true;
        case "sel" -> opSel = mask;
        default -> throw new IllegalArgumentException(word);
      }
    }
    return new Vop3Bits(abs, neg, idleAbs, idleNeg, omod, clamp, opSel);
  }

  /** With those bits of op_sel, too. */
  Vop3Bits picking(int halves) {
    return new Vop3Bits(abs, neg, idleAbs, idleNeg, omod, clamp, opSel | halves);
  }

  /** Whether an encoding with those bits is one of the opcode. */
  boolean accept(Modifiers.Vop3 bits) {
    return (bits.abs() & ~(abs | idleAbs)) == 0
        && (bits.neg() & ~(neg | idleNeg)) == 0
        && (omod || bits.omod() == 0)
        && (clamp || !bits.clamp())
        && (opSel == 0 || (bits.opSel() & ~opSel) == 0);
  }

  /** Whether data-parallel primitives with those signs are ones of the opcode. */
  boolean accept(Modifiers.Dpp bits) {
    return (bits.abs() & ~(abs | idleAbs)) == 0 && (bits.neg() & ~(neg | idleNeg)) == 0;
  }

  /** The bits without those that do nothing. */
  Modifiers.Vop3 effective(Modifiers.Vop3 bits) {
    return new Modifiers.Vop3(
        bits.abs() & abs, bits.neg() & neg, bits.omod(), bits.clamp(), bits.opSel() & opSel);
  }

  /** The primitives without signs that do nothing. */
  Modifiers.Dpp effective(Modifiers.Dpp bits) {
    return new Modifiers.Dpp(
        bits.control(),
        bits.rowMask(),
        bits.bankMask(),
        bits.boundControl(),
        bits.abs() & abs,
        bits.neg() & neg);
  }
}
