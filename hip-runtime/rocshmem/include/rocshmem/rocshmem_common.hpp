// Constants and handles.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "rocshmem_types.h"

namespace rocshmem {

enum ROCSHMEM_STATUS { ROCSHMEM_SUCCESS = 0, ROCSHMEM_ERROR = 1 };

enum ROCSHMEM_OP {
  ROCSHMEM_SUM,
  ROCSHMEM_MAX,
  ROCSHMEM_MIN,
  ROCSHMEM_PROD,
  ROCSHMEM_AND,
  ROCSHMEM_OR,
  ROCSHMEM_XOR,
  ROCSHMEM_REPLACE
};

enum ROCSHMEM_SIGNAL_OPS { ROCSHMEM_SIGNAL_SET, ROCSHMEM_SIGNAL_ADD };

/** Comparisons of waits and tests. The numbers are not NVSHMEM's. */
enum rocshmem_cmps {
  ROCSHMEM_CMP_EQ,
  ROCSHMEM_CMP_NE,
  ROCSHMEM_CMP_GT,
  ROCSHMEM_CMP_GE,
  ROCSHMEM_CMP_LT,
  ROCSHMEM_CMP_LE
};

enum rocshmem_thread_ops {
  ROCSHMEM_THREAD_SINGLE,
  ROCSHMEM_THREAD_FUNNELED,
  ROCSHMEM_THREAD_WG_FUNNELED,
  ROCSHMEM_THREAD_SERIALIZED,
  ROCSHMEM_THREAD_MULTIPLE
};

enum rocshmem_team_configs { ROCSHMEM_TEAM_DEFAULT_CONFIGS, ROCSHMEM_TEAM_NUM_CONTEXTS };

typedef struct {
  int num_contexts;
} rocshmem_team_config_t;

const int ROCSHMEM_CTX_ZERO = 0;
const int ROCSHMEM_CTX_NOSTORE = 1;
const int ROCSHMEM_CTX_SERIALIZED = 2;
const int ROCSHMEM_CTX_WG_PRIVATE = 4;
const int ROCSHMEM_CTX_SHARED = 8;

/** A context, in which puts and gets are ordered and completed. */
typedef struct rocshmem_ctx {
  void* ctx_opaque;
  void* team_opaque;

  __host__ __device__ bool operator==(const struct rocshmem_ctx& other) const {
    return ctx_opaque == other.ctx_opaque && team_opaque == other.team_opaque;
  }
  __host__ __device__ bool operator!=(const struct rocshmem_ctx& other) const { return !(*this == other); }
} rocshmem_ctx_t;

extern "C" {
extern __device__ rocshmem_ctx_t __attribute__((visibility("default"))) ROCSHMEM_CTX_DEFAULT;
}
extern __constant__ rocshmem_ctx_t ROCSHMEM_CTX_INVALID;

/** A set of PEs. A handle means the same on the host and on the device. */
typedef uint64_t* rocshmem_team_t;

namespace device {
extern "C" {
extern __constant__ rocshmem_team_t __attribute__((visibility("default"))) ROCSHMEM_TEAM_WORLD;
extern __constant__ rocshmem_team_t __attribute__((visibility("default"))) ROCSHMEM_TEAM_SHARED;
}
}  // namespace device

namespace host {
extern rocshmem_team_t ROCSHMEM_TEAM_WORLD;
extern rocshmem_team_t ROCSHMEM_TEAM_SHARED;
}  // namespace host

#if __HIP_DEVICE_COMPILE__
using device::ROCSHMEM_TEAM_SHARED;
using device::ROCSHMEM_TEAM_WORLD;
#else
using host::ROCSHMEM_TEAM_SHARED;
using host::ROCSHMEM_TEAM_WORLD;
#endif

const rocshmem_team_t ROCSHMEM_TEAM_INVALID = nullptr;

#define ROCSHMEM_UNIQUE_ID_BYTES 128
using rocshmem_uniqueid_t = std::array<uint8_t, ROCSHMEM_UNIQUE_ID_BYTES>;

typedef struct rocshmem_init_attr_t {
  int32_t rank;
  int32_t nranks;
  rocshmem_uniqueid_t uid;
  void* mpi_comm;  // the address of a MPI_Comm; MPI_COMM_WORLD if it is null
} rocshmem_init_attr_t;

constexpr unsigned int ROCSHMEM_INIT_WITH_MPI_COMM = 0;
constexpr unsigned int ROCSHMEM_INIT_WITH_UNIQUEID = 1;

}  // namespace rocshmem
