// PTX's loads, stores, fences, block barriers and copies to shared memory, in namespace
// rocport::ptx.
//
//   PTX                                             here
//   ld, ld.global, ld.shared, ld.local              load, load_global, load_shared, load_local
//   st, ...                                         store, store_global, store_shared, store_local
//   .relaxed, .acquire, .release with a scope       order and scope: load<T, acquire, sys>(a)
//   .volatile, .mmio                                load_volatile, store_volatile
//   ld.global.nc                                    load_readonly
//   .cs, .lu, .L1::no_allocate, .L1::evict_first    load_streaming, store_streaming
//   .v2, .v4, .v8                                   load_vector<T>(a, d0, d1), store_vector<T>(a, b0, b1)
//   fence.acq_rel.gpu, fence.sc.sys, ...            fence<acq_rel, gpu>(), fence<sc, sys>()
//   barrier.cta.red and counts                      barrier_count, barrier_all, barrier_any, barrier
//   cp.async                                        copy_async<bytes>(to, from, of)
//   cvta, isspacep                                  to_shared, from_shared, is_shared, ...
//
// T is the instruction's type as a C++ type. If one side is a floating-point number and the other
// is not, the bits are copied, as in a PTX register; integers are truncated or extended. An acquire
// is a relaxed load followed by a fence, a release a fence followed by a relaxed store: these
// fences order all address spaces, unlike the orders of __hip_atomic_load and similar builtins.
// Scopes: cta is the workgroup, gpu the agent, sys the system; a cluster, which has one block by
// default, counts as the agent. A release at block scope also waits for the stores of the wave,
// unlike LLVM's, since PTX's orders are cumulative. Memory that several GPUs or the host share must
// be fine-grained.
// A plain access happens where and as often as it is written, as in an asm statement; ld.global.nc
// and cp.async may be moved. A plain load may read an old value from the L1 cache, as in PTX.
// Vectors: relaxed accesses are made 64 bits at a time, which is more than PTX guarantees (one
// element); 128 bits are never one access for other threads.
#ifndef ROCPORT_PTX_MEMORY_H
#define ROCPORT_PTX_MEMORY_H

#include "device_functions.h"
#include "ptx_address.h"
#include "syncthreads.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {

enum Order { weak, relaxed, acquire, release, acq_rel, sc };
enum Scope { cta, cluster, gpu, sys };

