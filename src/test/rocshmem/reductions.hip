// Reductions and reduce-scatters, in all teams; in place, too.
#include "check.h"

namespace {

/** Small, so that sums and products of all PEs are numbers of each type. */
int small(int pe, int index) { return (pe + index) % 3 + 1; }

int64_t combined(ROCSHMEM_OP operation, int64_t a, int64_t b) {
  switch (operation) {
    case ROCSHMEM_SUM: return a + b;
    case ROCSHMEM_PROD: return a * b;
    case ROCSHMEM_MIN: return a < b ? a : b;
    case ROCSHMEM_MAX: return a < b ? b : a;
    case ROCSHMEM_AND: return a & b;
    case ROCSHMEM_OR: return a | b;
    default: return a ^ b;
  }
}

// The forms: 0 by a block, 1 by a wave; 2 and 3 the same of a reduce-scatter.
#define OPERATION(T, NAME, OP, CONSTANT)                                                                      \
  case CONSTANT:                                                                                              \
    switch (form) {                                                                                           \
      case 0: return rocshmem_ctx_##NAME##_##OP##_reduce_wg(ctx, team, to, from, n);                          \
      case 1: return rocshmem_ctx_##NAME##_##OP##_reduce_wave(ctx, team, to, from, n);                        \
      case 2: return rocshmem_ctx_##NAME##_##OP##_reduce_scatter_wg(ctx, team, to, from, n);                  \
      default: return rocshmem_ctx_##NAME##_##OP##_reduce_scatter_wave(ctx, team, to, from, n);               \
    }
#define ARITHMETIC(T, NAME)                                                                                   \
  template <>                                                                                                 \
  struct Of<struct Named_##NAME> {                                                                            \
    using Type = T;                                                                                           \
    static constexpr bool BITS = std::is_integral_v<T>;                                                       \
    static constexpr const char* NAMED = #NAME;                                                               \
    static __device__ int call(int form, int operation, rocshmem_ctx_t ctx, rocshmem_team_t team, T* to,      \
                               const T* from, int n) {                                                        \
      switch (operation) {                                                                                    \
        OPERATION(T, NAME, sum, ROCSHMEM_SUM)                                                                 \
        OPERATION(T, NAME, prod, ROCSHMEM_PROD)                                                               \
        OPERATION(T, NAME, min, ROCSHMEM_MIN)                                                                 \
        OPERATION(T, NAME, max, ROCSHMEM_MAX)                                                                 \
        default: return bits_##NAME(form, operation, ctx, team, to, from, n);                                 \
      }                                                                                                       \
    }                                                                                                         \
    static int onStream(rocshmem_team_t team, T* to, const T* from, int n, hipStream_t stream) {              \
      rocshmem_ctx_t ctx;                                                                                     \
      rocshmem_ctx_create(0, &ctx);                                                                           \
      return rocshmem_ctx_##NAME##_sum_reduce_on_stream(ctx, team, to, from, n, stream);                      \
    }                                                                                                         \
    static int here(bool scatter, rocshmem_team_t team, T* to, const T* from, int n) {                        \
      rocshmem_ctx_t ctx;                                                                                     \
      rocshmem_ctx_create(0, &ctx);                                                                           \
      return scatter ? rocshmem_ctx_##NAME##_max_reduce_scatter(ctx, team, to, from, n)                       \
                     : rocshmem_ctx_##NAME##_max_reduce(ctx, team, to, from, n);                              \
    }                                                                                                         \
  };
#define BITS_OF(T, NAME)                                                                                      \
  __device__ int bits_##NAME(int form, int operation, rocshmem_ctx_t ctx, rocshmem_team_t team, T* to,        \
                             const T* from, int n) {                                                          \
    switch (operation) {                                                                                      \
      OPERATION(T, NAME, and, ROCSHMEM_AND)                                                                   \
      OPERATION(T, NAME, or, ROCSHMEM_OR)                                                                     \
      OPERATION(T, NAME, xor, ROCSHMEM_XOR)                                                                   \
      default: return -1;                                                                                     \
    }                                                                                                         \
  }
#define NO_BITS_OF(T, NAME)                                                                                   \
  [[maybe_unused]] __device__ int bits_##NAME(int, int, rocshmem_ctx_t, rocshmem_team_t, T*, const T*, int) { return -1; }
EACH_REDUCED_BITS(BITS_OF)
NO_BITS_OF(float, float)
NO_BITS_OF(double, double)
NO_BITS_OF(__half, half)
NO_BITS_OF(__hip_bfloat16, bfloat16)

