// The host side of atomic.h, barrier.h and pipeline.h, on threads. Prints what differs; exits with 1
// if anything does.
//   c++ -std=c++17 -O2 -pthread -I ../../include -o host host.cpp && ./host
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "rocport/pipeline.h"

static std::atomic<int> failures{0};
static int checks = 0;

#define CHECK(condition)                                                    \
  do {                                                                      \
    ++checks;                                                               \
    if (!(condition)) {                                                     \
      ++failures;                                                           \
      std::printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
    }                                                                       \
  } while (false)

template <typename F>
static void on_threads(int n, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([=] { f(i); });
  for (auto& t : threads) t.join();
}

/// The threads of a test as a group, with the members that CUDA's groups have.
struct Team {
  int rank, count;
  rocport::system_barrier<>* meeting;
  unsigned size() const { return static_cast<unsigned>(count); }
  unsigned thread_rank() const { return static_cast<unsigned>(rank); }
  void sync() const { meeting->arrive_and_wait(); }
};

template <typename T>
static void integer() {
  using Limits = std::numeric_limits<T>;
  rocport::atomic<T> a{T(5)};
  CHECK(sizeof(a) == sizeof(T) && alignof(rocport::atomic<T>) == sizeof(T));
  CHECK(a.fetch_add(T(2)) == T(5) && a.load() == T(7));
  CHECK(a.fetch_sub(T(3)) == T(7) && a == T(4));
  CHECK(a.fetch_or(T(3)) == T(4) && a.fetch_and(T(6)) == T(7) && a.fetch_xor(T(2)) == T(6));
  CHECK(a == T(4));
  CHECK(++a == T(5) && a++ == T(5) && --a == T(5) && a-- == T(5) && a == T(4));
  CHECK((a += T(4)) == T(8) && (a -= T(2)) == T(6) && (a |= T(1)) == T(7) && (a &= T(5)) == T(5) &&
        (a ^= T(1)) == T(4));
  CHECK(a.fetch_min(T(9)) == T(4) && a.fetch_min(T(2)) == T(4) && a == T(2));
  CHECK(a.fetch_max(T(1)) == T(2) && a.fetch_max(T(8)) == T(2) && a == T(8));
  CHECK(a.exchange(T(1)) == T(8));
  T expected = T(3);
  CHECK(!a.compare_exchange_strong(expected, T(9)) && expected == T(1) && a == T(1));
  CHECK(a.compare_exchange_strong(expected, T(9)) && a == T(9));
  // The ends of the range: orders are those of the type, sums wrap around.
  a = Limits::min();
  CHECK(a.fetch_max(Limits::max()) == Limits::min() && a == Limits::max());
  CHECK(a.fetch_min(Limits::min()) == Limits::max() && a == Limits::min());
  a = Limits::max();
  a.fetch_add(T(1));
  CHECK(a == Limits::min());
  a.fetch_sub(T(1));
  CHECK(a == Limits::max());
  a = Limits::max();
  CHECK(++a == Limits::min());
  CHECK(a.is_lock_free() && rocport::atomic<T>::is_always_lock_free);

  T plain = 0;
  on_threads(4, [&](int) {
    rocport::atomic_ref<T, rocport::thread_scope_device> ref(plain);
    for (int k = 0; k < 31; ++k) ref.fetch_add(T(1), rocport::memory_order_relaxed);
  });
  CHECK(plain == T(124));
}

template <typename T>
static void floating() {
  rocport::atomic<T, rocport::thread_scope_block> a{T(1)};
  CHECK(a.fetch_add(T(0.5)) == T(1) && a.fetch_sub(T(0.25)) == T(1.5) && a == T(1.25));
  CHECK((a += T(1)) == T(2.25) && (a -= T(2)) == T(0.25));
  CHECK(a.fetch_min(T(-1)) == T(0.25) && a.fetch_max(T(3)) == T(-1) && a == T(3));
  CHECK(a.fetch_min(std::numeric_limits<T>::quiet_NaN()) == T(3) && a == T(3));
  a = T(0);
  on_threads(4, [&](int) {
    for (int k = 0; k < 1000; ++k) a.fetch_add(T(0.5));
  });
  CHECK(a == T(2000));
}

struct Pair {
  short low, high;
};

