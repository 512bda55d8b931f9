// The names of cutil.h, cutil_inline.h and cutil_gl_inline.h of the SDKs of CUDA 2 to 4, in the global
// namespace as there. No library is linked.
//
//   CUDA_SAFE_CALL, CUDA_SAFE_CALL_NO_SYNC, CU_SAFE_CALL, CU_SAFE_CALL_NO_SYNC, CUFFT_SAFE_CALL,
//   CUT_SAFE_CALL, CUT_CHECK_ERROR, CUT_CONDITION, CUT_DEVICE_INIT, CUT_EXIT, CUT_BANK_CHECKER
//   cutilSafeCall and its forms, cutilCheckMsg, cutilCheckMsgAndSync, cutilCheckError,
//   cutilCondition, cutilSafeMalloc, cutilDeviceInit, cutilChooseCudaDevice,
//   cutilDeviceSynchronize, cutilThreadSynchronize, cutilExit, cutGetMaxGflopsDeviceId
//   timers (cutCreateTimer ...), arguments (cutGetCmdLineArgumenti, -f, -str, cutCheckCmdLineFlag),
//   files and images (cutFindFilePath, cutReadFilef, cutLoadPGMub ...), comparisons (cutComparef,
//   cutComparefe, cutComparei, cutCompareub, cutCompareube, cutCompareL2fe), cutFree
//
// With _DEBUG, CUT_CHECK_ERROR and cutilCheckMsg wait for the device first, as in CUDA.
#ifndef ROCPORT_CUTIL_H
#define ROCPORT_CUTIL_H

#ifndef __cplusplus
#error "rocport/cutil.h needs C++"
#endif

#include <map>

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include "samples_device.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

#ifndef CUT_BANK_CHECKER
#define CUT_BANK_CHECKER(array, index) array[index]
#endif

