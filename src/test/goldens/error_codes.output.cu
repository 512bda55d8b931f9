#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
const char* name(hipError_t e) {
  switch (e) {
    case hipSuccess: return "ok";
    /* case cudaErrorMisalignedAddress: HIP has no such value */ return "misaligned";
    case hipErrorIllegalAddress: return "illegal";
    /* case cudaErrorTooManyPeers: HIP has no such value */
    /* case cudaErrorNotPermitted: HIP has no such value */ return "peers";
    case hipErrorLaunchFailure: return "launch"; 
    default: return "?";
  }
}
int both(int code) {
  switch (code) {
    case hipErrorOutOfMemory: return 1;
    case hipErrorNotReady: return 2;
    case hipErrorInvalidKernelFile: { return 3; }
    default: return 0;
  }
}
bool ok(hipError_t e) { return e == hipSuccess; }
#if !defined(__HIP_PLATFORM_AMD__)
bool ok(hipError_t e) { return e == hipSuccess; }
#endif
template <class T> const char* what(T t);
template <> const char* what<hipError_t>(hipError_t) { return "code"; }
#if !defined(__HIP_PLATFORM_AMD__)
template <> const char* what<hipError_t>(hipError_t) { return "code"; }
#endif
template <class T> struct Good { static bool is(T t) { return false; } };
template <> struct Good<hipError_t> { static bool is(hipError_t e) { return e == hipSuccess; } };
#if !defined(__HIP_PLATFORM_AMD__)
template <> struct Good<hipError_t> { static bool is(hipError_t e) { return e == hipSuccess; } };
#endif
static void destroy(hipStream_t s, int) { hipStreamDestroy(s); }
static void destroy(hipEvent_t s, int) { hipEventDestroy(s); }
int main() { hipError_t r = hipInit(0); printf("%d %d %s\n", ok(r), ok(hipGetLastError()), name(hipGetLastError())); return both(2); }
int one(int code) {
  switch (code) {
    case hipErrorOutOfMemory: return 1;
    /* case CUDA_ERROR_OUT_OF_MEMORY: also hipErrorOutOfMemory */ return 2;  // want: ENUM-CASE
  }
  return 0;
}
void check(hipError_t e) { if (e) puts(hipGetErrorString(e)); }
#if !defined(__HIP_PLATFORM_AMD__)
void check(hipError_t e) { if (e) puts("driver"); }  // want: OVERLOAD-ERRORS
#endif
#ifdef USE_DRIVER
int status(hipError_t e) { return e; }
#else
int status(hipError_t e) { return e + 1; }
#endif
