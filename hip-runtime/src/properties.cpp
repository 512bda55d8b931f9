#include "properties.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <deque>
#include <mutex>

#include "device.h"
#include "image.h"
#include "session.h"

namespace rocport {
namespace {

/**
 * What two real cards differ in, as their data sheets and rocminfo tell it. The device counts cycles at the same rate.
 */
struct Card {
  const char* arch;
  const char* name;
  int major;
  int minor;
  int clockKhz;
  int memoryClockKhz;
  int memoryBusBits;
  int l2Bytes;
  size_t ldsBytes;
  int pciDevice;
  int lanes;  // of a wave
};

constexpr Card CARDS[] = {
    {"gfx90a", "AMD Instinct MI210", 9, 0, 1700000, 1600000, 4096, 8 << 20, 64 << 10, 0, 64},
    {"gfx942", "AMD Instinct MI300X", 9, 4, 2100000, 1300000, 8192, 4 << 20, 64 << 10, 0, 64},
    {"gfx950", "AMD Instinct MI350X", 9, 5, 2200000, 2000000, 8192, 4 << 20, 160 << 10, 0, 64},
    {"gfx1100", "Radeon RX 7900 XTX", 11, 0, 2500000, 1250000, 384, 6 << 20, 64 << 10, 0, 32},
    // clocks, memory and caches of these two are not from a data sheet
    {"gfx1151", "Radeon 8060S Graphics", 11, 5, 2900000, 1000000, 256, 2 << 20, 64 << 10, 0, 32},
    {"gfx1201", "Radeon RX 9070 XT", 12, 0, 2970000, 1258000, 256, 8 << 20, 64 << 10, 0, 32},
};

const Card& cardOf(const Gpu& gpu) {
  for (const Card& card : CARDS) {
    if (gpu.arch == card.arch) return card;
  }
  die("the device has a GPU of an unknown kind: %s", gpu.arch.c_str());
}

constexpr int REGISTERS = 65536;  // as ROCm reports them, 32-bit each, for a block
constexpr int THREADS_PER_UNIT = 2048;
constexpr int IMAGE = 16384;
constexpr int WALL_CLOCK_KHZ = 100000;

/**
 * The two registers by which programs flush what the host has written to a GPU: words that the host and all GPUs can
 * write. Nothing has to be flushed here.
 */
unsigned* flushRegisters() {
  static auto* const words = [] {
    constexpr uint32_t HOST = 1;
    Writer request;
    request.u32(0).u32(HOST).u64(2 * sizeof(unsigned)).u64(sizeof(unsigned));
    return reinterpret_cast<unsigned*>(Session::get().call(Message::ALLOC, request).u64());
  }();
  return words;
}

void set(hipDeviceProp_t& p, const Gpu& gpu, int device) {
  const Card& card = cardOf(gpu);
  p = {};
  snprintf(p.name, sizeof p.name, "%s", card.name);
  snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", gpu.fullArch.c_str());
  snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "GPU-rocport-%03d", device % 1000);
  p.totalGlobalMem = gpu.size;
  p.sharedMemPerBlock = card.ldsBytes;
  p.sharedMemPerMultiprocessor = card.ldsBytes;
  p.maxSharedMemoryPerMultiProcessor = card.ldsBytes;
  p.sharedMemPerBlockOptin = card.ldsBytes;
  p.regsPerBlock = REGISTERS;
  p.regsPerMultiprocessor = REGISTERS;
  p.warpSize = card.lanes;
  p.memPitch = INT_MAX;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiProcessor = THREADS_PER_UNIT;
  p.maxBlocksPerMultiProcessor = 32;
  for (int& limit : p.maxThreadsDim) limit = 1024;
  p.maxGridSize[0] = INT_MAX;
  p.maxGridSize[1] = 65536;
  p.maxGridSize[2] = 65536;
  p.clockRate = card.clockKhz;
  p.memoryClockRate = card.memoryClockKhz;
  p.memoryBusWidth = card.memoryBusBits;
  p.l2CacheSize = card.l2Bytes;
  p.totalConstMem = INT_MAX;
  p.major = card.major;
  p.minor = card.minor;
  p.textureAlignment = 256;
  p.texturePitchAlignment = 256;
  p.surfaceAlignment = 256;
  p.deviceOverlap = 1;
  p.asyncEngineCount = 2;
  p.concurrentKernels = 1;
  p.multiProcessorCount = static_cast<int>(gpu.computeUnits);
  p.canMapHostMemory = 1;
  p.computeMode = hipComputeModeDefault;
  p.maxTexture1D = p.maxSurface1D = p.maxTexture1DLinear = IMAGE;
  for (int i = 0; i < 2; i++) p.maxTexture2D[i] = p.maxSurface2D[i] = IMAGE;
  p.maxTexture3D[0] = p.maxSurface3D[0] = IMAGE;
  p.maxTexture3D[1] = p.maxSurface3D[1] = IMAGE;
  p.maxTexture3D[2] = p.maxSurface3D[2] = 8192;
  p.ECCEnabled = 1;
  p.pciBusID = device + 1;
  p.unifiedAddressing = 1;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.hostNativeAtomicSupported = 1;
  p.cooperativeLaunch = 1;
  p.cooperativeMultiDeviceLaunch = 1;
  p.cooperativeMultiDeviceUnmatchedFunc = 1;
  p.cooperativeMultiDeviceUnmatchedGridDim = 1;
  p.cooperativeMultiDeviceUnmatchedBlockDim = 1;
  p.cooperativeMultiDeviceUnmatchedSharedMem = 1;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
  p.unifiedFunctionPointers = 1;
  p.clockInstructionRate = WALL_CLOCK_KHZ;
  p.isLargeBar = 1;
  p.hdpMemFlushCntl = flushRegisters();
  p.hdpRegFlushCntl = flushRegisters() + 1;
  hipDeviceArch_t& has = p.arch;
  has.hasGlobalInt32Atomics = has.hasGlobalFloatAtomicExch = has.hasSharedInt32Atomics = 1;
  has.hasSharedFloatAtomicExch = has.hasFloatAtomicAdd = has.hasGlobalInt64Atomics = 1;
  has.hasSharedInt64Atomics = has.hasDoubles = has.hasWarpVote = has.hasWarpBallot = 1;
  has.hasWarpShuffle = has.hasThreadFenceSystem = has.has3dGrid = 1;
}

int attribute(const hipDeviceProp_t& p, hipDeviceAttribute_t name) {
  auto whole = [](size_t value) { return value > INT_MAX ? INT_MAX : static_cast<int>(value); };
  switch (name) {
    case hipDeviceAttributeEccEnabled: return p.ECCEnabled;
    case hipDeviceAttributeAccessPolicyMaxWindowSize: return p.accessPolicyMaxWindowSize;
    case hipDeviceAttributeAsyncEngineCount: return p.asyncEngineCount;
    case hipDeviceAttributeCanMapHostMemory: return p.canMapHostMemory;
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem: return p.canUseHostPointerForRegisteredMem;
    case hipDeviceAttributeClockRate: return p.clockRate;
    case hipDeviceAttributeComputeMode: return p.computeMode;
    case hipDeviceAttributeComputePreemptionSupported: return p.computePreemptionSupported;
    case hipDeviceAttributeConcurrentKernels: return p.concurrentKernels;
    case hipDeviceAttributeConcurrentManagedAccess: return p.concurrentManagedAccess;
    case hipDeviceAttributeCooperativeLaunch: return p.cooperativeLaunch;
    case hipDeviceAttributeCooperativeMultiDeviceLaunch: return p.cooperativeMultiDeviceLaunch;
    case hipDeviceAttributeDeviceOverlap: return p.deviceOverlap;
    case hipDeviceAttributeDirectManagedMemAccessFromHost: return p.directManagedMemAccessFromHost;
    case hipDeviceAttributeGlobalL1CacheSupported: return p.globalL1CacheSupported;
    case hipDeviceAttributeHostNativeAtomicSupported: return p.hostNativeAtomicSupported;
    case hipDeviceAttributeIntegrated: return p.integrated;
    case hipDeviceAttributeIsMultiGpuBoard: return p.isMultiGpuBoard;
    case hipDeviceAttributeKernelExecTimeout: return p.kernelExecTimeoutEnabled;
    case hipDeviceAttributeL2CacheSize: return p.l2CacheSize;
    case hipDeviceAttributeLocalL1CacheSupported: return p.localL1CacheSupported;
    case hipDeviceAttributeComputeCapabilityMajor: return p.major;
    case hipDeviceAttributeComputeCapabilityMinor: return p.minor;
    case hipDeviceAttributeManagedMemory: return p.managedMemory;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor: return p.maxBlocksPerMultiProcessor;
    case hipDeviceAttributeMaxBlockDimX: return p.maxThreadsDim[0];
    case hipDeviceAttributeMaxBlockDimY: return p.maxThreadsDim[1];
    case hipDeviceAttributeMaxBlockDimZ: return p.maxThreadsDim[2];
    case hipDeviceAttributeMaxGridDimX: return p.maxGridSize[0];
    case hipDeviceAttributeMaxGridDimY: return p.maxGridSize[1];
    case hipDeviceAttributeMaxGridDimZ: return p.maxGridSize[2];
    case hipDeviceAttributeMaxSurface1D: return p.maxSurface1D;
    case hipDeviceAttributeMaxSurface2D: return p.maxSurface2D[0];
    case hipDeviceAttributeMaxSurface3D: return p.maxSurface3D[0];
    case hipDeviceAttributeMaxTexture1DWidth: return p.maxTexture1D;
    case hipDeviceAttributeMaxTexture1DLinear: return p.maxTexture1DLinear;
    case hipDeviceAttributeMaxTexture2DWidth: return p.maxTexture2D[0];
    case hipDeviceAttributeMaxTexture2DHeight: return p.maxTexture2D[1];
    case hipDeviceAttributeMaxTexture3DWidth: return p.maxTexture3D[0];
    case hipDeviceAttributeMaxTexture3DHeight: return p.maxTexture3D[1];
    case hipDeviceAttributeMaxTexture3DDepth: return p.maxTexture3D[2];
    case hipDeviceAttributeMaxThreadsDim: return p.maxThreadsDim[0];
    case hipDeviceAttributeMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case hipDeviceAttributeMaxPitch: return whole(p.memPitch);
    case hipDeviceAttributeMemoryBusWidth: return p.memoryBusWidth;
    case hipDeviceAttributeMemoryClockRate: return p.memoryClockRate;
    case hipDeviceAttributeMultiGpuBoardGroupID: return p.multiGpuBoardGroupID;
    case hipDeviceAttributeMultiprocessorCount: return p.multiProcessorCount;
    case hipDeviceAttributePhysicalMultiProcessorCount: return p.multiProcessorCount;
    case hipDeviceAttributePageableMemoryAccess: return p.pageableMemoryAccess;
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables: return p.pageableMemoryAccessUsesHostPageTables;
    case hipDeviceAttributePciBusId: return p.pciBusID;
    case hipDeviceAttributePciDeviceId: return p.pciDeviceID;
    case hipDeviceAttributePciDomainID: return p.pciDomainID;
    case hipDeviceAttributePersistingL2CacheMaxSize: return p.persistingL2CacheMaxSize;
    case hipDeviceAttributeMaxRegistersPerBlock: return p.regsPerBlock;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case hipDeviceAttributeReservedSharedMemPerBlock: return whole(p.reservedSharedMemPerBlock);
    case hipDeviceAttributeMaxSharedMemoryPerBlock: return whole(p.sharedMemPerBlock);
    case hipDeviceAttributeSharedMemPerBlockOptin: return whole(p.sharedMemPerBlockOptin);
    case hipDeviceAttributeSharedMemPerMultiprocessor: return whole(p.sharedMemPerMultiprocessor);
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor: return whole(p.maxSharedMemoryPerMultiProcessor);
    case hipDeviceAttributeSingleToDoublePrecisionPerfRatio: return p.singleToDoublePrecisionPerfRatio;
    case hipDeviceAttributeStreamPrioritiesSupported: return p.streamPrioritiesSupported;
    case hipDeviceAttributeSurfaceAlignment: return whole(p.surfaceAlignment);
    case hipDeviceAttributeTccDriver: return p.tccDriver;
    case hipDeviceAttributeTextureAlignment: return whole(p.textureAlignment);
    case hipDeviceAttributeTexturePitchAlignment: return whole(p.texturePitchAlignment);
    case hipDeviceAttributeTotalConstantMemory: return whole(p.totalConstMem);
    case hipDeviceAttributeTotalGlobalMem: return whole(p.totalGlobalMem);
    case hipDeviceAttributeUnifiedAddressing: return p.unifiedAddressing;
    case hipDeviceAttributeWarpSize: return p.warpSize;
    case hipDeviceAttributeMemoryPoolsSupported: return p.memoryPoolsSupported;
    case hipDeviceAttributeVirtualMemoryManagementSupported: return 1;
    case hipDeviceAttributeHostRegisterSupported: return p.hostRegisterSupported;
    case hipDeviceAttributeMemoryPoolSupportedHandleTypes: return hipMemHandleTypePosixFileDescriptor;
    case hipDeviceAttributeClockInstructionRate: return p.clockInstructionRate;
    case hipDeviceAttributeWallClockRate: return WALL_CLOCK_KHZ;
    case hipDeviceAttributeIsLargeBar: return p.isLargeBar;
    case hipDeviceAttributeAsicRevision: return p.asicRevision;
    case hipDeviceAttributeCanUseStreamWaitValue: return 1;
    case hipDeviceAttributeImageSupport: return hasImages(p.gcnArchName);
    case hipDeviceAttributeFineGrainSupport: return 1;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc: return p.cooperativeMultiDeviceUnmatchedFunc;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim: return p.cooperativeMultiDeviceUnmatchedGridDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim: return p.cooperativeMultiDeviceUnmatchedBlockDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem: return p.cooperativeMultiDeviceUnmatchedSharedMem;
    default: fail(hipErrorInvalidValue);
  }
}

/** How much of what was asked for a GPU has; hipChooseDevice takes the one with most. */
int matches(const hipDeviceProp_t& has, const hipDeviceProp_t& wanted) {
  int count = 0;
  count += wanted.major != 0 && has.major >= wanted.major;
  count += wanted.minor != 0 && has.minor >= wanted.minor;
  count += wanted.totalGlobalMem != 0 && has.totalGlobalMem >= wanted.totalGlobalMem;
  count += wanted.sharedMemPerBlock != 0 && has.sharedMemPerBlock >= wanted.sharedMemPerBlock;
  count += wanted.maxThreadsPerBlock != 0 && has.maxThreadsPerBlock >= wanted.maxThreadsPerBlock;
  count += wanted.multiProcessorCount != 0 && has.multiProcessorCount >= wanted.multiProcessorCount;
  count += wanted.gcnArchName[0] != 0 && strcmp(has.gcnArchName, wanted.gcnArchName) == 0;
  return count;
}

}  // namespace

