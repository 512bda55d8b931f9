// CUDA names that ## puts together; HIP has some of them under names with another ending.
#include <cuda.h>

void *symbol(const char *name, const void *address);

#define LOAD(n) symbol("n", &cu##n)  // want: API-PASTED

void load() {
  LOAD(MemAlloc);
  LOAD(Init);
}
