#pragma once
/// Optional outer namespace(s)
CUB_NS_PREFIX
namespace cub {
__device__ __forceinline__ unsigned lanes() { return __ballot(1); }
}
