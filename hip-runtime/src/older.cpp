// Functions that no current header declares: for programs that were compiled with older ones, and for libraries of ROCm.
#include <hip/hip_runtime_api.h>
#undef hipGetDeviceProperties
#undef hipChooseDevice
#if __has_include(<hip/hip_deprecated.h>)
#define HAS_OLDER_PROPERTIES
#include <hip/hip_deprecated.h>
#endif
#include <string.h>

#include "error.h"
#include "properties.h"

#define EXPORTED __attribute__((visibility("default")))

#ifdef HAS_OLDER_PROPERTIES
namespace {

/** The properties in the form that they had before HIP 6. */
hipDeviceProp_tR0000 olderForm(const hipDeviceProp_tR0600& p) {
  hipDeviceProp_tR0000 older = {};
  memcpy(older.name, p.name, sizeof older.name);
  memcpy(older.gcnArchName, p.gcnArchName, sizeof older.gcnArchName);
  memcpy(older.maxThreadsDim, p.maxThreadsDim, sizeof older.maxThreadsDim);
  memcpy(older.maxGridSize, p.maxGridSize, sizeof older.maxGridSize);
  memcpy(older.maxTexture2D, p.maxTexture2D, sizeof older.maxTexture2D);
  memcpy(older.maxTexture3D, p.maxTexture3D, sizeof older.maxTexture3D);
  older.totalGlobalMem = p.totalGlobalMem;
  older.sharedMemPerBlock = p.sharedMemPerBlock;
  older.regsPerBlock = p.regsPerBlock;
  older.warpSize = p.warpSize;
  older.maxThreadsPerBlock = p.maxThreadsPerBlock;
  older.clockRate = p.clockRate;
  older.memoryClockRate = p.memoryClockRate;
  older.memoryBusWidth = p.memoryBusWidth;
  older.totalConstMem = p.totalConstMem;
  older.major = p.major;
  older.minor = p.minor;
  older.multiProcessorCount = p.multiProcessorCount;
  older.l2CacheSize = p.l2CacheSize;
  older.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  older.computeMode = p.computeMode;
  older.clockInstructionRate = p.clockInstructionRate;
  older.arch = p.arch;
  older.concurrentKernels = p.concurrentKernels;
  older.pciDomainID = p.pciDomainID;
  older.pciBusID = p.pciBusID;
  older.pciDeviceID = p.pciDeviceID;
  older.maxSharedMemoryPerMultiProcessor = p.maxSharedMemoryPerMultiProcessor;
  older.isMultiGpuBoard = p.isMultiGpuBoard;
  older.canMapHostMemory = p.canMapHostMemory;
  older.integrated = p.integrated;
  older.cooperativeLaunch = p.cooperativeLaunch;
  older.cooperativeMultiDeviceLaunch = p.cooperativeMultiDeviceLaunch;
  older.maxTexture1DLinear = p.maxTexture1DLinear;
  older.maxTexture1D = p.maxTexture1D;
  older.hdpMemFlushCntl = p.hdpMemFlushCntl;
  older.hdpRegFlushCntl = p.hdpRegFlushCntl;
  older.memPitch = p.memPitch;
  older.textureAlignment = p.textureAlignment;
  older.texturePitchAlignment = p.texturePitchAlignment;
  older.kernelExecTimeoutEnabled = p.kernelExecTimeoutEnabled;
  older.ECCEnabled = p.ECCEnabled;
  older.tccDriver = p.tccDriver;
  older.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedFunc;
  older.cooperativeMultiDeviceUnmatchedGridDim = p.cooperativeMultiDeviceUnmatchedGridDim;
  older.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedBlockDim;
  older.cooperativeMultiDeviceUnmatchedSharedMem = p.cooperativeMultiDeviceUnmatchedSharedMem;
  older.isLargeBar = p.isLargeBar;
  older.asicRevision = p.asicRevision;
  older.managedMemory = p.managedMemory;
  older.directManagedMemAccessFromHost = p.directManagedMemAccessFromHost;
  older.concurrentManagedAccess = p.concurrentManagedAccess;
  older.pageableMemoryAccess = p.pageableMemoryAccess;
  older.pageableMemoryAccessUsesHostPageTables = p.pageableMemoryAccessUsesHostPageTables;
  return older;
}

}  // namespace
#endif

