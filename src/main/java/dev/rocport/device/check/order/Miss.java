package dev.rocport.device.check.order;

/**
 * Why a load does not see a store that was run before it.
 *
 * @param title what has happened
 * @param why what may happen on hardware
 * @param advice what to write
 */
record Miss(String title, String why, String advice) {

  /** No miss, but by luck. */
  static final Miss NARROW =
      new Miss(
          "a load sees a store from another GPU, without an acquire at system scope",
          "The kernel on the other GPU is still running. Ordering at agent scope holds within one"
              + " GPU; between GPUs the store may become visible late, and the load may return an"
              + " old value.",
          "Use __HIP_MEMORY_SCOPE_SYSTEM on both sides for the flag that both GPUs use, or call"
              + " __threadfence_system() before the flag is written and after it is read.");

  static final Miss NOT_ACQUIRED =
      new Miss(
          "a load sees a store from another block, without an acquire",
          "In this run the load saw the store. Its compute unit has not invalidated its L1 since"
              + " the store, so in another run the load may hit the old line.",
          "After the flag or counter is seen, and before the load, call __threadfence(), or read"
              + " the flag with __hip_atomic_load(flag, __ATOMIC_ACQUIRE,"
              + " __HIP_MEMORY_SCOPE_AGENT).");

  static final Miss NOT_RELEASED =
      new Miss(
          "a load sees a store from another block, without a release",
          "In this run the load saw the store. The storing wave has not waited for its store to"
              + " complete, so in another run the store may still be in flight.",
          "After the store, and before the flag or counter that publishes it, call __threadfence(),"
              + " or write the flag with __hip_atomic_store(flag, value, __ATOMIC_RELEASE,"
              + " __HIP_MEMORY_SCOPE_AGENT).");

  static final Miss TOLD_TOO_EARLY =
      new Miss(
          "an atomic load sees a store that was published without a release",
          "In this run the load saw the store. Relaxed stores of a wave become visible in any"
              + " order. In another run, the later store, which this wave has seen and acquired,"
              + " may become visible first.",
          "Write the variable that publishes the data (a flag, a sequence number) with"
              + " __ATOMIC_RELEASE, or call __threadfence() before it.");

  /** An atomic load that is older than what the wave has seen of the same storing wave before. */
  static Miss outOfOrder(boolean onItsWay) {
    return new Miss(
        "an atomic load does not see a store of another wave, although the loading wave has seen a"
            + " later store of that wave",
        onItsWay
            ? "Relaxed stores of a wave become visible in any order: the later store, which"
                + " publishes the earlier one, became visible first."
            : "Relaxed loads of a wave may execute in any order: this load executed before the one"
                + " that saw the later store.",
        onItsWay
            ? "Write the variable that publishes the data (a flag, a sequence number) with"
                + " __ATOMIC_RELEASE, or call __threadfence() before it."
            : "Read the variable that publishes the data (a flag, a sequence number) with"
                + " __ATOMIC_ACQUIRE, or call __threadfence() after it.");
  }

  /**
   * Returns the text of a miss.
   *
   * @param onItsWay the store has not reached memory
   * @param far another GPU has stored
   * @param incoherent the memory is not coherent between GPUs while kernels run
   */
  static Miss of(boolean onItsWay, boolean far, boolean incoherent) {
    if (incoherent) {
      return new Miss(
          "a load does not see what another GPU stored to coarse-grained memory",
          "Memory from hipMalloc is coarse-grained: one GPU is sure to see the stores of another"
              + " only if the kernel that stores ends before the kernel that loads begins. Fences"
              + " and scopes do not change that.",
          "If GPUs exchange flags and data while kernels run, allocate them with"
              + " hipExtMallocWithFlags(&p, bytes, hipDeviceMallocFinegrained) or hipHostMalloc."
              + " Or end the kernel that stores before the kernel that loads begins.");
    }
    String scope = far ? "SYSTEM" : "AGENT";
    String fence = far ? "__threadfence_system()" : "__threadfence()";
    return onItsWay
        ? new Miss(
            "a load does not see a store that has not left its compute unit",
            "Stores of a block stay in the queue of its compute unit, and on MI300 in the L2 of its"
                + " XCD, until a release at %s scope writes them back; this store ran before the load, and"
                    .formatted(scope)
                + " no release has written it back.",
            "After the store, and before the flag or counter that publishes it, call %s, or"
                    .formatted(fence)
                + " write the flag with __hip_atomic_store(flag, value, __ATOMIC_RELEASE,"
                + " __HIP_MEMORY_SCOPE_%s). Between kernels no fence is needed.".formatted(scope))
        : new Miss(
            "a load hits a cache line that is older than a store",
            "The L1 of a compute unit, and on MI300 the L2 of its XCD, keeps loaded lines until an"
                + " acquire at %s scope invalidates them; this store reached memory before the"
                    .formatted(scope)
                + " load, which hit the old line.",
            "After the flag or counter is seen, and before the load, call %s, or read the flag"
                    .formatted(fence)
                + " with __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_%s)."
                    .formatted(scope));
  }
}
