// Atomic operations: all threads of all PEs work on one PE's memory, and each result is one that
// some order of them gives.
#include "check.h"

namespace {

constexpr int TURNS = 2;

/** Cells: 0 add, 1 fetch_add, 2 inc, 3 fetch_inc, 4 a sum by compare_swap; each 1 in all. */
#define COUNTER(T, NAME)                                                                               \
  __global__ void count_##NAME(T* cells, T* olds, int pe) {                                            \
    auto ctx = ROCSHMEM_CTX_DEFAULT;                                                                   \
    int me = static_cast<int>(threadIdx.x) * TURNS;                                                    \
    rocshmem_##NAME##_atomic_add(cells, 1, pe);                                                        \
    rocshmem_ctx_##NAME##_atomic_add(ctx, cells, 2, pe);                                               \
    olds[me] = rocshmem_##NAME##_atomic_fetch_add(cells + 1, 1, pe);                                   \
    olds[me + 1] = rocshmem_ctx_##NAME##_atomic_fetch_add(ctx, cells + 1, 1, pe);                      \
    rocshmem_##NAME##_atomic_inc(cells + 2, pe);                                                       \
    rocshmem_ctx_##NAME##_atomic_inc(ctx, cells + 2, pe);                                              \
    olds += blockDim.x * TURNS;                                                                        \
    olds[me] = rocshmem_##NAME##_atomic_fetch_inc(cells + 3, pe);                                      \
    olds[me + 1] = rocshmem_ctx_##NAME##_atomic_fetch_inc(ctx, cells + 3, pe);                         \
    T seen = 0;                                                                                        \
    for (;;) {                                                                                         \
      T old = rocshmem_##NAME##_atomic_compare_swap(cells + 4, seen, static_cast<T>(seen + 1), pe);    \
      if (old == seen) break;                                                                          \
      seen = old;                                                                                      \
    }                                                                                                  \
    while (rocshmem_ctx_##NAME##_atomic_compare_swap(ctx, cells + 4, seen, static_cast<T>(seen + 1), pe) != seen) { \
      seen = rocshmem_##NAME##_atomic_fetch(cells + 4, pe);                                            \
    }                                                                                                  \
    rocshmem_barrier_all_wg();                                                                         \
  }
EACH_COUNTER(COUNTER)

template <typename T>
void counts(Here& here, void (*kernel)(T*, T*, int), const char* what) {
  int all = THREADS * TURNS * here.pes;
  Buffer<T> cells(7);
  Buffer<T> olds(THREADS * TURNS * 2);
  Buffer<T> every(static_cast<size_t>(2 * all));
  std::vector<T> zero(7, 0);
  int root = here.pes - 1;
  cells.write(zero);
  done();
  kernel<<<1, THREADS>>>(cells.data + 1, olds.data, root);
  HIP(hipGetLastError());
  done();
  if (here.pe == root) {
    std::vector<T> sums = {0, static_cast<T>(THREADS * 3 * here.pes), static_cast<T>(all), static_cast<T>(all),
                           static_cast<T>(all), static_cast<T>(all), 0};
    same(here, cells.read(), sums, what, 0);
  }
  // Each number was an old value once.
  rocshmem_putmem(every.data + here.pe * THREADS * TURNS, olds.data, THREADS * TURNS * sizeof(T), root);
  rocshmem_putmem(every.data + all + here.pe * THREADS * TURNS, olds.data + THREADS * TURNS, THREADS * TURNS * sizeof(T), root);
  done();
  std::vector<T> values = every.read();
  for (int part = 0; here.pe == root && part < 2; part++) {
    std::vector<bool> seen(static_cast<size_t>(all));
    for (int i = 0; i < all; i++) {
      auto value = static_cast<size_t>(values[static_cast<size_t>(part * all + i)]);
      bool fresh = value < seen.size() && !seen[value];
      here.check(fresh, what, 1 + part, i);
      if (fresh) seen[value] = true;
    }
  }
  done();
}

/** Cells: 0 set, 1 swap; what was swapped out, and what is left in the end, are all values once. */
#define EVERY(T, NAME)                                                                                 \
  __global__ void set_##NAME(T* cells, T* olds, int pe) {                                              \
    auto ctx = ROCSHMEM_CTX_DEFAULT;                                                                   \
    int me = static_cast<int>(threadIdx.x);                                                            \
    int own = rocshmem_my_pe() * static_cast<int>(blockDim.x) + me + 1;                                \
    if (me % 2 == 0) {                                                                                 \
      rocshmem_##NAME##_atomic_set(cells, static_cast<T>(3), pe);                                      \
      olds[me] = rocshmem_##NAME##_atomic_swap(cells + 1, static_cast<T>(own), pe);                    \
    } else {                                                                                           \
      rocshmem_ctx_##NAME##_atomic_set(ctx, cells, static_cast<T>(3), pe);                             \
      olds[me] = rocshmem_ctx_##NAME##_atomic_swap(ctx, cells + 1, static_cast<T>(own), pe);           \
    }                                                                                                  \
    rocshmem_barrier_all_wg();                                                                         \
    if (me == 0) {                                                                                     \
      olds[blockDim.x] = rocshmem_##NAME##_atomic_fetch(cells, pe);                                    \
      olds[blockDim.x + 1] = rocshmem_ctx_##NAME##_atomic_fetch(ctx, cells + 1, pe);                   \
    }                                                                                                  \
  }
