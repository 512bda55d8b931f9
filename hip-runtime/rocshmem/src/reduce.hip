// Reductions: each PE reads the data of the others.
#include "collective.h"

namespace rocshmem {
namespace detail {
namespace {

__device__ float wide(__half value) { return __half2float(value); }
__device__ float wide(__hip_bfloat16 value) { return __bfloat162float(value); }
template <typename T>
__device__ T wide(T value) {
  return value;
}

template <typename T>
struct Narrow {
  template <typename W>
  static __device__ T of(W value) {
    return static_cast<T>(value);
  }
};
template <>
struct Narrow<__half> {
  static __device__ __half of(float value) { return __float2half(value); }
};
template <>
struct Narrow<__hip_bfloat16> {
  static __device__ __hip_bfloat16 of(float value) { return __float2bfloat16(value); }
};

struct Sum {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a + b;
  }
};
struct Product {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a * b;
  }
};
struct Least {
  template <typename W>
  static __device__ W of(W a, W b) {
    return b < a ? b : a;
  }
};
struct Greatest {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a < b ? b : a;
  }
};
struct And {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a & b;
  }
};
struct Or {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a | b;
  }
};
struct Xor {
  template <typename W>
  static __device__ W of(W a, W b) {
    return a ^ b;
  }
};

/** Part of a reduction that fits into the scratch; the sources' addresses are this PE's. */
template <typename T, typename Operation>
__device__ void combine(const Team& team, Lane lane, T* to, const T* source, size_t n) {
  auto [me, all] = lane;
  for (size_t i = me; i < n; i += all) {
    T sum = *reinterpret_cast<const T*>(at(source + i, team.members[0]));
    for (int m = 1; m < team.size; m++) {
      T next = *reinterpret_cast<const T*>(at(source + i, team.members[m]));
      sum = Narrow<T>::of(Operation::of(wide(sum), wide(next)));
    }
    to[i] = sum;
  }
}

template <typename T>
__device__ void combine(const Team& team, Lane lane, T* to, const T* source, size_t n, int operation) {
  switch (operation) {
    case ROCSHMEM_SUM: return combine<T, Sum>(team, lane, to, source, n);
    case ROCSHMEM_PROD: return combine<T, Product>(team, lane, to, source, n);
    case ROCSHMEM_MIN: return combine<T, Least>(team, lane, to, source, n);
    case ROCSHMEM_MAX: return combine<T, Greatest>(team, lane, to, source, n);
    default: break;
  }
  if constexpr (static_cast<int>(KindOf<T>::VALUE) < static_cast<int>(Kind::F16)) {
    switch (operation) {
      case ROCSHMEM_AND: return combine<T, And>(team, lane, to, source, n);
      case ROCSHMEM_OR: return combine<T, Or>(team, lane, to, source, n);
      case ROCSHMEM_XOR: return combine<T, Xor>(team, lane, to, source, n);
      default: break;
    }
  }
  fail("unknown reduction", to, operation);
}

/** What differs between a wave and a block: who they are, and that they meet. */
struct Party {
  bool wave;

  __device__ Lane lane() const { return wave ? detail::lane<By::WAVE>() : detail::lane<By::WG>(); }
  __device__ void join() const { wave ? detail::join<By::WAVE>() : detail::join<By::WG>(); }
  __device__ void meet(Team& team) const { wave ? detail::meet<By::WAVE>(team) : detail::meet<By::WG>(team); }
};

// Common code of reduce and reduce_scatter.
template <typename T>
__device__ __attribute__((noinline)) void reduceOf(Party party, Team& team, T* dest, const T* source, size_t n, int operation, bool scatter) {
  const T* block = scatter ? source + n * static_cast<size_t>(team.pe) : source;
  T* part = reinterpret_cast<T*>(scratch(team, team.pe));
  constexpr size_t MOST = SCRATCH / sizeof(T);
  auto [me, all] = party.lane();
  for (size_t done = 0; done < n || done == 0; done += MOST) {
    size_t now = n - done < MOST ? n - done : MOST;
    // All sources are ready.
    party.meet(team);
    combine<T>(team, party.lane(), part, block + done, now, operation);
    // All sources have been read: the destination may be the source.
    party.meet(team);
    for (size_t i = me; i < now; i += all) dest[done + i] = part[i];
  }
  party.join();
}

}  // namespace

template <By BY>
__device__ void reduce(Team& team, void* dest, const void* source, size_t n, Kind kind, int operation, bool scatter) {
#define ROCSHMEM_KIND(KIND, T)                                                                                     \
  case Kind::KIND:                                                                                                 \
    return reduceOf<T>(party, team, static_cast<T*>(dest), static_cast<const T*>(source), n, operation, scatter);
  constexpr Party party = {BY == By::WAVE};
  switch (kind) {
    ROCSHMEM_KIND(I8, int8_t)
    ROCSHMEM_KIND(I16, int16_t)
    ROCSHMEM_KIND(I32, int32_t)
    ROCSHMEM_KIND(I64, int64_t)
    ROCSHMEM_KIND(U8, uint8_t)
    ROCSHMEM_KIND(U16, uint16_t)
    ROCSHMEM_KIND(U32, uint32_t)
    ROCSHMEM_KIND(U64, uint64_t)
    ROCSHMEM_KIND(F16, __half)
    ROCSHMEM_KIND(BF16, __hip_bfloat16)
    ROCSHMEM_KIND(F32, float)
    ROCSHMEM_KIND(F64, double)
  }
}

template __device__ void reduce<By::WAVE>(Team&, void*, const void*, size_t, Kind, int, bool);
template __device__ void reduce<By::WG>(Team&, void*, const void*, size_t, Kind, int, bool);

namespace {

__global__ void reduceKernel(rocshmem_team_t of, void* dest, const void* source, int n, int kind, int operation,
                             bool scatter) {
  reduce<By::WG>(team(of), dest, source, static_cast<size_t>(n), static_cast<Kind>(kind), operation, scatter);
}

}  // namespace

void reduceOn(hipStream_t stream, rocshmem_team_t team, void* dest, const void* source, int n, int kind, int operation,
              bool scatter) {
  reduceKernel<<<1, 256, 0, stream>>>(team, dest, source, n, kind, operation, scatter);
}

}  // namespace detail

#define ROCSHMEM_BY(T, NAME, OP, CONSTANT, SUFFIX, BY, SCATTER)                                                    \
  __device__ int rocshmem_ctx_##NAME##_##OP##SUFFIX(rocshmem_ctx_t, rocshmem_team_t team, T* dest, const T* source, \
                                                    int nreduce) {                                                 \
    detail::reduce<detail::By::BY>(detail::team(team), dest, source, static_cast<size_t>(nreduce),                 \
                                   detail::KindOf<T>::VALUE, CONSTANT, SCATTER);                                   \
    return ROCSHMEM_SUCCESS;                                                                                       \
  }
#define ROCSHMEM_REDUCTION(T, NAME, OP, CONSTANT)                                                                  \
  ROCSHMEM_BY(T, NAME, OP, CONSTANT, _reduce_wg, WG, false)                                                        \
  ROCSHMEM_BY(T, NAME, OP, CONSTANT, _reduce_wave, WAVE, false)                                                    \
  ROCSHMEM_BY(T, NAME, OP, CONSTANT, _reduce_scatter_wg, WG, true)                                                 \
  ROCSHMEM_BY(T, NAME, OP, CONSTANT, _reduce_scatter_wave, WAVE, true)
ROCSHMEM_EACH_REDUCTION(ROCSHMEM_REDUCTION)

}  // namespace rocshmem
