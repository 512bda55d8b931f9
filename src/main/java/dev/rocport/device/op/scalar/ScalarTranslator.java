package dev.rocport.device.op.scalar;

import dev.rocport.device.isa.Instruction;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Translator;
import java.util.Optional;

/** Translates SOP1, SOP2, SOPC, SOPK and SOPP instructions to operations. */
public final class ScalarTranslator implements Translator {
  @Override
  public Optional<Op> translate(Instruction instruction) {
    return switch (instruction.opcode().encoding()) {
      case SOP2 -> Sop2.translate(instruction);
      case SOP1 -> Sop1.translate(instruction);
      case SOPC -> Sopc.translate(instruction);
      case SOPK -> Sopk.translate(instruction);
      case SOPP -> Sopp.translate(instruction);
      default -> Optional.empty();
    };
  }
}