const hipDeviceProp_t& propertiesOf(int device) {
  static auto* mutex = new std::mutex;
  static auto* all = new std::deque<hipDeviceProp_t>;
  Session& session = Session::get();
  session.gpu(device);
  std::lock_guard lock(*mutex);
  while (static_cast<int>(all->size()) <= device) {
    int next = static_cast<int>(all->size());
    set(all->emplace_back(), session.gpu(next), next);
  }
  return (*all)[static_cast<size_t>(device)];
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_t* properties, int device) {
  return api([&] {
    require(properties != nullptr);
    *properties = propertiesOf(device);
  });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t name, int device) {
  return api([&] {
    require(value != nullptr);
    const hipDeviceProp_t& p = propertiesOf(device);
    // Two attributes are addresses.
    if (name == hipDeviceAttributeHdpMemFlushCntl) {
      memcpy(value, &p.hdpMemFlushCntl, sizeof p.hdpMemFlushCntl);
    } else if (name == hipDeviceAttributeHdpRegFlushCntl) {
      memcpy(value, &p.hdpRegFlushCntl, sizeof p.hdpRegFlushCntl);
    } else {
      *value = attribute(p, name);
    }
  });
}

hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_t* wanted) {
  return api([&] {
    require(device != nullptr && wanted != nullptr);
    int best = 0;
    for (int i = 1; i < Session::get().count(); i++) {
      if (matches(propertiesOf(i), *wanted) > matches(propertiesOf(best), *wanted)) best = i;
    }
    *device = best;
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  return api([&] {
    require(name != nullptr && length > 0);
    snprintf(name, static_cast<size_t>(length), "%s", propertiesOf(device).name);
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return api([&] {
    require(uuid != nullptr);
    *uuid = propertiesOf(device).uuid;
  });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return api([&] {
    require(major != nullptr && minor != nullptr);
    *major = propertiesOf(device).major;
    *minor = propertiesOf(device).minor;
  });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return api([&] {
    require(bytes != nullptr);
    *bytes = propertiesOf(device).totalGlobalMem;
  });
}

hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  return api([&] {
    require(id != nullptr && length > 0);
    const hipDeviceProp_t& p = propertiesOf(device);
    snprintf(id, static_cast<size_t>(length), "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
  });
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return api([&] {
    require(device != nullptr && id != nullptr);
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    require(sscanf(id, "%x:%x:%x", &domain, &bus, &slot) == 3);
    for (int i = 0; i < Session::get().count(); i++) {
      const hipDeviceProp_t& p = propertiesOf(i);
      if (p.pciDomainID == static_cast<int>(domain) && p.pciBusID == static_cast<int>(bus) &&
          p.pciDeviceID == static_cast<int>(slot)) {
        *device = i;
        return;
      }
    }
    fail(hipErrorInvalidValue);
  });
}

}  // extern "C"
