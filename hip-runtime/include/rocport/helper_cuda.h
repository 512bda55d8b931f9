// Checks of errors and the choice of a GPU, with the names of helper_cuda.h of the CUDA samples, in the
// global namespace as there, for HIP and its libraries.
//
//   checkCudaErrors, getLastCudaError, printLastCudaError, _cudaGetErrorEnum
//   gpuDeviceInit, gpuGetMaxGflopsDeviceId, findCudaDevice, findIntegratedGPU, checkCudaCapabilities
//   _ConvertSMVer2Cores, _ConvertSMVer2ArchName, ftoi, MIN, MAX, DEVICE_RESET
//
// checkCudaErrors accepts the status of any library. It prints the name of the value for HIP, and for
// hipBLAS, hipFFT, hipRAND, hipSPARSE and hipSOLVER where their header is included before; otherwise
// only the number.
//
// Where AMD GPUs differ: a compute unit has 64 lanes of FP32 (_ConvertSMVer2Cores), and the compute
// capability is the version of the instruction set, such as 9.0 for gfx90a and 9.4 for gfx942, which
// checkCudaCapabilities compares with the number for an NVIDIA GPU that the program passes.
#ifndef ROCPORT_HELPER_CUDA_H
#define ROCPORT_HELPER_CUDA_H

#ifndef __cplusplus
#error "rocport/helper_cuda.h needs C++"
#endif

#include "helper_string.h"
#include "samples_device.h"

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif
#ifndef DEVICE_RESET
#define DEVICE_RESET (void)hipDeviceReset();
#endif

inline const char* _cudaGetErrorEnum(hipError_t error) { return hipGetErrorName(error); }

#ifdef HIPBLAS_H
inline const char* _cudaGetErrorEnum(hipblasStatus_t error) {
  return hipblasStatusToString(error);
}
#endif

#ifdef HIPSPARSE_H
inline const char* _cudaGetErrorEnum(hipsparseStatus_t error) {
  return hipsparseGetErrorName(error);
}
#endif

#define ROCPORT_STATUS(name) \
  case name:                 \
    return #name;

#ifdef HIPFFT_H_
inline const char* _cudaGetErrorEnum(hipfftResult error) {
  switch (error) {
    ROCPORT_STATUS(HIPFFT_SUCCESS)
    ROCPORT_STATUS(HIPFFT_INVALID_PLAN)
    ROCPORT_STATUS(HIPFFT_ALLOC_FAILED)
    ROCPORT_STATUS(HIPFFT_INVALID_TYPE)
    ROCPORT_STATUS(HIPFFT_INVALID_VALUE)
    ROCPORT_STATUS(HIPFFT_INTERNAL_ERROR)
    ROCPORT_STATUS(HIPFFT_EXEC_FAILED)
    ROCPORT_STATUS(HIPFFT_SETUP_FAILED)
    ROCPORT_STATUS(HIPFFT_INVALID_SIZE)
    ROCPORT_STATUS(HIPFFT_UNALIGNED_DATA)
    ROCPORT_STATUS(HIPFFT_INVALID_DEVICE)
    ROCPORT_STATUS(HIPFFT_NO_WORKSPACE)
    ROCPORT_STATUS(HIPFFT_NOT_IMPLEMENTED)
    ROCPORT_STATUS(HIPFFT_NOT_SUPPORTED)
    default:
      return "<unknown>";
  }
}
#endif

#ifdef HIPRAND_H_
inline const char* _cudaGetErrorEnum(hiprandStatus_t error) {
  switch (error) {
    ROCPORT_STATUS(HIPRAND_STATUS_SUCCESS)
    ROCPORT_STATUS(HIPRAND_STATUS_VERSION_MISMATCH)
    ROCPORT_STATUS(HIPRAND_STATUS_NOT_INITIALIZED)
    ROCPORT_STATUS(HIPRAND_STATUS_ALLOCATION_FAILED)
    ROCPORT_STATUS(HIPRAND_STATUS_TYPE_ERROR)
    ROCPORT_STATUS(HIPRAND_STATUS_OUT_OF_RANGE)
    ROCPORT_STATUS(HIPRAND_STATUS_LENGTH_NOT_MULTIPLE)
    ROCPORT_STATUS(HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED)
    ROCPORT_STATUS(HIPRAND_STATUS_LAUNCH_FAILURE)
    ROCPORT_STATUS(HIPRAND_STATUS_PREEXISTING_FAILURE)
    ROCPORT_STATUS(HIPRAND_STATUS_INITIALIZATION_FAILED)
    ROCPORT_STATUS(HIPRAND_STATUS_ARCH_MISMATCH)
    ROCPORT_STATUS(HIPRAND_STATUS_INTERNAL_ERROR)
    default:
      return "<unknown>";
  }
}
#endif

