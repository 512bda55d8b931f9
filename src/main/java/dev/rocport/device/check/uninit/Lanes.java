package dev.rocport.device.check.uninit;

import dev.rocport.device.wave.AccessObserver.Kind;
import dev.rocport.device.wave.Wave;

/** The undefined bits of memory, as the lanes of a wave access it. */
final class Lanes {
  private static final int SCATTERED = 0;

  /** More pages than this between the lowest and the highest lane are looked at lane by lane. */
  private static final int SPAN = 1 << 16;

  private static final int WORTH_FILLING = 8;

  private Lanes() {}

  /** Whether there is nothing undefined in what lanes access. */
  static boolean isDefined(
      Shade shade, Wave wave, Kind kind, long lanes, int bytes, long[] at, int stride) {
    if (kind == Kind.SCRATCH) {
      return isDefinedInScratch(shade, wave, lanes, bytes, at, stride);
    }
    if (stride == SCATTERED) {
      return true;
    }
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    if (lanes == -1L) {
      for (int l = 0; l < Wave.LANES; l++) {
        least = Math.min(least, at[l]);
        most = Math.max(most, at[l]);
      }
    } else {
      for (long m = lanes; m != 0; m &= m - 1) {
        int l = Long.numberOfTrailingZeros(m);
        least = Math.min(least, at[l]);
        most = Math.max(most, at[l]);
      }
    }
    if (most - least < SPAN) {
      if (defined(shade, kind, least, most + bytes - 1)) {
        return true;
      }
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int l = Long.numberOfTrailingZeros(m);
      if (!defined(shade, kind, at[l], at[l] + bytes - 1)
          && !bytesDefined(shade, kind, at[l], bytes)) {
        return false;
      }
    }
    if (most - least < SPAN) {
      look(shade, kind, least, most + bytes - 1);
    }
    return true;
  }

  private static boolean defined(Shade shade, Kind kind, long from, long last) {
    return kind == Kind.LDS
        ? shade.lds.isDefined(from, last)
        : GlobalShadow.ALL.isDefined(from, last);
  }

  private static boolean bytesDefined(Shade shade, Kind kind, long from, int bytes) {
    for (int b = 0; b < bytes; b += 4) {
      if (bytes - b >= 4
          ? word(shade, kind, from + b) != 0
          : narrow(shade, kind, from, bytes) != 0) {
        return false;
      }
    }
    return true;
  }

  private static void look(Shade shade, Kind kind, long from, long last) {
    if (kind == Kind.LDS) {
      shade.lds.look(from, last);
      return;
    }
    Region region = GlobalShadow.ALL.at(from);
    if (region != null && region == GlobalShadow.ALL.at(last)) {
      region.look(from, last);
    }
  }

  private static int word(Shade shade, Kind kind, long address) {
    if (kind == Kind.LDS) {
      return shade.lds.word(address);
    }
    Region region = GlobalShadow.ALL.at(address);
    return region == null ? 0 : region.word(address);
  }

  private static int octet(Shade shade, Kind kind, long address) {
    return kind == Kind.LDS ? shade.lds.octet(address) : GlobalShadow.ALL.octet(address);
  }

  private static int narrow(Shade shade, Kind kind, long address, int bytes) {
    int bits = 0;
    for (int b = 0; b < Math.min(bytes, 4); b++) {
      bits |= octet(shade, kind, address + b) << (8 * b);
    }
    return bits;
  }

