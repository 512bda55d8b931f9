// libcu++'s atomics with their scopes, for host and device.
//
//   CUDA                                          here (namespace rocport)
//   cuda::atomic<T, scope>, cuda::std::atomic<T>  atomic<T, scope> (default: system scope)
//   cuda::atomic_ref<T, scope>                    atomic_ref<T, scope>
//   cuda::std::atomic_flag                        atomic_flag
//   cuda::thread_scope_thread, _block,            the same names: scope of one thread, of the
//     _device, _system                            workgroup, of the agent, of the system
//   cuda::memory_order_*, cuda::std::...          memory_order_*, also memory_order::relaxed ...
//   cuda::atomic_thread_fence(order, scope)       atomic_thread_fence(order, scope)
//   cuda::atomic_signal_fence(order)              atomic_signal_fence(order)
//
// T is a trivially copyable type of 1, 2, 4 or 8 bytes (others do not compile: AMD GPUs have no wider
// atomics). Integers have all operations of the standard and fetch_min, fetch_max; float and double
// have fetch_add, fetch_sub, fetch_min, fetch_max; pointers fetch_add and fetch_sub. Structures are
// compared by their bytes, as in CUDA. fetch_min and fetch_max of floating-point numbers compare
// with < and keep the value if either is a NaN.
//
// Limits. (1) The lanes of a wave (64 on gfx90a and gfx942) run in lockstep, unlike an NVIDIA warp's:
// wait() and every spin loop on an atomic hang if the store that they wait for must be made by a
// lane of the same wave in another branch, or after the loop. A lock that lanes of one wave take
// with `while (flag.test_and_set()) {}` is such a loop: let one lane of the wave take it, or put
// the critical section into the loop body. (2) wait() spins; notify_one() and notify_all() do
// nothing. (3) Objects are not declared volatile: the members have no volatile form. (4) The free
// functions cuda::std::atomic_load(&a) and so on are not here; call the members. Floating-point
// additions use the hardware instruction only where the compiler knows that it is safe
// (-munsafe-fp-atomics allows more), else a loop of compare and exchange; the results are equal.
#ifndef ROCPORT_ATOMIC_H
#define ROCPORT_ATOMIC_H

#if defined(__HIP__) || defined(__HIPCC__)
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#define ROCPORT_SYNC __host__ __device__ __forceinline__
#else
#define ROCPORT_SYNC inline
#endif

#if !defined(__HIPCC_RTC__)
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#endif

namespace rocport {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};

constexpr memory_order memory_order_relaxed = memory_order::relaxed;
constexpr memory_order memory_order_consume = memory_order::consume;
constexpr memory_order memory_order_acquire = memory_order::acquire;
constexpr memory_order memory_order_release = memory_order::release;
constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

namespace atomic_detail {

#if defined(__HIP_DEVICE_COMPILE__)
/// The number of a scope in the compiler's builtins.
constexpr int hip_scope(thread_scope scope) {
  return scope == thread_scope_system   ? __HIP_MEMORY_SCOPE_SYSTEM
         : scope == thread_scope_device ? __HIP_MEMORY_SCOPE_AGENT
         : scope == thread_scope_block  ? __HIP_MEMORY_SCOPE_WORKGROUP
                                        : __HIP_MEMORY_SCOPE_SINGLETHREAD;
}
#endif

constexpr int number(memory_order order) { return static_cast<int>(order); }

/// The order of a compare-and-exchange that fails, which stores nothing.
ROCPORT_SYNC constexpr memory_order failure(memory_order order) {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

/// Yields briefly in a spin loop.
ROCPORT_SYNC void pause() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(1);
#else
  std::this_thread::yield();
#endif
}

/// The unsigned integer of a size, also in a form that may alias any object.
template <std::size_t Bytes, bool Signed = false>
struct WordOf {
  static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8,
                "atomics of AMD GPUs have 1, 2, 4 or 8 bytes");
};
#define ROCPORT_WORD(bytes, is_signed, type)                \
  template <>                                               \
  struct WordOf<bytes, is_signed> {                         \
    using Type = type;                                      \
    using Alias = type __attribute__((__may_alias__));      \
  };
ROCPORT_WORD(1, false, std::uint8_t)
ROCPORT_WORD(2, false, std::uint16_t)
ROCPORT_WORD(4, false, std::uint32_t)
ROCPORT_WORD(8, false, std::uint64_t)
ROCPORT_WORD(1, true, std::int8_t)
ROCPORT_WORD(2, true, std::int16_t)
ROCPORT_WORD(4, true, std::int32_t)
ROCPORT_WORD(8, true, std::int64_t)
#undef ROCPORT_WORD

