package dev.rocport.device.check.order;

import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Target;

/**
 * What the cache bits of an instruction ask for. LLVM's AMDGPUUsage, "Memory Model GFX90A" and
 * "GFX942".
 *
 * @param sc0 glc without {@link Feature#SCOPE_BITS}
 */
record Scopes(boolean sc0, boolean sc1) {
  static Scopes of(Instruction instruction) {
    return instruction.modifiers() instanceof Modifiers.Memory m
        ? new Scopes(m.sc0(), m.sc1())
        : new Scopes(false, false);
  }

  /** A load that has to see what other compute units have stored. */
  boolean loadsFresh(Target target) {
    return target.has(Feature.SCOPE_BITS) ? sc1 : sc0;
  }

  /** A store that has to get to where all compute units of the GPU see it. */
  boolean storesThrough() {
    return sc1;
  }

  /** A load that is certainly not atomic. */
  boolean isPlain() {
    return !sc0 && !sc1;
  }
}
