package dev.rocport.device.isa;

/** The families of instruction sets. What opcodes of one name do differs between them in places. */
public enum Generation {
  /** Waves of 64 lanes; a result of 16 bits mostly clears the other half of its register. */
  CDNA,

  /** Waves of 32 lanes; a result of 16 bits leaves the other half of its register alone. */
  RDNA3,

  /** Waves of 32 lanes as in RDNA 3, with other encodings of memory accesses and waits. */
  RDNA4
}
