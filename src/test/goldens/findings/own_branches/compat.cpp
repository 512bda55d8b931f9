#include "compat.h"

void release(void *p) { cudaFree(p); }  // ok: API-OWN
void memory(size_t *available, size_t *total) { cudaMemGetInfo(available, total); }  // ok: API-OWN
