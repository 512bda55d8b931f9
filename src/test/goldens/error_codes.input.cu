#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
const char* name(cudaError_t e) {
  switch (e) {
    case cudaSuccess: return "ok";
    case cudaErrorMisalignedAddress: return "misaligned";
    case cudaErrorIllegalAddress: return "illegal";
    case cudaErrorTooManyPeers:
    case cudaErrorNotPermitted: return "peers";
    case cudaErrorLaunchFailure: return "launch"; 
    default: return "?";
  }
}
int both(int code) {
  switch (code) {
    case cudaErrorMemoryAllocation: return 1;
    case CUDA_ERROR_NOT_READY: return 2;
    case CUDA_ERROR_INVALID_PTX: { return 3; }
    default: return 0;
  }
}
bool ok(cudaError_t e) { return e == cudaSuccess; }
bool ok(CUresult e) { return e == CUDA_SUCCESS; }
template <class T> const char* what(T t);
template <> const char* what<cudaError_t>(cudaError_t) { return "code"; }
template <> const char* what<CUresult>(CUresult) { return "code"; }
template <class T> struct Good { static bool is(T t) { return false; } };
template <> struct Good<cudaError_t> { static bool is(cudaError_t e) { return e == cudaSuccess; } };
template <> struct Good<CUresult> { static bool is(CUresult e) { return e == CUDA_SUCCESS; } };
static void destroy(cudaStream_t s, int) { cudaStreamDestroy(s); }
static void destroy(cudaEvent_t s, int) { cudaEventDestroy(s); }
int main() { CUresult r = cuInit(0); printf("%d %d %s\n", ok(r), ok(cudaGetLastError()), name(cudaGetLastError())); return both(2); }
int one(int code) {
  switch (code) {
    case cudaErrorMemoryAllocation: return 1;
    case CUDA_ERROR_OUT_OF_MEMORY: return 2;  // want: ENUM-CASE
  }
  return 0;
}
void check(cudaError_t e) { if (e) puts(cudaGetErrorString(e)); }
void check(CUresult e) { if (e) puts("driver"); }  // want: OVERLOAD-ERRORS
#ifdef USE_DRIVER
int status(CUresult e) { return e; }
#else
int status(cudaError_t e) { return e + 1; }
#endif
