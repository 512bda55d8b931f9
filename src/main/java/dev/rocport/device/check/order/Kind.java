package dev.rocport.device.check.order;

/** What caches do with memory, by who owns it. */
enum Kind {
  /** Memory that no cache keeps: it may have several addresses. */
  UNCACHED,
  /** Memory that GPUs and the host share; no L2 keeps it. */
  FINE,
  /** Memory of the GPU itself. */
  COARSE,
  /** Memory of another GPU that need not be the same for both before a kernel ends. */
  REMOTE
}
