// Puts, gets, waits and atomic operations of the host, and its collectives. Each is complete when it returns.
#include "collective.h"
#include "host.h"
#include "wait.h"

#include <time.h>

namespace rocshmem {

namespace detail {

void reduceOn(hipStream_t stream, rocshmem_team_t team, void* dest, const void* source, int n, int kind, int operation,
              bool scatter);

namespace here {
namespace {

void move(void* to, const void* from, size_t bytes) {
  Host& host = Host::get();
  if (bytes == 0 || to == from) return;
  check(hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, host.stream()), "hipMemcpyAsync");
  host.finish();
}

void put(void* dest, const void* source, size_t bytes, int pe) {
  move(Host::get().require(dest, pe), source, bytes);
}

void get(void* dest, const void* source, size_t bytes, int pe) {
  move(dest, Host::get().require(source, pe), bytes);
}

enum class Atomic { FETCH, SET, SWAP, COMPARE_SWAP, ADD, AND, OR, XOR };

template <typename T>
__device__ T atomically(Atomic operation, T* at, T value, T expected) {
#define ROCSHMEM_ATOMICALLY(OPERATION) \
  return __hip_atomic_##OPERATION(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)
  switch (operation) {
    case Atomic::FETCH: return load(at);
    case Atomic::SET: exchangeElement(at, value); return 0;
    case Atomic::SWAP: ROCSHMEM_ATOMICALLY(exchange);
    case Atomic::COMPARE_SWAP:
      __hip_atomic_compare_exchange_strong(at, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __HIP_MEMORY_SCOPE_SYSTEM);
      return expected;
    case Atomic::ADD: ROCSHMEM_ATOMICALLY(fetch_add);
    case Atomic::AND: ROCSHMEM_ATOMICALLY(fetch_and);
    case Atomic::OR: ROCSHMEM_ATOMICALLY(fetch_or);
    case Atomic::XOR: ROCSHMEM_ATOMICALLY(fetch_xor);
  }
  return 0;
}

__global__ void atomicKernel(Atomic operation, size_t bytes, void* at, uint64_t value, uint64_t expected,
                             uint64_t* result) {
  if (bytes == 8) {
    *result = atomically(operation, static_cast<uint64_t*>(at), value, expected);
  } else if (bytes == 4) {
    *result = atomically(operation, static_cast<uint32_t*>(at), static_cast<uint32_t>(value),
                         static_cast<uint32_t>(expected));
  } else if (bytes == 2) {
    *result = load(static_cast<uint16_t*>(at));
  } else {
    *result = load(static_cast<uint8_t*>(at));
  }
  acquire();
}

template <typename T>
uint64_t bits(T value) {
  typename Number<sizeof(T)>::Type number;
  memcpy(&number, &value, sizeof value);
  return number;
}

/** By the GPU, on memory that it finds there. */
template <typename T>
T onGpu(Atomic operation, void* at, T value = T{}, T expected = T{}) {
  Host& host = Host::get();
  atomicKernel<<<1, 1, 0, host.stream()>>>(operation, sizeof(T), at, bits(value), bits(expected), host.cell());
  check(hipGetLastError(), "the launch of an atomic operation");
  host.finish();
  auto number = static_cast<typename Number<sizeof(T)>::Type>(*host.cell());
  T result;
  memcpy(&result, &number, sizeof result);
  return result;
}

template <typename T>
T atomic(Atomic operation, T* dest, int pe, T value = T{}, T expected = T{}) {
  return onGpu(operation, Host::get().require(dest, pe), value, expected);
}

void nap() {
  timespec time = {0, 200'000};
  nanosleep(&time, nullptr);
}

template <typename T>
bool holds(T* at, int cmp, T to) {
  int is = compares(onGpu<T>(Atomic::FETCH, at), cmp, to);
  if (is < 0) die("unknown comparison %d", cmp);
  return is != 0;
}

/** The value for each element. */
template <typename T>
struct One {
  T value;
  T operator[](size_t) const { return value; }
};

/**
 * Waits until enough of them hold.
 *
 * @param all or else one
 * @return those that hold, in order
 */
template <typename T, typename V>
std::vector<size_t> await(T* at, size_t n, const int* status, int cmp, V to, bool all) {
  for (;;) {
    std::vector<size_t> found;
    size_t asked = 0;
    for (size_t i = 0; i < n; i++) {
      if (status != nullptr && status[i] != 0) continue;
      asked++;
      if (holds(at + i, cmp, static_cast<T>(to[i]))) found.push_back(i);
    }
    if (found.size() == asked || (!all && !found.empty())) return found;
    nap();
  }
}

size_t give(const std::vector<size_t>& found, size_t* indices) {
  std::copy(found.begin(), found.end(), indices);
  return found.size();
}

size_t first(const std::vector<size_t>& found) { return found.empty() ? SIZE_MAX : found.front(); }

int reduceHere(rocshmem_team_t team, void* dest, const void* source, int n, Kind kind, int operation, bool scatter) {
  Host& host = Host::get();
  host.require(team);
  reduceOn(host.stream(), team, dest, source, n, static_cast<int>(kind), operation, scatter);
  check(hipGetLastError(), "the launch of a reduction");
  host.finish();
  return ROCSHMEM_SUCCESS;
}

}  // namespace
}  // namespace here
}  // namespace detail

namespace here = detail::here;
using here::Atomic;

#define ROCSHMEM_RMA(T, UNIT, NAME, DO)                                                                            \
  void rocshmem_ctx_##NAME(rocshmem_ctx_t, T* dest, const T* source, size_t nelems, int pe) {                      \
    here::DO(dest, source, nelems * (UNIT), pe);                                                                 \
  }                                                                                                                \
  void rocshmem_##NAME(T* dest, const T* source, size_t nelems, int pe) {                                          \
    here::DO(dest, source, nelems * (UNIT), pe);                                                                 \
  }
