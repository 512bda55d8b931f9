// Allocation, copies, fills, and what is said of pointers.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "check.h"

static void copiesStayInTheirAllocation() {
  char* device = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&device), 1000));
  std::vector<char> out(1000, 7), back(1000);
  WORKS(hipMemcpy(device, out.data(), 1000, hipMemcpyHostToDevice));
  WORKS(hipMemcpy(back.data(), device, 1000, hipMemcpyDefault));
  HOLDS(out == back);
  GIVES(hipMemcpy(device + 500, out.data(), 501, hipMemcpyHostToDevice), hipErrorInvalidValue);
  GIVES(hipMemcpy(back.data(), out.data(), 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
  GIVES(hipMemcpy(back.data(), out.data(), 10, static_cast<hipMemcpyKind>(77)), hipErrorInvalidMemcpyDirection);
  WORKS(hipMemcpy(back.data(), out.data(), 10, hipMemcpyHostToHost));
  WORKS(hipMemset(device, 3, 1000));
  WORKS(hipMemsetD32(device, 0x01020304, 250));
  GIVES(hipMemset(device, 3, 1001), hipErrorInvalidValue);
  GIVES(hipMemset(back.data(), 3, 10), hipErrorInvalidValue);
  WORKS(hipMemcpy(back.data(), device, 1000, hipMemcpyDeviceToHost));
  HOLDS(back[0] == 4 && back[999] == 1);
  hipDeviceptr_t base;
  size_t size;
  WORKS(hipMemGetAddressRange(&base, &size, device + 5));
  HOLDS(base == device && size == 1000);
  WORKS(hipFree(device));
  GIVES(hipFree(device), hipErrorInvalidValue);
  GIVES(hipMemcpy(device, out.data(), 1, hipMemcpyHostToDevice), hipErrorInvalidValue);
  WORKS(hipFree(nullptr));
}

static void pointersTellWhatTheyAre() {
  char *device, *host, *managed;
  WORKS(hipMalloc(reinterpret_cast<void**>(&device), 64));
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&host), 64, hipHostMallocMapped));
  WORKS(hipMallocManaged(reinterpret_cast<void**>(&managed), 64));
  hipPointerAttribute_t attributes;
  WORKS(hipPointerGetAttributes(&attributes, device + 3));
  HOLDS(attributes.type == hipMemoryTypeDevice && attributes.devicePointer == device + 3);
  WORKS(hipPointerGetAttributes(&attributes, host));
  HOLDS(attributes.type == hipMemoryTypeHost && attributes.hostPointer == host);
  WORKS(hipPointerGetAttributes(&attributes, managed));
  HOLDS(attributes.type == hipMemoryTypeManaged && attributes.isManaged);
  WORKS(hipPointerGetAttributes(&attributes, &attributes));
  HOLDS(attributes.type == hipMemoryTypeUnregistered);
  unsigned flags = 0;
  WORKS(hipHostGetFlags(&flags, host));
  HOLDS(flags == hipHostMallocMapped);
  std::memset(managed, 1, 64);
  WORKS(hipMemPrefetchAsync(managed, 64, 0));
  int prefetched = -7;
  WORKS(hipMemRangeGetAttribute(&prefetched, sizeof prefetched, hipMemRangeAttributeLastPrefetchLocation, managed, 64));
  HOLDS(prefetched == 0);
  WORKS(hipFree(managed));
  WORKS(hipHostFree(host));
  GIVES(hipHostFree(device), hipErrorInvalidValue);
  WORKS(hipFree(device));
}

