// Functions by name, names by number, the oldest form of a launch, and what streams, pointers and
// graphs tell of themselves.
#include <dlfcn.h>
#include <hip/hip_runtime.h>
#include <hip/hip_deprecated.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "check.h"

__global__ void store(int* to, int value) { *to = value; }

static std::string content(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/** The functions of libamdhip64 that no current header declares. */
static void namesOfLibrariesAreThere() {
  void* runtime = dlopen("libamdhip64.so", RTLD_NOW);
  auto function = [&](const char* name) {
    void* found = dlsym(runtime, name);
    if (found == nullptr) std::printf("no %s\n", name);
    HOLDS(found != nullptr);
    return found;
  };
  for (const char* name : {"hipRegisterTracerCallback", "hipGetCmdName", "hipChooseDevice", "hipExtHostAlloc",
                           "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j",
                           "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_"}) {
    function(name);
  }
  auto older = reinterpret_cast<hipError_t (*)(hipDeviceProp_tR0000*, int)>(function("hipGetDeviceProperties"));
  hipDeviceProp_tR0000 before;
  hipDeviceProp_t now;
  WORKS(older(&before, 0));
  WORKS(hipGetDeviceProperties(&now, 0));
  HOLDS(std::strcmp(before.gcnArchName, now.gcnArchName) == 0 && before.warpSize == now.warpSize);
  HOLDS(before.multiProcessorCount == now.multiProcessorCount && before.memPitch == now.memPitch);
#if HIP_VERSION_MAJOR < 7
  auto version = reinterpret_cast<int (*)(int*, int*)>(function("hiprtcVersion"));
  int major = 0, minor = 0;
  HOLDS(version(&major, &minor) == 0 && major >= 9);
#endif
  auto widen = reinterpret_cast<float (*)(unsigned short)>(function("__gnu_h2f_ieee"));
  auto narrow = reinterpret_cast<unsigned short (*)(float)>(function("__gnu_f2h_ieee"));
  bool same = true;
  for (unsigned half = 0; half < 0x10000; half++) {
    bool number = (half & 0x7fff) <= 0x7c00;
    float wide = widen(static_cast<unsigned short>(half));
    same = same && (number ? narrow(wide) == half : wide != wide && narrow(wide) == (half & 0x8000 ? 0xfe00 : 0x7e00));
  }
  HOLDS(same);
  HOLDS(widen(0x3c00) == 1 && widen(0x0001) == 0x1p-24F && widen(0xfbff) == -65504);
  HOLDS(narrow(65519) == 0x7bff && narrow(65520) == 0x7c00 && narrow(1e30F) == 0x7c00);
  HOLDS(narrow(0x1p-25F) == 0 && narrow(0x1.8p-25F) == 1 && narrow(0x1.8p-24F) == 2);
  HOLDS(narrow(1 + 0x1p-11F) == 0x3c00 && narrow(1 + 0x1.8p-10F) == 0x3c02);
}

int main() {
  namesOfLibrariesAreThere();
  void* function = nullptr;
  hipDriverProcAddressQueryResult status;
  WORKS(hipGetProcAddress("hipGetDeviceCount", &function, HIP_VERSION_MAJOR * 100, 0, &status));
  HOLDS(status == HIP_GET_PROC_ADDRESS_SUCCESS);
  int devices = 0;
  WORKS(reinterpret_cast<hipError_t (*)(int*)>(function)(&devices));
  HOLDS(devices > 0);
  WORKS(hipGetProcAddress("hipGetDeviceProperties", &function, 600, 0, nullptr));
  hipDeviceProp_t properties;
  WORKS(reinterpret_cast<hipError_t (*)(hipDeviceProp_t*, int)>(function)(&properties, 0));
  HOLDS(properties.warpSize == 64);
  GIVES(hipGetProcAddress("hipNoSuchFunction", &function, 600, 0, &status), hipErrorInvalidValue);
  HOLDS(status == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  GIVES(hipGetProcAddress(nullptr, &function, 600, 0, &status), hipErrorInvalidValue);
  HOLDS(strcmp(hipApiName(1), "__hipPopCallConfiguration") == 0);
  HOLDS(strcmp(hipApiName(0), "unknown") == 0);

  int* memory = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&memory), 64));
  int value = 41;
  GIVES(hipSetupArgument(&value, 4, 0), hipErrorMissingConfiguration);
  GIVES(hipLaunchByPtr(reinterpret_cast<void*>(store)), hipErrorMissingConfiguration);
  WORKS(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  WORKS(hipSetupArgument(&memory, 8, 0));
  WORKS(hipSetupArgument(&value, 4, 8));
  WORKS(hipLaunchByPtr(reinterpret_cast<void*>(store)));
  int seen = 0;
  WORKS(hipMemcpy(&seen, memory, 4, hipMemcpyDeviceToHost));
  HOLDS(seen == 41);
  WORKS(hipConfigureCall(dim3(1), dim3(1), 0, nullptr));
  WORKS(hipSetupArgument(&memory, 8, 0));
  GIVES(hipLaunchByPtr(reinterpret_cast<void*>(store)), hipErrorInvalidValue);  // one is missing

  hipStream_t masked, whole;
  uint32_t mask[4] = {0x5, 0, 0, 0}, read[4] = {9, 9, 9, 9};
  WORKS(hipExtStreamCreateWithCUMask(&masked, 1, mask));
  WORKS(hipExtStreamGetCUMask(masked, 4, read));
  HOLDS(read[0] == 5 && read[1] == 0 && read[3] == 0);
  WORKS(hipStreamCreate(&whole));
  WORKS(hipExtStreamGetCUMask(whole, 4, read));
  HOLDS(read[0] == ~0U && read[3] == (1U << (properties.multiProcessorCount - 96)) - 1);
  GIVES(hipExtStreamGetCUMask(whole, 1, read), hipErrorInvalidValue);
  GIVES(hipExtStreamGetCUMask(whole, 4, nullptr), hipErrorInvalidValue);
  hipStream_t none;
  const uint32_t nothing = 0;
  WORKS(hipExtStreamCreateWithCUMask(&none, 1, &nothing));
  WORKS(hipExtStreamGetCUMask(none, 4, mask));
  HOLDS(mask[0] == read[0] && mask[3] == read[3]);
  WORKS(hipStreamDestroy(none));

  bool synchronous = true;
  WORKS(hipPointerSetAttribute(&synchronous, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  synchronous = false;
  WORKS(hipPointerGetAttribute(&synchronous, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  HOLDS(synchronous);
  GIVES(hipPointerSetAttribute(&synchronous, HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory), hipErrorInvalidValue);

  uint64_t used = 1, high = 0;
  WORKS(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  HOLDS(used == 0);
  hipGraph_t graph;
  WORKS(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams wanted = {};
  wanted.poolProps.allocType = hipMemAllocationTypePinned;
  wanted.poolProps.location = {hipMemLocationTypeDevice, 0};
  wanted.bytesize = 4096;
  hipGraphNode_t allocation, copy, batch;
  WORKS(hipGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &wanted));
  WORKS(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrReservedMemCurrent, &used));
  HOLDS(used == 4096);

  HIP_MEMCPY3D rows = {};
  rows.srcMemoryType = rows.dstMemoryType = hipMemoryTypeDevice;
  rows.srcDevice = memory;
  rows.dstDevice = memory + 8;
  rows.srcPitch = rows.dstPitch = 8;
  rows.WidthInBytes = 4;
  rows.Height = 2;
  rows.Depth = 1;
  HIP_MEMCPY3D told = {};
  WORKS(hipDrvGraphAddMemcpyNode(&copy, graph, nullptr, 0, &rows, nullptr));
  WORKS(hipDrvGraphMemcpyNodeGetParams(copy, &told));
  HOLDS(memcmp(&told, &rows, sizeof rows) == 0);
  WORKS(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, &seen, memory, 4, hipMemcpyDeviceToHost));
  WORKS(hipDrvGraphMemcpyNodeGetParams(copy, &told));
  HOLDS(told.srcMemoryType == hipMemoryTypeDevice && told.srcDevice == memory);
  HOLDS(told.dstMemoryType == hipMemoryTypeHost && told.dstHost == &seen);
  HOLDS(told.WidthInBytes == 4 && told.Height == 1 && told.Depth == 1);
  GIVES(hipDrvGraphMemcpyNodeGetParams(allocation, &told), hipErrorInvalidValue);

  hipStreamBatchMemOpParams writes[2] = {};
  for (int i = 0; i < 2; i++) {
    writes[i].writeValue.operation = hipStreamMemOpWriteValue32;
    writes[i].writeValue.address = memory + 4 + i;
    writes[i].writeValue.value = 70 + static_cast<uint32_t>(i);
  }
  hipBatchMemOpNodeParams list = {};
  list.count = 2;
  list.paramArray = writes;
  WORKS(hipGraphAddBatchMemOpNode(&batch, graph, nullptr, 0, &list));
  hipBatchMemOpNodeParams read2 = {};
  WORKS(hipGraphBatchMemOpNodeGetParams(batch, &read2));
  HOLDS(read2.count == 2 && read2.paramArray[1].writeValue.value == 71);
  hipGraphExec_t exec;
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  writes[1].writeValue.value = 99;
  WORKS(hipGraphExecBatchMemOpNodeSetParams(exec, batch, &list));
  list.count = 0;
  GIVES(hipGraphExecBatchMemOpNodeSetParams(exec, batch, &list), hipErrorInvalidValue);
  WORKS(hipGraphLaunch(exec, whole));
  WORKS(hipStreamSynchronize(whole));
  int pair[2] = {};
  WORKS(hipMemcpy(pair, memory + 4, 8, hipMemcpyDeviceToHost));
  HOLDS(pair[0] == 70 && pair[1] == 99);

  // What the graph looks like.
  hipGraph_t inner;
  WORKS(hipGraphCreate(&inner, 0));
  hipGraphNode_t kernel, child;
  void* arguments[] = {&memory, &value};
  hipKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(store);
  launch.gridDim = dim3(3);
  launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  WORKS(hipGraphAddKernelNode(&kernel, inner, nullptr, 0, &launch));
  WORKS(hipGraphAddChildGraphNode(&child, graph, &batch, 1, inner));
  WORKS(hipGraphDebugDotPrint(graph, "graph.dot", hipGraphDebugDotFlagsVerbose));
  std::string drawn = content("graph.dot");
  HOLDS(drawn.find("kernel _Z5storePii\\ngrid 3 x 1 x 1, block 1 x 1 x 1") != std::string::npos);
  HOLDS(drawn.find("alloc 4096 bytes") != std::string::npos);
  HOLDS(drawn.find("n3 -> n4;") != std::string::npos);
  HOLDS(drawn.find("subgraph cluster_n4") != std::string::npos);
  WORKS(hipGraphDebugDotPrint(graph, "graph.dot", 0));
  drawn = content("graph.dot");
  HOLDS(drawn.find("kernel _Z5storePii\"") != std::string::npos);
  HOLDS(drawn.find("memcpy 8 bytes\"") != std::string::npos);
  GIVES(hipGraphDebugDotPrint(graph, "none/graph.dot", 0), hipErrorOperatingSystem);
  remove("graph.dot");

  hipGraphInstantiateParams made = {};
  hipGraphExec_t more;
  GIVES(hipGraphInstantiateWithParams(&more, graph, &made), hipErrorNotSupported);  // it has memory
  hipGraph_t circle;
  hipGraphNode_t one, two;
  WORKS(hipGraphCreate(&circle, 0));
  WORKS(hipGraphAddEmptyNode(&one, circle, nullptr, 0));
  WORKS(hipGraphAddEmptyNode(&two, circle, &one, 1));
  WORKS(hipGraphInstantiateWithParams(&more, circle, &made));
  HOLDS(made.result_out == hipGraphInstantiateSuccess);
  WORKS(hipGraphExecDestroy(more));
  WORKS(hipGraphAddDependencies(circle, &two, &one, 1));
  GIVES(hipGraphInstantiateWithParams(&more, circle, &made), hipErrorInvalidValue);
  HOLDS(made.result_out == hipGraphInstantiateInvalidStructure);
  WORKS(hipGraphDestroy(circle));
  WORKS(hipGraphDestroy(inner));

  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
  WORKS(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &high));
  HOLDS(used == 0 && high == 4096);
  uint64_t zero = 0;
  WORKS(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
  WORKS(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &high));
  HOLDS(high == 0);
  GIVES(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &zero), hipErrorInvalidValue);
  WORKS(hipDeviceGraphMemTrim(0));
  GIVES(hipDeviceGraphMemTrim(99), hipErrorInvalidDevice);
  WORKS(hipFree(memory));
  return done();
}
