// Comments that set findings aside.
#include <cuda_runtime.h>

void run() {
  cudaFrobnicate();  // ok: API-UNKNOWN rocport: ignore API-UNKNOWN a function of our own library
  cudaCommit(1);     // want: SUPPRESS-NO-REASON rocport: ignore API-UNKNOWN
  cudaDeviceReset();  // want: SUPPRESS-UNUSED rocport: ignore API-UNKNOWN there once was another call here
  cudaRevert(1);      // want: API-UNKNOWN
}
