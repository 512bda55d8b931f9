package dev.rocport.device.op.memory;

import dev.rocport.device.image.TexelCodec;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Operand;
import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.Wave;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Buffer accesses of RDNA that convert formats. The format is in the instruction, or in the
 * descriptor, which also says what the components of a result are. Out of bounds, all are 0.
 */
final class TypedBuffer extends TexelAccess {
  private static final Pattern NAME =
      Pattern.compile("t?buffer_(load|store)_(d16_|d16_hi_)?format_(x|xy|xyz|xyzw)");
  private static final int IN_DESCRIPTOR = -1;

  private final BufferSpace space;
  private final int descriptor;
  private final int format;
  private final boolean stores;
  private final boolean halves;
  private final boolean high;
  private final int count;
  private final int data;

  private TypedBuffer(
      Instruction instruction, Modifiers.Memory modifiers, Matcher name, int descriptor) {
    super(instruction);
    this.space = BufferSpace.of(instruction, modifiers);
    this.descriptor = descriptor;
    this.format =
        instruction.opcode().has("format")
                && instruction.operand("format") instanceof Operand.Immediate(int number)
            ? number
            : IN_DESCRIPTOR;
    this.stores = name.group(1).equals("store");
    this.halves = name.group(2) != null;
    this.high = "d16_hi_".equals(name.group(2));
    this.count = name.group(3).length();
    this.data = Rows.required(instruction, "vdata").first();
  }

  static Optional<TypedBuffer> of(Instruction instruction) {
    Matcher name = NAME.matcher(instruction.name());
    return instruction.opcode().generation() != Generation.CDNA
            && name.matches()
            && instruction.modifiers() instanceof Modifiers.Memory modifiers
            && instruction.operand("srsrc") instanceof Operand.Scalar(int code, _)
            && code != Operand.NULL
        ? Optional.of(new TypedBuffer(instruction, modifiers, name, code))
        : Optional.empty();
  }

  @Override
  void run(Wave wave, long lanes) {
    int word = wave.s[descriptor + 3];
    TexelCodec codec = codec(format == IN_DESCRIPTOR ? word >>> 12 & 63 : format, stores);
    int bytes = codec.format().bytes();
    Access access = stores ? Access.STORE : Access.LOAD;
    long[] addresses = wave.temporaries.addresses;
    boolean scattered = space.resolve(wave, lanes, bytes, access, addresses) == Space.SCATTERED;
    long[] places = new long[Wave.LANES];
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      places[lane] = scattered ? whole(wave, lane, addresses[lane], bytes) : addresses[lane];
    }
    Components registers = new Components(data, halves, !codec.format().type().isInteger());
    int[] values = new int[4];
    for (long m = lanes; m != 0; m &= m - 1) {
      int lane = Long.numberOfTrailingZeros(m);
      boolean inside = places[lane] != Space.NOWHERE;
      if (inside) {
        touch(wave, lane, places[lane], bytes, access);
      }
      if (stores) {
        if (inside) {
          for (int c = 0; c < count; c++) {
            values[c] = registers.read(wave, lane, high ? 1 : c);
          }
          fill(values, (1 << count) - 1);
          codec.store(places[lane], values);
        }
      } else {
        if (inside) {
          codec.load(places[lane], values);
        }
        for (int c = 0; c < count; c++) {
          int value = inside ? selected(word, c, values, codec.one()) : 0;
          registers.write(wave, lane, high ? 1 : c, value);
        }
      }
    }
  }

  /** The address of a record, or {@link Space#NOWHERE} out of bounds. */
  private long whole(Wave wave, int lane, long offset, int bytes) {
    long together = space.together(wave, lane, offset, bytes);
    if (together == Space.NOWHERE && space.byteAddress(wave, lane, offset) != Space.NOWHERE) {
      throw missing("a swizzled buffer whose records are apart");
    }
    return together;
  }
}
