package dev.rocport.device.isa;

import java.util.Optional;

/** The word of RDNA's data-parallel primitives. */
final class RdnaLanes {
  private RdnaLanes() {}

  /** Whether a source of that code says that such a word follows. */
  static boolean isCode(int source) {
    return source == RdnaRegisters.DPP8
        || source == RdnaRegisters.DPP8_FETCHING
        || source == RdnaRegisters.DPP;
  }

  /**
   * What the word says, or empty where it has no meaning.
   *
   * @param source the code before it
   * @param with the other modifiers of the instruction
   */
  static Optional<Modifiers> of(int source, int word, Modifiers with) {
    if (source != RdnaRegisters.DPP) {
      boolean fetching = source == RdnaRegisters.DPP8_FETCHING;
      return Optional.of(new Modifiers.Moved(true, word >>> 8, 15, 15, true, fetching, with));
    }
    int control = word >>> 8 & 0x1ff;
    if (!isControl(control)) {
      return Optional.empty();
    }
    return Optional.of(
        new Modifiers.Moved(
            false,
            control,
            word >>> 28,
            word >>> 24 & 15,
            (word >>> 19 & 1) != 0,
            (word >>> 18 & 1) != 0,
            with));
  }

  private static boolean isControl(int control) {
    int low = control & 15;
    return switch (control >> 4) {
      case 0x10, 0x11, 0x12 -> low != 0;
      case 0x14 -> low < 2;
      case 0x15, 0x16 -> true;
      default -> control < 0x100;
    };
  }
}
