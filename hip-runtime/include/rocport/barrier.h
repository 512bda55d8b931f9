// libcu++'s barriers, latches and semaphores, the mbarrier primitives, and copies that a barrier or
// pipeline completes.
//
//   CUDA                                           here (namespace rocport)
//   cuda::barrier<scope, Completion>               barrier<scope, Completion>, init(&b, n), init(&b, n, f)
//   cuda::std::barrier<Completion>                 system_barrier<Completion>
//   cuda::latch<scope>, cuda::std::latch           latch<scope>, system_latch
//   cuda::counting_semaphore<scope, max>,          counting_semaphore<scope, max>,
//     cuda::std::counting_semaphore<max>             system_counting_semaphore<max>
//   cuda::binary_semaphore<scope>,                 binary_semaphore<scope>,
//     cuda::std::binary_semaphore                    system_binary_semaphore
//   cuda::memcpy_async([group,] to, from, n, b)    memcpy_async, with a barrier or a pipeline
//   cuda::aligned_size_t<A>                        aligned_size_t<A>
//   __mbarrier_init and the other primitives       mbarrier_init ... on mbarrier_t
//
// A barrier is one word of 8 bytes in any memory: the phase, the expected count and the remaining
// count. The last thread to arrive runs the completion function and opens the next phase.
// memcpy_async copies before it returns, in the widest words that both addresses allow: a valid
// execution in CUDA, where the copy may end at any time before the wait; gfx90a and gfx942 have no
// asynchronous copy to shared memory. Each thread's part is visible to those that wait on the
// barrier once that thread has arrived, as in CUDA.
//
// Lanes in lockstep. The 64 lanes of a wave on gfx90a and gfx942 share one program counter; those of
// an NVIDIA warp do not. A wait spins, and lanes of the same wave in another branch, or after the
// loop, make no progress while it spins:
//   bar.arrive_and_wait();                                       good: all lanes arrive, then spin
//   auto t = bar.arrive(); work(); bar.wait(std::move(t));       good
//   if (threadIdx.x == 0) bar.arrive(); ... bar.wait_parity(0);  good
//   if (lane < 32) bar.arrive_and_wait(); else { f(); bar.arrive_and_wait(); }      hangs
//   if (warp == 0) { produce, wait } else { consume, wait }      hangs, where warp is threadIdx.x / 32:
//       two CUDA warps share a wave. Split roles at multiples of 64 threads.
//   sem.acquire(); ... sem.release();  by several lanes of a wave as a lock         hangs
// The same holds for latches, semaphores and pipelines.
//
// Limits: at most 16,777,215 arrivals per phase; tokens of a barrier compare the phase modulo
// 65,536; no transaction counts (cuda::device::barrier_arrive_tx, memcpy_async_tx). Waits with a
// time limit count steps of 10 ns on the device; waits until a point of time are for the host.
#ifndef ROCPORT_BARRIER_H
#define ROCPORT_BARRIER_H

#include "atomic.h"

#if !defined(__HIPCC_RTC__)
#include <chrono>
#include <new>
#include <utility>
#endif

