#include <hip/hip_runtime.h>

extern __constant__ int step;
__device__ int term(int i);
void set_step(int value);