EACH_ATOMIC(EVERY)

template <typename T>
void sets(Here& here, void (*kernel)(T*, T*, int), const char* what) {
  Buffer<T> cells(2);
  Buffer<T> olds(THREADS + 2);
  Buffer<T> every(static_cast<size_t>(THREADS * here.pes));
  cells.write({0, 0});
  done();
  kernel<<<1, THREADS>>>(cells.data, olds.data, 0);
  HIP(hipGetLastError());
  done();
  std::vector<T> own = olds.read();
  here.check(own[THREADS] == static_cast<T>(3), what, 0, 0);
  rocshmem_putmem(every.data + here.pe * THREADS, olds.data, THREADS * sizeof(T), 0);
  done();
  if (here.pe == 0) {
    std::vector<T> values = every.read();
    values.push_back(own[THREADS + 1]);
    std::vector<int> seen(values.size());
    for (T value : values) {
      auto i = static_cast<size_t>(value);
      if (i < seen.size()) seen[i]++;
    }
    for (size_t i = 0; i < seen.size(); i++) here.check(seen[i] == 1, what, 1, static_cast<int>(i));
  }
  done();
}

/** Each thread has a bit of its own in cells 0 to 5. */
#define BITS(T, NAME)                                                                                  \
  __global__ void bits_##NAME(T* cells, T* olds, int pe) {                                             \
    auto ctx = ROCSHMEM_CTX_DEFAULT;                                                                   \
    int me = static_cast<int>(threadIdx.x);                                                            \
    T bit = static_cast<T>(static_cast<T>(1) << (rocshmem_my_pe() * 8 + me));                          \
    if (me < 8) {                                                                                      \
      rocshmem_##NAME##_atomic_or(cells, bit, pe);                                                     \
      olds[me] = rocshmem_ctx_##NAME##_atomic_fetch_or(ctx, cells + 1, bit, pe);                       \
      rocshmem_##NAME##_atomic_and(cells + 2, static_cast<T>(~bit), pe);                               \
      olds[8 + me] = rocshmem_ctx_##NAME##_atomic_fetch_and(ctx, cells + 3, static_cast<T>(~bit), pe); \
      rocshmem_##NAME##_atomic_xor(cells + 4, bit, pe);                                                \
      olds[16 + me] = rocshmem_ctx_##NAME##_atomic_fetch_xor(ctx, cells + 5, bit, pe);                 \
      rocshmem_ctx_##NAME##_atomic_or(ctx, cells, bit, pe);                                            \
      rocshmem_ctx_##NAME##_atomic_and(ctx, cells + 2, static_cast<T>(~bit), pe);                      \
      rocshmem_ctx_##NAME##_atomic_xor(ctx, cells + 4, bit, pe);                                       \
      rocshmem_##NAME##_atomic_fetch_or(cells + 1, bit, pe);                                           \
      rocshmem_##NAME##_atomic_fetch_and(cells + 3, static_cast<T>(~bit), pe);                         \
      rocshmem_##NAME##_atomic_fetch_xor(cells + 5, bit, pe);                                          \
    }                                                                                                  \
  }
EACH_BITS(BITS)

template <typename T>
void bits(Here& here, void (*kernel)(T*, T*, int), const char* what) {
  Buffer<T> cells(6);
  Buffer<T> olds(24);
  T ones = static_cast<T>(~static_cast<T>(0));
  cells.write({0, 0, ones, ones, 0, 0});
  done();
  kernel<<<1, THREADS>>>(cells.data, olds.data, 0);
  HIP(hipGetLastError());
  done();
  T all = 0;
  for (int i = 0; i < 8 * here.pes; i++) all = static_cast<T>(all | static_cast<T>(static_cast<T>(1) << i));
  if (here.pe == 0) same(here, cells.read(), {all, all, static_cast<T>(~all), static_cast<T>(~all), 0, 0}, what, 0);
  std::vector<T> seen = olds.read();
  for (int i = 0; i < 8; i++) {
    T own = static_cast<T>(static_cast<T>(1) << (here.pe * 8 + i));
    here.check((seen[static_cast<size_t>(i)] & own) == 0, what, 1, i);
    here.check((seen[static_cast<size_t>(8 + i)] & own) == own, what, 2, i);
    here.check((seen[static_cast<size_t>(16 + i)] & own) == 0, what, 3, i);
  }
  done();
}

}  // namespace

void atomics(Here& here) {
#define CHECK(T, NAME) counts<T>(here, count_##NAME, "counting " #NAME);
  EACH_COUNTER(CHECK)
#undef CHECK
#define CHECK(T, NAME) sets<T>(here, set_##NAME, "set and swap " #NAME);
  EACH_ATOMIC(CHECK)
#undef CHECK
#define CHECK(T, NAME) \
  if (here.pes <= 4) bits<T>(here, bits_##NAME, "bits of " #NAME);
  EACH_BITS(CHECK)
}
