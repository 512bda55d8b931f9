// Bitcode of two programs, linked at run time by either library, and what cannot be linked.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstring>
#include <string>

#include "check.h"

static std::string bitcode(const char* source, const char* expression = nullptr, std::string* lowered = nullptr) {
  hiprtcProgram program;
  HOLDS(hiprtcCreateProgram(&program, source, "part.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  if (expression) HOLDS(hiprtcAddNameExpression(program, expression) == HIPRTC_SUCCESS);
  const char* options[] = {"-fgpu-rdc"};
  HOLDS(hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS);
  const char* name = nullptr;
  if (expression && hiprtcGetLoweredName(program, expression, &name) == HIPRTC_SUCCESS) *lowered = name;
  size_t size = 0;
  HOLDS(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  HOLDS(hiprtcGetBitcodeSize(program, &size) == HIPRTC_SUCCESS);
  std::string code(size, '\0');
  HOLDS(hiprtcGetBitcode(program, code.data()) == HIPRTC_SUCCESS);
  HOLDS(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return code;
}

// rocBLAS loads a module when a kernel of it is first needed, also while its caller captures a graph.
static void runCaptured(const void* image, const char* kernel) {
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  int* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 64 * sizeof(int)));
  WORKS(hipMemset(memory, 0, 64 * sizeof(int)));
  WORKS(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  hipModule_t module;
  WORKS(hipModuleLoadData(&module, image));
  hipFunction_t function;
  WORKS(hipModuleGetFunction(&function, module, kernel));
  void* arguments[] = {&memory};
  WORKS(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  hipModule_t unused;
  WORKS(hipModuleLoadData(&unused, image));
#if HIP_VERSION_MAJOR < 7
  WORKS(hipModuleUnload(unused));
#endif
  hipGraph_t graph;
  WORKS(hipStreamEndCapture(stream, &graph));
  hipGraphExec_t executable;
  WORKS(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  WORKS(hipGraphLaunch(executable, stream));
  WORKS(hipStreamSynchronize(stream));
  int seen[64];
  WORKS(hipMemcpy(seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) HOLDS(seen[i] == 3 * i + 1);
  WORKS(hipGraphExecDestroy(executable));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipStreamDestroy(stream));
  WORKS(hipFree(memory));
  WORKS(hipModuleUnload(module));
#if HIP_VERSION_MAJOR >= 7
  WORKS(hipModuleUnload(unused));
#endif
}

static void run(const void* image, const char* kernel) {
  hipModule_t module;
  WORKS(hipModuleLoadData(&module, image));
  hipFunction_t function;
  WORKS(hipModuleGetFunction(&function, module, kernel));
  int* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 64 * sizeof(int)));
  void* arguments[] = {&memory};
  WORKS(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  int seen[64];
  WORKS(hipMemcpy(seen, memory, sizeof seen, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) HOLDS(seen[i] == 3 * i + 1);
  WORKS(hipFree(memory));
  WORKS(hipModuleUnload(module));
}

int main() {
  int device = 0;
  WORKS(hipGetDevice(&device));
  std::string lowered;
  std::string one = bitcode(
      "__device__ int triple(int);\n"
      "template <int N> __global__ void fill(int* to) { to[threadIdx.x] = triple(threadIdx.x) + N; }\n"
      "extern \"C\" __global__ void plain(int* to) { to[threadIdx.x] = triple(threadIdx.x) + 1; }\n",
      "fill<1>", &lowered);
  std::string two = bitcode("__device__ int triple(int x) { return 3 * x; }\n");
  HOLDS(lowered == "_Z4fillILi1EEvPi");

  hipLinkState_t state;
  WORKS(hipLinkCreate(0, nullptr, nullptr, &state));
  WORKS(hipLinkAddData(state, hipJitInputLLVMBitcode, one.data(), one.size(), "one", 0, nullptr, nullptr));
  WORKS(hipLinkAddData(state, hipJitInputLLVMBitcode, two.data(), two.size(), "two", 0, nullptr, nullptr));
  void* image = nullptr;
  size_t size = 0;
  WORKS(hipLinkComplete(state, &image, &size));
  HOLDS(size > 0);
  run(image, "plain");
  run(image, lowered.c_str());
  runCaptured(image, "plain");
  WORKS(hipLinkDestroy(state));
  GIVES(hipLinkDestroy(state), hipErrorInvalidHandle);

  // A file, and an option for the code generator.
  FILE* file = fopen("two.bc", "wb");
  HOLDS(file && fwrite(two.data(), 1, two.size(), file) == two.size());
  fclose(file);
  const char* extra[] = {"-O1"};
  hiprtcJIT_option options[] = {HIPRTC_JIT_IR_TO_ISA_OPT_EXT, HIPRTC_JIT_IR_TO_ISA_OPT_COUNT_EXT};
  void* values[] = {extra, reinterpret_cast<void*>(1)};
  hiprtcLinkState other;
  HOLDS(hiprtcLinkCreate(2, options, values, &other) == HIPRTC_SUCCESS);
  HOLDS(hiprtcLinkAddData(other, HIPRTC_JIT_INPUT_LLVM_BITCODE, one.data(), one.size(), "one", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  HOLDS(hiprtcLinkAddFile(other, HIPRTC_JIT_INPUT_NVVM, "none.bc", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  HOLDS(hiprtcLinkAddFile(other, HIPRTC_JIT_INPUT_LLVM_BITCODE, "none.bc", 0, nullptr, nullptr) == HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
  HOLDS(hiprtcLinkAddFile(other, HIPRTC_JIT_INPUT_LLVM_BITCODE, "two.bc", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  HOLDS(hiprtcLinkComplete(other, &image, &size) == HIPRTC_SUCCESS);
  run(image, "plain");
  HOLDS(hiprtcLinkDestroy(other) == HIPRTC_SUCCESS);
  remove("two.bc");

  // A function is missing: the linker says which.
  char log[4096] = "";
  hipJitOption report[] = {hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes};
  void* where[] = {log, reinterpret_cast<void*>(sizeof log)};
  WORKS(hipLinkCreate(2, report, where, &state));
  GIVES(hipLinkAddData(state, hipJitInputPtx, one.data(), one.size(), "one", 0, nullptr, nullptr), hipErrorInvalidValue);
  WORKS(hipLinkAddData(state, hipJitInputLLVMBitcode, one.data(), one.size(), "one", 0, nullptr, nullptr));
  GIVES(hipLinkComplete(state, &image, &size), hipErrorInvalidImage);
  HOLDS(strstr(log, "triple(int)") != nullptr);
  WORKS(hipLinkDestroy(state));
  return done();
}