namespace rocport {

namespace barrier_detail {

using Word = std::uint64_t;

constexpr unsigned count_bits = 24;
constexpr unsigned phase_shift = 2 * count_bits;
constexpr Word count_mask = (Word(1) << count_bits) - 1;

constexpr Word pending(Word word) { return word & count_mask; }
constexpr Word expected(Word word) { return word >> count_bits & count_mask; }
constexpr Word phase(Word word) { return word >> phase_shift; }

/// The start of a phase.
constexpr Word word_of(Word phase, Word expected) {
  return phase << phase_shift | (expected & count_mask) << count_bits | (expected & count_mask);
}

/// Prevents the compiler from moving a spin loop before the arrival of the other lanes.
ROCPORT_SYNC void reconverge() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_wave_barrier();
#endif
}

struct NoCompletion {
  ROCPORT_SYNC void operator()() const noexcept {}
};

/// Counts arrivals, and removes as many from all later phases; returns the old word.
template <thread_scope Scope, typename Completion>
ROCPORT_SYNC Word arrive(Word* at, Word count, Word dropped, Completion&& completion) {
  atomic_ref<Word, Scope> word(*at);
  const Word old = word.fetch_sub(count + (dropped << count_bits), memory_order_acq_rel);
  if (pending(old) == count) {
    completion();
    word.store(word_of(phase(old) + 1, expected(old) - dropped), memory_order_release);
  }
  reconverge();
  return old;
}

template <thread_scope Scope>
ROCPORT_SYNC Word load(const Word* at) {
  return atomic_ref<Word, Scope>(*const_cast<Word*>(at)).load(memory_order_acquire);
}

/// True if the phase with this number is over.
template <thread_scope Scope>
ROCPORT_SYNC bool is_over(const Word* at, Word number) {
  return phase(load<Scope>(at)) != number;
}

/// True if the phase with this parity is over, and the next one is not.
template <thread_scope Scope>
ROCPORT_SYNC bool is_parity_over(const Word* at, bool parity) {
  return (phase(load<Scope>(at)) & 1u) != static_cast<Word>(parity);
}

/// Calls a test until it is true.
template <typename Test>
ROCPORT_SYNC void spin(Test test) {
  while (!test()) atomic_detail::pause();
}

/// The same with a time limit; returns the last result.
template <typename Test>
ROCPORT_SYNC bool spin_for(std::chrono::nanoseconds limit, Test test) {
#if defined(__HIP_DEVICE_COMPILE__)
  // The constant clock of gfx90a and gfx942 runs at 100 MHz.
  const long long start = wall_clock64();
  while (!test()) {
    if ((wall_clock64() - start) * 10 >= limit.count()) {
      return test();
    }
    atomic_detail::pause();
  }
#else
  const auto start = std::chrono::steady_clock::now();
  while (!test()) {
    if (std::chrono::steady_clock::now() - start >= limit) return test();
    atomic_detail::pause();
  }
#endif
  return true;
}

template <typename Rep, typename Period>
ROCPORT_SYNC constexpr std::chrono::nanoseconds nanoseconds(std::chrono::duration<Rep, Period> time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

/// Holds a completion function; needs no space if the function has no state.
template <typename Completion, bool = std::is_empty<Completion>::value>
struct Holder {
  Completion function;
  Holder() = default;
  ROCPORT_SYNC constexpr explicit Holder(Completion f) : function(static_cast<Completion&&>(f)) {}
  ROCPORT_SYNC Completion& get() { return function; }
};

template <typename Completion>
struct Holder<Completion, true> : private Completion {
  Holder() = default;
  ROCPORT_SYNC constexpr explicit Holder(Completion f) : Completion(static_cast<Completion&&>(f)) {}
  ROCPORT_SYNC Completion& get() { return *this; }
};

}  // namespace barrier_detail

/// Lets threads wait for each other, phase by phase.
template <thread_scope Scope, typename Completion = barrier_detail::NoCompletion>
class barrier : private barrier_detail::Holder<Completion> {
  using Holder = barrier_detail::Holder<Completion>;
  barrier_detail::Word word_;

 public:
  /// The result of arrive(), for wait().
  class arrival_token {
    friend class barrier;
    std::uint32_t phase_;
    ROCPORT_SYNC constexpr explicit arrival_token(std::uint32_t phase) : phase_(phase) {}

   public:
    arrival_token() = default;
  };

  /// Does not set a count, so that the barrier can be in shared memory; see init().
  barrier() = default;
  ROCPORT_SYNC constexpr barrier(std::ptrdiff_t count, Completion completion = Completion())
      : Holder(static_cast<Completion&&>(completion)),
        word_(barrier_detail::word_of(0, static_cast<barrier_detail::Word>(count))) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  ROCPORT_SYNC friend void init(barrier* at, std::ptrdiff_t count) { new (at) barrier(count); }
  ROCPORT_SYNC friend void init(barrier* at, std::ptrdiff_t count, Completion completion) {
    new (at) barrier(count, static_cast<Completion&&>(completion));
  }

  ROCPORT_SYNC static constexpr std::ptrdiff_t max() noexcept {
    return static_cast<std::ptrdiff_t>(barrier_detail::count_mask);
  }

  ROCPORT_SYNC arrival_token arrive(std::ptrdiff_t count = 1) {
    return arrival_token(static_cast<std::uint32_t>(barrier_detail::phase(
        barrier_detail::arrive<Scope>(&word_, static_cast<barrier_detail::Word>(count), 0,
                                      this->get()))));
  }

  ROCPORT_SYNC void wait(const arrival_token& token) const {
    barrier_detail::spin([&] { return try_wait(token); });
  }
  ROCPORT_SYNC void wait_parity(bool parity) const {
    barrier_detail::spin([&] { return try_wait_parity(parity); });
  }
  ROCPORT_SYNC void arrive_and_wait() { wait(arrive()); }
  ROCPORT_SYNC void arrive_and_drop() {
    barrier_detail::arrive<Scope>(&word_, 1, 1, this->get());
  }

  ROCPORT_SYNC bool try_wait(const arrival_token& token) const {
    return barrier_detail::is_over<Scope>(&word_, token.phase_);
  }
  ROCPORT_SYNC bool try_wait_parity(bool parity) const {
    return barrier_detail::is_parity_over<Scope>(&word_, parity);
  }

