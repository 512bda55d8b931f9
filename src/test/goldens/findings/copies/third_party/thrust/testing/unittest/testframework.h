#include <cuda_runtime.h>

inline const char* shown(cudaError_t e) { return cudaGetErrorString(e); }
