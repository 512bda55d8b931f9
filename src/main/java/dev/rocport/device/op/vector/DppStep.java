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

  /** The lane that each lane reads; its own where it reads none. */
  private final int[] reads;

  /** Ones for a lane that reads another, zero for one that reads 0. */
  private final int[] keeps;

  /** The lanes that read another. */
  private final long valid;

  /** The lanes that row mask and bank mask let through. */
  private final long enabled;

  /** Whether inactive lanes are read like active ones. */
  private final boolean fetchInactive;

  private DppStep(
      Row from, Row to, int words, Modifiers.Dpp dpp, boolean fetchInactive, int[] sources) {
    this.from = from;
    this.to = to;
    this.words = words;
    this.boundControl = dpp.boundControl();
    this.fetchInactive = fetchInactive;
    this.reads = new int[Wave.LANES];
    this.keeps = new int[Wave.LANES];
    long reading = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      boolean source = sources[lane] >= 0;
      reads[lane] = source ? sources[lane] : lane;
      keeps[lane] = source ? -1 : 0;
      reading |= source ? 1L << lane : 0;
    }
    this.enabled = enabled(dpp.rowMask(), dpp.bankMask());
    this.valid = reading;
  }

  /** The lanes that row mask and bank mask let through. */
  static long enabled(int rowMask, int bankMask) {
    long lanes = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      boolean in = (rowMask >> (lane / ROW) & 1) != 0 && (bankMask >> (lane % ROW / 4) & 1) != 0;
      lanes |= in ? 1L << lane : 0;
    }
    return lanes;
  }

  /** The step of a control word, or empty where that means nothing. */
  static Optional<DppStep> of(Modifiers.Dpp dpp, Row from, Row to, int words) {
    int[] sources = sources(dpp.control());
    return sources == null
        ? Optional.empty()
        : Optional.of(new DppStep(from, to, words, dpp, false, sources));
  }

  /** The step of RDNA's primitives, of which a decoder leaves none that mean nothing. */
  static DppStep of(Modifiers.Moved moved, Row from, Row to, int words) {
    int[] sources = sources(moved);
    Modifiers.Dpp dpp =
        new Modifiers.Dpp(
            moved.control(), moved.rowMask(), moved.bankMask(), moved.boundControl(), 0, 0);
    return new DppStep(from, to, words, dpp, moved.fetchInactive(), sources);
  }

  /** The lane that each lane reads, -1 for none. */
  static int[] sources(Modifiers.Moved moved) {
    int[] sources = new int[Wave.LANES];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      sources[lane] =
          moved.eight()
              ? (lane & ~7) + (moved.control() >>> (3 * (lane & 7)) & 7)
              : (moved.control() >> 4) == 0x16
                  ? lane ^ (moved.control() & 15)
                  : source(moved.control(), lane);
    }
    return sources;
  }

  static int @Nullable [] sources(int control) {
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
    int at = from.offset();
    int end = to.offset();
    for (int w = 0; w < words; w++, at += Wave.LANES, end += Wave.LANES) {
      for (int lane = 0; lane < Wave.LANES; lane++) {
        out[end + lane] = rows[at + reads[lane]] & keeps[lane];
      }
    }
    if (exec == -1L || fetchInactive) {
      return exec & enabled & (boundControl ? -1L : valid);
    }
    long active = active(out, exec);
    return exec & enabled & (boundControl ? -1L : valid & active);
  }

  /** The lanes whose source is active; the others read 0. */
  private long active(int[] out, long exec) {
    long lanes = 0;
    for (int lane = 0; lane < Wave.LANES; lane++) {
      if ((exec >>> reads[lane] & 1) != 0) {
        lanes |= 1L << lane;
      } else {
        for (int w = 0; w < words; w++) {
          out[to.offset() + w * Wave.LANES + lane] = 0;
        }
      }
    }
    return lanes;
  }
}
