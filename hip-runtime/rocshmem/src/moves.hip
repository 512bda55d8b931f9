// Collectives that move data, by type.
#include "collective.h"

namespace rocshmem {

using detail::alltoall;
using detail::broadcast;
using detail::By;
using detail::fcollect;
using detail::team;

#define ROCSHMEM_BOTH(T, UNIT, NAME, DO, BY, RETURN, SUFFIX)                                                \
  __device__ RETURN rocshmem_ctx_##NAME##SUFFIX(rocshmem_ctx_t, rocshmem_team_t of, T* dest, const T* source, int nelems) { \
    DO<By::BY>(team(of), dest, source, static_cast<size_t>(nelems) * (UNIT));                               \
    return static_cast<RETURN>(ROCSHMEM_SUCCESS);                                                           \
  }
#define ROCSHMEM_MOVES(T, UNIT, ALLTOALL, FCOLLECT, BROADCAST)                                              \
  ROCSHMEM_BOTH(T, UNIT, ALLTOALL, alltoall, WG, void, _wg)                                                 \
  ROCSHMEM_BOTH(T, UNIT, ALLTOALL, alltoall, WAVE, int, _wave)                                              \
  ROCSHMEM_BOTH(T, UNIT, FCOLLECT, fcollect, WG, void, _wg)                                                 \
  ROCSHMEM_BOTH(T, UNIT, FCOLLECT, fcollect, WAVE, int, _wave)                                              \
  __device__ void rocshmem_ctx_##BROADCAST##_wg(rocshmem_ctx_t, rocshmem_team_t of, T* dest, const T* source, \
                                                int nelems, int root) {                                     \
    broadcast<By::WG>(team(of), dest, source, static_cast<size_t>(nelems) * (UNIT), root);                  \
  }                                                                                                         \
  __device__ int rocshmem_ctx_##BROADCAST##_wave(rocshmem_ctx_t, rocshmem_team_t of, T* dest, const T* source, \
                                                 int nelems, int root) {                                    \
    broadcast<By::WAVE>(team(of), dest, source, static_cast<size_t>(nelems) * (UNIT), root);                \
    return ROCSHMEM_SUCCESS;                                                                                \
  }

#define ROCSHMEM_TYPED(T, NAME)                                                                             \
  ROCSHMEM_MOVES(T, sizeof(T), NAME##_alltoall, NAME##_fcollect, NAME##_broadcast)                          \
  __device__ void rocshmem_##NAME##_alltoall_wg(rocshmem_team_t of, T* dest, const T* source, int nelems) { \
    rocshmem_ctx_##NAME##_alltoall_wg(ROCSHMEM_CTX_DEFAULT, of, dest, source, nelems);                      \
  }                                                                                                         \
  __device__ void rocshmem_##NAME##_alltoallv_wg(rocshmem_team_t of, T* dest, const size_t dest_nelems[],   \
                                                 const size_t dest_displs[], T* source,                     \
                                                 const size_t source_nelems[], const size_t source_displs[]) { \
    detail::alltoallv(team(of), dest, dest_nelems, dest_displs, source, source_nelems, source_displs, sizeof(T)); \
  }
ROCSHMEM_EACH_COLL_TYPE(ROCSHMEM_TYPED)
ROCSHMEM_MOVES(void, 1, alltoallmem, fcollectmem, broadcastmem)

}  // namespace rocshmem
