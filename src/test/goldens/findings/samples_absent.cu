// A macro of the CUDA samples, none of whose headers the project includes.
int main() {
  CUDA_SAFE_CALL(cudaDeviceSynchronize());  // want: API-UNKNOWN
  return 0;
}
