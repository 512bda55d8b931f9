// Macros of CUB that hipCUB lacks, in all releases or in older ones.
//
//   CUDA                                           here
//   CubDebugExit(e)                                ROCPORT_CUB_DEBUG_EXIT(e)
//   CUB_MIN, CUB_MAX                               ROCPORT_CUB_MIN, ROCPORT_CUB_MAX
//   CUB_QUOTIENT_FLOOR, CUB_QUOTIENT_CEILING       ROCPORT_CUB_QUOTIENT_FLOOR, ..._CEILING
//   CUB_ROUND_UP_NEAREST, CUB_ROUND_DOWN_NEAREST   ROCPORT_CUB_ROUND_UP_NEAREST, ...
#ifndef ROCPORT_CUB_MACROS_H
#define ROCPORT_CUB_MACROS_H

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace rocport {

/// Ends the program with 1 unless a result is success. Like CUB, names it only with HIPCUB_STDERR.
inline void cub_debug_exit(hipError_t e, const char* file, int line) {
  if (e == hipSuccess) return;
#ifdef HIPCUB_STDERR
  std::fprintf(stderr, "HIP error %d [%s, %d]: %s\n", static_cast<int>(e), file, line,
               hipGetErrorString(e));
#else
  (void)file;
  (void)line;
#endif
  std::exit(1);
}

}  // namespace rocport

// A block, as in CUB: callers may leave out the semicolon.
#define ROCPORT_CUB_DEBUG_EXIT(e) \
  { ::rocport::cub_debug_exit(static_cast<hipError_t>(e), __FILE__, __LINE__); }
#define ROCPORT_CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define ROCPORT_CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define ROCPORT_CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define ROCPORT_CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define ROCPORT_CUB_ROUND_UP_NEAREST(x, y) (ROCPORT_CUB_QUOTIENT_CEILING(x, y) * (y))
#define ROCPORT_CUB_ROUND_DOWN_NEAREST(x, y) (ROCPORT_CUB_QUOTIENT_FLOOR(x, y) * (y))

#endif  // ROCPORT_CUB_MACROS_H