template <typename Tag>
struct Of;
EACH_REDUCED(ARITHMETIC)

template <typename A, typename T>
__global__ void reduceAll(int form, int operation, rocshmem_team_t team, T* to, const T* from, int n, int* result) {
  bool wave = form % 2;
  if (!wave || (threadIdx.x >= 64 && threadIdx.x < 128)) {
    int code = A::call(form, operation, ROCSHMEM_CTX_DEFAULT, team, to, from, n);
    if (threadIdx.x == 64) *result = code;
  }
}

template <typename A>
void reduces(Here& here, const std::vector<Group>& all) {
  using T = typename A::Type;
  int most = counted(SEGMENTS - 1) * here.pes;
  Buffer<T> from(static_cast<size_t>(most));
  Buffer<T> to(static_cast<size_t>(most + 2 * GUARD));
  Buffer<int> result(1);
  std::vector<T> sent(static_cast<size_t>(most));
  for (int i = 0; i < most; i++) sent[static_cast<size_t>(i)] = number<T>(small(here.pe, i));
  from.write(sent);
  int turn = 0;
  for (const Group& group : all) {
    int size = static_cast<int>(group.members.size());
    for (int operation = 0; operation < (A::BITS ? 7 : 4); operation++) {
      // On the device in four forms; on the stream and on the host one operation each.
      for (int form = 0; form < 7; form++) {
        bool scatter = form == 2 || form == 3 || form == 6;
        if ((form == 4 && operation != ROCSHMEM_SUM) || (form > 4 && operation != ROCSHMEM_MAX)) continue;
        int n = counted(turn++ % SEGMENTS);
        bool inPlace = !scatter && turn % 3 == 0;
        T* dest = inPlace ? to.data : to.data + GUARD;
        std::vector<T> expected = empty<T>(to.size);
        std::vector<T> before = expected;
        if (inPlace) before = std::vector<T>(to.size, number<T>(9));
        if (inPlace) std::copy(sent.begin(), sent.begin() + n, before.begin());
        expected = before;
        to.write(before);
        result.write({-1});
        done();
        if (group.pe >= 0) {
          const T* source = inPlace ? dest : from.data;
          if (form < 4) {
            reduceAll<A><<<1, THREADS>>>(form, operation, group.team, dest, source, n, result.data);
            HIP(hipGetLastError());
          } else if (form == 4) {
            result.write({A::onStream(group.team, dest, source, n, nullptr)});
          } else {
            result.write({A::here(scatter, group.team, dest, source, n)});
          }
          for (int i = 0; i < n; i++) {
            int at = scatter ? group.pe * n + i : i;
            int64_t value = small(group.members[0], at);
            for (int m = 1; m < size; m++) {
              value = combined(static_cast<ROCSHMEM_OP>(operation), value, small(group.members[static_cast<size_t>(m)], at));
            }
            expected[static_cast<size_t>(dest - to.data + i)] = number<T>(static_cast<int>(value));
          }
          HIP(hipDeviceSynchronize());
          here.check(result.read()[0] == 0, A::NAMED, form, -1);
        }
        same(here, to.read(), expected, A::NAMED, form * 100 + operation * 10 + inPlace);
        done();
      }
    }
  }
}

/** More than the scratch holds, and sums that depend on the order. */
__global__ void longSum(float* to, const float* from, int n) {
  rocshmem_ctx_float_sum_reduce_wg(ROCSHMEM_CTX_DEFAULT, ROCSHMEM_TEAM_WORLD, to, from, n);
}

float odd(int pe, int i) { return 1.0f / static_cast<float>(1 + (pe * 7919 + i * 631) % 10007); }

void longs(Here& here) {
  constexpr int N = 40000;
  Buffer<float> from(N);
  Buffer<float> to(N);
  std::vector<float> sent(N);
  std::vector<float> expected(N);
  for (int i = 0; i < N; i++) {
    sent[static_cast<size_t>(i)] = odd(here.pe, i);
    float sum = odd(0, i);
    for (int pe = 1; pe < here.pes; pe++) sum += odd(pe, i);
    expected[static_cast<size_t>(i)] = sum;
  }
  from.write(sent);
  done();
  longSum<<<1, 256>>>(to.data, from.data, N);
  HIP(hipGetLastError());
  same(here, to.read(), expected, "a long sum", 0);
  done();
}

}  // namespace

void reductions(Here& here) {
  std::vector<Group> all = groups(here);
#define CHECK(T, NAME) reduces<Of<Named_##NAME>>(here, all);
  EACH_REDUCED(CHECK)
  longs(here);
  done();
  forget(all);
}
