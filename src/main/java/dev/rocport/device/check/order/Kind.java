package dev.rocport.device.check.order;

/** What caches do with memory, by who owns it. */
enum Kind {
  /** Memory that no cache keeps: it may have several addresses. */
  UNCACHED,
  /** Memory that GPUs and the host share; no L2 keeps it. */
  FINE,
  /**
   * Memory of the device's own and of malloc in kernels, whose bookkeeping hands pieces on by ways
   * of its own: as fine-grained memory, and nothing is reported for it.
   */
  INTERNAL,
  /** Memory of the GPU itself. */
  COARSE,
  /** Memory of another GPU that need not be the same for both before a kernel ends. */
  REMOTE
}
