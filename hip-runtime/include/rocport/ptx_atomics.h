// PTX's atom and red, in namespace rocport::ptx.
//
//   PTX                                 here
//   atom.add.u32, atom.global..., ...   atom_add<T>(a, b), atom_add_global, atom_add_shared
//   .relaxed, .acquire, .release, .acq_rel with a scope   atom_add<T, acq_rel, sys>(a, b); default:
//                                       relaxed and gpu
//   and, or, xor, exch, min, max, inc, dec, cas           the same; cas takes the compared and the new value
//   atom.add.noftz.f16, .f16x2, .bf16, .bf16x2            atom_add_f16 and so on, on bits
//   .v2, .v4, .v8                       atom_vector_add<T>(a, d0, d1, b0, b1), red_vector_add<T>(a, b0, b1)
//   red                                 the atom with its result unused
//
// Orders are fences around relaxed operations (see ptx_memory.h). min and max are signed if T is.
// Floating-point additions: NVIDIA GPUs flush subnormal numbers in atom.add.f32 on global memory
// and keep them on shared memory. No instruction of an AMD GPU does so, hence this is a
// compare-and-swap loop. With ROCPORT_PTX_NATIVE_FLOAT_ATOMICS defined, the compiler may use the
// hardware addition (global_atomic_add_f32 on gfx942), which keeps them. For double, the compiler
// uses the instruction where it is safe in all kinds of memory. Halves are loops; a pair is one
// access. A NaN result of an addition is the NaN of CUDA.
#ifndef ROCPORT_PTX_ATOMICS_H
#define ROCPORT_PTX_ATOMICS_H

#include "ptx_memory.h"

#if defined(__HIP__) && defined(__clang__)

