// CUDA libraries whose names HIP has in part, or not at all.
#include <cooperative_groups.h>
#include <cub/cub.cuh>  // ok: API-CUB
#include "cub/test/test_util.h"  // want: API-CUB
#include "cub/test/bfloat16.h"  // want: API-CUB
#include <cuda_fp4.h>  // want: API-DEVICE
#include <cuda/iterator>  // want: API-LIBCUDACXX
#include <cuda/std/bit>
#include <cudla.h>  // want: API-OTHERS
#include <helper_gl.h>  // want: API-RUNTIME
#include <nccl_device.h>  // want: API-NCCL
#include <npp.h>  // want: API-OTHERS
#include <nvJitLink.h>  // want: API-OTHERS
#include <nvfunctional>  // want: API-RUNTIME
#include <nvml.h>  // ok: API-NVML
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <thrust/system/cuda/experimental/pinned_allocator.h>  // want: API-THRUST
extern "C" {
#include <cuda_fp16.h>  // ok: INCLUDE-SCOPE
}
namespace own {
#include <cuComplex.h>  // want: INCLUDE-SCOPE
}

namespace cg = cooperative_groups;

__global__ void meet() {
  auto block = cg::this_thread_block();  // ok: API-COOPERATIVE-GROUPS
  auto cluster = cg::this_cluster();     // want: API-COOPERATIVE-GROUPS
  auto warps = cg::tiled_partition<128>(block);  // want: CG-TILE-SIZE
  auto tile = cg::tiled_partition<32>(block);    // ok: CG-TILE-SIZE
  int n = cuda::std::bit_width(7u);      // want: API-LIBCUDACXX
  int most = cuda::std::max(n, 1);       // ok: API-LIBCUDACXX
}

void use(nvmlDevice_t gpu, nvrtcProgram program, float *data, size_t bytes) {  // ok: API-NVML
  size_t size = CUB_PREFER_CONFLICT_OVER_PADDING(1, 0);  // want: API-CUB
  cub::DeviceScan::ExclusiveSum(nullptr, size, data, data, 16);  // ok: API-CUB
  cub::SwitchDevice other(1);  // want: API-CUB
  thrust::fill(thrust::omp::par, data, data + 16, 0);  // want: API-THRUST
  nvmlDeviceGetMultiGpuBoard(gpu, nullptr);  // want: API-NVML
  nvmlDeviceGetMigMode(gpu, nullptr, nullptr);  // want: NVML-UNSUPPORTED
  nvmlDeviceGetUUID(gpu, nullptr, 0);  // want: API-NVML
  nvmlDeviceGetIndex(gpu, nullptr);  // ok: API-NVML
  void *loaded = dlopen("libnvidia-ml.so.1", 1);  // want: NVML-LOADED
  puts("cannot load libnvidia-ml.so.1");  // ok: NVML-LOADED
  nvrtcGetNVVMSize(program, &size);  // want: API-NVRTC
  nvrtcGetPTXSize(program, &size);   // ok: API-NVRTC
  nvtxNameCudaEvent(nullptr, "done");  // want: API-NVTX
  nvtxRangePushA("work");              // ok: API-NVTX
  nppiAdd_8u_C1RSfs(nullptr, 0, nullptr, 0, nullptr, 0, {1, 1}, 0);  // want: API-OTHERS
}
