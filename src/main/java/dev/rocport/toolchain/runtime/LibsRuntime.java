package dev.rocport.toolchain.runtime;

/** Whose libraries run on rocport's device in the place of cuBLAS, cuFFT and others. */
public enum LibsRuntime {
  /** AMD's own, from Debian packages; for gfx90a only. */
  ROCM,
  /** Those of rocport. */
  STANDIN;

  /** The only target that the packages have code for and the device runs. */
  public static final String TARGET = "gfx90a";
}
