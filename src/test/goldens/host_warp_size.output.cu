#include <hip/hip_runtime.h>
#include "rocport/warp_size.h"
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
  hipDeviceProp_t prop;
  hipGetDeviceProperties(&prop, device);
  return rocport::warp_size;
}

void into(int device, int* size) {
  hipDeviceProp_t prop;
  hipGetDeviceProperties(&prop, device);
  *size = rocport::warp_size;
}

// Through a variable, a cast, a member.
void launches(float* data, int n, const hipDeviceProp_t& prop, const hipDeviceProp_t* pointer) {
  const int warp = rocport::warp_size;
  const int threads = std::max(warp, 4 * warp);
  kernel<<<n, threads>>>(data);
  kernel<<<n, rocport::warp_size>>>(data);
  kernel<<<(n + rocport::warp_size - 1) / rocport::warp_size, dim3(rocport::warp_size, 4), n * sizeof(float) * (size_t)rocport::warp_size>>>(data);
  Layout layout;
  layout.lanes = static_cast<int>(rocport::warp_size);
  layout.warps = n / layout.lanes;
  if (rocport::warp_size != 32) {
    std::fprintf(stderr, "kernels need warps of 32\n");
  }
  assert(32 == rocport::warp_size);
  const dim3 block(rocport::warp_size, 8);
  std::vector<float> partial(n / (rocport::warp_size));
  int shift = 1 << rocport::warp_size / 8;
  std::printf("%d warps\n", n / rocport::warp_size);
  std::cout << "warps: " << n / prop.warpSize << "\n";
}

// Told, and no more.
void describes(const std::vector<hipDeviceProp_t>& all) {
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
  if (rocport::get_warp_size(&warp, device) != hipSuccess) return -1;
  hipDeviceGetAttribute(&told, hipDeviceAttributeWarpSize, device);
  hipDeviceGetAttribute(&most, hipDeviceAttributeMaxThreadsPerBlock, device);
  std::printf("%d of %d\n", told, most);
  return n / warp;
}

void attribute(int device, int* size) { rocport::get_warp_size(size, device); }

// Nobody's device.
struct Machine { int warpSize; };
int machine(const Machine& m, int n) { return n / m.warpSize; }  // want: W64-HOST-SIZE
