#include <cuda.h>

CUresult load(CUmodule* m, const void* image, char* log, size_t bytes) {
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
  void* values[] = {log, (void*)bytes, (void*)64};
  return cuModuleLoadDataEx(m, image, 3, options, values);
}

size_t CUDA_CB bytesFor(int block) { return block * sizeof(float); }
