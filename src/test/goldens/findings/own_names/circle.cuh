// Included with a definition of the project, and with the one of CUDA.
__device__ inline float circle(float r) { return 2 * CUDART_PI_F * r; }  // want: API-OWN
