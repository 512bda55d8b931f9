#pragma once
template <int W = 32> __device__ __forceinline__ unsigned lane() { return threadIdx.x % W; }
__constant__ float table[4] = {1, 2, 3, 4};
