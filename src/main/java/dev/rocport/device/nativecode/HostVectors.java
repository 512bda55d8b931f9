package dev.rocport.device.nativecode;

/** The vectors of the host. */
final class HostVectors {
  /** Lanes of a chunk: those of AVX2. {@link HostCompiler} says why AVX-512 is not used. */
  static final int LANES = 8;

  private HostVectors() {}
}
