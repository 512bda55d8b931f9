// Collectives of the PEs of a team: one wave or one block of each, with the same arguments. Counts are elements, or
// bytes if the name has mem; for alltoall and fcollect they are per PE. A broadcast writes into the memory of the other
// PEs at once: call a barrier before it, so that they are ready. Functions that return int return zero on success.
#pragma once

namespace rocshmem {

#define ROCSHMEM_DECLARE_COLL_(T, NAME)                                                                 \
  __device__ void rocshmem_ctx_##NAME##_alltoall_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,  \
                                                    const T* source, int nelems);                       \
  __device__ void rocshmem_##NAME##_alltoall_wg(rocshmem_team_t team, T* dest, const T* source, int nelems);   \
  __device__ int rocshmem_ctx_##NAME##_alltoall_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest, \
                                                     const T* source, int nelems);                      \
  __device__ void rocshmem_##NAME##_alltoallv_wg(rocshmem_team_t team, T* dest, const size_t dest_nelems[],    \
                                                 const size_t dest_displs[], T* source,                 \
                                                 const size_t source_nelems[], const size_t source_displs[]);  \
  __device__ void rocshmem_ctx_##NAME##_broadcast_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest, \
                                                     const T* source, int nelems, int pe_root);         \
  __device__ int rocshmem_ctx_##NAME##_broadcast_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest, \
                                                      const T* source, int nelems, int pe_root);        \
  __host__ void rocshmem_ctx_##NAME##_broadcast(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,      \
                                                const T* source, int nelems, int pe_root);              \
  __device__ void rocshmem_ctx_##NAME##_fcollect_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,  \
                                                    const T* source, int nelems);                       \
  __device__ int rocshmem_ctx_##NAME##_fcollect_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest, \
                                                     const T* source, int nelems);
ROCSHMEM_EACH_COLL_TYPE(ROCSHMEM_DECLARE_COLL_)
#undef ROCSHMEM_DECLARE_COLL_

__device__ void rocshmem_ctx_alltoallmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems);
__device__ int rocshmem_ctx_alltoallmem_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                             int nelems);
__device__ void rocshmem_ctx_broadcastmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                             int nelems, int PE_root);
__device__ int rocshmem_ctx_broadcastmem_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                              int nelems, int PE_root);
__device__ void rocshmem_ctx_fcollectmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems);
__device__ int rocshmem_ctx_fcollectmem_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                             int nelems);

// Reductions add in the order of the team's PEs. reduce_scatter gives PE i block i of the sum.
#define ROCSHMEM_DECLARE_REDUCTION_(T, NAME, OP, CONSTANT)                                              \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,     \
                                                        const T* source, int nreduce);                  \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_wave(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,   \
                                                          const T* source, int nreduce);                \
  __host__ int rocshmem_ctx_##NAME##_##OP##_reduce(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,   \
                                                   const T* source, int nreduce);                       \
  __host__ int rocshmem_ctx_##NAME##_##OP##_reduce_on_stream(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,  \
                                                             const T* source, int nreduce, hipStream_t stream);  \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_scatter_wg(rocshmem_ctx_t ctx, rocshmem_team_t team,      \
                                                                T* dest, const T* source, int nreduce);        \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_scatter_wave(rocshmem_ctx_t ctx, rocshmem_team_t team,    \
                                                                  T* dest, const T* source, int nreduce);      \
  __host__ int rocshmem_ctx_##NAME##_##OP##_reduce_scatter(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,  \
                                                           const T* source, int nreduce);
ROCSHMEM_EACH_REDUCTION(ROCSHMEM_DECLARE_REDUCTION_)
#undef ROCSHMEM_DECLARE_REDUCTION_

// Barriers complete puts; syncs do not. _all, and those without a team, are of all PEs.
__device__ void rocshmem_barrier_all();
__device__ void rocshmem_barrier_all_wave();
__device__ void rocshmem_barrier_all_wg();
__device__ void rocshmem_ctx_barrier(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_ctx_barrier_wave(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_ctx_barrier_wg(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_barrier();
__device__ void rocshmem_barrier_wave();
__device__ void rocshmem_barrier_wg();
__device__ void rocshmem_sync_all();
__device__ void rocshmem_sync_all_wave();
__device__ void rocshmem_sync_all_wg();
__device__ void rocshmem_ctx_sync(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_ctx_sync_wave(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_ctx_sync_wg(rocshmem_ctx_t ctx, rocshmem_team_t team);

}  // namespace rocshmem