namespace rocport {
namespace ptx {
namespace atomics_detail {

using memory_detail::hip_scope;

/// The i-th T after an address.
template <typename Space, typename T>
__device__ __forceinline__ auto place(typename Space::From a, unsigned i) {
  return Space::template at<T>(a) + i;
}

// An operation changes the i-th T after an address and returns the old value.
#define ROCPORT_PTX_OPERATION(Name, builtin)                                                   \
  struct Name {                                                                                \
    template <Scope scope, typename Space, typename T>                                         \
    __device__ __forceinline__ static T run(typename Space::From a, unsigned i, T operand) {   \
      return builtin(place<Space, T>(a, i), operand, __ATOMIC_RELAXED, hip_scope(scope));      \
    }                                                                                          \
  };
ROCPORT_PTX_OPERATION(Min, __hip_atomic_fetch_min)
ROCPORT_PTX_OPERATION(Max, __hip_atomic_fetch_max)
ROCPORT_PTX_OPERATION(And, __hip_atomic_fetch_and)
ROCPORT_PTX_OPERATION(Or, __hip_atomic_fetch_or)
ROCPORT_PTX_OPERATION(Xor, __hip_atomic_fetch_xor)
ROCPORT_PTX_OPERATION(Exchange, __hip_atomic_exchange)
#undef ROCPORT_PTX_OPERATION

// inc and dec: the builtin needs a literal scope.
#define ROCPORT_PTX_OPERATION(Name, builtin)                                                   \
  struct Name {                                                                                \
    template <Scope scope, typename Space>                                                     \
    __device__ __forceinline__ static unsigned run(typename Space::From a, unsigned i,         \
                                                   unsigned bound) {                           \
      auto at = place<Space, unsigned>(a, i);                                                  \
      return scope == sys   ? builtin(at, bound, __ATOMIC_RELAXED, "")                         \
             : scope == cta ? builtin(at, bound, __ATOMIC_RELAXED, "workgroup")                \
                            : builtin(at, bound, __ATOMIC_RELAXED, "agent");                   \
    }                                                                                          \
  };
ROCPORT_PTX_OPERATION(Increment, __builtin_amdgcn_atomic_inc32)
ROCPORT_PTX_OPERATION(Decrement, __builtin_amdgcn_atomic_dec32)
#undef ROCPORT_PTX_OPERATION

/// Reads, changes and writes the i-th T; repeats if another thread changed it.
template <typename Space, Scope scope, typename T, typename Change>
__device__ __forceinline__ T update(typename Space::From a, unsigned i, Change change) {
  auto at = place<Space, T>(a, i);
  T old = __hip_atomic_load(at, __ATOMIC_RELAXED, hip_scope(scope));
  while (!__hip_atomic_compare_exchange_strong(at, &old, change(old), __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, hip_scope(scope))) {
  }
  return old;
}

/// Whether NVIDIA GPUs flush sums of float there.
template <typename Space>
struct Flushes {
  __device__ __forceinline__ static bool at(typename Space::From) { return true; }
};
template <>
struct Flushes<memory_detail::Shared> {
  __device__ __forceinline__ static bool at(SharedAddress) { return false; }
};
template <>
struct Flushes<memory_detail::Generic> {
  __device__ __forceinline__ static bool at(Address a) { return !is_shared(a); }
};
__device__ __forceinline__ float flushed(float x) {
  return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x;
}
__device__ __forceinline__ unsigned float_sum(unsigned a, unsigned b, bool flush) {
  float x = __builtin_bit_cast(float, a);
  float y = __builtin_bit_cast(float, b);
  if (flush) {
    x = flushed(x);
    y = flushed(y);
  }
  const float sum = flush ? flushed(x + y) : x + y;
  return sum == sum ? __builtin_bit_cast(unsigned, sum) : 0x7fffffffu;
}

template <typename T>
struct Sum {
  template <Scope scope, typename Space>
  __device__ __forceinline__ static T run(typename Space::From a, unsigned i, T operand) {
    return __hip_atomic_fetch_add(place<Space, T>(a, i), operand, __ATOMIC_RELAXED, hip_scope(scope));
  }
};
#if !defined(ROCPORT_PTX_NATIVE_FLOAT_ATOMICS)
template <>
struct Sum<float> {
  template <Scope scope, typename Space>
  __device__ __forceinline__ static float run(typename Space::From a, unsigned i, float operand) {
    const bool flush = Flushes<Space>::at(a);
    const unsigned added = __builtin_bit_cast(unsigned, operand);
    return __builtin_bit_cast(float, update<Space, scope, unsigned>(a, i, [=](unsigned old) {
                                return float_sum(old, added, flush);
                              }));
  }
};
#endif
struct Add {
  template <Scope scope, typename Space, typename T>
  __device__ __forceinline__ static T run(typename Space::From a, unsigned i, T operand) {
    return Sum<T>::template run<scope, Space>(a, i, operand);
  }
};

/// Sums of halves, rounded to nearest; subnormals stay.
__device__ __forceinline__ unsigned short f16_sum(unsigned short a, unsigned short b) {
  const _Float16 sum = __builtin_bit_cast(_Float16, a) + __builtin_bit_cast(_Float16, b);
  return sum == sum ? __builtin_bit_cast(unsigned short, sum) : (unsigned short)0x7fff;
}
// A float has more than twice the bits of both, so double rounding equals single rounding.
__device__ __forceinline__ unsigned short bf16_sum(unsigned short a, unsigned short b) {
  const float sum = __builtin_bit_cast(float, (unsigned)a << 16) + __builtin_bit_cast(float, (unsigned)b << 16);
  const unsigned bits = __builtin_bit_cast(unsigned, sum);
  return sum == sum ? (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16) : (unsigned short)0x7fff;
}
template <unsigned short (*sum)(unsigned short, unsigned short)>
__device__ __forceinline__ unsigned pair_sum(unsigned a, unsigned b) {
  return sum((unsigned short)a, (unsigned short)b) |
         (unsigned)sum((unsigned short)(a >> 16), (unsigned short)(b >> 16)) << 16;
}
template <typename Bits, Bits (*sum)(Bits, Bits)>
struct AddBits {
  template <Scope scope, typename Space>
  __device__ __forceinline__ static Bits run(typename Space::From a, unsigned i, Bits operand) {
    return update<Space, scope, Bits>(a, i, [=](Bits old) { return sum(old, operand); });
  }
};
using AddF16 = AddBits<unsigned short, f16_sum>;
using AddBf16 = AddBits<unsigned short, bf16_sum>;
using AddF16x2 = AddBits<unsigned, pair_sum<f16_sum>>;
using AddBf16x2 = AddBits<unsigned, pair_sum<bf16_sum>>;

template <typename Operation, typename Space, typename T, Order order, Scope scope, unsigned count>
__device__ __forceinline__ void elements(typename Space::From a, const T (&operands)[count], T (&old)[count]) {
  memory_detail::before<order, scope>();
#pragma unroll
  for (unsigned i = 0; i < count; ++i) {
    old[i] = Operation::template run<scope, Space>(a, i, operands[i]);
  }
  memory_detail::behind<order, scope>();
}

}  // namespace atomics_detail

#define ROCPORT_PTX_ATOM_AT(name, T, space, Space, Operation)                                       \
  __device__ __forceinline__ T atom_##name##space(memory_detail::Space::From a, V b) {              \
    const T operands[1] = {memory_detail::moved<T>(b)};                                             \
    T old[1];                                                                                       \
    atomics_detail::elements<atomics_detail::Operation, memory_detail::Space, T, order, scope>(     \
        a, operands, old);                                                                          \
    return old[0];                                                                                  \
  }
#define ROCPORT_PTX_ATOM(name, Operation)                                                           \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename V>                       \
  ROCPORT_PTX_ATOM_AT(name, T, , Generic, Operation)                                                \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename V>                       \
  ROCPORT_PTX_ATOM_AT(name, T, _global, Global, Operation)                                          \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename V>                       \
  ROCPORT_PTX_ATOM_AT(name, T, _shared, Shared, Operation)
ROCPORT_PTX_ATOM(add, Add)
ROCPORT_PTX_ATOM(min, Min)
ROCPORT_PTX_ATOM(max, Max)
ROCPORT_PTX_ATOM(and, And)
ROCPORT_PTX_ATOM(or, Or)
ROCPORT_PTX_ATOM(xor, Xor)
ROCPORT_PTX_ATOM(exch, Exchange)
ROCPORT_PTX_ATOM(inc, Increment)
ROCPORT_PTX_ATOM(dec, Decrement)
ROCPORT_PTX_ATOM(add_f16, AddF16)
ROCPORT_PTX_ATOM(add_bf16, AddBf16)
ROCPORT_PTX_ATOM(add_f16x2, AddF16x2)
ROCPORT_PTX_ATOM(add_bf16x2, AddBf16x2)
#undef ROCPORT_PTX_ATOM
#undef ROCPORT_PTX_ATOM_AT

#define ROCPORT_PTX_CAS(space, Space)                                                               \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename C, typename V>           \
  __device__ __forceinline__ T atom_cas##space(memory_detail::Space::From a, C compared, V desired) { \
    T found = memory_detail::moved<T>(compared);                                                    \
    const T value = memory_detail::moved<T>(desired);                                               \
    memory_detail::before<order, scope>();                                                          \
    __hip_atomic_compare_exchange_strong(atomics_detail::place<memory_detail::Space, T>(a, 0), &found, value, \
                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED,                        \
                                         memory_detail::hip_scope(scope));                          \
    memory_detail::behind<order, scope>();                                                          \
    return found;                                                                                   \
  }
