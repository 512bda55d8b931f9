// The functions of rocSHMEM 2.0.0 that the adapter calls, without bodies.
#pragma once

#include <hip/hip_runtime.h>
#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace rocshmem {

enum ROCSHMEM_STATUS { ROCSHMEM_SUCCESS = 0, ROCSHMEM_ERROR = 1 };
enum ROCSHMEM_SIGNAL_OPS { ROCSHMEM_SIGNAL_SET, ROCSHMEM_SIGNAL_ADD };
enum rocshmem_cmps {
  ROCSHMEM_CMP_EQ,
  ROCSHMEM_CMP_NE,
  ROCSHMEM_CMP_GT,
  ROCSHMEM_CMP_GE,
  ROCSHMEM_CMP_LT,
  ROCSHMEM_CMP_LE,
};
typedef struct {
  int num_contexts;
} rocshmem_team_config_t;
typedef struct {
  void* ctx_opaque;
  void* team_opaque;
} rocshmem_ctx_t;
extern __constant__ rocshmem_ctx_t ROCSHMEM_CTX_DEFAULT;
typedef uint64_t* rocshmem_team_t;
extern rocshmem_team_t ROCSHMEM_TEAM_WORLD;
const rocshmem_team_t ROCSHMEM_TEAM_INVALID = nullptr;

__host__ void rocshmem_init(MPI_Comm comm = MPI_COMM_WORLD);
__host__ void rocshmem_init_thread(int requested, int* provided, MPI_Comm comm = MPI_COMM_WORLD);
__host__ void rocshmem_query_thread(int* provided);
__host__ void rocshmem_finalize();
__host__ void* rocshmem_malloc(size_t size);
__host__ void rocshmem_free(void* ptr);
__host__ int rocshmem_n_pes();
__host__ int rocshmem_my_pe();
__host__ int rocshmem_team_n_pes(rocshmem_team_t team);
__host__ int rocshmem_team_my_pe(rocshmem_team_t team);
__host__ int rocshmem_team_split_strided(rocshmem_team_t parent_team, int start, int stride, int size,
                                         const rocshmem_team_config_t* config, long config_mask,
                                         rocshmem_team_t* new_team);

__device__ int rocshmem_my_pe();
__device__ int rocshmem_team_translate_pe(rocshmem_team_t src_team, int src_pe, rocshmem_team_t dest_team);
__device__ void rocshmem_fence();
__device__ void rocshmem_quiet();
__device__ void rocshmem_ctx_quiet(rocshmem_ctx_t ctx);
__device__ void* rocshmem_ptr(const void* dest, int pe);
__device__ void rocshmem_wg_barrier_all();
__device__ void rocshmem_wg_sync_all();
__device__ void rocshmem_ctx_wg_team_sync(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_wg_team_sync(rocshmem_team_t team);
__device__ void rocshmem_putmem(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_putmem_wave(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_putmem_wg(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_getmem(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_getmem_wave(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_getmem_wg(void* dest, const void* source, size_t nelems, int pe);
__device__ void rocshmem_ulong_atomic_add(unsigned long* dest, unsigned long val, int pe);
__device__ void rocshmem_ulong_atomic_set(unsigned long* dest, unsigned long val, int pe);

#define MOVES(T, NAME)                                                                                               \
  __device__ void rocshmem_ctx_##NAME##_wg_alltoall(rocshmem_ctx_t, rocshmem_team_t, T*, const T*, int nelems);      \
  __device__ void rocshmem_ctx_##NAME##_wg_fcollect(rocshmem_ctx_t, rocshmem_team_t, T*, const T*, int nelems);      \
  __device__ void rocshmem_ctx_##NAME##_wg_broadcast(rocshmem_ctx_t, rocshmem_team_t, T*, const T*, int nelems, int pe_root);
MOVES(float, float)
MOVES(double, double)
MOVES(char, char)
MOVES(signed char, schar)
MOVES(short, short)
MOVES(int, int)
MOVES(long, long)
MOVES(long long, longlong)
MOVES(unsigned char, uchar)
MOVES(unsigned short, ushort)
MOVES(unsigned int, uint)
MOVES(unsigned long, ulong)
MOVES(unsigned long long, ulonglong)
#undef MOVES

#define REDUCES(T, NAME, OP) \
  __device__ int rocshmem_ctx_##NAME##_##OP##_wg_reduce(rocshmem_ctx_t, rocshmem_team_t, T*, const T*, int nreduce);
#define COMPARES(T, NAME) REDUCES(T, NAME, sum) REDUCES(T, NAME, min) REDUCES(T, NAME, max) REDUCES(T, NAME, prod)
#define COMBINES(T, NAME) COMPARES(T, NAME) REDUCES(T, NAME, or) REDUCES(T, NAME, and) REDUCES(T, NAME, xor)
COMPARES(float, float)
COMPARES(double, double)
COMBINES(short, short)
COMBINES(int, int)
COMBINES(long, long)
COMBINES(long long, longlong)
#undef COMBINES
#undef COMPARES
#undef REDUCES

}  // namespace rocshmem
