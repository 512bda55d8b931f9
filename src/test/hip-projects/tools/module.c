#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

static void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  printf("%s: %s: FAIL\n", what, hipGetErrorString(error));
  exit(1);
}

#define CHECK(call) check(call, #call)

int main(int argc, char** argv) {
  hipModule_t module;
  hipFunction_t scale;
  hipDeviceptr_t global, managed;
  hipPointerAttribute_t attributes;
  size_t size, managedSize;
  float* values;
  float host[N];
  unsigned calls = 0;
  int n = N, wrong = 0;
  void* arguments[] = {&values, &n};
  if (argc != 2) return 2;
  for (int i = 0; i < N; i++) host[i] = (float)i;
  CHECK(hipModuleLoad(&module, argv[1]));
  CHECK(hipModuleGetFunction(&scale, module, "scale"));
  CHECK(hipModuleGetGlobal(&global, &size, module, "calls"));
  CHECK(hipModuleGetGlobal(&managed, &managedSize, module, "steps"));
  CHECK(hipPointerGetAttributes(&attributes, managed));
  CHECK(hipMalloc((void**)&values, sizeof host));
  CHECK(hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice));
  for (int k = 0; k < 2; k++)
    CHECK(hipModuleLaunchKernel(scale, 2, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL));
  CHECK(hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(&calls, global, size, hipMemcpyDeviceToHost));
  int steps = *(int*)managed;
  wrong += managedSize != sizeof steps || steps != 42 || attributes.type != hipMemoryTypeManaged || !attributes.isManaged;
  CHECK(hipModuleUnload(module));
  for (int i = 0; i < N; i++) wrong += host[i] != (float)i * 6.25f;
  printf("%d wrong, %u calls: %s\n", wrong, calls, wrong || calls != 2 ? "FAIL" : "PASS");
  return wrong || calls != 2;
}