static void others() {
  rocport::atomic<Pair> pair{Pair{1, 2}};
  Pair found = pair.load();
  CHECK(found.low == 1 && found.high == 2);
  CHECK(pair.compare_exchange_weak(found, Pair{3, 4}, rocport::memory_order::acq_rel,
                                   rocport::memory_order::relaxed));
  CHECK(pair.exchange(Pair{5, 6}).high == 4);

  int cells[8];
  rocport::atomic<int*> p{cells};
  CHECK(p.fetch_add(3) == cells && p.fetch_sub(1) == cells + 3 && ++p == cells + 3 && p-- == cells + 3);
  CHECK((p += 2) == cells + 4 && (p -= 4) == cells);

  rocport::atomic<bool> flag{false};
  bool clear = false;
  CHECK(flag.compare_exchange_strong(clear, true) && flag.load());

  rocport::atomic_flag raised{};
  CHECK(!raised.test() && !raised.test_and_set() && raised.test_and_set(rocport::memory_order_acquire));
  raised.clear();
  CHECK(!raised.test());

  // Passing a value: the reader sees what was written before the release.
  int data = 0;
  rocport::atomic<int> ready{0};
  std::thread reader([&] {
    ready.wait(0, rocport::memory_order_acquire);
    CHECK(data == 42);
  });
  data = 42;
  ready.store(1, rocport::memory_order_release);
  ready.notify_one();
  reader.join();
  rocport::atomic_thread_fence(rocport::memory_order_seq_cst, rocport::thread_scope_device);
}

struct CountPhases {
  int* phases;
  void operator()() const { ++*phases; }
};

static void barriers() {
  constexpr int n = 4, rounds = 300;
  rocport::barrier<rocport::thread_scope_system> bar{n};
  CHECK(sizeof(bar) == 8);
  int cells[n] = {};
  std::atomic<int> wrong{0};
  on_threads(n, [&](int i) {
    for (int round = 1; round <= rounds; ++round) {
      cells[i] = round;
      bar.arrive_and_wait();
      for (int k = 0; k < n; ++k) wrong += cells[k] != round;
      auto token = bar.arrive();
      bar.wait(std::move(token));
    }
  });
  CHECK(wrong == 0);

  // More phases than the token's 16 bits count, by one thread.
  rocport::barrier<rocport::thread_scope_block> alone{1};
  bool parity = false;
  for (int k = 0; k < 70000; ++k) {
    auto token = alone.arrive();
    if (!alone.try_wait(token) || !alone.try_wait_parity(parity) || alone.try_wait_parity(!parity)) ++wrong;
    parity = !parity;
  }
  CHECK(wrong == 0);

  int phases = 0;
  rocport::barrier<rocport::thread_scope_device, CountPhases> counted{n, CountPhases{&phases}};
  on_threads(n, [&](int) {
    for (int round = 1; round <= 50; round += 2) {
      counted.arrive_and_wait();
      wrong += phases != round;
      counted.arrive_and_wait();
    }
  });
  CHECK(phases == 50 && wrong == 0);

  rocport::barrier<rocport::thread_scope_system> shrinking{n};
  on_threads(n, [&](int i) {
    for (int round = 0; round < i; ++round) shrinking.arrive_and_wait();
    shrinking.arrive_and_drop();
  });

  rocport::barrier<rocport::thread_scope_system> open{2};
  auto first = open.arrive();
  CHECK(!open.try_wait(first) && !open.try_wait_for(first, std::chrono::microseconds(200)));
  auto second = open.arrive();
  CHECK(open.try_wait(first) && open.try_wait_for(second, std::chrono::nanoseconds(0)));
  auto both = open.arrive(2);
  CHECK(open.try_wait_until(both, std::chrono::steady_clock::now()));
  init(&open, 1);
  open.arrive_and_wait();

  rocport::mbarrier_t word;
  rocport::mbarrier_init(&word, 2);
  const auto one = rocport::mbarrier_arrive(&word);
  CHECK(rocport::mbarrier_token_pending_count(one) == 2 && !rocport::mbarrier_test_wait(&word, one));
  CHECK(!rocport::mbarrier_test_wait_parity(&word, false) && rocport::mbarrier_test_wait_parity(&word, true));
  const auto two = rocport::mbarrier_arrive_and_drop(&word);
  CHECK(rocport::mbarrier_token_pending_count(two) == 1 && rocport::mbarrier_try_wait(&word, two, 100));
  const auto three = rocport::mbarrier_arrive(&word);
  CHECK(rocport::mbarrier_test_wait(&word, three) && rocport::mbarrier_try_wait_parity(&word, true, 10));
}

static void latches() {
  rocport::latch<rocport::thread_scope_system> gate{4};
  std::atomic<int> arrived{0}, wrong{0};
  on_threads(4, [&](int) {
    ++arrived;
    gate.arrive_and_wait();
    wrong += arrived != 4;
  });
  CHECK(wrong == 0 && gate.try_wait());

  rocport::counting_semaphore<rocport::thread_scope_system, 2> permits{2};
  rocport::system_binary_semaphore lock{1};
  std::atomic<int> inside{0};
  int counted = 0;
  on_threads(4, [&](int) {
    for (int k = 0; k < 200; ++k) {
      permits.acquire();
      wrong += ++inside > 2;
      --inside;
      permits.release();
      lock.acquire();
      ++counted;
      lock.release();
    }
  });
  CHECK(wrong == 0 && counted == 800);
  CHECK(lock.try_acquire() && !lock.try_acquire());
  CHECK(!lock.try_acquire_for(std::chrono::microseconds(100)));
  lock.release();
}

