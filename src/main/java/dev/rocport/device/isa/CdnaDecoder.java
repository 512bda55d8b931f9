package dev.rocport.device.isa;

import java.util.Optional;

/** The encodings of CDNA. */
final class CdnaDecoder implements Decoder.Reader {
  private final ScalarDecoder scalar;
  private final VectorDecoder vector;
  private final SmemDecoder smem;
  private final DsDecoder ds;
  private final FlatDecoder flat;
  private final BufferDecoder buffer;

  CdnaDecoder(Target target, OpcodeTable table) {
    this.scalar = new ScalarDecoder(table);
    this.vector = new VectorDecoder(table);
    this.smem = new SmemDecoder(table);
    this.ds = new DsDecoder(table);
    this.flat = new FlatDecoder(target, table);
    this.buffer = new BufferDecoder(target, table);
  }

  @Override
  public Optional<Instruction> decode(Words words) {
    return switch (words.low(26, 6)) {
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
  }
}