#if defined(__HIP_DEVICE_COMPILE__)
#define ROCPORT_ATOMIC(operation, ...) __hip_atomic_##operation(__VA_ARGS__, hip_scope(Scope))
// The AMDGPU backend of clang 19 cannot select these operations for 1 and 2 bytes ("Do not know how to
// promote this operator"), so they are loops of compare and exchange there.
#define ROCPORT_IF_SMALL(expression)                                                        \
  if (sizeof(T) < 4) {                                                                      \
    return M::update(this->at(), order, [=](T old) { return static_cast<T>(expression); }); \
  }
#else
#define ROCPORT_ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)
#define ROCPORT_IF_SMALL(expression)
#endif

/// The operations on memory that holds a T.
template <typename T, thread_scope Scope>
struct Memory {
  // Not the trait of libstdc++ 13, whose host functions clang 19 does not find in device code.
  static_assert(__is_trivially_copyable(T), "atomics hold trivially copyable types");
  using Word = typename WordOf<sizeof(T)>::Type;
  using Alias = typename WordOf<sizeof(T)>::Alias;

  ROCPORT_SYNC static Word bits(const T& value) {
    Word word;
    __builtin_memcpy(&word, static_cast<const void*>(&value), sizeof(T));
    return word;
  }

  ROCPORT_SYNC static T value(Word word) {
    union Raw {
      char none;
      T value;
      ROCPORT_SYNC Raw() : none() {}
    } raw;
    __builtin_memcpy(static_cast<void*>(&raw.value), &word, sizeof(T));
    return raw.value;
  }

  ROCPORT_SYNC static Alias* words(T* at) {
    return reinterpret_cast<Alias*>(const_cast<typename std::remove_cv<T>::type*>(at));
  }

  ROCPORT_SYNC static T load(T* at, memory_order order) {
#if defined(__HIP_DEVICE_COMPILE__)
    return value(__hip_atomic_load(words(at), number(order), hip_scope(Scope)));
#else
    return value(__atomic_load_n(words(at), number(order)));
#endif
  }

  ROCPORT_SYNC static void store(T* at, const T& desired, memory_order order) {
#if defined(__HIP_DEVICE_COMPILE__)
    __hip_atomic_store(words(at), bits(desired), number(order), hip_scope(Scope));
#else
    __atomic_store_n(words(at), bits(desired), number(order));
#endif
  }

  ROCPORT_SYNC static T exchange(T* at, const T& desired, memory_order order) {
#if defined(__HIP_DEVICE_COMPILE__)
    return value(__hip_atomic_exchange(words(at), bits(desired), number(order), hip_scope(Scope)));
#else
    return value(__atomic_exchange_n(words(at), bits(desired), number(order)));
#endif
  }

  /// Stores the found value in expected if it differs.
  ROCPORT_SYNC static bool compare_exchange(T* at, T& expected, const T& desired,
                                            memory_order success, memory_order fail) {
    Word found = bits(expected);
#if defined(__HIP_DEVICE_COMPILE__)
    const bool done = __hip_atomic_compare_exchange_strong(
        words(at), &found, bits(desired), number(success), number(fail), hip_scope(Scope));
#else
    const bool done = __atomic_compare_exchange_n(words(at), &found, bits(desired), false,
                                                  number(success), number(fail));
#endif
    if (!done) expected = value(found);
    return done;
  }

  /// Replaces the value by operation(value) and returns the old value.
  template <typename Operation>
  ROCPORT_SYNC static T update(T* at, memory_order order, Operation operation) {
    T old = load(at, memory_order::relaxed);
    while (!compare_exchange(at, old, operation(old), order, failure(order))) {
    }
    return old;
  }
};

template <typename T>
struct AddTo {
  T operand;
  ROCPORT_SYNC T operator()(T old) const { return old + operand; }
};
template <typename T>
struct Smaller {
  T operand;
  ROCPORT_SYNC T operator()(T old) const { return operand < old ? operand : old; }
};
template <typename T>
struct Larger {
  T operand;
  ROCPORT_SYNC T operator()(T old) const { return old < operand ? operand : old; }
};

