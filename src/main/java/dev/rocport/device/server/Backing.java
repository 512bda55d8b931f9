package dev.rocport.device.server;

import dev.rocport.device.memory.Allocation;

/**
 * Memory of a GPU that kernels reach only where a program has mapped it. It lives as long as a
 * program holds it or has it mapped somewhere. {@link Device} counts.
 */
final class Backing {
  private final Allocation allocation;
  private final int gpu;
  private int references = 1;

  Backing(Allocation allocation, int gpu) {
    this.allocation = allocation;
    this.gpu = gpu;
  }

  /** The position of its bytes in the arena. */
  long base() {
    return allocation.base();
  }

  long size() {
    return allocation.size();
  }

  int gpu() {
    return gpu;
  }

  Allocation allocation() {
    return allocation;
  }

  void retain() {
    references++;
  }

  /** Whether this was the last reference. */
  boolean release() {
    return --references == 0;
  }
}
