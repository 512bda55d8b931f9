package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The text of a loaded code object. Instructions are decoded when they are first reached, since
 * what lies between functions is no code. Threads may decode the same instruction at once; either
 * result serves.
 */
public final class Code {
  private final long base;
  private final LongFunction<Instruction> decoder;
  private final Translator translator;
  private final @Nullable Op[] ops;

  /**
   * @param base the address of the text
   * @param size its bytes
   * @param decoder decodes the instruction at an address, or throws a {@link WaveTrap} where there
   *     is none
   */
  public Code(long base, long size, LongFunction<Instruction> decoder, Translator translator) {
    this.base = base;
    this.decoder = decoder;
    this.translator = translator;
    this.ops = new Op[Math.toIntExact(size >> 2)];
  }

  /** The address of an index. */
  public long address(int index) {
    return base + ((long) index << 2);
  }

  /**
   * The index of an address.
   *
   * @throws WaveTrap where it does not lie in this text
   */
  public int index(long address) {
    long offset = address - base;
    if (offset < 0 || offset >= (long) ops.length << 2 || (offset & 3) != 0) {
      throw new WaveTrap("a jump to 0x%x, which is no code of this kernel".formatted(address));
    }
    return (int) (offset >> 2);
  }

  /**
   * The operation at an index.
   *
   * @throws WaveTrap where there is no instruction, or none that this device has
   */
  public Op at(int index) {
    if (index < 0 || index >= ops.length) {
      throw new WaveTrap("the program counter left the code");
    }
    Op op = ops[index];
    if (op == null) {
      op = translate(index);
      ops[index] = op;
    }
    return op;
  }

  private Op translate(int index) {
    Instruction instruction = decoder.apply(address(index));
    return translator
        .translate(instruction)
        .orElseThrow(() -> WaveTrap.missing("this device does not have " + instruction.name()));
  }
}