/// Members for all types, also of volatile objects, as in CUDA. Self is the class that holds or points
/// to the value, with an address().
template <typename Self, typename T, thread_scope Scope>
class Plain {
 protected:
  using M = Memory<T, Scope>;
  ROCPORT_SYNC T* at() const volatile {
    return const_cast<const Self*>(static_cast<const volatile Self*>(this))->address();
  }

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  ROCPORT_SYNC bool is_lock_free() const volatile noexcept { return true; }

  ROCPORT_SYNC T load(memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::load(at(), order);
  }
  ROCPORT_SYNC operator T() const volatile noexcept { return load(); }

  ROCPORT_SYNC void store(T desired, memory_order order = memory_order_seq_cst) const volatile noexcept {
    M::store(at(), desired, order);
  }

  ROCPORT_SYNC T exchange(T desired, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::exchange(at(), desired, order);
  }

  ROCPORT_SYNC bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                            memory_order fail) const volatile noexcept {
    return M::compare_exchange(at(), expected, desired, success, fail);
  }
  ROCPORT_SYNC bool compare_exchange_strong(
      T& expected, T desired, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::compare_exchange(at(), expected, desired, order, failure(order));
  }
  ROCPORT_SYNC bool compare_exchange_weak(T& expected, T desired, memory_order success,
                                          memory_order fail) const volatile noexcept {
    return M::compare_exchange(at(), expected, desired, success, fail);
  }
  ROCPORT_SYNC bool compare_exchange_weak(
      T& expected, T desired, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::compare_exchange(at(), expected, desired, order, failure(order));
  }

  /// Returns when the value's bits differ from those of old.
  ROCPORT_SYNC void wait(T old, memory_order order = memory_order_seq_cst) const volatile noexcept {
    while (M::bits(load(order)) == M::bits(old)) pause();
  }
  ROCPORT_SYNC void notify_one() const volatile noexcept {}
  ROCPORT_SYNC void notify_all() const volatile noexcept {}
};

enum class Kind { plain, integer, floating, pointer };

template <typename T>
constexpr Kind kind_of() {
  return std::is_same<T, bool>::value         ? Kind::plain
         : std::is_integral<T>::value       ? Kind::integer
         : std::is_floating_point<T>::value ? Kind::floating
         : std::is_pointer<T>::value        ? Kind::pointer
                                            : Kind::plain;
}

template <typename Self, typename T, thread_scope Scope, Kind = kind_of<T>()>
class Operations : public Plain<Self, T, Scope> {};

template <typename Self, typename T, thread_scope Scope>
class Operations<Self, T, Scope, Kind::integer> : public Plain<Self, T, Scope> {
  using Base = Plain<Self, T, Scope>;
  using typename Base::M;
  using Word = typename M::Word;
  // Minima and maxima need the signed type if T is signed; the others wrap around, as the standard
  // says.
  using Ordered = WordOf<sizeof(T), std::is_signed<T>::value>;

  ROCPORT_SYNC static T sum(T a, T b) {
    return M::value(static_cast<Word>(M::bits(a) + M::bits(b)));
  }
  ROCPORT_SYNC static T difference(T a, T b) {
    return M::value(static_cast<Word>(M::bits(a) - M::bits(b)));
  }

 public:
  using difference_type = T;

  ROCPORT_SYNC T fetch_add(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    ROCPORT_IF_SMALL(old + operand)
    return M::value(ROCPORT_ATOMIC(fetch_add, M::words(this->at()), M::bits(operand),
                                   number(order)));
  }
  ROCPORT_SYNC T fetch_sub(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    // The same bits; early compilers have no __hip_atomic_fetch_sub.
    return fetch_add(M::value(static_cast<Word>(Word(0) - M::bits(operand))), order);
  }
  ROCPORT_SYNC T fetch_and(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    ROCPORT_IF_SMALL(old & operand)
    return M::value(ROCPORT_ATOMIC(fetch_and, M::words(this->at()), M::bits(operand),
                                   number(order)));
  }
  ROCPORT_SYNC T fetch_or(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    ROCPORT_IF_SMALL(old | operand)
    return M::value(ROCPORT_ATOMIC(fetch_or, M::words(this->at()), M::bits(operand),
                                   number(order)));
  }
  ROCPORT_SYNC T fetch_xor(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    ROCPORT_IF_SMALL(old ^ operand)
    return M::value(ROCPORT_ATOMIC(fetch_xor, M::words(this->at()), M::bits(operand),
                                   number(order)));
  }
  ROCPORT_SYNC T fetch_min(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
#if defined(__HIP_DEVICE_COMPILE__)
    ROCPORT_IF_SMALL(operand < old ? operand : old)
    return static_cast<T>(__hip_atomic_fetch_min(reinterpret_cast<typename Ordered::Alias*>(this->at()),
                                                 static_cast<typename Ordered::Type>(operand), number(order),
                                                 hip_scope(Scope)));
#else
    return M::update(this->at(), order, Smaller<T>{operand});
#endif
  }
  ROCPORT_SYNC T fetch_max(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
#if defined(__HIP_DEVICE_COMPILE__)
    ROCPORT_IF_SMALL(old < operand ? operand : old)
    return static_cast<T>(__hip_atomic_fetch_max(reinterpret_cast<typename Ordered::Alias*>(this->at()),
                                                 static_cast<typename Ordered::Type>(operand), number(order),
                                                 hip_scope(Scope)));
#else
    return M::update(this->at(), order, Larger<T>{operand});
#endif
  }