  template <typename Rep, typename Period>
  ROCPORT_SYNC bool try_wait_for(const arrival_token& token,
                                 std::chrono::duration<Rep, Period> time) const {
    return barrier_detail::spin_for(barrier_detail::nanoseconds(time),
                                    [&] { return try_wait(token); });
  }
  template <typename Rep, typename Period>
  ROCPORT_SYNC bool try_wait_parity_for(bool parity,
                                        std::chrono::duration<Rep, Period> time) const {
    return barrier_detail::spin_for(barrier_detail::nanoseconds(time),
                                    [&] { return try_wait_parity(parity); });
  }
  template <typename Clock, typename Duration>
  bool try_wait_until(const arrival_token& token,
                      const std::chrono::time_point<Clock, Duration>& time) const {
    return try_wait_for(token, time - Clock::now());
  }
  template <typename Clock, typename Duration>
  bool try_wait_parity_until(bool parity,
                             const std::chrono::time_point<Clock, Duration>& time) const {
    return try_wait_parity_for(parity, time - Clock::now());
  }
};

template <typename Completion = barrier_detail::NoCompletion>
using system_barrier = barrier<thread_scope_system, Completion>;

/// A count that goes down to 0 once, and threads that wait for it.
template <thread_scope Scope>
class latch {
  atomic<std::ptrdiff_t, Scope> left_;

 public:
  ROCPORT_SYNC constexpr explicit latch(std::ptrdiff_t count) : left_(count) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  ROCPORT_SYNC static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

  ROCPORT_SYNC void count_down(std::ptrdiff_t count = 1) {
    left_.fetch_sub(count, memory_order_release);
    barrier_detail::reconverge();
  }
  ROCPORT_SYNC bool try_wait() const noexcept { return left_.load(memory_order_acquire) == 0; }
  ROCPORT_SYNC void wait() const {
    barrier_detail::spin([&] { return try_wait(); });
  }
  ROCPORT_SYNC void arrive_and_wait(std::ptrdiff_t count = 1) {
    count_down(count);
    wait();
  }
};

using system_latch = latch<thread_scope_system>;

/// A count of permits.
template <thread_scope Scope, std::ptrdiff_t Max = 2147483647>
class counting_semaphore {
  atomic<std::ptrdiff_t, Scope> count_;

