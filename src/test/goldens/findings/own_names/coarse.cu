#define CUDART_PI_F 3.0f
#include "circle.cuh"

__global__ void coarse(float *r) { *r = circle(*r) / CUDART_PI_F; }  // ok: API-OWN