  ROCPORT_SYNC T operator++() const volatile noexcept { return sum(fetch_add(T(1)), T(1)); }
  ROCPORT_SYNC T operator++(int) const volatile noexcept { return fetch_add(T(1)); }
  ROCPORT_SYNC T operator--() const volatile noexcept { return difference(fetch_sub(T(1)), T(1)); }
  ROCPORT_SYNC T operator--(int) const volatile noexcept { return fetch_sub(T(1)); }
  ROCPORT_SYNC T operator+=(T x) const volatile noexcept { return sum(fetch_add(x), x); }
  ROCPORT_SYNC T operator-=(T x) const volatile noexcept { return difference(fetch_sub(x), x); }
  ROCPORT_SYNC T operator&=(T x) const volatile noexcept { return static_cast<T>(fetch_and(x) & x); }
  ROCPORT_SYNC T operator|=(T x) const volatile noexcept { return static_cast<T>(fetch_or(x) | x); }
  ROCPORT_SYNC T operator^=(T x) const volatile noexcept { return static_cast<T>(fetch_xor(x) ^ x); }
};

template <typename Self, typename T, thread_scope Scope>
class Operations<Self, T, Scope, Kind::floating> : public Plain<Self, T, Scope> {
  using Base = Plain<Self, T, Scope>;
  using typename Base::M;

 public:
  using difference_type = T;

  ROCPORT_SYNC T fetch_add(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
#if defined(__HIP_DEVICE_COMPILE__)
    return __hip_atomic_fetch_add(this->at(), operand, number(order), hip_scope(Scope));
#else
    return M::update(this->at(), order, AddTo<T>{operand});
#endif
  }
  ROCPORT_SYNC T fetch_sub(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return fetch_add(-operand, order);
  }
  ROCPORT_SYNC T fetch_min(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::update(this->at(), order, Smaller<T>{operand});
  }
  ROCPORT_SYNC T fetch_max(T operand, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return M::update(this->at(), order, Larger<T>{operand});
  }
  ROCPORT_SYNC T operator+=(T x) const volatile noexcept { return fetch_add(x) + x; }
  ROCPORT_SYNC T operator-=(T x) const volatile noexcept { return fetch_sub(x) - x; }
};

template <typename Self, typename T, thread_scope Scope>
class Operations<Self, T, Scope, Kind::pointer> : public Plain<Self, T, Scope> {
  using Base = Plain<Self, T, Scope>;
  using typename Base::M;

 public:
  using difference_type = std::ptrdiff_t;

  ROCPORT_SYNC T fetch_add(std::ptrdiff_t n, memory_order order = memory_order_seq_cst) const volatile noexcept {
    const auto bytes = static_cast<typename M::Word>(
        n * static_cast<std::ptrdiff_t>(sizeof(typename std::remove_pointer<T>::type)));
    return M::value(ROCPORT_ATOMIC(fetch_add, M::words(this->at()), bytes, number(order)));
  }
  ROCPORT_SYNC T fetch_sub(std::ptrdiff_t n, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return fetch_add(-n, order);
  }
  ROCPORT_SYNC T operator++() const volatile noexcept { return fetch_add(1) + 1; }
  ROCPORT_SYNC T operator++(int) const volatile noexcept { return fetch_add(1); }
  ROCPORT_SYNC T operator--() const volatile noexcept { return fetch_sub(1) - 1; }
  ROCPORT_SYNC T operator--(int) const volatile noexcept { return fetch_sub(1); }
  ROCPORT_SYNC T operator+=(std::ptrdiff_t n) const volatile noexcept { return fetch_add(n) + n; }
  ROCPORT_SYNC T operator-=(std::ptrdiff_t n) const volatile noexcept { return fetch_sub(n) - n; }
};

