package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Operand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The text of a loaded code object. Instructions are decoded when they are first reached, since the
 * bytes between functions are not code. Threads may decode the same instruction concurrently;
 * either result is valid.
 */
public final class Code {
  private final long base;
  private final LongFunction<Instruction> decoder;
  private final Translator translator;
  private final BlockCompiler compiler;
  private final @Nullable Op[] ops;
  private final @Nullable Block[] blocks;
  private final Map<Long, Op> indexedOps;
  private final int lanes;

  /**
   * @param base the address of the text
   * @param size its bytes
   * @param decoder decodes the instruction that is so many bytes after the base, or throws a {@link
   *     WaveTrap} where there is none
   */
  public Code(long base, long size, LongFunction<Instruction> decoder, Translator translator) {
    this(base, size, Wave.LANES, decoder, translator, BlockCompiler.NONE);
  }

  /** The same text at another address: all that is known of either is known of both. */
  public Code at(long address) {
    return new Code(address, this);
  }

  private Code(long base, Code same) {
    this.base = base;
    this.decoder = same.decoder;
    this.translator = same.translator;
    this.compiler = same.compiler;
    this.ops = same.ops;
    this.blocks = same.blocks;
    this.indexedOps = same.indexedOps;
    this.lanes = same.lanes;
  }

  /**
   * The same, with blocks where it is worth it.
   *
   * @param lanes of the waves that run it
   */
  public Code(
      long base,
      long size,
      int lanes,
      LongFunction<Instruction> decoder,
      Translator translator,
      BlockCompiler compiler) {
    this.base = base;
    this.lanes = lanes;
    this.decoder = decoder;
    this.translator = translator;
    this.compiler = compiler;
    this.ops = new Op[Math.toIntExact(size >> 2)];
    this.blocks = new Block[ops.length];
    this.indexedOps = new ConcurrentHashMap<>();
  }

  /** The lanes of the waves that run it. */
  public int lanes() {
    return lanes;
  }

  /** The block that begins at an index to which a wave has come, or null. */
  @Nullable Block enter(int index) {
    if (index < 0 || index >= blocks.length) {
      return null;
    }
    Block block = blocks[index];
    if (block == null) {
      compiler.entered(this, index);
    }
    return block;
  }

  /** Installs a block that runs from now on when waves reach an index. */
  public void put(int index, Block block) {
    blocks[index] = block;
  }

  /** The block that begins at an index, or null. */
  public @Nullable Block block(int index) {
    return index >= 0 && index < blocks.length ? blocks[index] : null;
  }

  /** The block that begins at an index has run so many instructions. */
  public void ran(int index, Block block, long count) {
    compiler.ran(this, index, block, count);
  }

  /** Whether a block begins at an index. */
  public boolean hasBlock(int index) {
    return block(index) != null;
  }

  /** Its length in 32-bit words. */
  public int words() {
    return ops.length;
  }

  /** The address of an index. */
  public long address(int index) {
    return base + ((long) index << 2);
  }

  /**
   * Returns the index of an address.
   *
   * @throws WaveTrap if it is outside this text
   */
  public int index(long address) {
    long offset = address - base;
    if (offset < 0 || offset >= (long) ops.length << 2 || (offset & 3) != 0) {
      throw new WaveTrap(
          "a jump to 0x%x, which is not in the code of this kernel".formatted(address));
    }
    return (int) (offset >> 2);
  }

  /**
   * Returns the operation at an index.
   *
   * @throws WaveTrap if there is no instruction, or one that this device does not support
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

  /** The operation at an index, or null if no wave and no compiler has come to it yet. */
  public @Nullable Op reached(int index) {
    return index >= 0 && index < ops.length ? ops[index] : null;
  }

  /**
   * Returns the operation at an index with its vector registers shifted as M0 specifies.
   *
   * @throws WaveTrap as {@link #at}
   */
  Op indexedAt(int index, int m0) {
    Op plain = at(index);
    return switch (plain.instruction().opcode().encoding()) {
      case VOP1, VOP2, VOPC, VOP3, VOP3P ->
          indexedOps.computeIfAbsent(
              (long) index << 16 | (m0 >>> 12 & 15) << 8 | (m0 & 255),
              k -> translate(moved(plain.instruction(), m0)));
      default -> plain;
    };
  }

  private static Instruction moved(Instruction instruction, int m0) {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < instruction.operands().size(); i++) {
      int bit =
          switch (instruction.opcode().slots().get(i).name()) {
            case "src0" -> 12;
            case "src1" -> 13;
            case "src2" -> 14;
            case "vdst" -> 15;
            default -> 31;
          };
      Operand operand = instruction.operands().get(i);
      operands.add(
          operand instanceof Operand.Vector(int register, int dwords)
                  && bit < 16
                  && (m0 >>> bit & 1) != 0
              ? new Operand.Vector(register + (m0 & 255), dwords)
              : operand);
    }
    return new Instruction(
        instruction.opcode(), instruction.size(), List.copyOf(operands), instruction.modifiers());
  }

  private Op translate(int index) {
    return translate(decoder.apply((long) index << 2));
  }

  private Op translate(Instruction instruction) {
    return translator
        .translate(instruction)
        .orElseThrow(() -> WaveTrap.missing("this device does not support " + instruction.name()));
  }
}
