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
          "a load takes what another GPU has stored, without an acquire at system scope",
          "The kernel of the other GPU still runs. An order at agent scope holds within one GPU;"
              + " between GPUs the store may come late, and the load may take an old value.",
          "Use __HIP_MEMORY_SCOPE_SYSTEM on both sides for the flag that both GPUs use, or"
              + " __threadfence_system() before it is written and after it was read.");

  static final Miss NOT_ACQUIRED =
      new Miss(
          "a load takes what another block has stored, without an acquire",
          "The load saw the store this time. Its compute unit has dropped nothing from its L1 since"
              + " the store, so that another time it takes the line as it was before.",
          "After the flag or counter was seen, and before the load, call __threadfence(), or read"
              + " the flag with __hip_atomic_load(flag, __ATOMIC_ACQUIRE,"
              + " __HIP_MEMORY_SCOPE_AGENT).");

  static final Miss NOT_RELEASED =
      new Miss(
          "a load takes what another block has stored, without a release",
          "The load saw the store this time. The storing wave has not waited for its store, so that"
              + " another time it is still on its way.",
          "After the store, and before the flag or counter that tells others of it, call"
              + " __threadfence(), or write the flag with __hip_atomic_store(flag, value,"
              + " __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT).");

  static final Miss TOLD_TOO_EARLY =
      new Miss(
          "an atomic load takes a store that nothing has put before the one which told of it",
          "The load saw the store this time. Relaxed stores of a wave become visible in any order,"
              + " so that another time the later one, which this wave has read and acquired, comes"
              + " first.",
          "Write what tells of the others (a flag, a sequence) with __ATOMIC_RELEASE, or call"
              + " __threadfence() before it.");

  /** An atomic load that is older than what the wave has seen of the same storing wave before. */
  static Miss outOfOrder(boolean onItsWay) {
    return new Miss(
        "an atomic load misses a store that ran before one which this wave has seen",
        onItsWay
            ? "Relaxed stores of a wave become visible in any order: the later one, which tells of"
                + " the earlier, has come first."
            : "Relaxed loads of a wave may be done in any order: this one was done before the one"
                + " that saw the later store.",
        onItsWay
            ? "Write what tells of the others (a flag, a sequence) with __ATOMIC_RELEASE, or call"
                + " __threadfence() before it."
            : "Read what tells of the others with __ATOMIC_ACQUIRE, or call __threadfence() behind"
                + " it.");
  }

  /**
   * A miss in words.
   *
   * @param onItsWay the store has not come to memory
   * @param far another GPU has stored
   * @param incoherent the memory is not the same for several GPUs while kernels run
   */
  static Miss of(boolean onItsWay, boolean far, boolean incoherent) {
    if (incoherent) {
      return new Miss(
          "a load misses what another GPU has stored to coarse-grained memory",
          "Memory of hipMalloc is coarse-grained: what one GPU stores there and what another one"
              + " has loaded from there is only sure to be the same once the kernel that stored has"
              + " ended and the one that loads has begun. Fences and scopes do not change that.",
          "Allocate what GPUs tell each other while kernels run, flags and their data, with"
              + " hipExtMallocWithFlags(&p, bytes, hipDeviceMallocFinegrained) or hipHostMalloc; or"
              + " end the kernel first.");
    }
    String scope = far ? "SYSTEM" : "AGENT";
    String fence = far ? "__threadfence_system()" : "__threadfence()";
    return onItsWay
        ? new Miss(
            "a load misses a store that has not left its compute unit",
            "Stores of a block stay in its compute unit's queue, and on MI300 in the L2 of its XCD,"
                + " until a release at %s scope sends them on; this one ran before the load, and"
                    .formatted(scope)
                + " nothing has sent it on.",
            "After the store, and before the flag or counter that tells others of it, call %s, or"
                    .formatted(fence)
                + " write the flag with __hip_atomic_store(flag, value, __ATOMIC_RELEASE,"
                + " __HIP_MEMORY_SCOPE_%s). Between kernels no fence is needed.".formatted(scope))
        : new Miss(
            "a load sees what its caches kept from before a store",
            "The L1 of a compute unit, and on MI300 the L2 of its XCD, keeps lines that were loaded"
                + " until an acquire at %s scope drops them; this store came to memory before the"
                    .formatted(scope)
                + " load, which took the old line.",
            "After the flag or counter was seen, and before the load, call %s, or read the flag"
                    .formatted(fence)
                + " with __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_%s)."
                    .formatted(scope));
  }
}
