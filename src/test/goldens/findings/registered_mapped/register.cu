// Host memory that another file maps.
#include "memory.h"

float *host(float *memory, int n) {
  cudaHostRegister(memory, n * sizeof(float), cudaHostRegisterMapped);  // ok: HOST-REGISTERED
  return device_address(memory);
}
