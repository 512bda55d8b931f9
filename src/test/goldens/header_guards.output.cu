#include <hip/hip_runtime.h>

#ifdef HIP_INCLUDE_HIP_DRIVER_TYPES_H
inline const char* text(hipError_t e) { return hipGetErrorName(e); }
#endif
#if defined(HIPBLAS_H) || defined(HIPRAND_H_) || defined(HIPSPARSE_H) || defined(HIPFFT_H_)
int libraries();
#endif
#ifdef NV_NPPIDEFS_H
int npp();
#endif
