package dev.rocport.device.check.order;

import dev.rocport.device.isa.Feature;
import dev.rocport.device.isa.Generation;
import dev.rocport.device.isa.Instruction;
import dev.rocport.device.isa.Modifiers;
import dev.rocport.device.isa.Target;

/**
 * What the cache bits of an instruction ask for. LLVM's AMDGPUUsage, "Memory Model GFX90A",
 * "GFX942", "GFX10-GFX11" and "GFX12".
 *
 * @param sc0 glc without {@link Feature#SCOPE_BITS}; on RDNA 4 at least the scope of a workgroup
 * @param sc1 on RDNA 4 at least the scope of a GPU
 */
record Scopes(boolean sc0, boolean sc1) {
  static Scopes of(Instruction instruction) {
    if (!(instruction.modifiers() instanceof Modifiers.Memory m)) {
      return new Scopes(false, false);
    }
    return instruction.opcode().generation() == Generation.RDNA4
        ? new Scopes(m.scope() > 0, m.scope() > 1)
        : new Scopes(m.sc0(), m.sc1());
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
