package dev.rocport.device.op.vector;

import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Data-parallel primitives: brings each lane the value of another. Rows here are the 16 lanes of
 * AMD's manual.
 */
final class DppStep {
  private static final int ROW = 16;

  private final Row from;
  private final Row to;
  private final int words;
  private final boolean boundControl;

  /** The lane that each lane reads, or -1. */
  private final int[] sources;

  /** The lanes that row mask and bank mask let through. */
  private final long enabled;

  private DppStep(Row from, Row to, int words, Modifiers.Dpp dpp, int[] sources) {
    this.from = from;
    this.to = to;
    this.words = words;
    this.boundControl = dpp.boundControl();
    this.sources = sources;
    long lanes = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      boolean in =
          (dpp.rowMask() >> (lane / ROW) & 1) != 0 && (dpp.bankMask() >> (lane % ROW / 4) & 1) != 0;
      lanes |= in ? 1L << lane : 0;
    }
    this.enabled = lanes;
  }

  /** The step of a control word, or empty where that means nothing. */
  static Optional<DppStep> of(Modifiers.Dpp dpp, Row from, Row to, int words) {
    int[] sources = sources(dpp.control());
    return sources == null
        ? Optional.empty()
        : Optional.of(new DppStep(from, to, words, dpp, sources));
  }

  private static int @Nullable [] sources(int control) {
    int[] sources = new int[Wave.LANES];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int source = source(control, lane);
      if (source < -1) {
        return null;
      }
      sources[lane] = source;
    }
    return sources;
  }

  /** The lane read by a lane, -1 for none, -2 for a control word that means nothing. */
  private static int source(int control, int lane) {
    int row = lane / ROW * ROW;
    int in = lane % ROW;
    int n = control & 15;
    return switch (control >> 4) {
      case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 ->
          (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
      case 0x10 -> n == 0 ? -2 : in + n < ROW ? lane + n : -1;
      case 0x11 -> n == 0 ? -2 : in - n >= 0 ? lane - n : -1;
      case 0x12 -> n == 0 ? -2 : row + (in - n & 15);
      case 0x15 -> row + n;
      default ->
          switch (control) {
            case 0x130 -> lane + 1 < Wave.LANES ? lane + 1 : -1;
            case 0x134 -> lane + 1 & 63;
            case 0x138 -> lane - 1;
            case 0x13c -> lane - 1 & 63;
            case 0x140 -> row + 15 - in;
            case 0x141 -> (lane & ~7) + 7 - (lane & 7);
            case 0x142 -> row - 1;
            case 0x143 -> lane < 32 ? -1 : 31;
            default -> -2;
          };
    };
  }

  /**
   * Fills the rows of the source.
   *
   * @return the lanes that the instruction writes
   */
  long run(Wave wave, long exec) {
    int[] rows = from.array(wave);
    int[] out = to.array(wave);
    long valid = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int source = sources[lane];
      boolean reads = source >= 0 && (exec >>> source & 1) != 0;
      valid |= reads ? 1L << lane : 0;
      for (int w = 0; w < words; w++) {
        int at = w * Wave.LANES;
        out[to.offset + at + lane] = reads ? rows[from.offset + at + source] : 0;
      }
    }
    return exec & enabled & (boundControl ? -1L : valid);
  }
}
