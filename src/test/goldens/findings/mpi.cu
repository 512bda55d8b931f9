// Device-to-device copies whose target MPI reads.
#include <cuda_runtime.h>
#include <mpi.h>

void exchange(float *stage, const float *rows, int n, int peer, cudaStream_t stream) {
  cudaMemcpyAsync(stage, rows, n * 4, cudaMemcpyDeviceToDevice, stream);  // want: MPI-RELEASE-FENCE
  MPI_Send(stage, n, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
}

void exchange(float *stage, const float *host, int n, int peer) {
  cudaMemcpy(stage, host, n * 4, cudaMemcpyHostToDevice);  // ok: MPI-RELEASE-FENCE
  MPI_Send(stage, n, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
}

void exchange_later(float *stage, const float *rows, int n, int peer, cudaStream_t stream) {
  cudaMemcpyAsync(stage, rows, n * 4, cudaMemcpyDeviceToDevice, stream);
  cudaStreamSynchronize(stream);
  MPI_Send(stage, n, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
}

#if !defined(MPIX_CUDA_AWARE_SUPPORT)  // want: API-OTHERS
bool aware() { return MPIX_Query_cuda_support() == 1; }  // want: API-OTHERS
#endif
