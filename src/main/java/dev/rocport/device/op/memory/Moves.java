package dev.rocport.device.op.memory;

import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.UGT;

import dev.rocport.device.memory.Memory;
import dev.rocport.device.wave.MemoryAccess;
import dev.rocport.device.wave.Wave;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dwords between memory and rows of registers, where lane l's address is {@code base} plus the
 * unsigned sum of {@code v[row + l]} and {@code add}. As many lanes as a vector of the processor
 * has are looked at together: they may all go to one place or lie next to each other, else each
 * goes alone.
 *
 * <p>The methods are long and not inlined: {@link Moving} warms them.
 */
final class Moves {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final int LENGTH = INTS.length();
  private static final long ALL = LENGTH == Long.SIZE ? -1L : (1L << LENGTH) - 1;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Loads of some lanes leave the memory of the others alone, whatever the processor. */
  private static final boolean LOADS_SOME = INTS.vectorBitSize() == 512;

  private static final IntVector COUNT = IntVector.zero(INTS).addIndex(1);
  private static final VectorShuffle<Integer> EVEN = VectorShuffle.iota(INTS, 0, 2, true);
  private static final VectorShuffle<Integer> ODD = VectorShuffle.iota(INTS, 1, 2, true);
  private static final VectorMask<Integer> LOWER_HALF =
      VectorMask.fromLong(INTS, (1L << (LENGTH / 2)) - 1);

  private static final VectorSpecies<Integer> OF_PART =
      LENGTH <= MemoryAccess.PART ? INTS : IntVector.SPECIES_512;
  private static final IntVector COUNT_OF_PART = IntVector.zero(OF_PART).addIndex(1);

  /** The shape of an access with a sum outside. */
  static final int OUTSIDE = -1;

  private Moves() {}