 public:
  ROCPORT_SYNC constexpr counting_semaphore(std::ptrdiff_t count = 0) : count_(count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;

  ROCPORT_SYNC static constexpr std::ptrdiff_t max() noexcept { return Max; }

  ROCPORT_SYNC void release(std::ptrdiff_t count = 1) {
    count_.fetch_add(count, memory_order_release);
  }
  ROCPORT_SYNC bool try_acquire() noexcept {
    std::ptrdiff_t count = count_.load(memory_order_relaxed);
    while (count > 0) {
      if (count_.compare_exchange_weak(count, count - 1, memory_order_acquire,
                                       memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }
  ROCPORT_SYNC void acquire() {
    barrier_detail::spin([&] { return try_acquire(); });
  }
  template <typename Rep, typename Period>
  ROCPORT_SYNC bool try_acquire_for(std::chrono::duration<Rep, Period> time) {
    return barrier_detail::spin_for(barrier_detail::nanoseconds(time),
                                    [&] { return try_acquire(); });
  }
  template <typename Clock, typename Duration>
  bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& time) {
    return try_acquire_for(time - Clock::now());
  }
};

template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;
template <std::ptrdiff_t Max = 2147483647>
using system_counting_semaphore = counting_semaphore<thread_scope_system, Max>;
using system_binary_semaphore = counting_semaphore<thread_scope_system, 1>;

/// A number of bytes that is a multiple of Alignment, for pointers with that alignment.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;

  ROCPORT_SYNC explicit constexpr aligned_size_t(std::size_t bytes) : value(bytes) {}
  ROCPORT_SYNC constexpr operator std::size_t() const { return value; }
};

enum async_contract_fulfillment { none, async };

namespace barrier_detail {

struct OneThread {
  ROCPORT_SYNC constexpr unsigned size() const { return 1; }
  ROCPORT_SYNC constexpr unsigned thread_rank() const { return 0; }
};

template <std::size_t Bytes>
ROCPORT_SYNC void copy_one(void* to, const void* from, std::size_t offset) {
  __builtin_memcpy(__builtin_assume_aligned(static_cast<char*>(to) + offset, Bytes),
                   __builtin_assume_aligned(static_cast<const char*>(from) + offset, Bytes), Bytes);
}

template <std::size_t Bytes>
ROCPORT_SYNC void copy_part(void* to, const void* from, std::size_t bytes, std::size_t rank,
                            std::size_t size) {
  for (std::size_t i = rank * Bytes; i < bytes; i += size * Bytes) copy_one<Bytes>(to, from, i);
}

/// The caller's part of a copy that the threads of a group share.
template <typename Group>
ROCPORT_SYNC void copy(const Group& group, void* to, const void* from, std::size_t bytes) {
  const std::size_t rank = group.thread_rank();
  const std::size_t size = group.size();
  const std::uintptr_t alignment =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (alignment % 16 == 0) {
    copy_part<16>(to, from, bytes, rank, size);
  } else if (alignment % 8 == 0) {
    copy_part<8>(to, from, bytes, rank, size);
  } else if (alignment % 4 == 0) {
    copy_part<4>(to, from, bytes, rank, size);
  } else {
    copy_part<1>(to, from, bytes, rank, size);
  }
}

/// True for types that can complete a copy; pipeline.h adds pipelines.
template <typename T>
struct Completes : std::false_type {};
template <thread_scope Scope, typename Completion>
struct Completes<barrier<Scope, Completion>> : std::true_type {};

template <typename Sync>
using Result = typename std::enable_if<Completes<Sync>::value, async_contract_fulfillment>::type;

}  // namespace barrier_detail

/// Copies with all threads of a group.
template <typename Group, typename T, typename Size, typename Sync>
ROCPORT_SYNC barrier_detail::Result<Sync> memcpy_async(const Group& group, T* to, const T* from,
                                                       Size bytes, Sync&) {
  barrier_detail::copy(group, to, from, static_cast<std::size_t>(bytes));
  return none;
}

/// Copies with the calling thread.
template <typename T, typename Size, typename Sync>
ROCPORT_SYNC barrier_detail::Result<Sync> memcpy_async(T* to, const T* from, Size bytes, Sync&) {
  barrier_detail::copy(barrier_detail::OneThread(), to, from, static_cast<std::size_t>(bytes));
  return none;
}

template <typename Group, typename Size, typename Sync>
ROCPORT_SYNC barrier_detail::Result<Sync> memcpy_async(const Group& group, void* to,
                                                       const void* from, Size bytes, Sync&) {
  barrier_detail::copy(group, to, from, static_cast<std::size_t>(bytes));
  return none;
}

template <typename Size, typename Sync>
ROCPORT_SYNC barrier_detail::Result<Sync> memcpy_async(void* to, const void* from, Size bytes,
                                                       Sync&) {
  barrier_detail::copy(barrier_detail::OneThread(), to, from, static_cast<std::size_t>(bytes));
  return none;
}

// The primitives of cuda_awbarrier_primitives.h: the same word, at the scope of the block.

using mbarrier_t = std::uint64_t;
using mbarrier_token_t = std::uint64_t;

ROCPORT_SYNC std::uint32_t mbarrier_maximum_count() {
  return static_cast<std::uint32_t>(barrier_detail::count_mask);
}
ROCPORT_SYNC void mbarrier_init(mbarrier_t* at, std::uint32_t count) {
  *at = barrier_detail::word_of(0, count);
}
ROCPORT_SYNC void mbarrier_inval(mbarrier_t*) {}
ROCPORT_SYNC mbarrier_token_t mbarrier_arrive(mbarrier_t* at) {
  return barrier_detail::arrive<thread_scope_block>(at, 1, 0, barrier_detail::NoCompletion());
}
ROCPORT_SYNC mbarrier_token_t mbarrier_arrive_and_drop(mbarrier_t* at) {
  return barrier_detail::arrive<thread_scope_block>(at, 1, 1, barrier_detail::NoCompletion());
}
/// Number of missing arrivals in the phase when the token was made.
ROCPORT_SYNC std::uint32_t mbarrier_token_pending_count(mbarrier_token_t token) {
  return static_cast<std::uint32_t>(barrier_detail::pending(token));
}
ROCPORT_SYNC bool mbarrier_test_wait(mbarrier_t* at, mbarrier_token_t token) {
  return barrier_detail::is_over<thread_scope_block>(at, barrier_detail::phase(token));
}
ROCPORT_SYNC bool mbarrier_test_wait_parity(mbarrier_t* at, bool parity) {
  return barrier_detail::is_parity_over<thread_scope_block>(at, parity);
}
ROCPORT_SYNC bool mbarrier_try_wait(mbarrier_t* at, mbarrier_token_t token,
                                    std::uint32_t nanoseconds) {
  return barrier_detail::spin_for(std::chrono::nanoseconds(nanoseconds),
                                  [=] { return mbarrier_test_wait(at, token); });
}
ROCPORT_SYNC bool mbarrier_try_wait_parity(mbarrier_t* at, bool parity,
                                           std::uint32_t nanoseconds) {
  return barrier_detail::spin_for(std::chrono::nanoseconds(nanoseconds),
                                  [=] { return mbarrier_test_wait_parity(at, parity); });
}

}  // namespace rocport

#endif  // ROCPORT_BARRIER_H
