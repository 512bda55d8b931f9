#include <hip/hip_runtime.h>
#include "rocport/shmem.h"
#include <rocshmem/rocshmem.hpp>

#define SYNC(team) rocport::shmem::team_sync(team)
#define RETURN_IF(call) do { int s = (call); if (s) return; } while (0)

__global__ void helpers(float* d, const float* s, unsigned* u, uint64_t* sig, int op, int pe, // want: W64-WAVES
                        rocshmem::rocshmem_team_t team, size_t n) {
  rocport::shmem::iput<float>(d, s, 1, /* rows */ 4, n, pe);
  rocport::shmem::iget_wave<rocport::shmem::word<2>>(d, s, 1, 2, n, pe);
  rocport::shmem::signal_op(sig, 1, op, pe);
  RETURN_IF(rocport::shmem::Max::reduce_wg<uint32_t>(team, u, u, n));
  RETURN_IF((rocshmem::rocshmem_ctx_float_alltoall_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, team, d, s, n), 0));
  rocport::shmem::Sum::reduce<int16_t>(team, (short*)d, (const short*)s, n);
  rocport::shmem::broadcast<char>(team, d, s, n * sizeof(float), 0);
  SYNC(team);
}

__host__ __device__ void both(rocshmem::rocshmem_team_t team) {
  rocport::shmem::barrier(team);
  ::rocshmem::rocshmem_quiet();
}

void streams(rocshmem::rocshmem_team_t team, double* d, const double* s, int* flags, hipStream_t stream) {
  double first = rocport::shmem::g_on_stream<double>(s, 1, stream);
  rocport::shmem::p_on_stream<double>(d, first + 1, 1, stream);
  rocport::shmem::wait_until_all_on_stream<int>(flags, 4, nullptr, rocshmem::ROCSHMEM_CMP_NE, 0, stream);
  rocport::shmem::fcollect_on_stream<double>(team, d, s, 8, stream);
  void (*put)(void*, const void*, size_t, int) = rocshmem::rocshmem_putmem;
  auto wide = nvshmem_put64; // want: SHMEM-RMA
}