static void copies() {
  alignas(16) unsigned char from[16], to[32];
  for (int k = 0; k < 16; ++k) from[k] = static_cast<unsigned char>(k + 1);
  for (int size : {4, 8, 16}) {
    for (int zfill = 0; zfill <= size; ++zfill) {
      std::memset(to, 0xee, sizeof(to));
      rocport::pipeline_memcpy_async(to, from, static_cast<std::size_t>(size), static_cast<std::size_t>(zfill));
      bool right = true;
      for (int k = 0; k < 32; ++k) {
        const int want = k >= size ? 0xee : k < size - zfill ? k + 1 : 0;
        right = right && to[k] == want;
      }
      CHECK(right);
    }
  }
  rocport::pipeline_commit();
  rocport::pipeline_wait_prior(0);

  // Every alignment and length, shared by a team.
  rocport::barrier<rocport::thread_scope_system> bar{1};
  alignas(16) unsigned char source[96], target[96];
  for (int k = 0; k < 96; ++k) source[k] = static_cast<unsigned char>(k * 7 + 1);
  bool right = true;
  for (std::size_t a = 0; a < 16; ++a) {
    for (std::size_t bytes = 0; bytes <= 64; ++bytes) {
      std::memset(target, 0, sizeof(target));
      for (int rank = 0; rank < 3; ++rank) {
        rocport::memcpy_async(Team{rank, 3, nullptr}, target + a, source + a, bytes, bar);
      }
      for (std::size_t k = 0; k < 96; ++k) {
        right = right && target[k] == (k >= a && k < a + bytes ? source[k] : 0);
      }
    }
  }
  CHECK(right);
  std::memset(target, 0, sizeof(target));
  rocport::memcpy_async(static_cast<void*>(target), static_cast<const void*>(source),
                        rocport::aligned_size_t<16>(96), bar);
  CHECK(std::memcmp(target, source, 96) == 0);
}

static void pipelines() {
  constexpr int tiles = 100;
  // All threads produce and consume.
  {
    constexpr int n = 3;
    rocport::system_barrier<> meeting{n};
    rocport::pipeline_shared_state<rocport::thread_scope_system, 2> state;
    int stage[2][n];
    std::atomic<int> wrong{0}, last{0};
    on_threads(n, [&](int i) {
      const Team team{i, n, &meeting};
      auto pipe = rocport::make_pipeline(team, &state);
      for (int t = 0, fetch = 0; t < tiles; ++t) {
        for (; fetch < tiles && fetch < t + 2; ++fetch) {
          pipe.producer_acquire();
          const int value = fetch * 10 + i;
          rocport::memcpy_async(&stage[fetch % 2][i], &value, sizeof(int), pipe);
          pipe.producer_commit();
        }
        pipe.consumer_wait();
        for (int k = 0; k < n; ++k) wrong += stage[t % 2][k] != t * 10 + k;
        pipe.consumer_release();
      }
      last += pipe.quit();
    });
    CHECK(wrong == 0 && last == 1);
  }
  // One produces, two consume.
  {
    constexpr int n = 3;
    rocport::system_barrier<> meeting{n};
    rocport::pipeline_shared_state<rocport::thread_scope_system, 4> state;
    int stage[4];
    std::atomic<int> wrong{0};
    on_threads(n, [&](int i) {
      const Team team{i, n, &meeting};
      auto pipe = rocport::make_pipeline(
          team, &state, i == 0 ? rocport::pipeline_role::producer : rocport::pipeline_role::consumer);
      for (int t = 0; t < tiles; ++t) {
        if (i == 0) {
          pipe.producer_acquire();
          stage[t % 4] = t;
          pipe.producer_commit();
        } else {
          pipe.consumer_wait();
          wrong += stage[t % 4] != t;
          pipe.consumer_release();
        }
      }
    });
    CHECK(wrong == 0);
  }
  auto own = rocport::make_pipeline();
  int value = 7, copy = 0;
  own.producer_acquire();
  rocport::memcpy_async(&copy, &value, sizeof(int), own);
  own.producer_commit();
  rocport::pipeline_consumer_wait_prior<0>(own);
  CHECK(copy == 7 && own.consumer_wait_for(std::chrono::seconds(1)));
  own.consumer_release();
}

int main() {
  integer<signed char>();
  integer<unsigned char>();
  integer<short>();
  integer<unsigned short>();
  integer<int>();
  integer<unsigned>();
  integer<long>();
  integer<unsigned long long>();
  floating<float>();
  floating<double>();
  others();
  barriers();
  latches();
  copies();
  pipelines();
  std::printf("%d checks, %d failed\n", checks, failures.load());
  return failures.load() == 0 ? 0 : 1;
}
