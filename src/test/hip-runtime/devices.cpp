// Devices, their properties, errors, contexts, and children of fork().
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "check.h"

static void propertiesAndAttributesAgree() {
  hipDeviceProp_t gpu;
  WORKS(hipGetDeviceProperties(&gpu, 0));
  HOLDS(gpu.warpSize == 64 && gpu.maxThreadsPerBlock == 1024 && gpu.sharedMemPerBlock == 65536);
  HOLDS(std::strncmp(gpu.gcnArchName, "gfx9", 4) == 0 && gpu.multiProcessorCount > 0);
  int value = 0;
  WORKS(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  HOLDS(value == 64);
  WORKS(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  HOLDS(value == gpu.multiProcessorCount);
  GIVES(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(9998), 0), hipErrorInvalidValue);
  volatile unsigned* flush = nullptr;
  WORKS(hipDeviceGetAttribute(reinterpret_cast<int*>(&flush), hipDeviceAttributeHdpMemFlushCntl, 0));
  HOLDS(flush != nullptr && flush == gpu.hdpMemFlushCntl);
  *flush = 1;
  WORKS(hipDeviceGetAttribute(reinterpret_cast<int*>(&flush), hipDeviceAttributeHdpRegFlushCntl, 0));
  *flush = 1;
  size_t total = 0;
  WORKS(hipDeviceTotalMem(&total, 0));
  HOLDS(total == gpu.totalGlobalMem);
}

static void theLastErrorIsKeptAsInThisVersion() {
  GIVES(hipSetDevice(1000), hipErrorInvalidDevice);
  GIVES(hipPeekAtLastError(), hipErrorInvalidDevice);
  WORKS(hipSetDevice(0));
#if HIP_VERSION_MAJOR < 7
  WORKS(hipGetLastError());
#else
  WORKS(hipExtGetLastError());
  GIVES(hipGetLastError(), hipErrorInvalidDevice);
#endif
  GIVES(hipSetDevice(1000), hipErrorInvalidDevice);
  GIVES(hipGetLastError(), hipErrorInvalidDevice);
  WORKS(hipGetLastError());
  WORKS(hipProfilerStart());
  WORKS(hipProfilerStop());
  HOLDS(std::strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory") == 0);
  HOLDS(std::strcmp(hipGetErrorString(hipErrorOutOfMemory), "out of memory") == 0);
}

static void settingsOfDevicesAreChecked() {
  unsigned flags = 0;
  WORKS(hipSetDeviceFlags(hipDeviceScheduleYield | hipDeviceMapHost | hipDeviceLmemResizeToMax));
  WORKS(hipGetDeviceFlags(&flags));
  HOLDS(flags == hipDeviceScheduleYield);
  WORKS(hipDeviceSetLimit(hipLimitStackSize, 2048));
  GIVES(hipDeviceSetLimit(static_cast<hipLimit_t>(0xffff), 1), hipErrorInvalidValue);
  WORKS(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte));
  GIVES(hipDeviceSetSharedMemConfig(static_cast<hipSharedMemConfig>(-1)), hipErrorInvalidValue);
  uint32_t type, hops;
  GIVES(hipExtGetLinkTypeAndHopCount(0, -1, &type, &hops), hipErrorInvalidValue);
  GIVES(hipExtGetLinkTypeAndHopCount(0, 1000, &type, &hops), hipErrorInvalidDevice);
  hipMemPool_t pool;
  WORKS(hipDeviceGetMemPool(&pool, 0));
  GIVES(hipDeviceGetMemPool(&pool, -1), hipErrorInvalidValue);
  GIVES(hipDeviceGetDefaultMemPool(&pool, -1), hipErrorInvalidDevice);
  hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0}, static_cast<hipMemAccessFlags>(0xffff)};
  GIVES(hipMemPoolSetAccess(pool, &access, 1), hipErrorInvalidValue);
  hipMemLocation nowhere = {hipMemLocationTypeDevice, 1000};
  hipMemAccessFlags allowed;
  GIVES(hipMemPoolGetAccess(&allowed, pool, &nowhere), hipErrorInvalidValue);
  hipMemPoolProps props = {};
  props.allocType = hipMemAllocationTypePinned;
  props.location = nowhere;
  GIVES(hipMemPoolCreate(&pool, &props), hipErrorInvalidValue);
  size_t size = 0;
  GIVES(hipMemPtrGetInfo(&size, &size), hipErrorInvalidValue);
  int* managed = nullptr;
  WORKS(hipMallocManaged(reinterpret_cast<void**>(&managed), 100));
  uint64_t wide = 0;
  GIVES(hipMemRangeGetAttribute(&wide, sizeof wide, hipMemRangeAttributeReadMostly, managed, 100),
        hipErrorInvalidValue);
  WORKS(hipFree(managed));
}

static void contextsNameDevices() {
  hipCtx_t context, popped, current;
  WORKS(hipCtxCreate(&context, 0, 0));
  WORKS(hipCtxGetCurrent(&current));
  HOLDS(current == context);
  WORKS(hipCtxPopCurrent(&popped));
  HOLDS(popped == context);
  WORKS(hipCtxPushCurrent(popped));
  WORKS(hipCtxDestroy(context));
  GIVES(hipCtxSetCurrent(context), hipErrorInvalidContext);
}

static int statusOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int main() {
  // Before the first call a child is free to begin.
  pid_t early = fork();
  if (early == 0) {
    int count = 0;
    _exit(hipGetDeviceCount(&count) == hipSuccess && count > 0 ? 0 : 1);
  }
  HOLDS(statusOf(early) == 0);
  propertiesAndAttributesAgree();
  theLastErrorIsKeptAsInThisVersion();
  contextsNameDevices();
  settingsOfDevicesAreChecked();
  pid_t late = fork();
  if (late == 0) {
    int count = 0;
    _exit(hipGetDeviceCount(&count) == hipErrorNotInitialized ? 0 : 1);
  }
  HOLDS(statusOf(late) == 0);
  // What is not there never returns success.
  pid_t missing = fork();
  if (missing == 0) {
    const char* header = nullptr;
    unsigned size = 0;
    __hipGetPCH(&header, &size);
    _exit(0);
  }
  int status = statusOf(missing);
  HOLDS(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  return done();
}
