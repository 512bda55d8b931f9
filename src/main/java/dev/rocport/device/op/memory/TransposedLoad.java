package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.op.vector.BitFields;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveTrap;
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

  /** Whether an instruction of this name is a transposed read. */
  public static boolean isOne(String name) {
    return NAME.matcher(name).matches();
  }

  /** The operation of such an instruction. */
  static TransposedLoad of(Instruction instruction, Space space) {
    Matcher name = NAME.matcher(instruction.name());
    if (!name.matches()) {
      throw new IllegalArgumentException(instruction.name());
    }
    return new TransposedLoad(
        instruction,
        space,
        Integer.parseInt(name.group(1)) / Integer.SIZE,
        Integer.parseInt(name.group(2)));
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
        int element = BitFields.get(read, from, column % elements * elementBits, elementBits);
        BitFields.put(result, lane, row * elementBits, elementBits, element);
      }
    }
    return result;
  }
}
