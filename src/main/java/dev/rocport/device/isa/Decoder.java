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
  private final Reader reader;

  /** Reads the encodings of a generation. */
  interface Reader {
    /** The instruction; empty where there is none. */
    Optional<Instruction> decode(Words words);
  }

  private Decoder(Target target, int lanes) {
    this.target = target;
    this.table = OpcodeTable.of(target, lanes);
    this.reader =
        switch (target.generation()) {
          case CDNA -> new CdnaDecoder(target, table);
          case RDNA3, RDNA4 -> new RdnaDecoder(target.generation(), table, lanes == 32);
        };
  }

  public static Decoder of(Target target) {
    return of(target, target.lanes());
  }

  /**
   * A decoder for waves of so many lanes: 64, or on RDNA 32 or 64. Masks of lanes have as many
   * bits, and waves of 64 have no dual instructions.
   */
  public static Decoder of(Target target, int lanes) {
    return new Decoder(target, lanes);
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
    int available = (int) Math.min(4, (code.byteSize() - offset) / 4);
    return decode(
        new Words(
            first,
            available > 1 ? code.get(WORD, offset + 4) : 0,
            available > 2 ? code.get(WORD, offset + 8) : 0,
            available > 3 ? code.get(WORD, offset + 12) : 0,
            available));
  }

  /** The instruction that two words start with. */
  public Instruction decode(int first, int second) {
    return decode(new Words(first, second, 0, 0, 2));
  }

  /** The instruction that three words start with. */
  public Instruction decode(int first, int second, int third) {
    return decode(new Words(first, second, third, 0, 3));
  }

  private Instruction decode(Words words) {
    return reader
        .decode(words)
        .filter(i -> i.size() <= 4 * words.available())
        .orElseThrow(() -> new UndefinedOpcodeException(target, words));
  }
}
