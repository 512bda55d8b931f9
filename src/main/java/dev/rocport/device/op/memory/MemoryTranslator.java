package dev.rocport.device.op.memory;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import java.util.Optional;

/**
 * Translates the memory instructions. Scopes and cache bits change nothing: every access is
 * complete when its instruction ends.
 */
public final class MemoryTranslator implements Translator {
  @Override
  public Optional<Op> translate(Instruction instruction) {
    return switch (instruction.opcode().encoding()) {
      case SMEM -> ScalarMemory.translate(instruction);
      case DS -> LocalMemory.translate(instruction);
      case FLAT, GLOBAL, SCRATCH -> FlatMemory.translate(instruction);
      case MUBUF -> BufferMemory.translate(instruction);
      case MTBUF -> TypedBuffer.of(instruction).map(Op.class::cast);
      case MIMG, VIMAGE, VSAMPLE -> ImageAccess.of(instruction).map(Op.class::cast);
      default -> Optional.empty();
    };
  }
}
