package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.Optional;

/** Makes operations of instructions. */
@FunctionalInterface
public interface Translator {
  /** The operation, or empty where this translator does not know the instruction. */
  Optional<Op> translate(Instruction instruction);
}