ROCPORT_PTX_CAS(, Generic)
ROCPORT_PTX_CAS(_global, Global)
ROCPORT_PTX_CAS(_shared, Shared)
#undef ROCPORT_PTX_CAS

// Vectors, in global memory only: each element is an operation of its own.
#define ROCPORT_PTX_VECTOR(name, Operation)                                                         \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename... V>                    \
  __device__ __forceinline__ void red_vector_##name(Address a, V... b) {                            \
    const T operands[] = {memory_detail::moved<T>(b)...};                                           \
    T old[sizeof...(V)];                                                                            \
    atomics_detail::elements<atomics_detail::Operation, memory_detail::Global, T, order, scope>(    \
        a, operands, old);                                                                          \
  }                                                                                                 \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename D, typename V>           \
  __device__ __forceinline__ void atom_vector_##name(Address a, D& d0, D& d1, V b0, V b1) {         \
    const T operands[] = {memory_detail::moved<T>(b0), memory_detail::moved<T>(b1)};                \
    T old[2];                                                                                       \
    atomics_detail::elements<atomics_detail::Operation, memory_detail::Global, T, order, scope>(    \
        a, operands, old);                                                                          \
    memory_detail::assign(old, d0, d1);                                                             \
  }                                                                                                 \
  template <typename T, Order order = relaxed, Scope scope = gpu, typename D, typename V>           \
  __device__ __forceinline__ void atom_vector_##name(Address a, D& d0, D& d1, D& d2, D& d3, V b0,   \
                                                     V b1, V b2, V b3) {                            \
    const T operands[] = {memory_detail::moved<T>(b0), memory_detail::moved<T>(b1),                 \
                          memory_detail::moved<T>(b2), memory_detail::moved<T>(b3)};                \
    T old[4];                                                                                       \
    atomics_detail::elements<atomics_detail::Operation, memory_detail::Global, T, order, scope>(    \
        a, operands, old);                                                                          \
    memory_detail::assign(old, d0, d1, d2, d3);                                                     \
  }
ROCPORT_PTX_VECTOR(add, Add)
ROCPORT_PTX_VECTOR(add_f16, AddF16)
ROCPORT_PTX_VECTOR(add_bf16, AddBf16)
ROCPORT_PTX_VECTOR(add_f16x2, AddF16x2)
ROCPORT_PTX_VECTOR(add_bf16x2, AddBf16x2)
#undef ROCPORT_PTX_VECTOR

}  // namespace ptx
}  // namespace rocport

#endif
#endif  // ROCPORT_PTX_ATOMICS_H