extern hipError_t extModuleLaunch(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
                           hipStream_t, void**, void**, hipEvent_t, hipEvent_t,
                           uint32_t) __asm__("hipExtModuleLaunchKernel");

// The names of these two are C++ names.

EXPORTED hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t itemsX, uint32_t itemsY, uint32_t itemsZ,
                                             uint32_t blockX, uint32_t blockY, uint32_t blockZ, size_t lds,
                                             hipStream_t stream, void** arguments, void** extra, hipEvent_t start,
                                             hipEvent_t stop, uint32_t flags) {
  return extModuleLaunch(function, itemsX, itemsY, itemsZ, blockX, blockY, blockZ, lds, stream, arguments, extra, start,
                         stop, flags);
}

EXPORTED hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t itemsX, uint32_t itemsY, uint32_t itemsZ,
                                             uint32_t blockX, uint32_t blockY, uint32_t blockZ, size_t lds,
                                             hipStream_t stream, void** arguments, void** extra, hipEvent_t start,
                                             hipEvent_t stop) {
  return extModuleLaunch(function, itemsX, itemsY, itemsZ, blockX, blockY, blockZ, lds, stream, arguments, extra, start,
                         stop, 0);
}

extern "C" {

#ifdef HAS_OLDER_PROPERTIES
EXPORTED hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* properties, int device) {
  return rocport::api([&] {
    rocport::require(properties != nullptr);
    *properties = olderForm(rocport::propertiesOf(device));
  });
}

EXPORTED hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* properties, int device) {
  return hipGetDevicePropertiesR0000(properties, device);
}

EXPORTED hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* wanted) {
  return rocport::api([&] {
    rocport::require(device != nullptr && wanted != nullptr);
    hipDeviceProp_tR0600 properties = {};
    memcpy(properties.gcnArchName, wanted->gcnArchName, sizeof properties.gcnArchName);
    properties.major = wanted->major;
    properties.minor = wanted->minor;
    properties.totalGlobalMem = wanted->totalGlobalMem;
    properties.sharedMemPerBlock = wanted->sharedMemPerBlock;
    properties.maxThreadsPerBlock = wanted->maxThreadsPerBlock;
    properties.multiProcessorCount = wanted->multiProcessorCount;
    return hipChooseDeviceR0600(device, &properties);
  });
}

EXPORTED hipError_t hipChooseDevice(int* device, const hipDeviceProp_tR0000* wanted) {
  return hipChooseDeviceR0000(device, wanted);
}
#endif

EXPORTED hipError_t hipExtHostAlloc(void** address, size_t bytes, unsigned flags) {
  return hipHostMalloc(address, bytes, flags);
}

// Nothing is traced, so the callback is never called.
EXPORTED void hipRegisterTracerCallback(int (*)(int domain, uint32_t operation, void* data)) {}

EXPORTED const char* hipGetCmdName(unsigned) { return "unknown"; }

// Conversions of half precision that compilers once called by these names.

EXPORTED float __gnu_h2f_ieee(unsigned short half) {
  uint32_t sign = uint32_t{half} >> 15 << 31;
  uint32_t exponent = half >> 10 & 0x1f;
  uint32_t fraction = half & 0x3ff;
  float value;
  if (exponent == 0) {
    value = static_cast<float>(fraction) * 0x1p-24F;
  } else {
    uint32_t bits = (exponent == 0x1f ? 0xff : exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
  }
  return sign != 0 ? -value : value;
}

EXPORTED unsigned short __gnu_f2h_ieee(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 31 << 15;
  bits &= 0x7fffffff;
  uint32_t half;
  if (bits > 0x7f800000) {
    half = 0x7e00;
  } else if (bits >= 0x477ff000) {
    half = 0x7c00;  // rounds to infinity
  } else if (bits < 0x38800000) {
    // The sum rounds to a multiple of 2^-24, the least number of half precision.
    float magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    float sum = magnitude + 0.5F;
    memcpy(&half, &sum, sizeof half);
    half -= 0x3f000000;
  } else {
    half = (bits - (112U << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
  }
  return static_cast<unsigned short>(sign | half);
}

}  // extern "C"
