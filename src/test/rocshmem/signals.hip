// Puts with signals, and what waits for them.
#include "check.h"

namespace {

// The forms: who (3), nbi, add or set, with a context.
constexpr int FORMS = 3 * 2 * 2 * 2;

template <typename A, typename T>
__global__ void ring(int form, T* to, const T* from, T* seen, uint64_t* flags, uint64_t value,
                     uint64_t then) {
  int who = form % 3;
  bool nbi = form / 3 % 2, add = form / 6 % 2, with = form / 12;
  int pe = (rocshmem_my_pe() + 1) % rocshmem_n_pes();
  bool takesPart = who == 0 ? threadIdx.x == 70 : who == 1 ? threadIdx.x >= 64 && threadIdx.x < 128 : true;
  if (takesPart) {
    for (int s = 0; s < SEGMENTS; s++) {
      A::call(who, nbi, with, to + begins(s), from + begins(s), static_cast<size_t>(counted(s)), flags + s, value,
              add ? ROCSHMEM_SIGNAL_ADD : ROCSHMEM_SIGNAL_SET, pe);
    }
  }
  // Another wave looks at what has come, a segment at a time, without a barrier of all PEs.
  for (int s = 0; s < SEGMENTS; s++) {
    if (threadIdx.x >= 128) {
      uint64_t got = threadIdx.x == 128 ? rocshmem_signal_wait_until(flags + s, ROCSHMEM_CMP_EQ, then) : then;
      __builtin_amdgcn_wave_barrier();
      __threadfence_system();
      if (got != then || rocshmem_signal_fetch(flags + s) != then) seen[0] = number<T>(98);
      for (int i = begins(s) + static_cast<int>(threadIdx.x) - 128; i < begins(s) + counted(s); i += 64) seen[i] = to[i];
    }
  }
}

#define CALL(NAME)                                                                      \
  with ? rocshmem_ctx_##NAME(ROCSHMEM_CTX_DEFAULT, to, from, n, flag, value, operation, pe) \
       : rocshmem_##NAME(to, from, n, flag, value, operation, pe)
#define TYPED_AS(T, TAG, NAME)                                                                             \
  struct Of_##TAG {                                                                                        \
    using Type = T;                                                                                        \
    static constexpr const char* NAMED = #NAME;                                                            \
    static __device__ void call(int who, bool nbi, bool with, T* to, const T* from, size_t n, uint64_t* flag, \
                                uint64_t value, int operation, int pe) {                                   \
      switch (who * 2 + nbi) {                                                                             \
        case 0: CALL(NAME); break;                                                                         \
        case 1: CALL(NAME##_nbi); break;                                                                   \
        case 2: CALL(NAME##_wave); break;                                                                  \
        case 3: CALL(NAME##_nbi_wave); break;                                                              \
        case 4: CALL(NAME##_wg); break;                                                                    \
        default: CALL(NAME##_nbi_wg);                                                                      \
      }                                                                                                    \
    }                                                                                                      \
  };
#define TYPED(T, NAME) TYPED_AS(T, NAME, NAME##_put_signal)
EACH_TYPE(TYPED)
TYPED_AS(unsigned char, bytes, putmem_signal)

template <typename A>
void rings(Here& here) {
  using T = typename A::Type;
  auto size = static_cast<size_t>(begins(SEGMENTS));
  Buffer<T> from(size);
  Buffer<T> to(size);
  Buffer<T> seen(size);
  Buffer<uint64_t> flags(SEGMENTS + 2);
  for (int form = 0; form < FORMS; form++) {
    std::vector<T> sent(size);
    std::vector<T> expected = empty<T>(size);
    int left = (here.pe + here.pes - 1) % here.pes;
    for (size_t i = 0; i < size; i++) sent[i] = number<T>(valueOf(here.pe, static_cast<int>(i), form));
    for (int s = 0; s < SEGMENTS; s++) {
      for (int i = begins(s); i < begins(s) + counted(s); i++) {
        expected[static_cast<size_t>(i)] = number<T>(valueOf(left, i, form));
      }
    }
    from.write(sent);
    to.clear();
    seen.clear();
    bool add = form / 6 % 2;
    std::vector<uint64_t> before(SEGMENTS + 2, add ? 5 : 0);
    flags.write(before);
    done();
    ring<A><<<1, THREADS>>>(form, to.data, from.data, seen.data, flags.data + 1, add ? 12 : 7, add ? 17 : 7);
    HIP(hipGetLastError());
    done();
    same(here, to.read(), expected, A::NAMED, form);
    same(here, seen.read(), expected, "what a signal is for", form);
    std::vector<uint64_t> after(SEGMENTS + 2, add ? 17 : 7);
    after.front() = after.back() = before.front();
    same(here, flags.read(), after, "signals", form);
    done();
  }
}

__global__ void alone(uint64_t* flags, uint64_t* got) {
  int me = rocshmem_my_pe();
  int pe = (me + 1) % rocshmem_n_pes();
  if (threadIdx.x == 0) {
    rocshmem_signal_set(flags, 11, pe);
    rocshmem_signal_wait_until(flags, ROCSHMEM_CMP_NE, 0);
    rocshmem_ctx_signal_set(ROCSHMEM_CTX_DEFAULT, flags + 1, 4, pe);
    rocshmem_signal_add(flags + 2, 2, pe);
    rocshmem_ctx_signal_add(ROCSHMEM_CTX_DEFAULT, flags + 2, 40, pe);
    got[0] = rocshmem_signal_wait_until(flags, ROCSHMEM_CMP_GE, 11);
    got[1] = rocshmem_signal_wait_until(flags + 1, ROCSHMEM_CMP_GT, 3);
    got[2] = rocshmem_signal_wait_until(flags + 2, ROCSHMEM_CMP_EQ, 42);
  }
  __syncthreads();
  uint64_t block = rocshmem_signal_fetch_wg(flags + 2);
  uint64_t wave = rocshmem_signal_fetch_wave(flags + 1);
  got[3 + threadIdx.x] = block * 100 + wave;
}

}  // namespace

void signals(Here& here) {
#define CHECK(T, NAME) rings<Of_##NAME>(here);
  EACH_TYPE(CHECK)
  rings<Of_bytes>(here);
  Buffer<uint64_t> flags(3);
  Buffer<uint64_t> got(3 + THREADS);
  flags.write({0, 0, 0});
  done();
  alone<<<1, THREADS>>>(flags.data, got.data);
  HIP(hipGetLastError());
  done();
  std::vector<uint64_t> expected(3 + THREADS, 4204);
  expected[0] = 11;
  expected[1] = 4;
  expected[2] = 42;
  same(here, got.read(), expected, "signals alone", 0);
  done();
}
