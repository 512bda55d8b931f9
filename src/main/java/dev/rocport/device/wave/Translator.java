package dev.rocport.device.wave;

import dev.rocport.device.isa.Instruction;
import java.util.Optional;

/** Translates instructions to operations. */
@FunctionalInterface
public interface Translator {
  /** Returns the operation, or empty if this translator does not support the instruction. */
  Optional<Op> translate(Instruction instruction);
}
