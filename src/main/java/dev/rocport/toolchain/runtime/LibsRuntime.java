package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.packages.PackageLock;

/** The choice between AMD's libraries and rocport's stand-ins for programs on the device. */
public enum LibsRuntime {
  /** AMD's own, from Debian packages; for gfx90a only. */
  ROCM,
  /** Those of rocport. */
  STANDIN;

  /** The only target that the packages have code for and the device runs. */
  public static final String TARGET = PackageLock.TARGET;
}