#define ROCSHMEM_TYPED(T, NAME)                                                                                    \
  ROCSHMEM_RMA(T, sizeof(T), NAME##_put, put)                                                                      \
  ROCSHMEM_RMA(T, sizeof(T), NAME##_put_nbi, put)                                                                  \
  ROCSHMEM_RMA(T, sizeof(T), NAME##_get, get)                                                                      \
  ROCSHMEM_RMA(T, sizeof(T), NAME##_get_nbi, get)                                                                  \
  void rocshmem_ctx_##NAME##_p(rocshmem_ctx_t, T* dest, T value, int pe) { here::put(dest, &value, sizeof value, pe); } \
  void rocshmem_##NAME##_p(T* dest, T value, int pe) { here::put(dest, &value, sizeof value, pe); }              \
  T rocshmem_ctx_##NAME##_g(rocshmem_ctx_t, const T* source, int pe) { return rocshmem_##NAME##_g(source, pe); }   \
  T rocshmem_##NAME##_g(const T* source, int pe) {                                                                 \
    T value;                                                                                                       \
    here::get(&value, source, sizeof value, pe);                                                                 \
    return value;                                                                                                  \
  }                                                                                                                \
  void rocshmem_##NAME##_wait_until(T* ivars, int cmp, T val) {                                                    \
    here::await(ivars, 1, nullptr, cmp, here::One<T>{val}, true);                                              \
  }                                                                                                                \
  size_t rocshmem_##NAME##_wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, T val) {            \
    return here::first(here::await(ivars, nelems, status, cmp, here::One<T>{val}, false));                   \
  }                                                                                                                \
  void rocshmem_##NAME##_wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T val) {              \
    here::await(ivars, nelems, status, cmp, here::One<T>{val}, true);                                          \
  }                                                                                                                \
  size_t rocshmem_##NAME##_wait_until_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp, T val) { \
    return here::give(here::await(ivars, nelems, status, cmp, here::One<T>{val}, false), indices);           \
  }                                                                                                                \
  size_t rocshmem_##NAME##_wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp, T* vals) {   \
    return here::first(here::await(ivars, nelems, status, cmp, vals, false));                                  \
  }                                                                                                                \
  void rocshmem_##NAME##_wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp, T* vals) {     \
    here::await(ivars, nelems, status, cmp, vals, true);                                                         \
  }                                                                                                                \
  size_t rocshmem_##NAME##_wait_until_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status,     \
                                                  int cmp, T* vals) {                                              \
    return here::give(here::await(ivars, nelems, status, cmp, vals, false), indices);                          \
  }                                                                                                                \
  int rocshmem_##NAME##_test(T* ivars, int cmp, T val) { return here::holds(ivars, cmp, val); }
ROCSHMEM_EACH_RMA_TYPE(ROCSHMEM_TYPED)
ROCSHMEM_RMA(void, 1, putmem, put)
ROCSHMEM_RMA(void, 1, putmem_nbi, put)
ROCSHMEM_RMA(void, 1, getmem, get)
ROCSHMEM_RMA(void, 1, getmem_nbi, get)

#define ROCSHMEM_ATOMIC(RETURN, T, NAME, OPERATION)                                                                \
  RETURN rocshmem_ctx_##NAME(rocshmem_ctx_t, T* dest, T value, int pe) {                                           \
    return static_cast<RETURN>(here::atomic(Atomic::OPERATION, dest, pe, value));                                \
  }                                                                                                                \
  RETURN rocshmem_##NAME(T* dest, T value, int pe) {                                                               \
    return static_cast<RETURN>(here::atomic(Atomic::OPERATION, dest, pe, value));                                \
  }
