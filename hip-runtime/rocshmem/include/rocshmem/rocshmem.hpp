// The interface of rocSHMEM 3.8, as far as ported programs use it. The semantics are those of
// OpenSHMEM 1.4 and of rocSHMEM's documentation. Functions that are not declared here do not exist.
//
// Suffixes of device functions: none, one thread; _wave, all threads of a wave, with the same
// arguments; _wg, all threads of a block, with the same arguments. Programs that call device
// functions are compiled with -fgpu-rdc and linked with --hip-link -fgpu-rdc -lrocshmem.
#pragma once

#include <hip/hip_runtime.h>

#include "rocshmem_config.h"
#include "rocshmem_common.hpp"

#include "rocshmem_RMA.hpp"
#include "rocshmem_RMA_X.hpp"
#include "rocshmem_AMO.hpp"
#include "rocshmem_SIG_OP.hpp"
#include "rocshmem_COLL.hpp"
#include "rocshmem_P2P_SYNC.hpp"

namespace rocshmem {

#define ROCSHMEM_MAJOR_VERSION 1
#define ROCSHMEM_MINOR_VERSION 4
#define ROCSHMEM_MAX_NAME_LEN 64

constexpr char VERSION[] = ROCSHMEM_VERSION;

// ---- Host: coming together. The GPU must have been chosen (hipSetDevice) before.

/** Ranks are those that mpirun has started; one where it has started none. */
__host__ void rocshmem_init(void);

#if defined(MPI_VERSION)
/** MPI_COMM_WORLD where the communicator is MPI_COMM_NULL. */
[[deprecated]] inline __host__ void rocshmem_init(MPI_Comm comm);
[[deprecated]] inline __host__ int rocshmem_init_thread(int requested, int* provided, MPI_Comm comm);
#endif

/** Zero on success. */
__host__ int rocshmem_init_attr(unsigned int flags, rocshmem_init_attr_t* attr);
__host__ int rocshmem_get_uniqueid(rocshmem_uniqueid_t* uid);
__host__ int rocshmem_set_attr_uniqueid_args(int rank, int nranks, rocshmem_uniqueid_t* uid, rocshmem_init_attr_t* attr);

/** Collective. */
__host__ void rocshmem_finalize();

/** Ends all ranks with this status. */
__host__ void rocshmem_global_exit(int status);

__host__ int rocshmem_n_pes();
__host__ int rocshmem_my_pe();
__host__ void rocshmem_query_thread(int* provided);
__host__ void rocshmem_info_get_version(int* major, int* minor);
__host__ void rocshmem_info_get_name(char* name);
__host__ void rocshmem_vendor_get_version_info(int* major, int* minor, int* patch);

/** Lets device code of a module that was loaded at run time call rocSHMEM. Zero on success. */
__host__ int rocshmem_hipmodule_init(hipModule_t module, hipStream_t stream = nullptr);

// ---- Host: the symmetric heap, of ROCSHMEM_HEAP_SIZE bytes (1 GiB). All these are collective.

/** Aligned to 128 bytes; null where the heap is exhausted or the size is zero. */
__host__ void* rocshmem_malloc(size_t size);
/** Null if the alignment is not a power of two, or smaller than that of a pointer. */
__host__ void* rocshmem_align(size_t alignment, size_t size);
__host__ void* rocshmem_calloc(size_t count, size_t size);
__host__ void rocshmem_free(void* ptr);

/** Memory outside the heap, for the local side of puts and gets. Zero on success. */
__host__ int rocshmem_buffer_register(void* addr, size_t length);
__host__ int rocshmem_buffer_unregister(void* addr);
__host__ void rocshmem_buffer_unregister_all();

/** Where the GPU of this PE finds what is at that address on another PE; null off the heap. */
__host__ void* rocshmem_ptr(const void* dest, int pe);
__device__ void* rocshmem_ptr(const void* dest, int pe);

// ---- Host: contexts and teams

/** Zero on success. */
__host__ int rocshmem_ctx_create(int64_t options, rocshmem_ctx_t* ctx);
__host__ void rocshmem_ctx_destroy(rocshmem_ctx_t ctx);

/** -1 where a PE is not of the team, or a team is invalid. */
__host__ int rocshmem_team_translate_pe(rocshmem_team_t src_team, int src_pe, rocshmem_team_t dest_team);
__host__ int rocshmem_team_n_pes(rocshmem_team_t team);
__host__ int rocshmem_team_my_pe(rocshmem_team_t team);

/**
 * Collective over the parent. The new team is ROCSHMEM_TEAM_INVALID on PEs that are not members.
 * Returns zero on success; at most ROCSHMEM_MAX_NUM_TEAMS (40) teams exist at a time.
 */
__host__ int rocshmem_team_split_strided(rocshmem_team_t parent_team, int start, int stride, int size,
                                         const rocshmem_team_config_t* config, long config_mask,
                                         rocshmem_team_t* new_team);
__host__ int rocshmem_team_split_2d(rocshmem_team_t parent_team, int xrange,
                                    const rocshmem_team_config_t* xaxis_config, long xaxis_mask,
                                    rocshmem_team_t* xaxis_team, const rocshmem_team_config_t* yaxis_config,
                                    long yaxis_mask, rocshmem_team_t* yaxis_team);
__host__ void rocshmem_team_destroy(rocshmem_team_t team);

// ---- Host: order. These wait for what this host has asked for, not for kernels.

__host__ void rocshmem_ctx_fence(rocshmem_ctx_t ctx);
__host__ void rocshmem_fence();
__host__ void rocshmem_ctx_quiet(rocshmem_ctx_t ctx);
__host__ void rocshmem_quiet();
__host__ void rocshmem_barrier_all();
__host__ void rocshmem_barrier(rocshmem_team_t team);
__host__ void rocshmem_sync_all();
__host__ void rocshmem_team_sync(rocshmem_team_t team);

// ---- Host: work for a stream

__host__ void rocshmem_quiet_on_stream(hipStream_t stream);
__host__ void rocshmem_barrier_all_on_stream(hipStream_t stream);
__host__ void rocshmem_barrier_on_stream(rocshmem_team_t team, hipStream_t stream);
__host__ void rocshmem_sync_all_on_stream(hipStream_t stream);
__host__ void rocshmem_team_sync_on_stream(rocshmem_team_t team, hipStream_t stream);

/** Bytes for each pair of PEs. */
__host__ void rocshmem_alltoallmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t size,
                                             hipStream_t stream);
