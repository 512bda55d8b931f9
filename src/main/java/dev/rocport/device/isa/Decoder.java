package dev.rocport.device.isa;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Decodes machine code of a target. */
public final class Decoder {
  private static final ValueLayout.OfInt WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Target target;
  private final OpcodeTable table;
  private final ScalarDecoder scalar;
  private final VectorDecoder vector;
  private final SmemDecoder smem;
  private final DsDecoder ds;
  private final FlatDecoder flat;
  private final BufferDecoder buffer;

  private Decoder(Target target) {
    this.target = target;
    this.table = OpcodeTable.of(target);
    this.scalar = new ScalarDecoder(table);
    this.vector = new VectorDecoder(table);
    this.smem = new SmemDecoder(table);
    this.ds = new DsDecoder(table);
    this.flat = new FlatDecoder(target, table);
    this.buffer = new BufferDecoder(target, table);
  }

  public static Decoder of(Target target) {
    return new Decoder(target);
  }

  /** All opcodes of the target by encoding and number, VOP3 forms included. */
  public List<Opcode> opcodes() {
    return table.rows().stream().map(Row::opcode).toList();
  }

  /**
   * The instruction at a place in code.
   *
   * @param offset bytes from the start of the segment
   * @throws UndefinedOpcodeException if the bits there are none of this target
   * @throws IndexOutOfBoundsException if there are fewer than 4 bytes
   */
  public Instruction decode(MemorySegment code, long offset) {
    int first = code.get(WORD, offset);
    boolean complete = offset + 8 <= code.byteSize();
    return decode(new Words(first, complete ? code.get(WORD, offset + 4) : 0, complete));
  }

  /** The instruction that two words start with. */
  public Instruction decode(int first, int second) {
    return decode(new Words(first, second, true));
  }

  private Instruction decode(Words words) {
    Optional<Instruction> found =
        switch (words.low(26, 6)) {
          case 0b110000 -> smem.decode(words);
          case 0b110110 -> ds.decode(words);
          case 0b110111 -> flat.decode(words);
          case 0b111000 -> buffer.untyped(words);
          case 0b111010 -> buffer.typed(words);
          case 0b110100 -> vector.wide(words);
          default ->
              switch (words.low(30, 2)) {
                case 0b10 -> scalar.decode(words);
                case 0b11 -> Optional.empty();
                default -> vector.narrow(words);
              };
        };
    return found
        .filter(i -> i.size() == 4 || words.complete())
        .orElseThrow(() -> new UndefinedOpcodeException(target, words));
  }
}