static void volumesKeepTheirPitch() {
  hipPitchedPtr volume;
  WORKS(hipMalloc3D(&volume, make_hipExtent(40, 5, 6)));
  HOLDS(volume.pitch >= 40 && volume.pitch % 128 == 0);
  WORKS(hipMemset3D(volume, 4, make_hipExtent(40, 5, 6)));
  static char out[6][5][40];
  hipMemcpy3DParms parms = {};
  parms.srcPtr = volume;
  parms.dstPtr = make_hipPitchedPtr(out, 40, 40, 5);
  parms.extent = make_hipExtent(40, 5, 6);
  parms.kind = hipMemcpyDeviceToHost;
  WORKS(hipMemcpy3D(&parms));
  HOLDS(out[5][4][39] == 4);
  out[2][3][7] = 9;
  hipMemcpy3DParms part = {};
  part.srcPtr = make_hipPitchedPtr(out, 40, 40, 5);
  part.srcPos = make_hipPos(7, 3, 2);
  part.dstPtr = volume;
  part.dstPos = make_hipPos(1, 1, 1);
  part.extent = make_hipExtent(1, 1, 1);
  part.kind = hipMemcpyHostToDevice;
  WORKS(hipMemcpy3D(&part));
  char one = 0;
  WORKS(hipMemcpy(&one, static_cast<char*>(volume.ptr) + volume.pitch * (5 + 1) + 1, 1, hipMemcpyDeviceToHost));
  HOLDS(one == 9);
  part.dstPos.z = 6;
  GIVES(hipMemcpy3D(&part), hipErrorInvalidValue);
  WORKS(hipFree(volume.ptr));
}

static void arraysAreCopied() {
  hipArray_t array;
  hipChannelFormatDesc desc = {32, 32, 0, 0, hipChannelFormatKindFloat};
  WORKS(hipMallocArray(&array, &desc, 8, 4));
  float in[4][16] = {}, back[4][16] = {};
  in[3][15] = 2.5f;
  WORKS(hipMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], 4, hipMemcpyHostToDevice));
  WORKS(hipMemcpy2DFromArray(back, sizeof back[0], array, 0, 0, sizeof back[0], 4, hipMemcpyDeviceToHost));
  HOLDS(back[3][15] == 2.5f);
  GIVES(hipMemcpy2DToArray(array, 8, 0, in, sizeof in[0], sizeof in[0], 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  WORKS(hipFreeArray(array));
}

static void sizesBeyondAnyMemoryAreRefused() {
  void* memory = nullptr;
  size_t pitch = 0;
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 4}) {
    GIVES(hipMalloc(&memory, size), hipErrorOutOfMemory);
    GIVES(hipHostMalloc(&memory, size, 0), hipErrorOutOfMemory);
    GIVES(hipMallocManaged(&memory, size), hipErrorOutOfMemory);
    GIVES(hipMallocAsync(&memory, size, nullptr), hipErrorOutOfMemory);
    GIVES(hipMallocPitch(&memory, &pitch, 1, size), hipErrorOutOfMemory);
  }
  GIVES(hipMallocPitch(&memory, &pitch, SIZE_MAX, 1), hipErrorInvalidValue);
  hipArray_t array;
  hipChannelFormatDesc desc = {32, 0, 0, 0, hipChannelFormatKindFloat};
  GIVES(hipMallocArray(&array, &desc, SIZE_MAX / 2, 4), hipErrorInvalidValue);
  GIVES(hipFreeArray(nullptr), hipErrorInvalidValue);
}

static void pinnedMemoryIsZero() {
  constexpr size_t SIZES[] = {100, 5000, 70000};
  for (int round = 0; round < 3; round++) {
    for (size_t size : SIZES) {
      char* memory = nullptr;
      WORKS(hipHostMalloc(reinterpret_cast<void**>(&memory), size, 0));
      HOLDS(memory[0] == 0 && memory[size - 1] == 0 && std::memcmp(memory, memory + 1, size - 1) == 0);
      std::memset(memory, 0xee, size);
      WORKS(hipHostFree(memory));
    }
    // What was freed is handed out again once the last 1024 allocations have been freed, too.
    for (int i = 0; i < 1100; i++) {
      void* memory = nullptr;
      WORKS(hipHostMalloc(&memory, 64, 0));
      std::memset(memory, 0xdd, 64);
      WORKS(hipHostFree(memory));
    }
  }
}

