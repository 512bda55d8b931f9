package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.Notes;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The undefined bits of a wave's registers, and where they come from. */
final class Shade implements Notes {
  /** Where accumulators begin among the numbers of vector registers. */
  static final int ACCUMULATORS = 256;

  /** For each vector register, the lanes in which any bit is undefined. */
  final long[] any = new long[2 * ACCUMULATORS];

  /** Whether a register that is undefined has other bits or another origin than at the start. */
  private boolean changed;

  private final int lengthOfV;
  private final int lengthOfA;

  /**
   * The undefined bits, register * 64 + lane; valid only if {@link #any} says so. Empty until they
   * change: at the start, all are undefined.
   */
  private int[] v = {};

  private int[] a = {};
  private int[] originsV = {};
  private int[] originsA = {};

  /** The undefined bits of scalar registers. */
  final int[] s = new int[128];

  private final int[] originsS = new int[128];

  /** The scalar registers of which any bit is undefined: codes 0 to 63 and 64 to 127. */
  long low;

  long high;

  boolean scc;
  int sccOrigin;

  final Report report;
  final Region lds;
  final LocalOrigins ldsOrigins;
  final ScratchShade scratch;

  /** The memory instruction that runs; null where one runs that nothing is kept of. */
  @Nullable MemoryWatch current;

  /** The scalar one. */
  @Nullable SmemWatch scalar;

  /** Of the load that runs, the lanes that found undefined bits in global memory, and where. */
  long doubtful;

  int doubtfulBytes;
  final long[] doubtfulAt = new long[Wave.LANES];

  /** The number of accesses that it has reported. */
  int part;

  Shade(Report report, Wave wave, Region lds, LocalOrigins ldsOrigins) {
    this.report = report;
    this.lds = lds;
    this.ldsOrigins = ldsOrigins;
    this.scratch = new ScratchShade(wave.scratchPerLane);
    this.lengthOfV = wave.v.length;
    this.lengthOfA = wave.a.length;
    Arrays.fill(any, wave.lanes == Wave.LANES ? -1L : (1L << wave.lanes) - 1);
    Arrays.fill(s, -1);
    low = -1;
    high = -1;
  }

  static Shade of(Wave wave) {
    if (wave.uninit instanceof Shade shade) {
      return shade;
    }
    throw new IllegalStateException("a wave that was not set up for the check");
  }

  /** A load has found undefined bits, which others may be writing while it runs. */
  void doubt(long lanes, int bytes, long[] at) {
    doubtful = lanes;
    doubtfulBytes = bytes;
    System.arraycopy(at, 0, doubtfulAt, 0, Wave.LANES);
  }

  int bits(int register, int lane) {
    if ((any[register] >>> lane & 1) == 0) {
      return 0;
    }
    if (!changed) {
      return -1;
    }
    return register < ACCUMULATORS
        ? v[register * Wave.LANES + lane]
        : a[(register - ACCUMULATORS) * Wave.LANES + lane];
  }

  int origin(int register, int lane) {
    if (!changed) {
      return Origins.REGISTER;
    }
    return register < ACCUMULATORS
        ? originsV[register * Wave.LANES + lane]
        : originsA[(register - ACCUMULATORS) * Wave.LANES + lane];
  }

  void set(int register, int lane, int bits, int origin) {
    if (bits == 0) {
      any[register] &= ~(1L << lane);
      return;
    }
    if (!changed) {
      change();
    }
    any[register] |= 1L << lane;
    if (register < ACCUMULATORS) {
      v[register * Wave.LANES + lane] = bits;
      originsV[register * Wave.LANES + lane] = origin;
    } else {
      int at = (register - ACCUMULATORS) * Wave.LANES + lane;
      a[at] = bits;
      originsA[at] = origin;
    }
  }

  private void change() {
    changed = true;
    v = new int[lengthOfV];
    a = new int[lengthOfA];
    originsV = new int[lengthOfV];
    originsA = new int[lengthOfA];
    Arrays.fill(v, -1);
    Arrays.fill(a, -1);
  }

  /** Whether any bit of scalar registers is undefined, as masks of codes. */
  boolean anyOf(long ofLow, long ofHigh) {
    return ((low & ofLow) | (high & ofHigh)) != 0;
  }

  /** The undefined bits of one or two scalar registers. */
  long scalars(int code, int words) {
    long bits = s[code] & 0xffffffffL;
    return words == 1 ? bits : bits | (long) s[code + 1] << 32;
  }

  /** Of null nothing is kept. */
  void setScalar(int code, int bits, int origin) {
    if (code >= s.length) {
      return;
    }
    s[code] = bits;
    if (bits == 0) {
      if (code < 64) {
        low &= ~(1L << code);
      } else {
        high &= ~(1L << code);
      }
      return;
    }
    if (code < 64) {
      low |= 1L << code;
    } else {
      high |= 1L << code;
    }
    originsS[code] = origin;
  }

  int originOfScalar(int code) {
    return originsS[code];
  }

  /** Makes scalar registers defined. */
  void define(long ofLow, long ofHigh) {
    for (long m = low & ofLow; m != 0; m &= m - 1) {
      s[Long.numberOfTrailingZeros(m)] = 0;
    }
    for (long m = high & ofHigh; m != 0; m &= m - 1) {
      s[64 + Long.numberOfTrailingZeros(m)] = 0;
    }
    low &= ~ofLow;
    high &= ~ofHigh;
  }

  void defineScalars(int code, int count) {
    for (int i = 0; i < count; i++) {
      setScalar(code + i, 0, 0);
    }
  }
}
