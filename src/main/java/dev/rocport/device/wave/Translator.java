package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.Optional;

/** Translates instructions to operations. */
@FunctionalInterface
public interface Translator {
  /** The operation, or empty where this translator does not know the instruction. */
  Optional<Op> translate(Instruction instruction);
}
