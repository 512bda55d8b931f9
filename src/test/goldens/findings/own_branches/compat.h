// Without a GPU, the host stands in for it.
#ifdef GEM_GPU
#include <cuda_runtime.h>
#else
#include <stdlib.h>
#define cudaFree(p) free(p)  // want: API-OWN
#endif

// Holds in all configurations.
#define cudaMemGetInfo(available, total) gem_memory(available, total)  // ok: API-OWN
