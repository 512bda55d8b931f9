package dev.rocport.device.isa;

/** What some targets have and others do not. Source: AMD's ISA manuals and LLVM AMDGPUUsage. */
public enum Feature {
  /**
   * Accesses to memory have the cache bits sc0, sc1 and nt, and cache operations have scopes, in
   * place of glc and slc.
   */
  SCOPE_BITS,

  /** A bit of FLAT and GLOBAL loads sends the data to the LDS. */
  FLAT_LDS_BIT,

  /** A bit of SCRATCH accesses says whether they have a vector address. */
  SCRATCH_ADDRESS_BIT,

  /**
   * The hardware knows where the scratch of a wave is; else kernels set it up from a descriptor.
   */
  ARCHITECTED_FLAT_SCRATCH,

  /** MFMA instructions on F64 can negate their sources. */
  MATRIX_F64_NEGATION,

  /** MFMA instructions on F16 and BF16 keep denormals; else they are flushed. */
  MATRIX_HALF_DENORMALS,

  /** Atomic additions of F32 keep denormals; else they are flushed. */
  ATOMIC_F32_DENORMALS,

  /** The compute units are in several dies (XCDs), each of which has an L2 cache and an id. */
  SEVERAL_XCDS,

  /** Waves of 32 lanes, with the encodings of RDNA 3. */
  WAVE32,

  /**
   * The encodings of RDNA 4. The workgroup's place is in trap registers, and waves signal a barrier
   * apart from waiting at it.
   */
  RDNA4_ENCODINGS
}
