// Copies on the device whose target MPI gets.
#include <cuda_runtime.h>
#include <mpi.h>

#define CHECK(call) if ((call) != cudaSuccess) return -1

struct Context {
  cudaStream_t stream;
  float* stage;
};

cudaStream_t next_stream();

int statement(float* stage, const float* from, int n) {
  cudaMemcpy(stage, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int assigned(Context* c, const float* from, int n) {
  cudaError_t error;
  error = cudaMemcpyAsync(c->stage, from, n * 4, cudaMemcpyDefault, c->stream);
  if (error != cudaSuccess) return -1;
  return PMPI_Send(c->stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int in_macro(float* stage, const float* from, int n) {
  CHECK(cudaMemcpyAsync(stage + n, from, n * 4, cudaMemcpyDeviceToDevice, cudaStreamPerThread));
  MPI_Request request;
  return MPI_Isend(stage, 2 * n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, &request);
}

void cleared(float* stage, int n) {
  (void)cudaMemset(stage, 0, n * 4);
  if (n > 0) MPI_Allreduce(MPI_IN_PLACE, stage, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int rows(float* stage, const float* from, int n) {
  if (cudaMemcpy2D(stage, 64, from, 128, 64, n, cudaMemcpyDeviceToDevice) != cudaSuccess) return -1;
  return MPI_Bcast(stage, 16 * n, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

int waited_for_at_times(float* stage, const float* from, int n, cudaStream_t stream) {
  cudaMemcpyAsync(stage, from, n * 4, cudaMemcpyDeviceToDevice, stream);
  if (n > 1000) cudaStreamSynchronize(stream);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for(float* stage, const float* from, int n, cudaStream_t stream) {
  cudaMemcpyAsync(stage, from, n * 4, cudaMemcpyDeviceToDevice, stream);
  CHECK(cudaStreamSynchronize(stream));
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for_another(float* stage, const float* from, int n, cudaStream_t a, cudaStream_t b) {
  cudaMemcpyAsync(stage, from, n * 4, cudaMemcpyDeviceToDevice, a);
  cudaStreamSynchronize(b);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for_all(float* stage, const float* from, int n) {
  cudaMemcpy(stage, from, n * 4, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int from_host(float* stage, const float* from, int n) {
  cudaMemcpy(stage, from, n * 4, cudaMemcpyHostToDevice);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int some_stream(float* stage, const float* from, int n) {
  cudaMemcpyAsync(stage, from, n * 4, cudaMemcpyDeviceToDevice, next_stream());  // want: MPI-RELEASE-FENCE
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

void for_a_caller(float* stage, const float* from, int n) {
  cudaMemcpy(stage, from, n * 4, cudaMemcpyDeviceToDevice);
}

void for_a_caller_later(float* stage, const float* from, int n, cudaStream_t s) {
  cudaMemcpyAsync(stage, from, n * 4, cudaMemcpyDeviceToDevice, s);  // want: MPI-RELEASE-FENCE
}

float own(const float* from, int n) {
  float* copy;
  float first;
  cudaMalloc(&copy, n * 4);
  cudaMemcpy(copy, from, n * 4, cudaMemcpyDeviceToDevice);
  cudaMemcpy(&first, copy, 4, cudaMemcpyDeviceToHost);
  cudaFree(copy);
  return first;
}
