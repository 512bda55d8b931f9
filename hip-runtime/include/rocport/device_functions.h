// Device functions of CUDA that HIP lacks, in namespace rocport, without leading underscores.
//
// It includes simd_functions.h (SIMD in a word) and rounded_functions.h (directed rounding). Here:
//   __ldcg __ldca __ldcs __ldlu __ldcv, __stcg __stcs __stwb __stwt   for any plain type
//   __nanosleep __trap __brkpt __prof_trigger __pm0-__pm3 __tanhf __globaltimer (PTX %globaltimer)
//   __isGlobal __isShared __isLocal __isConstant, __cvta_generic_to_{global,shared,local,constant}
//     and back
//   atomicX_block, atomicX_system for Add Sub Min Max Exch And Or Xor Inc Dec CAS; atomicAdd for
//     half, half2, bfloat16, bfloat162, float2, float4; atomicCAS for unsigned short; the 64-bit
//     signed atomics. In the global namespace, too: atomicAdd for float2 and float4
//   __ffsll, which in HIP is ambiguous for long and unsigned long (uint64_t)
//   __popc __popcll, unsigned in HIP and int in CUDA; __umul24 and __fns the other way round. The
//     signedness matters in differences, comparisons, divisions and right shifts.
//   float_as_int and the other names without underscores that CUDA kept from before 2
// HIP's own __ldcg and similar functions exist for halves only; its atomics of the block scope and
// for packed types do not exist in 6.4.
// Semantics. ldcg and stcg bypass the first-level cache, as in CUDA: they are relaxed accesses of
// agent scope, ldcv and stwt of system scope; the other cache hints are plain accesses. Atomics are
// relaxed, as in CUDA. A vector atomicAdd is atomic per element, as in CUDA.
// Limits: an AMD GPU has no counterpart of __prof_trigger, which does nothing; nanosleep counts
// cycles (about 35 ns a step, 1 ms at most); is_constant is false, since constants are in global
// memory.
#ifndef ROCPORT_DEVICE_FUNCTIONS_H
#define ROCPORT_DEVICE_FUNCTIONS_H

#include "rounded_functions.h"
#include "simd_functions.h"

#if defined(__HIP__) && defined(__clang__)

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

namespace rocport {
namespace memory {

/// T in a non-deduced context: 1 is a value for any pointer, as with CUDA's overloads.
template <typename T>
struct Same {
  using type = T;
};

template <int Bytes>
struct Unit {
  using type = unsigned;
};
template <>
struct Unit<1> {
  using type = unsigned char;
};
template <>
struct Unit<2> {
  using type = unsigned short;
};

/// A value read and written in accesses of at most 32 bits, each of the given scope.
template <int Scope, typename T>
__device__ __forceinline__ T load(const T* from) {
  using U = typename Unit<sizeof(T)>::type;
  static_assert(sizeof(T) % sizeof(U) == 0, "a type of 1, 2 or a multiple of 4 bytes");
  U words[sizeof(T) / sizeof(U)];
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(U); ++i) {
    words[i] =
        __hip_atomic_load(reinterpret_cast<const U*>(from) + i, __ATOMIC_RELAXED, Scope);
  }
  T result;
  __builtin_memcpy(static_cast<void*>(&result), words, sizeof(T));
  return result;
}

template <int Scope, typename T>
__device__ __forceinline__ void store(T* to, const T& value) {
  using U = typename Unit<sizeof(T)>::type;
  static_assert(sizeof(T) % sizeof(U) == 0, "a type of 1, 2 or a multiple of 4 bytes");
  U words[sizeof(T) / sizeof(U)];
  __builtin_memcpy(words, static_cast<const void*>(&value), sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(U); ++i) {
    __hip_atomic_store(reinterpret_cast<U*>(to) + i, words[i], __ATOMIC_RELAXED, Scope);
  }
}

/// Reads, changes and writes a value of 16, 32 or 64 bits; repeats if another thread changed it.
template <int Scope, typename Word, typename T, typename Change>
__device__ __forceinline__ T update(T* at, Change change) {
  static_assert(sizeof(Word) == sizeof(T), "the word has the value's size");
  Word* word = reinterpret_cast<Word*>(at);
  Word old = __hip_atomic_load(word, __ATOMIC_RELAXED, Scope);
  for (;;) {
    T value;
    __builtin_memcpy(static_cast<void*>(&value), &old, sizeof(T));
    const T changed = change(value);
    Word next;
    __builtin_memcpy(&next, static_cast<const void*>(&changed), sizeof(T));
    if (__hip_atomic_compare_exchange_strong(word, &old, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             Scope)) {
      return value;
    }
  }
}

}  // namespace memory