  private static boolean isDefinedInScratch(
      Shade shade, Wave wave, long lanes, int bytes, long[] at, int stride) {
    int words = (bytes + 3) >> 2;
    if (stride != SCATTERED) {
      int first = Long.numberOfTrailingZeros(lanes);
      int row = row(wave, at[first]);
      boolean same = true;
      for (long m = lanes; m != 0 && same; m &= m - 1) {
        same = row(wave, at[Long.numberOfTrailingZeros(m)]) == row;
      }
      if (same) {
        long any = 0;
        for (int w = 0; w < words; w++) {
          any |= shade.scratch.any(row + w);
        }
        if ((any & lanes) == 0) {
          return true;
        }
      }
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int w = 0; w < words; w++) {
        if (bits(shade, wave, Kind.SCRATCH, lane, at[lane], w, bytes, stride) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static int row(Wave wave, long address) {
    return (int) ((address - wave.scratch) / (4 * Wave.LANES));
  }

  /** The undefined bits of a dword of a lane's access, or of the less that it is. */
  static int bits(
      Shade shade, Wave wave, Kind kind, int lane, long at, int word, int bytes, int stride) {
    int size = Math.min(bytes, 4);
    if (kind == Kind.SCRATCH) {
      int bits = 0;
      for (int b = 0; b < size; b++) {
        long offset = offset(wave, at, stride) + 4L * word + b;
        int held = shade.scratch.bits((int) (offset >> 2), lane) >>> (int) (8 * (offset & 3));
        bits |= (held & 0xff) << (8 * b);
      }
      return bits;
    }
    if (stride == SCATTERED) {
      return 0;
    }
    return size == 4 ? word(shade, kind, at + (long) word * stride) : narrow(shade, kind, at, size);
  }

  /**
   * Clears undefined bits of loaded registers that global memory now defines. A store reports its
   * bytes before it writes them. So if a load is checked again after it has read memory, bytes that
   * another wave has stored until then are defined.
   *
   * @param to the first register
   * @param kept bits of it that were not loaded
   */
  static void lookAgain(
      Shade shade, Wave wave, long lanes, int bytes, long[] at, int to, int kept) {
    for (int w = 0; w < (bytes + 3) >> 2; w++) {
      for (long m = shade.any[to + w] & lanes; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        int now = bits(shade, wave, Kind.GLOBAL, lane, at[lane], w, bytes, 4);
        int before = shade.bits(to + w, lane);
        // a narrow value may have another layout in the register than in memory
        int both = bytes >= 4 ? before & now : now == 0 ? before & kept : before;
        shade.set(to + w, lane, both, shade.origin(to + w, lane));
      }
    }
  }

  /** The lane's own offset in its scratch. */
  private static long offset(Wave wave, long at, int stride) {
    if (stride == SCATTERED) {
      return at;
    }
    long in = at - wave.scratch;
    return in / (4 * Wave.LANES) * 4 + (in & 3);
  }

  /** Where what a lane loads comes from, or -1 where the load itself is the first to tell. */
  static int origin(Shade shade, Wave wave, Kind kind, int lane, long at, int word, int stride) {
    return switch (kind) {
      case SCRATCH -> shade.scratch.origin((int) (offset(wave, at, stride) >> 2) + word, lane);
      case LDS -> shade.ldsOrigins.of(at - wave.group.lds() + 4L * word);
      case GLOBAL -> -1;
    };
  }

  /** The address of global memory, or the offset in what a group or a lane has. */
  static long place(Shade shade, Wave wave, Kind kind, long address) {
    return switch (kind) {
      case GLOBAL -> address;
      case LDS -> address - wave.group.lds();
      case SCRATCH -> 0;
    };
  }

  /**
   * Memory gets what registers hold.
   *
   * @param from the first register; -1 for defined numbers
   * @param high what is narrow comes from the upper half
   */
  static void store(
      Shade shade,
      Wave wave,
      Kind kind,
      long lanes,
      int bytes,
      long[] at,
      int stride,
      int from,
      boolean high) {
    int words = (bytes + 3) >> 2;
    long suspects = 0;
    for (int w = 0; from >= 0 && w < words; w++) {
      suspects |= shade.any[from + w];
    }
    suspects &= lanes;
    if (kind == Kind.SCRATCH) {
      storeInScratch(shade, wave, lanes, bytes, at, stride, from, high, suspects);
      return;
    }
    if (stride == SCATTERED || (suspects == 0 && settled(shade, kind, lanes, bytes, at))) {
      return;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      for (int w = 0; w < words; w++) {
        int bits = (suspects >>> lane & 1) == 0 ? 0 : shade.bits(from + w, lane);
        long address = at[lane] + 4L * w;
        if (bits != 0 && kind == Kind.LDS) {
          shade.ldsOrigins.set(address - wave.group.lds(), shade.origin(from + w, lane));
        }
        if (bytes >= 4) {
          word(shade, kind, address, bits);
        } else {
          int part = high ? bits >>> 16 : bits;
          for (int b = 0; b < bytes; b++) {
            octet(shade, kind, address + b, part >>> (8 * b) & 0xff);
          }
        }
      }
    }
  }

  /**
   * Defined values are written to memory: finished at once if it is defined already, or contiguous
   * in a row.
   */
  private static boolean settled(Shade shade, Kind kind, long lanes, int bytes, long[] at) {
    int first = Long.numberOfTrailingZeros(lanes);
    int last = Wave.LANES - 1 - Long.numberOfLeadingZeros(lanes);
    int count = last - first + 1;
    boolean row =
        Long.bitCount(lanes) == count && at[last] - at[first] == (long) bytes * (count - 1);
    if (row) {
      long base = at[first] - (long) bytes * first;
      long difference = 0;
      for (int l = first; l <= last; l++) {
        difference |= at[l] - base - (long) bytes * l;
      }
      row = difference == 0;
    }
    if (row && count >= WORTH_FILLING) {
      if (kind == Kind.LDS) {
        shade.lds.set(at[first], (long) bytes * count, true);
      } else {
        GlobalShadow.ALL.set(at[first], (long) bytes * count, true);
      }
      return true;
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int l = Long.numberOfTrailingZeros(m);
      if (!defined(shade, kind, at[l], at[l] + bytes - 1)) {
        return false;
      }
    }
    return true;
  }

  private static void word(Shade shade, Kind kind, long address, int bits) {
    if (kind == Kind.LDS) {
      shade.lds.word(address, bits);
      return;
    }
    Region region = GlobalShadow.ALL.at(address);
    if (region != null) {
      region.word(address, bits);
    }
  }

  private static void octet(Shade shade, Kind kind, long address, int bits) {
    if (kind == Kind.LDS) {
      shade.lds.octet(address, bits);
    } else {
      GlobalShadow.ALL.octet(address, bits);
    }
  }

  private static void storeInScratch(
      Shade shade,
      Wave wave,
      long lanes,
      int bytes,
      long[] at,
      int stride,
      int from,
      boolean high,
      long suspects) {
    int words = (bytes + 3) >> 2;
    if (suspects == 0 && bytes >= 4 && stride != SCATTERED) {
      int row = row(wave, at[Long.numberOfTrailingZeros(lanes)]);
      boolean same = true;
      for (long m = lanes; m != 0 && same; m &= m - 1) {
        same = row(wave, at[Long.numberOfTrailingZeros(m)]) == row;
      }
      if (same) {
        for (int w = 0; w < words; w++) {
          shade.scratch.define(row + w, lanes);
        }
        return;
      }
    }
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      long offset = offset(wave, at[lane], stride);
      for (int w = 0; w < words; w++) {
        boolean suspect = (suspects >>> lane & 1) != 0;
        int bits = suspect ? shade.bits(from + w, lane) : 0;
        int origin = bits != 0 ? shade.origin(from + w, lane) : 0;
        bits = high ? bits >>> 16 : bits;
        if (bytes >= 4 && (offset & 3) == 0) {
          shade.scratch.set((int) (offset >> 2) + w, lane, bits, origin);
          continue;
        }
        for (int b = 0; b < Math.min(bytes, 4); b++) {
          long place = offset + 4L * w + b;
          int row = (int) (place >> 2);
          int shift = (int) (8 * (place & 3));
          int held = shade.scratch.bits(row, lane);
          int now = (held & ~(0xff << shift)) | (bits >>> (8 * b) & 0xff) << shift;
          shade.scratch.set(row, lane, now, bits != 0 ? origin : shade.scratch.origin(row, lane));
        }
      }
    }
  }
}
