package dev.rocport.device.check.order;

/**
 * Why a load does not see a store that was run before it.
 *
 * @param title what has happened
 * @param why what may happen on hardware
 * @param advice what to write
 */
record Miss(String title, String why, String advice) {

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
