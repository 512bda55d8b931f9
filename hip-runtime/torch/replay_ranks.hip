/*
 * `replay_ranks SCRIPT DATA RESULTS`: a graph of several ranks, whose collectives are those of
 * rocSHMEM. The number of the rank is added to the three names: SCRIPT.0, SCRIPT.1 and so on.
 *
 * Licensed under the Apache License, Version 2.0 (SPDX-License-Identifier: Apache-2.0)
 */
#include "replay.h"

#include <limits>

#include <rocshmem/rocshmem.hpp>

namespace {

using replay::Fields;
using namespace rocshmem;

enum class Reduction { SUM, PRODUCT, MIN, MAX };

/** The reductions of rocSHMEM for a type, by one name. */
template <class T>
struct Reduce;

#define ROCPORT_REDUCE(T, NAME)                                                                  \
  template <>                                                                                    \
  struct Reduce<T> {                                                                             \
    static __device__ void all(rocshmem_team_t team, Reduction how, T *to, const T *from, int count) { \
      switch (how) {                                                                             \
        case Reduction::SUM:                                                                     \
          rocshmem_ctx_##NAME##_sum_reduce_wg(ROCSHMEM_CTX_DEFAULT, team, to, from, count);  \
          break;                                                                                 \
        case Reduction::PRODUCT:                                                                 \
          rocshmem_ctx_##NAME##_prod_reduce_wg(ROCSHMEM_CTX_DEFAULT, team, to, from, count);  \
          break;                                                                                 \
        case Reduction::MIN:                                                                     \
          rocshmem_ctx_##NAME##_min_reduce_wg(ROCSHMEM_CTX_DEFAULT, team, to, from, count);  \
          break;                                                                                 \
        case Reduction::MAX:                                                                     \
          rocshmem_ctx_##NAME##_max_reduce_wg(ROCSHMEM_CTX_DEFAULT, team, to, from, count);  \
          break;                                                                                 \
      }                                                                                          \
    }                                                                                            \
  };
ROCPORT_REDUCE(float, float)
ROCPORT_REDUCE(double, double)
ROCPORT_REDUCE(__half, half)
ROCPORT_REDUCE(__hip_bfloat16, bfloat16)
ROCPORT_REDUCE(int, int)
ROCPORT_REDUCE(long long, longlong)
#undef ROCPORT_REDUCE

/** The team, or that of all ranks, whose handle the host does not have. */
__device__ rocshmem_team_t or_all(rocshmem_team_t team) {
  return team == ROCSHMEM_TEAM_INVALID ? ROCSHMEM_TEAM_WORLD : team;
}

template <class T>
__global__ void all_reduce(rocshmem_team_t team, Reduction how, T *to, const T *from, int count) {
  Reduce<T>::all(or_all(team), how, to, from, count);
}

template <class T>
__global__ void divide(T *values, int count, int ranks) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] = static_cast<T>(static_cast<float>(values[i]) / static_cast<float>(ranks));
  }
}

template <>
__global__ void divide(double *values, int count, int ranks) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] /= ranks;
  }
}

__global__ void all_gather(rocshmem_team_t team, void *to, const void *from, int bytes) {
  rocshmem_ctx_fcollectmem_wg(ROCSHMEM_CTX_DEFAULT, or_all(team), to, from, bytes);
}

__global__ void all_to_all(rocshmem_team_t team, void *to, const void *from, int bytes) {
  rocshmem_ctx_alltoallmem_wg(ROCSHMEM_CTX_DEFAULT, or_all(team), to, from, bytes);
}

__global__ void broadcast(rocshmem_team_t team, void *to, const void *from, int bytes, int root) {
  rocshmem_ctx_broadcastmem_wg(ROCSHMEM_CTX_DEFAULT, or_all(team), to, from, bytes, root);
}

/** Some ranks, or all of them. */
struct Group {
  rocshmem_team_t team = ROCSHMEM_TEAM_INVALID;
  int size = 0;
  int rank = 0;
};

class Ranks : public replay::Replay {
 public:
  using Replay::Replay;

 protected:
  void *symmetric(const Fields &fields, std::size_t bytes) override {
    void *memory = rocshmem_malloc(bytes);
    if (memory == nullptr) {
      replay::fail(fields.line(), "the symmetric heap is too small");
    }
    return memory;
  }

  /** Without it, a rank could write into memory that another one is still filling. */
  void allocated() override { rocshmem_barrier_all(); }

  void team(Fields &fields) override {
    Group &made = teams_[fields.number()];
    int start = static_cast<int>(fields.number());
    int stride = static_cast<int>(fields.number());
    made.size = static_cast<int>(fields.number());
    if (rocshmem_team_split_strided(ROCSHMEM_TEAM_WORLD, start, stride, made.size, nullptr, 0, &made.team) != 0) {
      replay::fail(fields.line(), "there are no such ranks");
    }
    made.rank = made.team == ROCSHMEM_TEAM_INVALID ? -1 : rocshmem_team_my_pe(made.team);
  }