#ifdef HIPSOLVER_H
inline const char* _cudaGetErrorEnum(hipsolverStatus_t error) {
  switch (error) {
    ROCPORT_STATUS(HIPSOLVER_STATUS_SUCCESS)
    ROCPORT_STATUS(HIPSOLVER_STATUS_NOT_INITIALIZED)
    ROCPORT_STATUS(HIPSOLVER_STATUS_ALLOC_FAILED)
    ROCPORT_STATUS(HIPSOLVER_STATUS_INVALID_VALUE)
    ROCPORT_STATUS(HIPSOLVER_STATUS_MAPPING_ERROR)
    ROCPORT_STATUS(HIPSOLVER_STATUS_EXECUTION_FAILED)
    ROCPORT_STATUS(HIPSOLVER_STATUS_INTERNAL_ERROR)
    ROCPORT_STATUS(HIPSOLVER_STATUS_NOT_SUPPORTED)
    ROCPORT_STATUS(HIPSOLVER_STATUS_ARCH_MISMATCH)
    ROCPORT_STATUS(HIPSOLVER_STATUS_HANDLE_IS_NULLPTR)
    ROCPORT_STATUS(HIPSOLVER_STATUS_INVALID_ENUM)
    ROCPORT_STATUS(HIPSOLVER_STATUS_UNKNOWN)
    default:
      return "<unknown>";
  }
}
#endif
#undef ROCPORT_STATUS

/// For the status of a library without a function above.
template <typename T>
inline const char* _cudaGetErrorEnum(T) {
  return "<unknown>";
}

/// Ends the program if a call failed: every library has 0 for success.
template <typename T>
inline void check(T result, char const* const func, const char* const file, int const line) {
  if (static_cast<unsigned int>(result) != 0) {
    fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(result), func);
    exit(EXIT_FAILURE);
  }
}

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

/// Prints the last error of a launch, if there is one, and returns whether there was.
inline bool __printLastCudaError(const char* errorMessage, const char* file, const int line) {
  const hipError_t error = hipGetLastError();
  if (error != hipSuccess) {
    fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line,
            errorMessage, static_cast<int>(error), hipGetErrorString(error));
  }
  return error != hipSuccess;
}

inline void __getLastCudaError(const char* errorMessage, const char* file, const int line) {
  if (__printLastCudaError(errorMessage, file, line)) exit(EXIT_FAILURE);
}

inline int ftoi(float value) {
  return value >= 0 ? static_cast<int>(value + 0.5) : static_cast<int>(value - 0.5);
}

inline int _ConvertSMVer2Cores(int major, int minor) {
  return rocport::samples::lanes(major, minor);
}

inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  return rocport::samples::family(major, minor);
}

inline int gpuDeviceInit(int devID) { return rocport::samples::init_device(devID); }

inline int gpuGetMaxGflopsDeviceId() { return rocport::samples::fastest_device(); }

inline int findCudaDevice(int argc, const char** argv) {
  return rocport::samples::find_device(argc, argv);
}

inline int findIntegratedGPU() { return rocport::samples::integrated_device(); }

inline bool checkCudaCapabilities(int major_version, int minor_version) {
  int device = 0;
  hipDeviceProp_t properties;
  checkCudaErrors(hipGetDevice(&device));
  checkCudaErrors(hipGetDeviceProperties(&properties, device));
  const bool enough = properties.major > major_version ||
                      (properties.major == major_version && properties.minor >= minor_version);
  if (enough) {
    printf("  Device %d: <%16s >, Compute SM %d.%d detected\n", device, properties.name,
           properties.major, properties.minor);
  } else {
    printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n",
           major_version, minor_version);
  }
  return enough;
}

#endif
