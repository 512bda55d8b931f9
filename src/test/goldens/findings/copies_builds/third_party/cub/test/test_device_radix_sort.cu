#include "../cub/cub.cuh"

__global__ void sort(int* keys) { keys[0] = cub::lanes(); }
