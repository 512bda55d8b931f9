#include "series.h"

__constant__ int step;

__device__ int term(int i) { return i * step + 1; }

void set_step(int value) { (void)hipMemcpyToSymbol(HIP_SYMBOL(step), &value, sizeof value); }