#define ROCSHMEM_EVERY(T, NAME)                                                                                    \
  T rocshmem_ctx_##NAME##_atomic_fetch(rocshmem_ctx_t, T* source, int pe) {                                        \
    return here::atomic(Atomic::FETCH, source, pe);                                                              \
  }                                                                                                                \
  T rocshmem_##NAME##_atomic_fetch(T* source, int pe) { return here::atomic(Atomic::FETCH, source, pe); }        \
  ROCSHMEM_ATOMIC(void, T, NAME##_atomic_set, SET)                                                                 \
  ROCSHMEM_ATOMIC(T, T, NAME##_atomic_swap, SWAP)
ROCSHMEM_EACH_ATOMIC_TYPE(ROCSHMEM_EVERY)

#define ROCSHMEM_COUNTER(T, NAME)                                                                                  \
  ROCSHMEM_ATOMIC(T, T, NAME##_atomic_fetch_add, ADD)                                                              \
  ROCSHMEM_ATOMIC(void, T, NAME##_atomic_add, ADD)                                                                 \
  T rocshmem_ctx_##NAME##_atomic_fetch_inc(rocshmem_ctx_t, T* dest, int pe) {                                      \
    return here::atomic<T>(Atomic::ADD, dest, pe, 1);                                                            \
  }                                                                                                                \
  T rocshmem_##NAME##_atomic_fetch_inc(T* dest, int pe) { return here::atomic<T>(Atomic::ADD, dest, pe, 1); }    \
  void rocshmem_ctx_##NAME##_atomic_inc(rocshmem_ctx_t, T* dest, int pe) {                                         \
    here::atomic<T>(Atomic::ADD, dest, pe, 1);                                                                   \
  }                                                                                                                \
  void rocshmem_##NAME##_atomic_inc(T* dest, int pe) { here::atomic<T>(Atomic::ADD, dest, pe, 1); }              \
  T rocshmem_ctx_##NAME##_atomic_compare_swap(rocshmem_ctx_t, T* dest, T cond, T value, int pe) {                  \
    return here::atomic(Atomic::COMPARE_SWAP, dest, pe, value, cond);                                            \
  }                                                                                                                \
  T rocshmem_##NAME##_atomic_compare_swap(T* dest, T cond, T value, int pe) {                                      \
    return here::atomic(Atomic::COMPARE_SWAP, dest, pe, value, cond);                                            \
  }
ROCSHMEM_EACH_COUNTER_TYPE(ROCSHMEM_COUNTER)

#define ROCSHMEM_BITS(T, NAME)                                                                                     \
  ROCSHMEM_ATOMIC(T, T, NAME##_atomic_fetch_and, AND)                                                              \
  ROCSHMEM_ATOMIC(void, T, NAME##_atomic_and, AND)                                                                 \
  ROCSHMEM_ATOMIC(T, T, NAME##_atomic_fetch_or, OR)                                                                \
  ROCSHMEM_ATOMIC(void, T, NAME##_atomic_or, OR)                                                                   \
  ROCSHMEM_ATOMIC(T, T, NAME##_atomic_fetch_xor, XOR)                                                              \
  ROCSHMEM_ATOMIC(void, T, NAME##_atomic_xor, XOR)
ROCSHMEM_EACH_BITS_TYPE(ROCSHMEM_BITS)

#define ROCSHMEM_BROADCAST(T, NAME)                                                                                \
  void rocshmem_ctx_##NAME##_broadcast(rocshmem_ctx_t, rocshmem_team_t team, T* dest, const T* source, int nelems, \
                                       int pe_root) {                                                              \
    detail::Host& host = detail::Host::get();                                                                      \
    rocshmem_broadcastmem_on_stream(team, dest, source, static_cast<size_t>(nelems) * sizeof(T), pe_root,          \
                                    host.stream());                                                                \
    host.finish();                                                                                                 \
  }
ROCSHMEM_EACH_COLL_TYPE(ROCSHMEM_BROADCAST)

#define ROCSHMEM_REDUCTION(T, NAME, OP, CONSTANT)                                                                  \
  int rocshmem_ctx_##NAME##_##OP##_reduce(rocshmem_ctx_t, rocshmem_team_t team, T* dest, const T* source, int nreduce) { \
    return here::reduceHere(team, dest, source, nreduce, detail::KindOf<T>::VALUE, CONSTANT, false);             \
  }                                                                                                                \
  int rocshmem_ctx_##NAME##_##OP##_reduce_scatter(rocshmem_ctx_t, rocshmem_team_t team, T* dest, const T* source,  \
                                                  int nreduce) {                                                   \
    return here::reduceHere(team, dest, source, nreduce, detail::KindOf<T>::VALUE, CONSTANT, true);              \
  }                                                                                                                \
  int rocshmem_ctx_##NAME##_##OP##_reduce_on_stream(rocshmem_ctx_t, rocshmem_team_t team, T* dest, const T* source, \
                                                    int nreduce, hipStream_t stream) {                             \
    detail::Host::get().require(team);                                                                             \
    detail::reduceOn(stream, team, dest, source, nreduce, static_cast<int>(detail::KindOf<T>::VALUE), CONSTANT, false); \
    return hipGetLastError() == hipSuccess ? ROCSHMEM_SUCCESS : ROCSHMEM_ERROR;                                    \
  }
ROCSHMEM_EACH_REDUCTION(ROCSHMEM_REDUCTION)

}  // namespace rocshmem
