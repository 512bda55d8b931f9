#include <cuda.h>
int init(void) { CUdevice d; return cuInit(0) || cuDeviceGet(&d, 0); }