namespace memory_detail {

constexpr int hip_scope(Scope scope) {
  return scope == sys   ? __HIP_MEMORY_SCOPE_SYSTEM
         : scope == cta ? __HIP_MEMORY_SCOPE_WORKGROUP
                        : __HIP_MEMORY_SCOPE_AGENT;
}

// The builtin needs literals.
#define ROCPORT_PTX_FENCE(order)                      \
  if (scope == sys) {                                 \
    __builtin_amdgcn_fence(order, "");                \
  } else if (scope == cta) {                          \
    __builtin_amdgcn_fence(order, "workgroup");       \
  } else {                                            \
    __builtin_amdgcn_fence(order, "agent");           \
  }
template <Scope scope>
__device__ __forceinline__ void acquire_fence() {
  ROCPORT_PTX_FENCE(__ATOMIC_ACQUIRE)
}
// A workgroup release does not wait, but in PTX a thread that observes it may release the same
// stores to further threads, such as one thread after bar.sync.
#define ROCPORT_PTX_RELEASE(order)      \
  ROCPORT_PTX_FENCE(order)              \
  if (scope == cta) {                   \
    rocport::complete_stores();         \
    ROCPORT_PTX_FENCE(order)            \
  }
template <Scope scope>
__device__ __forceinline__ void release_fence() {
  ROCPORT_PTX_RELEASE(__ATOMIC_RELEASE)
}
template <Scope scope>
__device__ __forceinline__ void acq_rel_fence() {
  ROCPORT_PTX_RELEASE(__ATOMIC_ACQ_REL)
}
template <Scope scope>
__device__ __forceinline__ void sc_fence() {
  ROCPORT_PTX_RELEASE(__ATOMIC_SEQ_CST)
}
#undef ROCPORT_PTX_RELEASE
#undef ROCPORT_PTX_FENCE

/// The fences before and after an operation with an order.
template <Order order, Scope scope>
__device__ __forceinline__ void before() {
  if (order == release || order == acq_rel) release_fence<scope>();
}
template <Order order, Scope scope>
__device__ __forceinline__ void behind() {
  if (order == acquire || order == acq_rel) acquire_fence<scope>();
}

/// Memory of a size: the unit of an atomic access, and the data of a plain access. A vector may
/// alias objects of any type; atomic accesses ignore types.
template <int bytes>
struct Bytes {
  using Unit = unsigned long long;
  typedef unsigned Whole __attribute__((ext_vector_type(bytes / 4)));
};
#define ROCPORT_PTX_BYTES(bytes, type)                     \
  template <>                                              \
  struct Bytes<bytes> {                                    \
    using Unit = type;                                     \
    typedef type Whole __attribute__((ext_vector_type(1))); \
  };
ROCPORT_PTX_BYTES(1, unsigned char)
ROCPORT_PTX_BYTES(2, unsigned short)
ROCPORT_PTX_BYTES(4, unsigned)
#undef ROCPORT_PTX_BYTES

/// The ways to address memory.
struct Generic {
  using From = Address;
  template <typename T>
  __device__ __forceinline__ static T* at(Address a) {
    return a.as<T>();
  }
};
struct Global {
  using From = Address;
  template <typename T>
  __device__ __forceinline__ static __attribute__((address_space(1))) T* at(Address a) {
    return (__attribute__((address_space(1))) T*)a.as<T>();
  }
};
/// An aperture fills the high half of a generic address; the low half is the offset, which cvta
/// also returns.
struct Local {
  using From = Address;
  template <typename T>
  __device__ __forceinline__ static __attribute__((address_space(5))) T* at(Address a) {
    return (__attribute__((address_space(5))) T*)(uintptr_t)(unsigned)(uintptr_t)a.as<char>();
  }
};
struct Shared {
  using From = SharedAddress;
  template <typename T>
  __device__ __forceinline__ static __attribute__((address_space(3))) T* at(SharedAddress a) {
    return a.as<T>();
  }
};

/// The compiler does not move, drop or merge accesses across this. It treats asm statements in the
/// same way, and a loop may repeat their loads until another thread has stored something.
__device__ __forceinline__ void keep() { __asm__ volatile("" ::: "memory"); }

template <typename Space, int bytes>
__device__ __forceinline__ void read(typename Space::From a, void* to) {
  typename Bytes<bytes>::Whole whole =
      *Space::template at<const typename Bytes<bytes>::Whole>(a);
  __builtin_memcpy(to, &whole, bytes);
}
template <typename Space, int bytes>
__device__ __forceinline__ void get(typename Space::From a, void* to) {
  keep();
  read<Space, bytes>(a, to);
}
template <typename Space, int bytes>
__device__ __forceinline__ void get_streaming(typename Space::From a, void* to) {
  keep();
  typename Bytes<bytes>::Whole whole =
      __builtin_nontemporal_load(Space::template at<const typename Bytes<bytes>::Whole>(a));
  __builtin_memcpy(to, &whole, bytes);
}
template <typename Space, Scope scope, int bytes>
__device__ __forceinline__ void get_relaxed(typename Space::From a, void* to) {
  using Unit = typename Bytes<bytes>::Unit;
  auto from = Space::template at<const volatile Unit>(a);
  Unit units[bytes / sizeof(Unit)];
#pragma unroll
  for (unsigned i = 0; i < bytes / sizeof(Unit); ++i) {
    units[i] = __hip_atomic_load(from + i, __ATOMIC_RELAXED, hip_scope(scope));
  }
  __builtin_memcpy(to, units, bytes);
}
template <typename Space, int bytes>
__device__ __forceinline__ void write(typename Space::From a, const void* from) {
  typename Bytes<bytes>::Whole whole;
  __builtin_memcpy(&whole, from, bytes);
  *Space::template at<typename Bytes<bytes>::Whole>(a) = whole;
}
template <typename Space, int bytes>
__device__ __forceinline__ void put(typename Space::From a, const void* from) {
  write<Space, bytes>(a, from);
  keep();
}
template <typename Space, int bytes>
__device__ __forceinline__ void put_streaming(typename Space::From a, const void* from) {
  typename Bytes<bytes>::Whole whole;
  __builtin_memcpy(&whole, from, bytes);
  __builtin_nontemporal_store(whole, Space::template at<typename Bytes<bytes>::Whole>(a));
  keep();
}
template <typename Space, Scope scope, int bytes>
__device__ __forceinline__ void put_relaxed(typename Space::From a, const void* from) {
  using Unit = typename Bytes<bytes>::Unit;
  auto to = Space::template at<volatile Unit>(a);
  Unit units[bytes / sizeof(Unit)];
  __builtin_memcpy(units, from, bytes);
#pragma unroll
  for (unsigned i = 0; i < bytes / sizeof(Unit); ++i) {
    __hip_atomic_store(to + i, units[i], __ATOMIC_RELAXED, hip_scope(scope));
  }
}

template <typename T>
struct IsFloating {
  static constexpr bool value = false;
};
template <>
struct IsFloating<float> {
  static constexpr bool value = true;
};
template <>
struct IsFloating<double> {
  static constexpr bool value = true;
};

/// A value in a register of another type.
template <typename To, typename From, bool by_bits>
struct Moved {
  __device__ __forceinline__ static To value(From from) { return (To)from; }
};
template <typename To, typename From>
struct Moved<To, From, true> {
  __device__ __forceinline__ static To value(From from) {
    static_assert(sizeof(To) == sizeof(From), "a register as wide as the number");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
  }
};
template <typename To, typename From>
__device__ __forceinline__ To moved(From from) {
  return Moved<To, From, IsFloating<To>::value != IsFloating<From>::value>::value(from);
}

template <typename T>
__device__ __forceinline__ void assign(const T*) {}
template <typename T, typename D, typename... Ds>
__device__ __forceinline__ void assign(const T* values, D& d, Ds&... ds) {
  d = moved<D>(*values);
  assign(values + 1, ds...);
}

}  // namespace memory_detail

