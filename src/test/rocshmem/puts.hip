// Puts and gets: typed and of bytes, by a thread, a wave and a block, with and without a context.
#include "check.h"

namespace {

// The forms: bit 0 get, bits 1 and 2 who, bit 3 nbi, bit 4 with a context.
constexpr int FORMS = 2 * 3 * 2 * 2;

__device__ bool takesPart(int who) {
  return who == 0 ? threadIdx.x == 70 : who == 1 ? threadIdx.x >= 64 && threadIdx.x < 128 : true;
}

/** All segments, in one form. A.call does one. */
template <typename A, typename T>
__global__ void moveAll(int form, T* to, const T* from, int step) {
  __shared__ rocshmem_ctx_t ctx;
  bool get = form % 2, nbi = form / 6 % 2, with = form / 12;
  int who = form / 2 % 3;
  int me = rocshmem_my_pe();
  int all = rocshmem_n_pes();
  int pe = get ? (me + all - step % all) % all : (me + step) % all;
  if (with) rocshmem_wg_ctx_create(0, &ctx);
  if (takesPart(who)) {
    for (int s = 0; s < SEGMENTS; s++) {
      A::call(get, who, nbi, with, ctx, to + begins(s), from + begins(s), static_cast<size_t>(counted(s)), pe);
    }
    if (with) {
      rocshmem_ctx_quiet(ctx);
    } else {
      rocshmem_quiet();
    }
  }
  __syncthreads();
  if (with) rocshmem_wg_ctx_destroy(&ctx);
  rocshmem_barrier_all_wg();
}

#define CALL(PUT, GET, SUFFIX)                                        \
  get ? with ? rocshmem_ctx_##GET##SUFFIX(ctx, to, from, n, pe)       \
             : rocshmem_##GET##SUFFIX(to, from, n, pe)                \
      : with ? rocshmem_ctx_##PUT##SUFFIX(ctx, to, from, n, pe)       \
             : rocshmem_##PUT##SUFFIX(to, from, n, pe)
#define CALLS(PUT, GET)                                               \
  switch (who * 2 + nbi) {                                            \
    case 0: CALL(PUT, GET, ); break;                                  \
    case 1: CALL(PUT, GET, _nbi); break;                              \
    case 2: CALL(PUT, GET, _wave); break;                             \
    case 3: CALL(PUT, GET, _nbi_wave); break;                         \
    case 4: CALL(PUT, GET, _wg); break;                               \
    default: CALL(PUT, GET, _nbi_wg);                                 \
  }
#define TYPED(T, NAME)                                                                                            \
  struct Of_##NAME {                                                                                              \
    using Type = T;                                                                                               \
    static constexpr const char* NAMED = "put and get of " #NAME;                                                 \
    static __device__ void call(bool get, int who, bool nbi, bool with, rocshmem_ctx_t ctx, T* to, const T* from, \
                                size_t n, int pe) {                                                               \
      CALLS(NAME##_put, NAME##_get)                                                                               \
    }                                                                                                             \
    static __device__ void one(bool with, T* to, const T* from, T* back, int pe) {                                \
      if (with) {                                                                                                 \
        rocshmem_ctx_##NAME##_p(ROCSHMEM_CTX_DEFAULT, to, *from, pe);                                             \
        *back = rocshmem_ctx_##NAME##_g(ROCSHMEM_CTX_DEFAULT, from, pe);                                          \
      } else {                                                                                                    \
        rocshmem_##NAME##_p(to, *from, pe);                                                                       \
        *back = rocshmem_##NAME##_g(from, pe);                                                                    \
      }                                                                                                           \
    }                                                                                                             \
  };
EACH_TYPE(TYPED)

struct OfBytes {
  using Type = unsigned char;
  static constexpr const char* NAMED = "put and get of bytes";
  static __device__ void call(bool get, int who, bool nbi, bool with, rocshmem_ctx_t ctx, unsigned char* to,
                              const unsigned char* from, size_t n, int pe) {
    CALLS(putmem, getmem)
  }
};

template <typename A>
__global__ void moveOnes(bool with, typename A::Type* to, const typename A::Type* from, typename A::Type* back, int n) {
  int pe = (rocshmem_my_pe() + 1) % rocshmem_n_pes();
  if (static_cast<int>(threadIdx.x) < n) A::one(with, to + threadIdx.x, from + threadIdx.x, back + threadIdx.x, pe);
  rocshmem_quiet();
  rocshmem_barrier_all_wg();
}

template <typename T>
std::vector<T> filled(int pe, size_t n, int step) {
  std::vector<T> all(n);
  for (size_t i = 0; i < n; i++) all[i] = number<T>(valueOf(pe, static_cast<int>(i), step));
  return all;
}

template <typename A>
void moves(Here& here) {
  using T = typename A::Type;
  auto size = static_cast<size_t>(begins(SEGMENTS));
  Buffer<T> from(size);
  Buffer<T> to(size);
  from.write(filled<T>(here.pe, size, 0));
  for (int form = 0; form < FORMS; form++) {
    to.clear();
    done();
    moveAll<A><<<1, THREADS>>>(form, to.data, from.data, form % 3);
    HIP(hipGetLastError());
    std::vector<T> sent = filled<T>((here.pe + here.pes - form % 3 % here.pes) % here.pes, size, 0);
    std::vector<T> expected = empty<T>(size);
    for (int s = 0; s < SEGMENTS; s++) {
      for (int i = begins(s); i < begins(s) + counted(s); i++) expected[static_cast<size_t>(i)] = sent[static_cast<size_t>(i)];
    }
    same(here, to.read(), expected, A::NAMED, form);
    done();
  }
}

template <typename A>
void ones(Here& here) {
  using T = typename A::Type;
  constexpr size_t N = 150;
  Buffer<T> from(N);
  Buffer<T> to(N + 2 * GUARD);
  Buffer<T> back(N);
  from.write(filled<T>(here.pe, N, 1));
  for (bool with : {false, true}) {
    to.clear();
    back.clear();
    done();
    moveOnes<A><<<1, THREADS>>>(with, to.data + GUARD, from.data, back.data, N);
    HIP(hipGetLastError());
    std::vector<T> left = filled<T>((here.pe + here.pes - 1) % here.pes, N, 1);
    std::vector<T> expected = empty<T>(N + 2 * GUARD);
    std::copy(left.begin(), left.end(), expected.begin() + GUARD);
    same(here, to.read(), expected, "p", with);
    same(here, back.read(), filled<T>((here.pe + 1) % here.pes, N, 1), "g", with);
    done();
  }
}

}  // namespace

void puts(Here& here) {
#define CHECK(T, NAME)      \
  moves<Of_##NAME>(here);   \
  ones<Of_##NAME>(here);
  EACH_TYPE(CHECK)
  moves<OfBytes>(here);
}
