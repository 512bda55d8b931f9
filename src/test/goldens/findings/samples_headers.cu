// Headers of the CUDA samples that are not in the tree, and names of them that rocport has or lacks.
#include <helper_cuda.h>  // want: API-SAMPLES
#include "helper_functions.h"  // want: API-SAMPLES
#include <cutil_inline.h>  // want: API-SAMPLES
#include <own/helper_image.h>  // ok: API-SAMPLES

static bool sdkCompareBin2BinFloat(const char *a, const char *b) { return a == b; }

int main(int argc, const char **argv) {
  findCudaDevice(argc, argv);                         // ok: API-SAMPLES
  if (!checkCudaCapabilities(3, 0)) return 1;         // want: API-SAMPLES
  StopWatchInterface *timer = nullptr;                // ok: API-SAMPLES
  sdkCreateTimer(&timer);                             // ok: API-SAMPLES
  CUDA_SAFE_CALL(cudaDeviceSynchronize());            // ok: API-UNKNOWN
  sdkReadFileBlocks("a", nullptr, nullptr, 0, 0, 0);  // want: API-SAMPLES
  cutStartThread(nullptr, nullptr);                   // want: API-SAMPLES
  return sdkCompareBin2BinFloat("a", "b");            // ok: API-SAMPLES
}