  /**
   * Loads registers, unless an address is outside.
   *
   * @param low the least unsigned sum that may be
   * @param limit the greatest, no less than {@code low}
   * @param first the index of lane 0 of the first register
   * @return false where a sum of a lane is outside; nothing is done then
   */
  static boolean load(
      int[] v,
      int row,
      int add,
      int low,
      int limit,
      long base,
      int[] to,
      int first,
      int dwords,
      long lanes) {
    if (!inside(v, row, add, low, limit, lanes)) {
      return false;
    }
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      long part = lanes >>> i & ALL;
      if (part == 0) {
        continue;
      }
      int at = row + i;
      int end = first + i;
      int start = v[at + Long.numberOfTrailingZeros(part)];
      if (part == ALL) {
        IntVector sums = IntVector.fromArray(INTS, v, at);
        if (sums.compare(NE, start).toLong() == 0) {
          spread(base + unsigned(start + add), to, end, dwords);
          continue;
        }
        if (adjacent(sums, start, add, dwords)) {
          copy(base + unsigned(start + add), to, end, dwords);
          continue;
        }
      } else if (LOADS_SOME && dwords == 1 && someAdjacent(v, at, start, add, part)) {
        VectorMask<Integer> mask = VectorMask.fromLong(INTS, part);
        IntVector.fromMemorySegment(INTS, Memory.ALL, lane0(base, start, add, part), ORDER, mask)
            .intoArray(to, end, mask);
        continue;
      }
      for (long m = part; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        long address = base + unsigned(v[at + lane] + add);
        Transfer.load(address, dwords, to, end + lane);
      }
    }
    return true;
  }

  /** The same from two places a lane, {@code add} and {@code add2} further, both above 0. */
  static boolean loadTwo(
      int[] v,
      int row,
      int add,
      int add2,
      int limit,
      long base,
      int[] to,
      int first,
      int dwords,
      long lanes) {
    if (!inside(v, row, add, 0, limit, lanes) || !inside(v, row, add2, 0, limit, lanes)) {
      return false;
    }
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      long part = lanes >>> i & ALL;
      if (part == 0) {
        continue;
      }
      int at = row + i;
      int start = v[at + Long.numberOfTrailingZeros(part)];
      int end = first + dwords * Wave.LANES + i;
      if (part == ALL) {
        IntVector sums = IntVector.fromArray(INTS, v, at);
        if (sums.compare(NE, start).toLong() == 0) {
          spread(base + unsigned(start + add), to, first + i, dwords);
          spread(base + unsigned(start + add2), to, end, dwords);
          continue;
        }
        if (adjacent(sums, start, add, dwords)) {
          copy(base + unsigned(start + add), to, first + i, dwords);
          copy(base + unsigned(start + add2), to, end, dwords);
          continue;
        }
      }
      // The register of the address may be one that is loaded.
      for (long m = part; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        int sum = v[at + lane];
        long one = base + unsigned(sum + add);
        long two = base + unsigned(sum + add2);
        for (int d = 0; d < dwords; d++) {
          to[first + i + d * Wave.LANES + lane] = Memory.loadInt(one + 4L * d);
          to[end + d * Wave.LANES + lane] = Memory.loadInt(two + 4L * d);
        }
      }
    }
    return true;
  }

  /** The inverse of {@link #load}; of lanes that store to one address, the highest is last. */
  static boolean store(
      int[] v,
      int row,
      int add,
      int low,
      int limit,
      long base,
      int[] from,
      int first,
      int dwords,
      long lanes) {
    if (!inside(v, row, add, low, limit, lanes)) {
      return false;
    }
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      long part = lanes >>> i & ALL;
      if (part == 0) {
        continue;
      }
      int at = row + i;
      int start = v[at + Long.numberOfTrailingZeros(part)];
      if (dwords == 1 && someAdjacent(v, at, start, add, part)) {
        long address = lane0(base, start, add, part);
        IntVector values = IntVector.fromArray(INTS, from, first + i);
        if (part == ALL) {
          values.intoMemorySegment(Memory.ALL, address, ORDER);
        } else {
          values.intoMemorySegment(Memory.ALL, address, ORDER, VectorMask.fromLong(INTS, part));
        }
        continue;
      }
      for (long m = part; m != 0; m &= m - 1) {
        int lane = Long.numberOfTrailingZeros(m);
        long address = base + unsigned(v[at + lane] + add);
        Transfer.store(address, dwords, from, first + i + lane);
      }
    }
    return true;
  }

  /**
   * How the addresses lie, as {@link MemoryAccess#shape} has it, or {@link #OUTSIDE}.
   *
   * @param bytes of each lane
   */
  static int shape(int[] v, int row, int add, int low, int limit, int bytes, long lanes) {
    IntVector steps = COUNT_OF_PART.mul(bytes);
    long outside = 0;
    int shape = 0;
    for (int part = 0; part < Wave.LANES; part += MemoryAccess.PART) {
      long some = lanes >>> part & ((1L << MemoryAccess.PART) - 1);
      if (some == 0) {
        continue;
      }
      int first = Long.numberOfTrailingZeros(some);
      int start = v[row + part + first];
      long differ = 0;
      long apart = 0;
      for (int i = 0; i < MemoryAccess.PART; i += OF_PART.length()) {
        IntVector sums = IntVector.fromArray(OF_PART, v, row + part + i);
        outside |= (sums.add(add - low).compare(UGT, limit - low).toLong() << i) & some;
        differ |= sums.compare(NE, start).toLong() << i;
        apart |= sums.compare(NE, steps.add(start + (i - first) * bytes)).toLong() << i;
      }
      int last = start + add + MemoryAccess.PART * bytes;
      int ofPart =
          (differ & some) == 0
              ? MemoryAccess.ONE
              : (apart & some) == 0 && Integer.compareUnsigned(last, start + add) > 0
                  ? MemoryAccess.ROW
                  : MemoryAccess.ANY;
      shape |= MemoryAccess.shapeOf(part, ofPart);
    }
    return outside == 0 ? shape : OUTSIDE;
  }

  /** Whether the low bits of all lanes' addresses, those of {@code mask}, are 0. */
  static boolean aligned(int[] v, int row, int add, int mask, long lanes) {
    long off = 0;
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      off |= IntVector.fromArray(INTS, v, row + i).add(add).and(mask).compare(NE, 0).toLong() << i;
    }
    return (off & lanes) == 0;
  }

  /** Whether the sums of all lanes are from {@code low} to {@code limit}. */
  static boolean inside(int[] v, int row, int add, int low, int limit, long lanes) {
    long outside = 0;
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      outside |=
          IntVector.fromArray(INTS, v, row + i).add(add - low).compare(UGT, limit - low).toLong()
              << i;
    }
    return (outside & lanes) == 0;
  }

  /** Whether all lanes have the value of the first of them. */
  static boolean isUniform(int[] v, int row, long lanes) {
    int value = v[row + Long.numberOfTrailingZeros(lanes)];
    long others = 0;
    for (int i = 0; i < Wave.LANES; i += LENGTH) {
      others |= IntVector.fromArray(INTS, v, row + i).compare(NE, value).toLong() << i;
    }
    return (others & lanes) == 0;
  }

  private static long unsigned(int sum) {
    return sum & 0xffffffffL;
  }

  /** Whether each lane's dwords follow those of the lane before, and are 1, 2 or 4. */
  private static boolean adjacent(IntVector sums, int start, int add, int dwords) {
    int last = start + add + 4 * dwords * LENGTH - 1;
    return dwords != 3
        && Integer.compareUnsigned(last, start + add) > 0
        && sums.compare(NE, COUNT.mul(4 * dwords).add(start)).toLong() == 0;
  }

  /**
   * Whether the dwords of the lanes of {@code part} follow each other, with gaps for the others.
   */
  private static boolean someAdjacent(int[] v, int at, int start, int add, long part) {
    int before = 4 * Long.numberOfTrailingZeros(part);
    int last = start + add + 4 * LENGTH - 1;
    return Integer.compareUnsigned(last, start + add) > 0
        && (IntVector.fromArray(INTS, v, at).compare(NE, COUNT.mul(4).add(start - before)).toLong()
                & part)
            == 0;
  }

  /** Where lane 0 of such a part would go. */
  private static long lane0(long base, int start, int add, long part) {
    return base + unsigned(start + add) - 4L * Long.numberOfTrailingZeros(part);
  }

  private static void spread(long address, int[] to, int first, int dwords) {
    int d = 0;
    for (; d + 1 < dwords; d += 2) {
      long pair = Memory.loadLong(address + 4L * d);
      IntVector.broadcast(INTS, (int) pair).intoArray(to, first + d * Wave.LANES);
      IntVector.broadcast(INTS, (int) (pair >>> 32)).intoArray(to, first + (d + 1) * Wave.LANES);
    }
    if (d < dwords) {
      IntVector.broadcast(INTS, Memory.loadInt(address + 4L * d))
          .intoArray(to, first + d * Wave.LANES);
    }
  }

  private static void copy(long address, int[] to, int first, int dwords) {
    if (dwords == 1) {
      at(address, 0).intoArray(to, first);
    } else {
      part(address, to, first, dwords);
    }
  }

  /** Two or four dwords a lane, each to a register of its own. */
  private static void part(long address, int[] to, int first, int dwords) {
    IntVector a = at(address, 0);
    IntVector b = at(address, 1);
    if (dwords == 2) {
      pick(a, b, EVEN).intoArray(to, first);
      pick(a, b, ODD).intoArray(to, first + Wave.LANES);
      return;
    }
    IntVector c = at(address, 2);
    IntVector d = at(address, 3);
    IntVector even1 = pick(a, b, EVEN);
    IntVector even2 = pick(c, d, EVEN);
    IntVector odd1 = pick(a, b, ODD);
    IntVector odd2 = pick(c, d, ODD);
    pick(even1, even2, EVEN).intoArray(to, first);
    pick(odd1, odd2, EVEN).intoArray(to, first + Wave.LANES);
    pick(even1, even2, ODD).intoArray(to, first + 2 * Wave.LANES);
    pick(odd1, odd2, ODD).intoArray(to, first + 3 * Wave.LANES);
  }

  private static IntVector at(long address, int vector) {
    return IntVector.fromMemorySegment(INTS, Memory.ALL, address + 4L * LENGTH * vector, ORDER);
  }

  /** Every other element of a, then of b. */
  private static IntVector pick(IntVector a, IntVector b, VectorShuffle<Integer> which) {
    return b.rearrange(which).blend(a.rearrange(which), LOWER_HALF);
  }
}
