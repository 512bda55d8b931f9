package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DS_READ_B64_TR_* and DS_READ_B96_TR_B6: each lane reads 64 or 96 bits, and each 16 lanes
 * transpose what they have read (CDNA4 ISA, 11.4). Of n elements in a lane, 16 / n lanes one after
 * the other have read a row of 16 elements; afterwards, lane i of the 16 has element i of each of
 * the n rows.
 */
public final class TransposedLoad extends LaneOp {
  private static final int ROW = 16;
  private static final Pattern NAME = Pattern.compile("ds_read_b(64|96)_tr_b(\\d+)");

  private final Space space;
  private final Rows destination;
  private final int dwords;
  private final int elementBits;

  private TransposedLoad(Instruction instruction, Space space, int dwords, int elementBits) {
    super(instruction);
    this.space = space;
    this.destination = Rows.required(instruction, "vdst");
    this.dwords = dwords;
    this.elementBits = elementBits;
  }

  /** The operation of an instruction; empty if it is no such one. */
  static Optional<TransposedLoad> of(Instruction instruction, Space space) {
    Matcher name = NAME.matcher(instruction.name());
    return name.matches()
        ? Optional.of(
            new TransposedLoad(
                instruction,
                space,
                Integer.parseInt(name.group(1)) / Integer.SIZE,
                Integer.parseInt(name.group(2))))
        : Optional.empty();
  }

  @Override
  void run(Wave wave, long lanes) {
    for (int first = 0; first < Wave.LANES; first += ROW) {
      long group = lanes >>> first & 0xffff;
      if (group != 0 && group != 0xffff) {
        throw new WaveTrap(
            instruction().opcode().mnemonic()
                + " transposes among 16 lanes, of which some are inactive; what the others get is"
                + " undefined");
      }
    }
    long[] addresses = wave.temporaries.addresses;
    int stride = resolve(space, wave, lanes, 4 * dwords, Access.LOAD, addresses);
    int[] read = new int[dwords * Wave.LANES];
    Transfer.load(addresses, stride, dwords, lanes, read, 0);
    int[] transposed = transposed(read);
    int[] registers = destination.of(wave);
    for (int x = 0; x < transposed.length; x++) {
      if ((lanes >>> x & 1) != 0) {
        registers[destination.first() + x] = transposed[x];
      }
    }
  }

  /** The registers that it reads or writes: dword d of lane l is at 64 d + l. */
  public int dwords() {
    return dwords;
  }

  /** What the lanes have after they transposed: dword d of lane l is at 64 d + l. */
  public int[] transposed(int[] read) {
    int elements = dwords * Integer.SIZE / elementBits;
    int[] result = new int[read.length];
    for (int lane = 0; lane < Wave.LANES; lane++) {
      int first = lane & -ROW;
      int column = lane - first;
      for (int row = 0; row < elements; row++) {
        int from = first + (row * ROW + column) / elements;
        put(result, lane, row, get(read, from, column % elements));
      }
    }
    return result;
  }

  private int get(int[] words, int lane, int element) {
    int bit = element * elementBits;
    long pair = words[at(bit, lane)] & 0xffffffffL;
    if (bit % Integer.SIZE + elementBits > Integer.SIZE) {
      pair |= (long) words[at(bit + Integer.SIZE, lane)] << Integer.SIZE;
    }
    return (int) (pair >>> bit % Integer.SIZE) & ((1 << elementBits) - 1);
  }

  private void put(int[] words, int lane, int element, int value) {
    int bit = element * elementBits;
    long pair = (long) value << bit % Integer.SIZE;
    words[at(bit, lane)] |= (int) pair;
    if (bit % Integer.SIZE + elementBits > Integer.SIZE) {
      words[at(bit + Integer.SIZE, lane)] |= (int) (pair >>> Integer.SIZE);
    }
  }

  private static int at(int bit, int lane) {
    return bit / Integer.SIZE * Wave.LANES + lane;
  }
}
