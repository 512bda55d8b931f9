// Alltoall, alltoallv, broadcast and fcollect, in all teams, by a block and by a wave that is not the
// first.
#include "check.h"

namespace {

enum { ALLTOALL, ALLTOALL_NO_CTX, BROADCAST, FCOLLECT, KINDS };
constexpr const char* NAMES[] = {"alltoall", "alltoall without a context", "broadcast", "fcollect"};

#define CALLS(NAME, MEM)                                                                                  \
  if (wave) {                                                                                             \
    switch (kind) {                                                                                       \
      case BROADCAST: return rocshmem_ctx_##NAME##broadcast##MEM##_wave(ctx, team, to, from, n, root);    \
      case FCOLLECT: return rocshmem_ctx_##NAME##fcollect##MEM##_wave(ctx, team, to, from, n);            \
      default: return rocshmem_ctx_##NAME##alltoall##MEM##_wave(ctx, team, to, from, n);                  \
    }                                                                                                     \
  }                                                                                                       \
  switch (kind) {                                                                                         \
    case BROADCAST: rocshmem_ctx_##NAME##broadcast##MEM##_wg(ctx, team, to, from, n, root); return 0;     \
    case FCOLLECT: rocshmem_ctx_##NAME##fcollect##MEM##_wg(ctx, team, to, from, n); return 0;             \
    case ALLTOALL_NO_CTX: WITHOUT(NAME) return 0;                                                         \
    default: rocshmem_ctx_##NAME##alltoall##MEM##_wg(ctx, team, to, from, n); return 0;                   \
  }
#define WITHOUT(NAME) rocshmem_##NAME##alltoall_wg(team, to, from, n);
#define TYPED(T, NAME)                                                                                    \
  struct Of_##NAME {                                                                                      \
    using Type = T;                                                                                       \
    static __device__ int call(int kind, bool wave, rocshmem_ctx_t ctx, rocshmem_team_t team, T* to, const T* from, \
                               int n, int root) {                                                         \
      CALLS(NAME##_, )                                                                                    \
    }                                                                                                     \
    static __device__ void vector(rocshmem_team_t team, T* to, const size_t* counts, const size_t* at, T* from,     \
                                  const size_t* sent, const size_t* sentAt) {                             \
      rocshmem_##NAME##_alltoallv_wg(team, to, counts, at, from, sent, sentAt);                           \
    }                                                                                                     \
  };
EACH_COLL(TYPED)
#undef WITHOUT
#define WITHOUT(NAME) rocshmem_ctx_##NAME##alltoallmem_wg(ctx, team, to, from, n);
struct OfBytes {
  using Type = unsigned char;
  static __device__ int call(int kind, bool wave, rocshmem_ctx_t ctx, rocshmem_team_t team, unsigned char* to,
                             const unsigned char* from, int n, int root) {
    CALLS(, mem)
  }
};

template <typename A, typename T>
__global__ void collect(int kind, bool wave, rocshmem_team_t team, T* to, const T* from, int n, int root, int* result) {
  if (!wave || (threadIdx.x >= 64 && threadIdx.x < 128)) {
    int code = A::call(kind, wave, ROCSHMEM_CTX_DEFAULT, team, to, from, n, root);
    if (threadIdx.x == 64) *result = code;
  }
}

template <typename A>
void collects(Here& here, const std::vector<Group>& all) {
  using T = typename A::Type;
  int most = counted(SEGMENTS - 1) * here.pes;
  Buffer<T> from(static_cast<size_t>(most));
  Buffer<T> to(static_cast<size_t>(most + 2 * GUARD));
  Buffer<int> result(1);
  std::vector<T> sent(static_cast<size_t>(most));
  for (int i = 0; i < most; i++) sent[static_cast<size_t>(i)] = number<T>(valueOf(here.pe, i, 0));
  from.write(sent);
  for (size_t g = 0; g < all.size(); g++) {
    const Group& group = all[g];
    int size = static_cast<int>(group.members.size());
    for (int kind = 0; kind < KINDS; kind++) {
      for (bool wave : {false, true}) {
        // Few and many, by turns: each count comes with each kind in some team or type.
        for (int s = (kind + wave) % 3; s < SEGMENTS; s += 3) {
          int n = counted(s);
          int root = s % size;
          int form = static_cast<int>(g) * 1000 + kind * 100 + wave * 10 + s;
          to.clear();
          result.write({-1});
          done();
          if (group.pe >= 0) {
            collect<A><<<1, THREADS>>>(kind, wave, group.team, to.data + GUARD, from.data, n, root, result.data);
            HIP(hipGetLastError());
          }
          std::vector<T> expected = empty<T>(to.size);
          for (int m = 0; group.pe >= 0 && m < size; m++) {
            if (kind == BROADCAST && m > 0) break;
            int who = group.members[static_cast<size_t>(kind == BROADCAST ? root : m)];
            int offset = kind == ALLTOALL || kind == ALLTOALL_NO_CTX ? group.pe * n : 0;
            for (int i = 0; i < n; i++) {
              expected[static_cast<size_t>(GUARD + m * n + i)] = number<T>(valueOf(who, offset + i, 0));
            }
          }
          same(here, to.read(), expected, NAMES[kind], form);
          if (group.pe >= 0) here.check(result.read()[0] == 0, NAMES[kind], form, -1);
          done();
        }
      }
    }
  }
}

template <typename A, typename T>
__global__ void ragged(rocshmem_team_t team, T* to, const size_t* counts, const size_t* at, T* from, const size_t* sent,
                       const size_t* sentAt) {
  A::vector(team, to, counts, at, from, sent, sentAt);
}

/** How many elements one sends to another: also none. */
int share(int from, int to) { return (from * 5 + to * 3) % 7 * 11 % 40; }

template <typename A>
void raggeds(Here& here, const std::vector<Group>& all) {
  using T = typename A::Type;
  auto size = static_cast<size_t>(here.pes) * 50;
  Buffer<T> from(size);
  Buffer<T> to(size);
  Buffer<size_t> tables(static_cast<size_t>(4 * here.pes));
  for (const Group& group : all) {
    if (group.pe >= 0) {
      auto n = group.members.size();
      std::vector<size_t> table(4 * n);
      std::vector<T> sent(size);
      std::vector<T> expected = empty<T>(size);
      for (size_t m = 0; m < n; m++) {
        int other = static_cast<int>(m);
        table[m] = static_cast<size_t>(share(other, group.pe));
        table[n + m] = 3 + m * 45;  // with room between
        table[2 * n + m] = static_cast<size_t>(share(group.pe, other));
        table[3 * n + m] = (n - 1 - m) * 48 + 1;
        for (size_t i = 0; i < table[2 * n + m]; i++) {
          sent[table[3 * n + m] + i] = number<T>(valueOf(group.pe, static_cast<int>(i), other));
        }
        for (size_t i = 0; i < table[m]; i++) {
          expected[table[n + m] + i] = number<T>(valueOf(other, static_cast<int>(i), group.pe));
        }
      }
      from.write(sent);
      tables.write(table);
      to.clear();
      rocshmem_barrier(group.team);
      ragged<A><<<1, THREADS>>>(group.team, to.data, tables.data, tables.data + n, from.data, tables.data + 2 * n,
                                tables.data + 3 * n);
      HIP(hipGetLastError());
      same(here, to.read(), expected, "alltoallv", static_cast<int>(n));
    }
    done();
  }
}

}  // namespace

void collectives(Here& here) {
  std::vector<Group> all = groups(here);
#define CHECK(T, NAME)           \
  collects<Of_##NAME>(here, all); \
  raggeds<Of_##NAME>(here, all);
  EACH_COLL(CHECK)
  collects<OfBytes>(here, all);
  done();
  forget(all);
}
