package dev.rocport.device.isa;

import java.util.Optional;

/** The encodings of RDNA 3 and 4, without those of graphics. */
final class RdnaDecoder implements Decoder.Reader {
  private static final int PACKED = 0b11001100;

  private final RdnaScalarDecoder scalar;
  private final RdnaVectorDecoder vector;
  private final RdnaDualDecoder dual;
  private final RdnaMemoryDecoder memory;
  private final RdnaLongMemoryDecoder longMemory;
  private final RdnaImageDecoder image;
  private final boolean rdna4;
  private final boolean hasDual;

  RdnaDecoder(Generation generation, OpcodeTable table, boolean hasDual) {
    this.hasDual = hasDual;
    this.rdna4 = generation == Generation.RDNA4;
    this.scalar = new RdnaScalarDecoder(generation, table);
    this.vector = new RdnaVectorDecoder(table);
    this.dual = new RdnaDualDecoder(table);
    this.memory = new RdnaMemoryDecoder(generation, table);
    this.longMemory = new RdnaLongMemoryDecoder(table);
    this.image = new RdnaImageDecoder(table);
  }

  @Override
  public Optional<Instruction> decode(Words words) {
    return switch (words.low(26, 6)) {
      case 0b111101 -> scalar.memory(words);
      case 0b110110 -> memory.local(words);
      case 0b110111 -> rdna4 ? Optional.empty() : memory.flat(words);
      case 0b111000 -> rdna4 ? Optional.empty() : memory.buffer(words);
      case 0b111010 -> rdna4 ? Optional.empty() : memory.typedBuffer(words);
      case 0b111100 -> rdna4 ? Optional.empty() : image.three(words);
      case 0b110100 -> rdna4 ? image.four(words) : Optional.empty();
      case 0b111001 -> rdna4 ? image.fourSampled(words) : Optional.empty();
      case 0b111011 -> rdna4 ? longMemory.flat(words) : Optional.empty();
      case 0b110001 -> rdna4 ? longMemory.buffer(words) : Optional.empty();
      case 0b110101 -> vector.wide(words);
      case 0b110010 -> hasDual ? dual.decode(words) : Optional.empty();
      case 0b110011 -> words.low(24, 8) == PACKED ? vector.packed(words) : Optional.empty();
      default ->
          switch (words.low(30, 2)) {
            case 0b10 -> scalar.decode(words);
            case 0b11 -> Optional.empty();
            default -> vector.narrow(words);
          };
    };
  }
}