/** Writes into the other PEs' memory at once: a barrier before it makes sure that they are ready. */
__host__ void rocshmem_broadcastmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t nelems,
                                              int pe_root, hipStream_t stream);
__host__ void rocshmem_getmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream);
__host__ void rocshmem_putmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream);
__host__ void rocshmem_putmem_signal_on_stream(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                               uint64_t signal, int sig_op, int pe, hipStream_t stream);
__host__ void rocshmem_signal_wait_until_on_stream(uint64_t* sig_addr, int cmp, uint64_t cmp_value, hipStream_t stream);
__host__ void rocshmem_signal_set_on_stream(uint64_t* sig_addr, uint64_t signal, int pe, hipStream_t stream);
__host__ void rocshmem_signal_add_on_stream(uint64_t* sig_addr, uint64_t signal, int pe, hipStream_t stream);

// ---- Device

[[deprecated]] __device__ void rocshmem_wg_init();
[[deprecated]] __device__ void rocshmem_wg_finalize();
[[deprecated]] __device__ void rocshmem_wg_init_thread(int requested, int* provided);
__device__ void rocshmem_query_thread(int* provided);

/** By all threads of a block: a context of its own. Zero on success. */
__device__ int rocshmem_wg_ctx_create(int64_t options, rocshmem_ctx_t* ctx);
__device__ int rocshmem_wg_team_create_ctx(rocshmem_team_t team, long options, rocshmem_ctx_t* ctx);
__device__ void rocshmem_wg_ctx_destroy(rocshmem_ctx_t* ctx);

__device__ void rocshmem_ctx_fence(rocshmem_ctx_t ctx);
__device__ void rocshmem_fence();
__device__ void rocshmem_ctx_fence(rocshmem_ctx_t ctx, int pe);
__device__ void rocshmem_fence(int pe);
__device__ void rocshmem_ctx_quiet(rocshmem_ctx_t ctx);
__device__ void rocshmem_quiet();
__device__ void rocshmem_ctx_pe_quiet(rocshmem_ctx_t ctx, const int* target_pes, size_t npes);
__device__ void rocshmem_pe_quiet(const int* target_pes, size_t npes);
__device__ void rocshmem_ctx_threadfence_system(rocshmem_ctx_t ctx);
__device__ void rocshmem_threadfence_system();

__device__ int rocshmem_ctx_n_pes(rocshmem_ctx_t ctx);
__device__ int rocshmem_n_pes();
__device__ int rocshmem_ctx_my_pe(rocshmem_ctx_t ctx);
__device__ int rocshmem_my_pe();
__device__ int rocshmem_team_n_pes(rocshmem_team_t team);
__device__ int rocshmem_team_my_pe(rocshmem_team_t team);
__device__ int rocshmem_team_translate_pe(rocshmem_team_t src_team, int src_pe, rocshmem_team_t dest_team);

// ---- Inline, as the library itself knows no MPI

#if defined(MPI_VERSION)
inline __host__ void rocshmem_init(MPI_Comm comm) {
  rocshmem_init_attr_t attr = {};
  MPI_Comm used = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
  attr.mpi_comm = &used;
  if (rocshmem_init_attr(ROCSHMEM_INIT_WITH_MPI_COMM, &attr) != ROCSHMEM_SUCCESS) abort();
}

inline __host__ int rocshmem_init_thread(int, int* provided, MPI_Comm comm) {
  rocshmem_init_attr_t attr = {};
  MPI_Comm used = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
  attr.mpi_comm = &used;
  if (provided != nullptr) *provided = ROCSHMEM_THREAD_MULTIPLE;
  return rocshmem_init_attr(ROCSHMEM_INIT_WITH_MPI_COMM, &attr);
}
#endif

}  // namespace rocshmem