  void collective(const std::string &verb, Fields &fields) override {
    if (verb == "all_gather" || verb == "all_to_all") {
      bool gathers = verb == "all_gather";
      std::int64_t bytes = fields.number();
      small(fields, bytes);
      Places at(fields);
      Group group = this->group(fields);
      void *from = at.from.in(*this, fields, bytes);
      void *to = at.to.in(*this, fields, gathers ? bytes * group.size : bytes);
      if (gathers) {
        all_gather<<<1, THREADS>>>(group.team, to, from, static_cast<int>(bytes));
      } else if (bytes % group.size != 0) {
        replay::fail(fields.line(), "the parts have several sizes");
      } else {
        all_to_all<<<1, THREADS>>>(group.team, to, from, static_cast<int>(bytes / group.size));
      }
    } else if (verb == "broadcast") {
      std::int64_t bytes = fields.number();
      std::int64_t root = fields.number();
      small(fields, bytes);
      Places at(fields);
      Group group = this->group(fields);
      if (root < 0 || root >= group.size) {
        replay::fail(fields.line(), "there is no such rank");
      }
      void *from = at.from.in(*this, fields, bytes);
      void *to = at.to.in(*this, fields, bytes);
      broadcast<<<1, THREADS>>>(group.team, to, from, static_cast<int>(bytes), static_cast<int>(root));
      if (group.rank == root) {
        replay::must(hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, nullptr), fields);
      }
    } else if (verb == "all_reduce" || verb == "reduce_scatter") {
      reduce(fields, verb == "reduce_scatter");
    } else {
      Replay::collective(verb, fields);
    }
    replay::must(hipGetLastError(), fields);
    replay::must(hipDeviceSynchronize(), fields);
    rocshmem_barrier_all();
  }

 private:
  static constexpr int THREADS = 256;

  struct Place {
    std::int64_t buffer;
    std::int64_t offset;

    void *in(Ranks &ranks, const Fields &fields, std::int64_t bytes) const {
      return ranks.memory(fields, buffer, offset, bytes);
    }
  };

  /** Where a collective reads and writes. */
  struct Places {
    Place from{};
    Place to{};

    explicit Places(Fields &fields) {
      for (Place *place : {&from, &to}) {
        place->buffer = fields.number();
        place->offset = fields.number();
      }
    }
  };

  std::map<std::int64_t, Group> teams_;

  /** The group that a collective ends with; all ranks if it has none. */
  Group group(Fields &fields) {
    if (!fields.more()) {
      return {ROCSHMEM_TEAM_INVALID, rocshmem_n_pes(), rocshmem_my_pe()};
    }
    auto found = teams_.find(fields.number());
    if (found == teams_.end() || found->second.team == ROCSHMEM_TEAM_INVALID) {
      replay::fail(fields.line(), "this rank is in no such group");
    }
    return found->second;
  }

  /** rocSHMEM counts with 32 bits. */
  static void small(const Fields &fields, std::int64_t count) {
    if (count < 0 || count > std::numeric_limits<int>::max()) {
      replay::fail(fields.line(), "too large for a collective");
    }
  }

  void reduce(Fields &fields, bool scatter) {
    std::string type = fields.text();
    std::string how = fields.text();
    std::int64_t count = fields.number();
    if (type == "F32") {
      reduce<float>(fields, how, count, scatter);
    } else if (type == "F64") {
      reduce<double>(fields, how, count, scatter);
    } else if (type == "F16") {
      reduce<__half>(fields, how, count, scatter);
    } else if (type == "BF16") {
      reduce<__hip_bfloat16>(fields, how, count, scatter);
    } else if (type == "I32" && how != "avg") {
      reduce<int>(fields, how, count, scatter);
    } else if (type == "I64" && how != "avg") {
      reduce<long long>(fields, how, count, scatter);
    } else {
      replay::fail(fields.line(), "no reduction for this type");
    }
  }

  static Reduction named(const Fields &fields, const std::string &how) {
    if (how == "sum" || how == "avg") {
      return Reduction::SUM;
    }
    if (how == "product") {
      return Reduction::PRODUCT;
    }
    if (how == "min") {
      return Reduction::MIN;
    }
    if (how == "max") {
      return Reduction::MAX;
    }
    replay::fail(fields.line(), "unknown reduction");
  }

  /** With `scatter`, every rank reduces all elements and keeps its part. */
  template <class T>
  void reduce(Fields &fields, const std::string &how, std::int64_t count, bool scatter) {
    Reduction reduction = named(fields, how);
    Places at(fields);
    Group group = this->group(fields);
    std::int64_t all = scatter ? count * group.size : count;
    small(fields, all);
    auto *from = static_cast<T *>(at.from.in(*this, fields, all * sizeof(T)));
    auto *to = static_cast<T *>(at.to.in(*this, fields, all * sizeof(T)));
    all_reduce<T><<<1, THREADS>>>(group.team, reduction, to, from, static_cast<int>(all));
    if (how == "avg") {
      divide<T><<<1, THREADS>>>(to, static_cast<int>(all), group.size);
    }
    if (scatter && group.rank > 0) {
      replay::must(hipMemcpyAsync(to, to + count * group.rank, count * sizeof(T), hipMemcpyDeviceToDevice, nullptr),
                   fields);
    }
  }
};

}  // namespace

int main(int count, char **arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: replay_ranks SCRIPT DATA RESULTS\n");
    return 2;
  }
  rocshmem_init();
  std::string rank = "." + std::to_string(rocshmem_my_pe());
  bool good = Ranks(arguments[2] + rank, arguments[3] + rank).all(arguments[1] + rank);
  if (!good) {
    std::fprintf(stderr, "replay: cannot read the script or write the results\n");
  } else {
    std::printf("done\n");
  }
  rocshmem_finalize();
  return good ? 0 : 2;
}
