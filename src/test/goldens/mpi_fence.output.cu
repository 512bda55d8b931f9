// Copies on the device whose target MPI gets.
#include <hip/hip_runtime.h>
#include "rocport/release.h"
#include <mpi.h>

#define CHECK(call) if ((call) != hipSuccess) return -1

struct Context {
  hipStream_t stream;
  float* stage;
};

hipStream_t next_stream();

int statement(float* stage, const float* from, int n) {
  rocport_release(hipMemcpy(stage, from, n * sizeof(float), hipMemcpyDeviceToDevice), 0);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int assigned(Context* c, const float* from, int n) {
  hipError_t error;
  error = rocport_release(hipMemcpyAsync(c->stage, from, n * 4, hipMemcpyDefault, c->stream), c->stream);
  if (error != hipSuccess) return -1;
  return PMPI_Send(c->stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int in_macro(float* stage, const float* from, int n) {
  CHECK(rocport_release(hipMemcpyAsync(stage + n, from, n * 4, hipMemcpyDeviceToDevice, hipStreamPerThread), hipStreamPerThread));
  MPI_Request request;
  return MPI_Isend(stage, 2 * n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, &request);
}

void cleared(float* stage, int n) {
  (void)rocport_release(hipMemset(stage, 0, n * 4), 0);
  if (n > 0) MPI_Allreduce(MPI_IN_PLACE, stage, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int rows(float* stage, const float* from, int n) {
  if (rocport_release(hipMemcpy2D(stage, 64, from, 128, 64, n, hipMemcpyDeviceToDevice), 0) != hipSuccess) return -1;
  return MPI_Bcast(stage, 16 * n, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

int waited_for_at_times(float* stage, const float* from, int n, hipStream_t stream) {
  rocport_release(hipMemcpyAsync(stage, from, n * 4, hipMemcpyDeviceToDevice, stream), stream);
  if (n > 1000) hipStreamSynchronize(stream);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for(float* stage, const float* from, int n, hipStream_t stream) {
  hipMemcpyAsync(stage, from, n * 4, hipMemcpyDeviceToDevice, stream);
  CHECK(hipStreamSynchronize(stream));
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for_another(float* stage, const float* from, int n, hipStream_t a, hipStream_t b) {
  rocport_release(hipMemcpyAsync(stage, from, n * 4, hipMemcpyDeviceToDevice, a), a);
  hipStreamSynchronize(b);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int waited_for_all(float* stage, const float* from, int n) {
  hipMemcpy(stage, from, n * 4, hipMemcpyDeviceToDevice);
  hipDeviceSynchronize();
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int from_host(float* stage, const float* from, int n) {
  hipMemcpy(stage, from, n * 4, hipMemcpyHostToDevice);
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

int some_stream(float* stage, const float* from, int n) {
  hipMemcpyAsync(stage, from, n * 4, hipMemcpyDeviceToDevice, next_stream());  // want: MPI-RELEASE-FENCE
  return MPI_Send(stage, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
}

void for_a_caller(float* stage, const float* from, int n) {
  rocport_release(hipMemcpy(stage, from, n * 4, hipMemcpyDeviceToDevice), 0);
}

void for_a_caller_later(float* stage, const float* from, int n, hipStream_t s) {
  hipMemcpyAsync(stage, from, n * 4, hipMemcpyDeviceToDevice, s);  // want: MPI-RELEASE-FENCE
}

float own(const float* from, int n) {
  float* copy;
  float first;
  hipMalloc(&copy, n * 4);
  hipMemcpy(copy, from, n * 4, hipMemcpyDeviceToDevice);
  hipMemcpy(&first, copy, 4, hipMemcpyDeviceToHost);
  hipFree(copy);
  return first;
}