namespace rocport {
namespace samples {

/// Ends the program if a call of a library failed, whose success is 0.
inline void must_be_zero(int status, const char* file, int line) {
  if (status != 0) {
    fprintf(stderr, "library error %i in file '%s' in line %i.\n", status, file, line);
    exit(EXIT_FAILURE);
  }
}

inline void must_be_true(int condition, const char* file, int line) {
  if (!condition) {
    fprintf(stderr, "Cut error in file '%s' in line %i.\n", file, line);
    exit(EXIT_FAILURE);
  }
}

/// Ends the program if a launch before this failed.
inline void must_have_launched(const char* text, bool wait, const char* file, int line) {
  hipError_t error = hipGetLastError();
  if (error == hipSuccess && wait) error = hipDeviceSynchronize();
  if (error != hipSuccess) {
    fprintf(stderr, "Cuda error: %s in file '%s' in line %i : %s.\n", text, file, line,
            hipGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

inline CUTBoolean cut(bool value) { return value ? CUTTrue : CUTFalse; }

/// The timers by their number.
inline std::map<unsigned int, StopWatchLinux>& timers() {
  static std::map<unsigned int, StopWatchLinux> all;
  return all;
}

/// A timer, or null with a message.
inline StopWatchLinux* timer(unsigned int name) {
  const auto found = timers().find(name);
  if (found != timers().end()) return &found->second;
  fprintf(stderr, "there is no timer %u\n", name);
  return nullptr;
}

#ifdef _DEBUG
constexpr bool debug = true;
#else
constexpr bool debug = false;
#endif

}  // namespace samples
}  // namespace rocport

#define CUDA_SAFE_CALL_NO_SYNC(call) rocport::samples::must((call), __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CU_SAFE_CALL_NO_SYNC(call) rocport::samples::must((call), __FILE__, __LINE__)
#define CU_SAFE_CALL(call) CU_SAFE_CALL_NO_SYNC(call)
#define CUFFT_SAFE_CALL(call) rocport::samples::must_be_zero((call), __FILE__, __LINE__)
#define CUT_SAFE_CALL(call) rocport::samples::must_be_true(CUTTrue == (call), __FILE__, __LINE__)
#define CUT_CONDITION(value) rocport::samples::must_be_true(!!(value), __FILE__, __LINE__)
#define CUT_CHECK_ERROR(text) \
  rocport::samples::must_have_launched(text, rocport::samples::debug, __FILE__, __LINE__)

#define cutilSafeCallNoSync(call) rocport::samples::must((call), __FILE__, __LINE__)
#define cutilSafeCall(call) rocport::samples::must((call), __FILE__, __LINE__)
#define cutilDrvSafeCallNoSync(call) rocport::samples::must((call), __FILE__, __LINE__)
#define cutilDrvSafeCall(call) rocport::samples::must((call), __FILE__, __LINE__)
#define cutilSafeThreadSync() rocport::samples::must(hipDeviceSynchronize(), __FILE__, __LINE__)
#define cufftSafeCall(call) rocport::samples::must_be_zero((call), __FILE__, __LINE__)
#define cutilCheckError(call) \
  rocport::samples::must_be_true(CUTTrue == static_cast<int>(call), __FILE__, __LINE__)
#define cutilCondition(value) rocport::samples::must_be_true(!!(value), __FILE__, __LINE__)
#define cutilCheckMsg(text) CUT_CHECK_ERROR(text)
#define cutilCheckMsgAndSync(text) \
  rocport::samples::must_have_launched(text, true, __FILE__, __LINE__)
#define cutilSafeMalloc(memory) \
  rocport::samples::safe_malloc((memory), __FILE__, __LINE__)

namespace rocport {
namespace samples {
template <class T>
inline T* safe_malloc(T* memory, const char* file, int line) {
  must_be_true(memory != nullptr, file, line);
  return memory;
}
}  // namespace samples
}  // namespace rocport

inline hipError_t cutilDeviceSynchronize() { return hipDeviceSynchronize(); }
inline hipError_t cutilThreadSynchronize() { return hipDeviceSynchronize(); }
inline hipError_t cutilDeviceReset() { return hipDeviceReset(); }
inline hipError_t cutilThreadExit() { return hipDeviceReset(); }

inline int cutGetMaxGflopsDeviceId() { return rocport::samples::fastest_device(); }

// Timers.
inline CUTBoolean cutCreateTimer(unsigned int* name) {
  static unsigned int next = 0;
  *name = next++;
  rocport::samples::timers()[*name];
  return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned int name) {
  return rocport::samples::cut(rocport::samples::timers().erase(name) == 1);
}
inline CUTBoolean cutStartTimer(const unsigned int name) {
  StopWatchLinux* timer = rocport::samples::timer(name);
  if (timer) timer->start();
  return rocport::samples::cut(timer != nullptr);
}
inline CUTBoolean cutStopTimer(const unsigned int name) {
  StopWatchLinux* timer = rocport::samples::timer(name);
  if (timer) timer->stop();
  return rocport::samples::cut(timer != nullptr);
}
inline CUTBoolean cutResetTimer(const unsigned int name) {
  StopWatchLinux* timer = rocport::samples::timer(name);
  if (timer) timer->reset();
  return rocport::samples::cut(timer != nullptr);
}
inline float cutGetTimerValue(const unsigned int name) {
  StopWatchLinux* timer = rocport::samples::timer(name);
  return timer ? timer->getTime() : 0.0f;
}
inline float cutGetAverageTimerValue(const unsigned int name) {
  StopWatchLinux* timer = rocport::samples::timer(name);
  return timer ? timer->getAverageTime() : 0.0f;
}

// Arguments. Programs of that time pass char** as well as const char**.
namespace rocport {
namespace samples {
/// The text after NAME=, or null.
template <class Char>
inline const char* value_of(const int argc, Char** argv, const char* name) {
  const char* rest = whole_argument(argc, const_cast<const char**>(argv), name);
  return rest != nullptr && *rest == '=' ? rest + 1 : nullptr;
}
}  // namespace samples
}  // namespace rocport

template <class Char>
inline CUTBoolean cutCheckCmdLineFlag(const int argc, Char** argv, const char* name) {
  return rocport::samples::cut(checkCmdLineFlag(argc, const_cast<const char**>(argv), name));
}
template <class Char>
inline CUTBoolean cutGetCmdLineArgumenti(const int argc, Char** argv, const char* name, int* val) {
  const char* text = rocport::samples::value_of(argc, argv, name);
  if (text != nullptr) *val = atoi(text);
  return rocport::samples::cut(text != nullptr);
}
template <class Char>
inline CUTBoolean cutGetCmdLineArgumentf(const int argc, Char** argv, const char* name,
                                         float* val) {
  const char* text = rocport::samples::value_of(argc, argv, name);
  if (text != nullptr) *val = static_cast<float>(atof(text));
  return rocport::samples::cut(text != nullptr);
}
/// A text for free().
template <class Char>
inline CUTBoolean cutGetCmdLineArgumentstr(const int argc, Char** argv, const char* name,
                                           char** val) {
  const char* text = rocport::samples::value_of(argc, argv, name);
  if (text != nullptr) *val = strdup(text);
  return rocport::samples::cut(text != nullptr);
}

template <class Char>
inline int cutilChooseCudaDevice(int argc, Char** argv) {
  return rocport::samples::find_device(argc, const_cast<const char**>(argv));
}
template <class Char>
inline int cutilDeviceInit(int argc, Char** argv) {
  const char** arguments = const_cast<const char**>(argv);
  const int device = rocport::samples::init_device(getCmdLineArgumentInt(argc, arguments, "device="));
  if (device < 0) exit(EXIT_FAILURE);
  return device;
}
/// Ends the program, after a key with none of the arguments noprompt and qatest.
template <class Char>
inline void cutilExit(int argc, Char** argv) {
  if (!cutCheckCmdLineFlag(argc, argv, "noprompt") && !cutCheckCmdLineFlag(argc, argv, "qatest")) {
    printf("\nPress ENTER to exit...\n");
    fflush(stdout);
    fflush(stderr);
    getchar();
  }
  exit(EXIT_SUCCESS);
}
#define CUT_DEVICE_INIT(argc, argv) cutilDeviceInit(argc, argv)
#define CUT_EXIT(argc, argv) cutilExit(argc, argv)

// Files.
inline char* cutFindFilePath(const char* filename, const char* executable_path) {
  return sdkFindFilePath(filename, executable_path);
}
inline void cutFree(void* memory) { free(memory); }

#define ROCPORT_CUT_FILE(SUFFIX, T)                                                             \
  inline CUTBoolean cutReadFile##SUFFIX(const char* filename, T** data, unsigned int* len,       \
                                        bool verbose = false) {                                  \
    return rocport::samples::cut(sdkReadFile(filename, data, len, verbose));                     \
  }                                                                                              \
  template <class S>                                                                             \
  inline CUTBoolean cutWriteFile##SUFFIX(const char* filename, const T* data, unsigned int len,  \
                                         const S epsilon, bool verbose = false) {                \
    return rocport::samples::cut(sdkWriteFile(filename, data, len, epsilon, verbose));           \
  }
ROCPORT_CUT_FILE(f, float)
ROCPORT_CUT_FILE(d, double)
ROCPORT_CUT_FILE(i, int)
ROCPORT_CUT_FILE(ui, unsigned int)
#undef ROCPORT_CUT_FILE

// Images.
#define ROCPORT_CUT_IMAGE(NAME, SDK, T)                                                         \
  inline CUTBoolean NAME(const char* file, T** data, unsigned int* w, unsigned int* h) {         \
    return rocport::samples::cut(SDK(file, data, w, h));                                         \
  }
ROCPORT_CUT_IMAGE(cutLoadPGMub, sdkLoadPGM, unsigned char)
ROCPORT_CUT_IMAGE(cutLoadPGMf, sdkLoadPGM, float)
ROCPORT_CUT_IMAGE(cutLoadPPM4ub, sdkLoadPPM4ub, unsigned char)
#undef ROCPORT_CUT_IMAGE
#define ROCPORT_CUT_IMAGE(NAME, SDK, T)                                                         \
  inline CUTBoolean NAME(const char* file, T* data, unsigned int w, unsigned int h) {            \
    return rocport::samples::cut(SDK(file, data, w, h));                                         \
  }
ROCPORT_CUT_IMAGE(cutSavePGMub, sdkSavePGM, unsigned char)
ROCPORT_CUT_IMAGE(cutSavePGMf, sdkSavePGM, float)
ROCPORT_CUT_IMAGE(cutSavePPMub, sdkSavePPMub, unsigned char)
ROCPORT_CUT_IMAGE(cutSavePPM4ub, sdkSavePPM4ub, unsigned char)
#undef ROCPORT_CUT_IMAGE
inline CUTBoolean cutLoadPPMub(const char* file, unsigned char** data, unsigned int* w,
                               unsigned int* h) {
  std::vector<unsigned char> bytes;
  if (*data == nullptr) *w = *h = 0;
  return rocport::samples::cut(rocport::samples::load(file, '6', 3, bytes, *w, *h) &&
                               rocport::samples::give(bytes, data));
}

// Comparisons.
inline CUTBoolean cutComparef(const float* reference, const float* data, const unsigned int len) {
  return rocport::samples::cut(compareData(reference, data, len, 0.0f, 0.0f));
}
inline CUTBoolean cutComparefe(const float* reference, const float* data, const unsigned int len,
                               const float epsilon) {
  return rocport::samples::cut(compareData(reference, data, len, epsilon, 0.0f));
}
inline CUTBoolean cutComparei(const int* reference, const int* data, const unsigned int len) {
  return rocport::samples::cut(
      memcmp(reference, data, static_cast<size_t>(len) * sizeof(int)) == 0);
}
inline CUTBoolean cutCompareub(const unsigned char* reference, const unsigned char* data,
                               const unsigned int len) {
  return rocport::samples::cut(memcmp(reference, data, len) == 0);
}
inline CUTBoolean cutCompareube(const unsigned char* reference, const unsigned char* data,
                                const unsigned int len, const float epsilon) {
  return rocport::samples::cut(compareData(reference, data, len, epsilon, 0.0f));
}
inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, const unsigned int len,
                                 const float epsilon) {
  return rocport::samples::cut(sdkCompareL2fe(reference, data, len, epsilon));
}

#endif