template <typename T>
__device__ __forceinline__ T ldcg(const T* from) {
  return memory::load<__HIP_MEMORY_SCOPE_AGENT>(from);
}
template <typename T>
__device__ __forceinline__ T ldcv(const T* from) {
  return memory::load<__HIP_MEMORY_SCOPE_SYSTEM>(from);
}
template <typename T>
__device__ __forceinline__ T ldca(const T* from) {
  return *from;
}
template <typename T>
__device__ __forceinline__ T ldcs(const T* from) {
  return *from;
}
template <typename T>
__device__ __forceinline__ T ldlu(const T* from) {
  return *from;
}
template <typename T>
__device__ __forceinline__ void stcg(T* to, typename memory::Same<T>::type value) {
  memory::store<__HIP_MEMORY_SCOPE_AGENT>(to, value);
}
template <typename T>
__device__ __forceinline__ void stwt(T* to, typename memory::Same<T>::type value) {
  memory::store<__HIP_MEMORY_SCOPE_SYSTEM>(to, value);
}
template <typename T>
__device__ __forceinline__ void stcs(T* to, typename memory::Same<T>::type value) {
  *to = value;
}
template <typename T>
__device__ __forceinline__ void stwb(T* to, typename memory::Same<T>::type value) {
  *to = value;
}

/// Position of the lowest set bit, from 1; 0 if there is none.
__device__ __forceinline__ int ffsll(long long bits) { return __builtin_ffsll(bits); }

/// Number of set bits.
__device__ __forceinline__ int popc(unsigned bits) { return __builtin_popcount(bits); }
__device__ __forceinline__ int popcll(unsigned long long bits) {
  return __builtin_popcountll(bits);
}

/// Position of the offset-th set bit from base on, downwards if it is negative; 0xffffffff if there
/// is none.
__device__ __forceinline__ unsigned fns(unsigned bits, unsigned base, int offset) {
  return static_cast<unsigned>(__fns32(bits, base, offset));
}

__device__ __forceinline__ void nanosleep(unsigned nanoseconds) {
  const unsigned most = nanoseconds < 1000000u ? nanoseconds : 1000000u;
  for (unsigned done = 0; done < most; done += 35u) __builtin_amdgcn_s_sleep(1);
}
__device__ __forceinline__ void trap() { __builtin_trap(); }
__device__ __forceinline__ void brkpt() { __builtin_debugtrap(); }
__device__ __forceinline__ void prof_trigger(int) {}
__device__ __forceinline__ void pm0() {}
__device__ __forceinline__ void pm1() {}
__device__ __forceinline__ void pm2() {}
__device__ __forceinline__ void pm3() {}
__device__ __forceinline__ float tanhf(float x) { return ::tanhf(x); }

/// PTX's %globaltimer counts nanoseconds; the constant-rate counter here counts at 100 MHz on CDNA.
__device__ __forceinline__ unsigned long long globaltimer() {
  return static_cast<unsigned long long>(wall_clock64()) * 10ull;
}

__device__ __forceinline__ unsigned is_shared(const void* p) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void*)p);
}
__device__ __forceinline__ unsigned is_local(const void* p) {
  return __builtin_amdgcn_is_private((const __attribute__((address_space(0))) void*)p);
}
__device__ __forceinline__ unsigned is_global(const void* p) {
  return !is_shared(p) && !is_local(p);
}
__device__ __forceinline__ unsigned is_constant(const void*) { return 0; }

// An aperture fills the high half of a generic address. No address space cast: LLVM rejects one of
// a pointer that it knows to be global.
__device__ __forceinline__ size_t cvta_generic_to_shared(const void* p) {
  return (size_t)(unsigned)(uintptr_t)p;
}
__device__ __forceinline__ void* cvta_shared_to_generic(size_t offset) {
  return (void*)(__attribute__((address_space(3))) void*)(uintptr_t)(unsigned)offset;
}
__device__ __forceinline__ size_t cvta_generic_to_local(const void* p) {
  return (size_t)(unsigned)(uintptr_t)p;
}
__device__ __forceinline__ void* cvta_local_to_generic(size_t offset) {
  return (void*)(__attribute__((address_space(5))) void*)(uintptr_t)(unsigned)offset;
}
__device__ __forceinline__ size_t cvta_generic_to_global(const void* p) { return (size_t)p; }
__device__ __forceinline__ void* cvta_global_to_generic(size_t p) { return (void*)p; }
__device__ __forceinline__ size_t cvta_generic_to_constant(const void* p) { return (size_t)p; }
__device__ __forceinline__ void* cvta_constant_to_generic(size_t p) { return (void*)p; }

// Atomics of the block and of the system.
#define ROCPORT_ATOMIC(name, builtin, suffix, scope)                                 \
  template <typename T>                                                              \
  __device__ __forceinline__ T name##suffix(                                         \
      T* at, typename memory::Same<T>::type value) {                                 \
    return builtin(at, value, __ATOMIC_RELAXED, scope);                              \
  }
