#include <math_constants.h>
#include "circle.cuh"

__global__ void fine(float *r) { *r = circle(*r) / CUDART_PI_F; }  // ok: API-OWN
