// Functions that differ from CUDA before HIP 7.
__global__ void step(float *p) { *p += 1; }

cudaError_t launch(float *p) {
  step<<<1, 64>>>(p);
  return cudaGetLastError();  // ok: ROCM-CHANGE
}

cudaError_t wait(float *p) {
  step<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  return cudaGetLastError();  // want: ROCM-CHANGE
}

cudaError_t check() { return cudaPeekAtLastError(); }  // ok: ROCM-CHANGE

cudaError_t name(float *p) {
  cudaMemset(p, 0, 4);
  if (p) {
    step<<<1, 64>>>(p);
    printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));  // ok: ROCM-CHANGE
  }
  return cudaSuccess;
}

void release(float *p, cudaStream_t s) { cudaFreeAsync(p, s); }  // want: ROCM-CHANGE
