#include <cuda_runtime.h>
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <vector>

struct Layout { int lanes; int warps; };
struct Info { int warp_size; const char* name; };

__global__ void kernel(float* data) { data[threadIdx.x] = 1.0f; }

// Handed to the caller.
int asked(int device) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  return prop.warpSize;
}

void into(int device, int* size) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  *size = prop.warpSize;
}

// Through a variable, a cast, a member.
void launches(float* data, int n, const cudaDeviceProp& prop, const cudaDeviceProp* pointer) {
  const int warp = prop.warpSize;
  const int threads = std::max(warp, 4 * warp);
  kernel<<<n, threads>>>(data);
  kernel<<<n, prop.warpSize>>>(data);
  kernel<<<(n + pointer->warpSize - 1) / pointer->warpSize, dim3(pointer->warpSize, 4), n * sizeof(float) * (size_t)prop.warpSize>>>(data);
  Layout layout;
  layout.lanes = static_cast<int>(prop.warpSize);
  layout.warps = n / layout.lanes;
  if (prop.warpSize != 32) {
    std::fprintf(stderr, "kernels need warps of 32\n");
  }
  assert(32 == prop.warpSize);
  const dim3 block(prop.warpSize, 8);
  std::vector<float> partial(n / (prop.warpSize));
  int shift = 1 << prop.warpSize / 8;
  std::printf("%d warps\n", n / prop.warpSize);
  std::cout << "warps: " << n / prop.warpSize << "\n";
}

// Told, and no more.
void describes(const std::vector<cudaDeviceProp>& all) {
  for (int i = 0; i < (int)all.size(); i++) {
    std::printf("%s: warps of %d\n", all[i].name, all[i].warpSize);
    std::cout << "warp size " << all[i].warpSize << std::endl;
    int size = all[i].warpSize;
    std::cout << size << "\n";
    Info info = {all[i].warpSize, "warp"};
    Info other;
    other.warp_size = all[i].warpSize;  // want: W64-HOST-SIZE
  }
}

int attributes(int device, int n) {
  int warp = 0, told = 0, most = 0;
  if (cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device) != cudaSuccess) return -1;
  cudaDeviceGetAttribute(&told, cudaDevAttrWarpSize, device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  std::printf("%d of %d\n", told, most);
  return n / warp;
}

void attribute(int device, int* size) { cudaDeviceGetAttribute(size, cudaDevAttrWarpSize, device); }

// Nobody's device.
struct Machine { int warpSize; };
int machine(const Machine& m, int n) { return n / m.warpSize; }  // want: W64-HOST-SIZE