static void poolsKeepAccount() {
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  hipMemPool_t pool;
  WORKS(hipDeviceGetDefaultMemPool(&pool, 0));
  void* memory = nullptr;
  uint64_t used = 0;
  WORKS(hipMallocAsync(&memory, 1000, stream));
  WORKS(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
  HOLDS(used == 1000);
  WORKS(hipFreeAsync(memory, stream));
  WORKS(hipStreamSynchronize(stream));
  WORKS(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
  HOLDS(used == 0);
  GIVES(hipMemset(memory, 0, 1), hipErrorInvalidValue);
  WORKS(hipStreamDestroy(stream));
}

static int asked(hipMemRangeAttribute attribute, const void* address, size_t bytes) {
  int answer = -7;
  WORKS(hipMemRangeGetAttribute(&answer, sizeof answer, attribute, address, bytes));
  return answer;
}

static void adviceCountsForPages() {
  constexpr size_t PAGE = 4096;
  char* memory = nullptr;
  WORKS(hipMallocManaged(reinterpret_cast<void**>(&memory), 4 * PAGE));
  WORKS(hipMemAdvise(memory + PAGE, PAGE, hipMemAdviseSetReadMostly, 0));
  HOLDS(asked(hipMemRangeAttributeReadMostly, memory + PAGE, PAGE) == 1);
  HOLDS(asked(hipMemRangeAttributeReadMostly, memory, 2 * PAGE) == 0);
  HOLDS(asked(hipMemRangeAttributeReadMostly, memory + 2 * PAGE, PAGE) == 0);
  WORKS(hipMemPrefetchAsync(memory + PAGE, 3 * PAGE, hipCpuDeviceId));
  HOLDS(asked(hipMemRangeAttributeLastPrefetchLocation, memory + PAGE, 3 * PAGE) == hipCpuDeviceId);
  HOLDS(asked(hipMemRangeAttributeLastPrefetchLocation, memory, 4 * PAGE) == hipInvalidDeviceId);
  WORKS(hipMemAdvise(memory, 4 * PAGE, hipMemAdviseSetPreferredLocation, 0));
  HOLDS(asked(hipMemRangeAttributePreferredLocation, memory, 4 * PAGE) == 0);
  WORKS(hipMemAdvise(memory, 3 * PAGE, hipMemAdviseSetAccessedBy, 0));
  WORKS(hipMemAdvise(memory, 4 * PAGE, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  int both[3] = {7, 7, 7};
  WORKS(hipMemRangeGetAttribute(both, sizeof both, hipMemRangeAttributeAccessedBy, memory, PAGE));
  HOLDS(both[0] == hipCpuDeviceId && both[1] == 0 && both[2] == hipInvalidDeviceId);
  HOLDS(asked(hipMemRangeAttributeAccessedBy, memory, 4 * PAGE) == hipCpuDeviceId);
  WORKS(hipMemAdvise(memory + PAGE, PAGE, hipMemAdviseSetCoarseGrain, 0));
  HOLDS(asked(hipMemRangeAttributeCoherencyMode, memory, 4 * PAGE) == hipMemRangeCoherencyModeIndeterminate);
  WORKS(hipFree(memory));
  void* again = nullptr;
  for (int i = 0; i < 1100; i++) {
    WORKS(hipMallocManaged(&again, 4 * PAGE));
    HOLDS(asked(hipMemRangeAttributeReadMostly, static_cast<char*>(again) + PAGE, PAGE) == 0);
    WORKS(hipFree(again));
  }
  void* device = nullptr;
  WORKS(hipMalloc(&device, 64));
  HOLDS(asked(hipMemRangeAttributeCoherencyMode, device, 64) == hipMemRangeCoherencyModeCoarseGrain);
  int answer = 0;
  GIVES(hipMemRangeGetAttribute(&answer, sizeof answer, hipMemRangeAttributeReadMostly, device, 64), hipErrorInvalidValue);
  unsigned access = 0;
  WORKS(hipPointerGetAttribute(&access, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, device));
  HOLDS(access == hipMemAccessFlagsProtReadWrite);
  hipMemPool_t pool = nullptr;
  GIVES(hipPointerGetAttribute(&pool, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, device), hipErrorNotSupported);
  void* host = &answer;
  int gpu = -1;
  void* data[] = {&host, &gpu};
  hipPointer_attribute names[] = {HIP_POINTER_ATTRIBUTE_HOST_POINTER, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  GIVES(hipPointerGetAttribute(&host, HIP_POINTER_ATTRIBUTE_HOST_POINTER, device), hipErrorInvalidValue);
  WORKS(hipDrvPointerGetAttributes(2, names, data, device));
  HOLDS(host == nullptr && gpu == 0);
  GIVES(hipDrvPointerGetAttributes(0, names, data, device), hipErrorInvalidValue);
  WORKS(hipFree(device));
}

static void managedMemoryIsAttachedAsAWhole() {
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  void* memory = nullptr;
  WORKS(hipMallocManaged(&memory, 4096, hipMemAttachHost));
  WORKS(hipStreamAttachMemAsync(stream, memory, 0, hipMemAttachSingle));
  WORKS(hipStreamAttachMemAsync(stream, memory, 4096, hipMemAttachSingle));
  WORKS(hipStreamAttachMemAsync(nullptr, memory, 4096, hipMemAttachGlobal));
  GIVES(hipStreamAttachMemAsync(stream, memory, 2048, hipMemAttachSingle), hipErrorInvalidValue);
  GIVES(hipStreamAttachMemAsync(nullptr, memory, 0, hipMemAttachSingle), hipErrorInvalidValue);
  WORKS(hipStreamSynchronize(stream));
  WORKS(hipFree(memory));
  WORKS(hipStreamDestroy(stream));
}

static void copiesNeedAnArray() {
  void* memory = nullptr;
  WORKS(hipMalloc(&memory, 64));
  hip_Memcpy2D copy = {};
  copy.srcMemoryType = hipMemoryTypeArray;
  copy.dstMemoryType = hipMemoryTypeDevice;
  copy.dstDevice = memory;
  copy.dstPitch = copy.WidthInBytes = 8;
  copy.Height = 4;
  GIVES(hipDrvMemcpy2DUnaligned(&copy), hipErrorInvalidValue);
  WORKS(hipFree(memory));
}

static void copiesWaitWhereHipSaysSo() {
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  static std::atomic<bool> go{false};
  int *from = nullptr, *to = nullptr;
  int* host[2];
  WORKS(hipMalloc(reinterpret_cast<void**>(&from), 4096));
  WORKS(hipMalloc(reinterpret_cast<void**>(&to), 4096));
  for (int*& one : host) WORKS(hipHostMalloc(reinterpret_cast<void**>(&one), 4096, 0));
  auto wait = [](void*) {
    while (!go) {
    }
  };
  WORKS(hipMemset(from, 5, 4096));
  WORKS(hipLaunchHostFunc(stream, wait, nullptr));
  WORKS(hipMemcpy(to, from, 4096, hipMemcpyDeviceToDevice));
  WORKS(hipMemset(to, 6, 2048));
  WORKS(hipMemset2D(to, 64, 7, 4, 2));
  GIVES(hipStreamQuery(stream), hipErrorNotReady);
  go = true;
  WORKS(hipMemcpy(host[0], to, 4096, hipMemcpyDeviceToHost));
  HOLDS(host[0][1023] == 0x05050505);
  HOLDS(host[0][0] == 0x07070707 && host[0][1] == 0x06060606 && host[0][16] == 0x07070707);

  static std::atomic<bool> done{false};
  auto late = [](void*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    done = true;
  };
  bool synchronous = true;
  WORKS(hipPointerSetAttribute(&synchronous, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, to));
  WORKS(hipLaunchHostFunc(stream, late, nullptr));
  WORKS(hipMemcpy(to, from, 4096, hipMemcpyDeviceToDevice));
  HOLDS(done);
  for (void* one : {static_cast<void*>(to), static_cast<void*>(host[0])}) {
    done = false;
    WORKS(hipLaunchHostFunc(stream, late, nullptr));
    WORKS(hipMemset(one, 5, 4096));
    HOLDS(done);
  }
  done = false;
  WORKS(hipLaunchHostFunc(stream, late, nullptr));
  WORKS(hipMemcpyAsync(host[1], host[0], 4096, hipMemcpyHostToHost, stream));
  HOLDS(done && host[1][1023] == 0x05050505);
  for (int* one : host) WORKS(hipHostFree(one));
  WORKS(hipFree(from));
  WORKS(hipFree(to));
  WORKS(hipStreamDestroy(stream));
}

int main() {
  adviceCountsForPages();
  managedMemoryIsAttachedAsAWhole();
  copiesNeedAnArray();
  copiesWaitWhereHipSaysSo();
  copiesStayInTheirAllocation();
  pointersTellWhatTheyAre();
  volumesKeepTheirPitch();
  arraysAreCopied();
  poolsKeepAccount();
  sizesBeyondAnyMemoryAreRefused();
  pinnedMemoryIsZero();
  size_t free = 0, total = 0;
  WORKS(hipMemGetInfo(&free, &total));
  HOLDS(free > 0 && free <= total);
  void* all = nullptr;
  GIVES(hipMalloc(&all, total + 1), hipErrorOutOfMemory);
  return done();
}
