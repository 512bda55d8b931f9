#include <hip/hip_runtime.h>

hipError_t load(hipModule_t* m, const void* image, char* log, size_t bytes) {
  hipJitOption options[] = {hipJitOptionInfoLogBuffer, hipJitOptionInfoLogBufferSizeBytes, hipJitOptionMaxRegisters};
  void* values[] = {log, (void*)bytes, (void*)64};
  return hipModuleLoadDataEx(m, image, 3, options, values);
}

size_t bytesFor(int block) { return block * sizeof(float); }