/// fence.ORDER.SCOPE
template <Order order, Scope scope>
__device__ __forceinline__ void fence() {
  static_assert(order >= acquire, "a fence orders something");
  if (order == acquire) memory_detail::acquire_fence<scope>();
  if (order == release) memory_detail::release_fence<scope>();
  if (order == acq_rel) memory_detail::acq_rel_fence<scope>();
  if (order == sc) memory_detail::sc_fence<scope>();
}

// Of each space: plain, with an order, volatile, streaming; and vectors of them, whose elements are all
// read before one is assigned.
#define ROCPORT_PTX_LOAD(name, Space, get)                                                         \
  template <typename T>                                                                            \
  __device__ __forceinline__ T load##name(memory_detail::Space::From a) {                          \
    T value;                                                                                       \
    memory_detail::get, sizeof value>(a, &value);                                                  \
    return value;                                                                                  \
  }                                                                                                \
  template <typename T, typename... D>                                                             \
  __device__ __forceinline__ void load##name##_vector(memory_detail::Space::From a, D&... d) {     \
    T values[sizeof...(D)];                                                                        \
    memory_detail::get, sizeof values>(a, values);                                                 \
    memory_detail::assign(values, d...);                                                           \
  }
#define ROCPORT_PTX_STORE(name, Space, put)                                                        \
  template <typename T, typename V>                                                                \
  __device__ __forceinline__ void store##name(memory_detail::Space::From a, V b) {                 \
    const T value = memory_detail::moved<T>(b);                                                    \
    memory_detail::put, sizeof value>(a, &value);                                                  \
  }                                                                                                \
  template <typename T, typename... V>                                                             \
  __device__ __forceinline__ void store##name##_vector(memory_detail::Space::From a, V... b) {     \
    const T values[] = {memory_detail::moved<T>(b)...};                                            \
    memory_detail::put, sizeof values>(a, values);                                                 \
  }
#define ROCPORT_PTX_SPACE(name, Space)                                                             \
  ROCPORT_PTX_LOAD(name, Space, get<memory_detail::Space)                                          \
  ROCPORT_PTX_STORE(name, Space, put<memory_detail::Space)                                         \
  ROCPORT_PTX_LOAD(_streaming##name, Space, get_streaming<memory_detail::Space)                    \
  ROCPORT_PTX_STORE(_streaming##name, Space, put_streaming<memory_detail::Space)                   \
  ROCPORT_PTX_LOAD(_volatile##name, Space, get_relaxed<memory_detail::Space ROCPORT_PTX_AND sys)   \
  ROCPORT_PTX_STORE(_volatile##name, Space, put_relaxed<memory_detail::Space ROCPORT_PTX_AND sys)  \
  template <typename T, Order order, Scope scope>                                                  \
  __device__ __forceinline__ T load##name(memory_detail::Space::From a) {                          \
    static_assert(order == relaxed || order == acquire, "an order of loads");                      \
    T value;                                                                                       \
    memory_detail::get_relaxed<memory_detail::Space, scope, sizeof value>(a, &value);              \
    memory_detail::behind<order, scope>();                                                         \
    return value;                                                                                  \
  }                                                                                                \
  template <typename T, Order order, Scope scope, typename... D>                                   \
  __device__ __forceinline__ void load##name##_vector(memory_detail::Space::From a, D&... d) {     \
    static_assert(order == relaxed || order == acquire, "an order of loads");                      \
    T values[sizeof...(D)];                                                                        \
    memory_detail::get_relaxed<memory_detail::Space, scope, sizeof values>(a, values);             \
    memory_detail::behind<order, scope>();                                                         \
    memory_detail::assign(values, d...);                                                           \
  }                                                                                                \
  template <typename T, Order order, Scope scope, typename V>                                      \
  __device__ __forceinline__ void store##name(memory_detail::Space::From a, V b) {                 \
    static_assert(order == relaxed || order == release, "an order of stores");                     \
    const T value = memory_detail::moved<T>(b);                                                    \
    memory_detail::before<order, scope>();                                                         \
    memory_detail::put_relaxed<memory_detail::Space, scope, sizeof value>(a, &value);              \
  }                                                                                                \
  template <typename T, Order order, Scope scope, typename... V>                                   \
  __device__ __forceinline__ void store##name##_vector(memory_detail::Space::From a, V... b) {     \
    static_assert(order == relaxed || order == release, "an order of stores");                     \
    const T values[] = {memory_detail::moved<T>(b)...};                                            \
    memory_detail::before<order, scope>();                                                         \
    memory_detail::put_relaxed<memory_detail::Space, scope, sizeof values>(a, values);             \
  }
