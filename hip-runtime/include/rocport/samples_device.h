// The choice of a GPU for helper_cuda.h and cutil.h.
#ifndef ROCPORT_SAMPLES_DEVICE_H
#define ROCPORT_SAMPLES_DEVICE_H

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#else
#include <hip/hip_runtime_api.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "helper_string.h"

namespace rocport {
namespace samples {

[[noreturn]] inline void refuse(const char* text) {
  fprintf(stderr, "%s\n", text);
  exit(EXIT_FAILURE);
}

/// Ends the program if a call failed.
inline void must(hipError_t error, const char* file, int line) {
  if (error != hipSuccess) {
    fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", file, line,
            hipGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define ROCPORT_MUST(call) must((call), __FILE__, __LINE__)

inline int attribute(hipDeviceAttribute_t which, int device) {
  int value = -1;
  ROCPORT_MUST(hipDeviceGetAttribute(&value, which, device));
  return value;
}

inline bool is_prohibited(int device) {
  return attribute(hipDeviceAttributeComputeMode, device) == hipComputeModeProhibited;
}

/// The number of GPUs; ends the program where there is none.
inline int devices() {
  int count = 0;
  ROCPORT_MUST(hipGetDeviceCount(&count));
  if (count == 0) refuse("error: no GPU that supports HIP");
  return count;
}

/// The lanes of FP32 of a compute unit.
inline int lanes(int, int) { return 64; }

/// A family of GPUs by the version of their instruction set.
inline const char* family(int major, int minor) {
  switch (major) {
    case 9:
      return minor >= 4 ? "CDNA3" : "GCN or CDNA";
    case 10:
      return minor >= 3 ? "RDNA2" : "RDNA";
    case 11:
      return "RDNA3";
    case 12:
      return "RDNA4";
    default:
      return "AMD GPU";
  }
}

/// Selects a GPU and prints it.
inline void use(int device) {
  hipDeviceProp_t properties;
  ROCPORT_MUST(hipSetDevice(device));
  ROCPORT_MUST(hipGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
         properties.major, properties.minor);
}

/// Selects a GPU. Returns its number, or a negative number where there is no such GPU.
inline int init_device(int device) {
  const int count = devices();
  if (device < 0) device = 0;
  if (device >= count) {
    fprintf(stderr, "device %d is not a valid GPU; %d are there\n", device, count);
    return -device;
  }
  if (is_prohibited(device)) {
    fprintf(stderr, "error: device %d is in the mode in which no thread can use it\n", device);
    return -1;
  }
  ROCPORT_MUST(hipSetDevice(device));
  printf("gpuDeviceInit() CUDA Device [%d]: \"%s\n", device,
         family(attribute(hipDeviceAttributeComputeCapabilityMajor, device),
                attribute(hipDeviceAttributeComputeCapabilityMinor, device)));
  return device;
}

/// The GPU with the most lanes times clock rate; ends the program if none can be used.
inline int fastest_device() {
  const int count = devices();
  int best = -1;
  uint64_t most = 0;
  for (int i = 0; i < count; i++) {
    if (is_prohibited(i)) continue;
    const uint64_t speed = uint64_t(attribute(hipDeviceAttributeMultiprocessorCount, i)) *
                           uint64_t(attribute(hipDeviceAttributeClockRate, i));
    if (best < 0 || speed > most) {
      best = i;
      most = speed;
    }
  }
  if (best < 0) refuse("error: no GPU is in a mode in which it can be used");
  return best;
}

/// Selects the GPU that the argument "device=N" names, or else the fastest, and prints it.
inline int find_device(int argc, const char** argv) {
  if (whole_argument(argc, argv, "device") == nullptr) {
    const int device = fastest_device();
    use(device);
    return device;
  }
  const int wanted = getCmdLineArgumentInt(argc, argv, "device=");
  if (wanted < 0) refuse("Invalid command line parameter");
  const int device = init_device(wanted);
  if (device < 0) refuse("exiting...");
  return device;
}

/// Selects the first GPU that shares the memory of the host; ends the program if there is none.
inline int integrated_device() {
  const int count = devices();
  for (int i = 0; i < count; i++) {
    if (attribute(hipDeviceAttributeIntegrated, i) != 0 && !is_prohibited(i)) {
      use(i);
      return i;
    }
  }
  refuse("error: no integrated GPU");
}
#undef ROCPORT_MUST

}  // namespace samples
}  // namespace rocport

#endif