#define ROCPORT_ATOMICS(suffix, scope)                                               \
  ROCPORT_ATOMIC(atomicAdd, __hip_atomic_fetch_add, suffix, scope)                   \
  ROCPORT_ATOMIC(atomicMin, __hip_atomic_fetch_min, suffix, scope)                   \
  ROCPORT_ATOMIC(atomicMax, __hip_atomic_fetch_max, suffix, scope)                   \
  ROCPORT_ATOMIC(atomicAnd, __hip_atomic_fetch_and, suffix, scope)                   \
  ROCPORT_ATOMIC(atomicOr, __hip_atomic_fetch_or, suffix, scope)                     \
  ROCPORT_ATOMIC(atomicXor, __hip_atomic_fetch_xor, suffix, scope)                   \
  ROCPORT_ATOMIC(atomicExch, __hip_atomic_exchange, suffix, scope)                   \
  template <typename T>                                                              \
  __device__ __forceinline__ T atomicSub##suffix(                                    \
      T* at, typename memory::Same<T>::type value) {                                 \
    return __hip_atomic_fetch_add(at, T(0) - value, __ATOMIC_RELAXED, scope);        \
  }                                                                                  \
  template <typename T>                                                              \
  __device__ __forceinline__ T atomicCAS##suffix(                                    \
      T* at, typename memory::Same<T>::type compare,                                 \
      typename memory::Same<T>::type value) {                                        \
    __hip_atomic_compare_exchange_strong(at, &compare, value, __ATOMIC_RELAXED,      \
                                         __ATOMIC_RELAXED, scope);                   \
    return compare;                                                                  \
  }                                                                                  \
  __device__ __forceinline__ unsigned atomicInc##suffix(unsigned* at, unsigned most) { \
    return memory::update<scope, unsigned>(                                          \
        at, [most](unsigned old) { return old >= most ? 0u : old + 1u; });           \
  }                                                                                  \
  __device__ __forceinline__ unsigned atomicDec##suffix(unsigned* at, unsigned most) { \
    return memory::update<scope, unsigned>(                                          \
        at, [most](unsigned old) { return old == 0u || old > most ? most : old - 1u; }); \
  }
ROCPORT_ATOMICS(_block, __HIP_MEMORY_SCOPE_WORKGROUP)
ROCPORT_ATOMICS(_system, __HIP_MEMORY_SCOPE_SYSTEM)
ROCPORT_ATOMICS(, __HIP_MEMORY_SCOPE_AGENT)
#undef ROCPORT_ATOMICS
#undef ROCPORT_ATOMIC

__device__ __forceinline__ float2 atomicAdd(float2* at, float2 value) {
  float2 old;
  old.x = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[0], value.x);
  old.y = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[1], value.y);
  return old;
}
__device__ __forceinline__ float4 atomicAdd(float4* at, float4 value) {
  float4 old;
  old.x = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[0], value.x);
  old.y = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[1], value.y);
  old.z = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[2], value.z);
  old.w = ::rocport::atomicAdd(&reinterpret_cast<float*>(at)[3], value.w);
  return old;
}

// The names without underscores.
__device__ __forceinline__ int float_as_int(float x) { return __float_as_int(x); }
__device__ __forceinline__ float int_as_float(int x) { return __int_as_float(x); }
__device__ __forceinline__ unsigned float_as_uint(float x) { return __float_as_uint(x); }
__device__ __forceinline__ float uint_as_float(unsigned x) { return __uint_as_float(x); }
__device__ __forceinline__ int mulhi(int a, int b) { return __mulhi(a, b); }
__device__ __forceinline__ unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__device__ __forceinline__ long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__device__ __forceinline__ unsigned long long mul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
__device__ __forceinline__ int mul24(int a, int b) { return __mul24(a, b); }
__device__ __forceinline__ unsigned umul24(unsigned a, unsigned b) {
  return static_cast<unsigned>(__umul24(a, b));
}
__device__ __forceinline__ float saturate(float x) { return __saturatef(x); }
__device__ __forceinline__ float fdividef(float a, float b) { return __fdividef(a, b); }
__device__ __forceinline__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ __forceinline__ unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ __forceinline__ long long llmin(long long a, long long b) { return a < b ? a : b; }
__device__ __forceinline__ long long llmax(long long a, long long b) { return a > b ? a : b; }
__device__ __forceinline__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
__device__ __forceinline__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}

namespace memory {
/// T, if it is a vector that CUDA's atomicAdd accepts.
template <typename T>
using Vector = typename std::enable_if<
    std::is_same<T, float2>::value || std::is_same<T, float4>::value, T>::type;
}  // namespace memory
}  // namespace rocport

// An overload of HIP's functions. As a template it comes after functions of the program.
template <typename T>
__device__ __forceinline__ T atomicAdd(T* at, rocport::memory::Vector<T> value) {
  return ::rocport::atomicAdd(at, value);
}

#elif defined(__CUDACC__)

// CUDA's own functions, for ported code that nvcc compiles.
namespace rocport {

__device__ __forceinline__ int ffsll(long long bits) { return __ffsll(bits); }
__device__ __forceinline__ int popc(unsigned bits) { return __popc(bits); }
__device__ __forceinline__ int popcll(unsigned long long bits) { return __popcll(bits); }
__device__ __forceinline__ unsigned fns(unsigned bits, unsigned base, int offset) {
  return __fns(bits, base, offset);
}
__device__ __forceinline__ unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }

}  // namespace rocport

#endif
#endif  // ROCPORT_DEVICE_FUNCTIONS_H