#define ROCPORT_PTX_AND ,
ROCPORT_PTX_SPACE(, Generic)
ROCPORT_PTX_SPACE(_global, Global)
ROCPORT_PTX_SPACE(_shared, Shared)
ROCPORT_PTX_SPACE(_local, Local)
ROCPORT_PTX_LOAD(_readonly, Global, read<memory_detail::Global)
#undef ROCPORT_PTX_AND
#undef ROCPORT_PTX_SPACE
#undef ROCPORT_PTX_STORE
#undef ROCPORT_PTX_LOAD

// cvta and isspacep. A shared or local address is an offset, a global one the generic address.
__device__ __forceinline__ unsigned to_shared(Address a) {
  return (unsigned)cvta_generic_to_shared(a.as<char>());
}
__device__ __forceinline__ unsigned long long from_shared(SharedAddress a) {
  return (unsigned long long)(char*)a.as<char>();
}
__device__ __forceinline__ unsigned to_local(Address a) {
  return (unsigned)cvta_generic_to_local(a.as<char>());
}
__device__ __forceinline__ unsigned long long from_local(unsigned long long offset) {
  return (unsigned long long)cvta_local_to_generic(offset);
}
__device__ __forceinline__ unsigned long long same_address(Address a) {
  return (unsigned long long)a.as<char>();
}
__device__ __forceinline__ bool is_shared(Address a) { return ::rocport::is_shared(a.as<char>()); }
__device__ __forceinline__ bool is_local(Address a) { return ::rocport::is_local(a.as<char>()); }
__device__ __forceinline__ bool is_global(Address a) { return ::rocport::is_global(a.as<char>()); }

// Hints that affect only speed: the operands are evaluated, nothing else happens.
template <typename... A>
__device__ __forceinline__ void hint(A...) {}
template <typename... A>
__device__ __forceinline__ unsigned long long no_policy(A...) {
  return 0;
}

// Barrier 0 of the block, also with a thread count, which must be that of the block. Afterwards the
// stores of the block are in the caches of the GPU, so one thread may release them to other GPUs.
__device__ __forceinline__ void arrive() { memory_detail::release_fence<cta>(); }
__device__ __forceinline__ void arrive(unsigned threads) {
  if (threads != blockDim.x * blockDim.y * blockDim.z) __builtin_trap();
  arrive();
}
template <typename... Threads>
__device__ __forceinline__ void barrier(Threads... threads) {
  arrive(threads...);
  __syncthreads();
}
__device__ __forceinline__ unsigned barrier_count(bool p) {
  arrive();
  return (unsigned)__syncthreads_count(p);
}
__device__ __forceinline__ unsigned barrier_count(unsigned threads, bool p) {
  arrive(threads);
  return (unsigned)__syncthreads_count(p);
}
__device__ __forceinline__ bool barrier_all(bool p) {
  arrive();
  return __syncthreads_and(p) != 0;
}
__device__ __forceinline__ bool barrier_all(unsigned threads, bool p) {
  arrive(threads);
  return __syncthreads_and(p) != 0;
}
__device__ __forceinline__ bool barrier_any(bool p) {
  arrive();
  return __syncthreads_or(p) != 0;
}
__device__ __forceinline__ bool barrier_any(unsigned threads, bool p) {
  arrive(threads);
  return __syncthreads_or(p) != 0;
}

/// cp.async of 4, 8 or 16 bytes, complete at once: `of` bytes come from global memory, the rest is
/// 0.
template <unsigned bytes>
__device__ __forceinline__ void copy_async(SharedAddress to, Address from, unsigned of = bytes) {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  unsigned char staged[bytes] = {};
  if (of >= bytes) {
    memory_detail::read<memory_detail::Global, bytes>(from, staged);
  } else {
    auto source = memory_detail::Global::at<const unsigned char>(from);
#pragma unroll
    for (unsigned i = 0; i < bytes; ++i) {
      if (i < of) staged[i] = source[i];
    }
  }
  memory_detail::write<memory_detail::Shared, bytes>(to, staged);
}
/// The same with a predicate to ignore the source.
template <unsigned bytes>
__device__ __forceinline__ void copy_async_unless(SharedAddress to, Address from, bool ignore) {
  copy_async<bytes>(to, from, ignore ? 0u : bytes);
}

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_MEMORY_H