#undef ROCPORT_ATOMIC
#undef ROCPORT_IF_SMALL

}  // namespace atomic_detail

/// A value that is accessed atomically; the default constructor does not initialize it, so that it
/// can be in shared memory.
template <typename T, thread_scope Scope = thread_scope_system>
class atomic : public atomic_detail::Operations<atomic<T, Scope>, T, Scope> {
  // One set of members serves atomic and atomic_ref, whose members are const.
  alignas(sizeof(T)) mutable T value_;

 public:
  atomic() noexcept = default;
  ROCPORT_SYNC constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  ROCPORT_SYNC T operator=(T desired) noexcept {
    this->store(desired);
    return desired;
  }
  ROCPORT_SYNC T operator=(T desired) volatile noexcept {
    this->store(desired);
    return desired;
  }

  /// Address of the value.
  ROCPORT_SYNC T* address() const noexcept { return &value_; }
};

/// Atomic access to an object that is declared elsewhere, aligned to its size.
template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref : public atomic_detail::Operations<atomic_ref<T, Scope>, T, Scope> {
  T* pointer_;

 public:
  static constexpr std::size_t required_alignment = sizeof(T);

  ROCPORT_SYNC explicit constexpr atomic_ref(T& object) noexcept : pointer_(&object) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  ROCPORT_SYNC T operator=(T desired) const noexcept {
    this->store(desired);
    return desired;
  }

  /// Address of the object.
  ROCPORT_SYNC T* address() const noexcept { return pointer_; }
};

#if defined(__cpp_deduction_guides)
template <typename T>
atomic(T) -> atomic<T>;
template <typename T>
atomic_ref(T&) -> atomic_ref<T>;
#endif

/// A flag; initially clear if it is initialized with {} or in global memory.
class atomic_flag {
  atomic<std::uint32_t, thread_scope_system> set_;

 public:
  atomic_flag() noexcept = default;
  ROCPORT_SYNC constexpr atomic_flag(bool set) noexcept : set_(set ? 1u : 0u) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;

  ROCPORT_SYNC bool test(memory_order order = memory_order_seq_cst) const noexcept {
    return set_.load(order) != 0;
  }
  ROCPORT_SYNC bool test_and_set(memory_order order = memory_order_seq_cst) noexcept {
    return set_.exchange(1u, order) != 0;
  }
  ROCPORT_SYNC void clear(memory_order order = memory_order_seq_cst) noexcept {
    set_.store(0u, order);
  }
  ROCPORT_SYNC void wait(bool old, memory_order order = memory_order_seq_cst) const noexcept {
    set_.wait(old ? 1u : 0u, order);
  }
  ROCPORT_SYNC void notify_one() noexcept {}
  ROCPORT_SYNC void notify_all() noexcept {}
};

#if defined(__HIP_DEVICE_COMPILE__)
// The fence's order and scope must be literals.
#define ROCPORT_FENCE(scope)                                                    \
  switch (order) {                                                              \
    case memory_order::relaxed: break;                                          \
    case memory_order::consume:                                                 \
    case memory_order::acquire: __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, scope); break; \
    case memory_order::release: __builtin_amdgcn_fence(__ATOMIC_RELEASE, scope); break; \
    case memory_order::acq_rel: __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, scope); break; \
    case memory_order::seq_cst: __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, scope); break; \
  }
#endif

ROCPORT_SYNC void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) noexcept {
#if defined(__HIP_DEVICE_COMPILE__)
  switch (scope) {
    case thread_scope_system: ROCPORT_FENCE("") break;
    case thread_scope_device: ROCPORT_FENCE("agent") break;
    case thread_scope_block: ROCPORT_FENCE("workgroup") break;
    case thread_scope_thread: ROCPORT_FENCE("singlethread") break;
  }
#else
  static_cast<void>(scope);
  __atomic_thread_fence(atomic_detail::number(order));
#endif
}

#if defined(__HIP_DEVICE_COMPILE__)
#undef ROCPORT_FENCE
#endif

ROCPORT_SYNC void atomic_signal_fence(memory_order order) noexcept {
  __atomic_signal_fence(atomic_detail::number(order));
}

}  // namespace rocport

#endif  // ROCPORT_ATOMIC_H
