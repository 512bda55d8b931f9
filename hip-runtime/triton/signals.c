/* Signals between blocks and GPUs, for Triton's extern_elementwise: the counterpart of inline PTX for NVIDIA GPUs.
 *
 *   rocport_getthreadid
 *   rocport_atomicwrite_{relaxed,release}_{system,gpu,cta}_{nomask,mask} (flag, value[, mask])
 *   rocport_atomicspinwait_{relaxed,acquire}_{system,gpu,cta}_while_{eq,ne,lt,le,gt,ge}_{nomask,mask}
 *       (flag, expected[, mask])
 *
 * Each but the first also exists with the flag's address as a 64-bit number, its name ending in
 * _at: Triton passes no pointers to external functions.
 *
 * A spin wait loops WHILE the unsigned comparison of the flag with the expected value is true:
 * while_lt waits until the flag is at least as large. With a mask of 0 nothing is loaded or stored.
 * Each returns 0, except the function for the number of the thread in its block.
 *
 * There is no atomicwrite_acquire, no atomicspinwait_release and no acq_rel: a store cannot acquire and a load cannot
 * release. An order is a fence with a relaxed access, since this covers all address spaces,
 * including LDS. Flags that another GPU reads or writes must be in fine-grained or uncached memory.
 *
 *   clang -target amdgcn-amd-amdhsa -mcpu=gfx942 -nogpulib -x c -O3 -emit-llvm -c signals.c -o rocport_gfx942.bc
 *
 * is how rocport toolchain env makes amdgcn/rocport/rocport_gfx942.bc and its like, below ROCM_PATH.
 */
typedef __attribute__((address_space(1))) unsigned global_unsigned;

#if !__has_builtin(__scoped_atomic_load_n) /* before clang 18: of system scope, which is enough for all */
#define __scoped_atomic_load_n(flag, order, scope) __atomic_load_n(flag, order)
#define __scoped_atomic_store_n(flag, value, order, scope) __atomic_store_n(flag, value, order)
#endif

#ifndef FUNCTION /* tests compile this as HIP */
#define FUNCTION __attribute__((visibility("default"), convergent, nothrow)) int
#endif

FUNCTION rocport_getthreadid(void) { return (int)__builtin_amdgcn_workitem_id_x(); }

#define FENCE_relaxed(order, scope)
#define FENCE_acquire(order, scope) __builtin_amdgcn_fence(order, scope)
#define FENCE_release(order, scope) __builtin_amdgcn_fence(order, scope)

#define SYNC_system ""
#define SYNC_gpu "agent"
#define SYNC_cta "workgroup"
#define SCOPE_system __MEMORY_SCOPE_SYSTEM
#define SCOPE_gpu __MEMORY_SCOPE_DEVICE
#define SCOPE_cta __MEMORY_SCOPE_WRKGRP

#define COMPARE_eq ==
#define COMPARE_ne !=
#define COMPARE_lt <
#define COMPARE_le <=
#define COMPARE_gt >
#define COMPARE_ge >=

#define AT(name)                                                                                      \
  FUNCTION name##_nomask_at(unsigned long long flag, unsigned value) {                                \
    return name##_nomask((global_unsigned*)flag, value);                                              \
  }                                                                                                   \
  FUNCTION name##_mask_at(unsigned long long flag, unsigned value, unsigned mask) {                   \
    return name##_mask((global_unsigned*)flag, value, mask);                                          \
  }

#define WRITE(sem, scope)                                                                             \
  FUNCTION rocport_atomicwrite_##sem##_##scope##_nomask(global_unsigned* flag, unsigned value) {      \
    FENCE_##sem(__ATOMIC_RELEASE, SYNC_##scope);                                                      \
    __scoped_atomic_store_n(flag, value, __ATOMIC_RELAXED, SCOPE_##scope);                            \
    return 0;                                                                                         \
  }                                                                                                   \
  FUNCTION rocport_atomicwrite_##sem##_##scope##_mask(global_unsigned* flag, unsigned value,          \
                                                      unsigned mask) {                                \
    return mask == 0 ? 0 : rocport_atomicwrite_##sem##_##scope##_nomask(flag, value);                 \
  }                                                                                                   \
  AT(rocport_atomicwrite_##sem##_##scope)

#define WAIT(sem, scope, compare)                                                                     \
  FUNCTION rocport_atomicspinwait_##sem##_##scope##_while_##compare##_nomask(global_unsigned* flag,   \
                                                                             unsigned expected) {     \
    while (__scoped_atomic_load_n(flag, __ATOMIC_RELAXED, SCOPE_##scope) COMPARE_##compare expected) { \
      __builtin_amdgcn_s_sleep(1);                                                                    \
    }                                                                                                 \
    FENCE_##sem(__ATOMIC_ACQUIRE, SYNC_##scope);                                                      \
    return 0;                                                                                         \
  }                                                                                                   \
  FUNCTION rocport_atomicspinwait_##sem##_##scope##_while_##compare##_mask(                           \
      global_unsigned* flag, unsigned expected, unsigned mask) {                                      \
    return mask == 0                                                                                  \
               ? 0                                                                                    \
               : rocport_atomicspinwait_##sem##_##scope##_while_##compare##_nomask(flag, expected);   \
  }                                                                                                   \
  AT(rocport_atomicspinwait_##sem##_##scope##_while_##compare)

#define WAITS(sem, scope) \
  WAIT(sem, scope, eq)    \
  WAIT(sem, scope, ne)    \
  WAIT(sem, scope, lt)    \
  WAIT(sem, scope, le)    \
  WAIT(sem, scope, gt)    \
  WAIT(sem, scope, ge)

#define SIGNALS(scope)   \
  WRITE(relaxed, scope)  \
  WRITE(release, scope)  \
  WAITS(relaxed, scope)  \
  WAITS(acquire, scope)

SIGNALS(system)
SIGNALS(gpu)
SIGNALS(cta)
