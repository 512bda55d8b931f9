package dev.rocport.device.check.sync;

import dev.rocport.device.isa.Operand;
import dev.rocport.device.wave.Wave;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which values of a wave come from lanes that did not take part in a shuffle. */
final class Shadow {
  /** A special register that is SCC as 0 or 1. */
  private static final int SCC = 253;

  /** A row of 64 lanes for each register of a file, and where the values come from. */
  private static final class Rows {
    final long[] lanes;
    final @Nullable Origin[] origins;

    Rows(int registers) {
      lanes = new long[registers];
      origins = new Origin[registers];
    }

    void clear() {
      Arrays.fill(lanes, 0);
      Arrays.fill(origins, null);
    }
  }

  private final Rows v;
  private final Rows a;
  private final int[] s = new int[128];
  private boolean scc;

  /** Dwords of scratch. */
  private final Map<Long, Origin> scratch = new HashMap<>();

  /** The origin of what scalar registers hold; the last one counts. */
  private @Nullable Origin scalarOrigin;

  /** Registers that hold any such value. */
  private int live;

  Shadow(Wave wave) {
    v = new Rows(wave.v.length / Wave.LANES);
    a = new Rows(wave.a.length / Wave.LANES);
  }

  boolean isEmpty() {
    return live == 0 && !scc && scratch.isEmpty();
  }

  void clear() {
    v.clear();
    a.clear();
    Arrays.fill(s, 0);
    scc = false;
    scratch.clear();
    live = 0;
  }

  private void put(Rows rows, int register, long lanes, @Nullable Origin origin) {
    if (register >= rows.lanes.length) {
      return;
    }
    long before = rows.lanes[register];
    live += (lanes != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
    rows.lanes[register] = lanes;
    if (origin != null || lanes == 0) {
      rows.origins[register] = origin;
    }
  }

  /**
   * Sets what an instruction has written of vector registers.
   *
   * @param dword which of the operand's registers
   * @param written the lanes it wrote
   * @param lanes of them those with such a value
   */
  void vector(Operand operand, int dword, long written, long lanes, @Nullable Origin origin) {
    switch (operand) {
      case Operand.Vector(int r, _) -> put(v, r + dword, written, lanes, origin);
      case Operand.Accumulator(int r, _) -> put(a, r + dword, written, lanes, origin);
      default -> {}
    }
  }

  private void put(Rows rows, int r, long written, long lanes, @Nullable Origin origin) {
    if (r < rows.lanes.length && (rows.lanes[r] != 0 || lanes != 0)) {
      put(rows, r, (rows.lanes[r] & ~written) | (lanes & written), lanes == 0 ? null : origin);
    }
  }

  /** Sets the bits of a scalar register that come from such values. */
  void scalar(int code, int bits, @Nullable Origin origin) {
    if (code < 0 || code >= s.length) {
      return;
    }
    live += (bits != 0 ? 1 : 0) - (s[code] != 0 ? 1 : 0);
    s[code] = bits;
    if (bits != 0 && origin != null) {
      scalarOrigin = origin;
    }
  }

  void pair(int code, long bits, @Nullable Origin origin) {
    scalar(code, (int) bits, origin);
    scalar(code + 1, (int) (bits >>> 32), origin);
  }

  /** Sets the bits of a mask of lanes of one or two registers. */
  void mask(int code, int words, long bits, @Nullable Origin origin) {
    if (words == 1) {
      scalar(code, (int) bits, origin);
    } else {
      pair(code, bits, origin);
    }
  }

  long mask(int code, int words) {
    return words == 1 ? scalar(code) & 0xffffffffL : pair(code);
  }

  int scalar(int code) {
    return code >= 0 && code < s.length ? s[code] : 0;
  }

  long pair(int code) {
    return (scalar(code) & 0xffffffffL) | (long) scalar(code + 1) << 32;
  }

  boolean scc() {
    return scc;
  }

  void scc(boolean from, @Nullable Origin origin) {
    scc = from;
    if (from && origin != null) {
      scalarOrigin = origin;
    }
  }

  /** The lanes in which an operand has such a value. */
  long lanes(Operand operand) {
    return switch (operand) {
      case Operand.Vector(int r, int dwords) -> lanes(v, r, dwords);
      case Operand.Accumulator(int r, int dwords) -> lanes(a, r, dwords);
      case Operand.Scalar(int code, int dwords) -> bits(code, dwords) != 0 ? -1L : 0;
      case Operand.Special(int code) -> code == SCC && scc ? -1L : 0;
      default -> 0;
    };
  }

  /** The lanes in which one dword of an operand has such a value. */
  long lanes(Operand operand, int dword) {
    return switch (operand) {
      case Operand.Vector(int r, _) -> lanes(v, r + dword, 1);
      case Operand.Accumulator(int r, _) -> lanes(a, r + dword, 1);
      default -> lanes(operand);
    };
  }

  private static long lanes(Rows rows, int register, int dwords) {
    long lanes = 0;
    for (int i = register; i < Math.min(register + dwords, rows.lanes.length); i++) {
      lanes |= rows.lanes[i];
    }
    return lanes;
  }

  int bits(int code, int dwords) {
    int bits = 0;
    for (int i = code; i < code + dwords; i++) {
      bits |= scalar(i);
    }
    return bits;
  }

  /** Where a value of an operand comes from; null where all is well. */
  @Nullable Origin origin(Operand operand) {
    return switch (operand) {
      case Operand.Vector(int r, int dwords) -> origin(v, r, dwords);
      case Operand.Accumulator(int r, int dwords) -> origin(a, r, dwords);
      case Operand.Scalar(int code, int dwords) -> bits(code, dwords) != 0 ? scalarOrigin : null;
      case Operand.Special(int code) -> code == SCC && scc ? scalarOrigin : null;
      default -> null;
    };
  }

  private static @Nullable Origin origin(Rows rows, int register, int dwords) {
    for (int i = register; i < Math.min(register + dwords, rows.lanes.length); i++) {
      if (rows.lanes[i] != 0) {
        return rows.origins[i];
      }
    }
    return null;
  }

  @Nullable Origin scalarOrigin() {
    return scalarOrigin;
  }

  /** The contents of a dword of scratch. */
  @Nullable Origin scratch(long address) {
    return scratch.get(address >> 2);
  }

  void scratch(long address, @Nullable Origin origin) {
    if (origin == null) {
      scratch.remove(address >> 2);
    } else {
      scratch.put(address >> 2, origin);
    }
  }
}
