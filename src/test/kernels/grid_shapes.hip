// quick exact: odd block sizes, partial waves, 2D and 3D grids and blocks, many small blocks
#include "check.h"

struct Id {
  unsigned linear, block, thread, lanes;
};

BOTH Id identify(uint3 b, uint3 t, dim3 grid, dim3 size) {
  Id id;
  id.block = (b.z * grid.y + b.y) * grid.x + b.x;
  id.thread = (t.z * size.y + t.y) * size.x + t.x;
  id.linear = id.block * (size.x * size.y * size.z) + id.thread;
  unsigned n = size.x * size.y * size.z, first = id.thread / 64 * 64;
  id.lanes = n - first < 64 ? n - first : 64;
  return id;
}

__global__ void run(Id* out) {
  uint3 block = {blockIdx.x, blockIdx.y, blockIdx.z}, thread = {threadIdx.x, threadIdx.y, threadIdx.z};
  Id id = identify(block, thread, dim3(gridDim.x, gridDim.y, gridDim.z), dim3(blockDim.x, blockDim.y, blockDim.z));
  id.lanes = __popcll(__ballot(1));
  out[id.linear] = id;
}

__global__ void barriers(unsigned* out, unsigned n) {
  extern __shared__ unsigned v[];
  unsigned t = threadIdx.x + blockDim.x * threadIdx.y, size = blockDim.x * blockDim.y;
  v[t] = t * 3 + blockIdx.x;
  for (unsigned k = 0; k < n; k++) {
    __syncthreads();
    unsigned w = v[(t + 1) % size];
    __syncthreads();
    v[t] = w * 5 + k;
  }
  out[blockIdx.x * size + t] = v[t];
}

int main() {
  Check check;
  struct Shape {
    dim3 grid, block;
  } shapes[] = {{dim3(1), dim3(1)},        {dim3(7), dim3(63)},       {dim3(3), dim3(65)},
                {dim3(2), dim3(1024)},     {dim3(500), dim3(3)},      {dim3(3, 5), dim3(17, 7)},
                {dim3(2, 3, 4), dim3(5, 6, 7)}, {dim3(1, 1, 9), dim3(1, 1, 64)}, {dim3(1, 40), dim3(33)},
                {dim3(2, 2, 2), dim3(8, 8, 16)}};
  for (const Shape& s : shapes) {
    unsigned size = s.block.x * s.block.y * s.block.z, n = s.grid.x * s.grid.y * s.grid.z * size;
    Buffer<Id> out(n);
    run<<<s.grid, s.block>>>(out.get());
    std::vector<Id> want(n);
    for (unsigned z = 0; z < s.grid.z; z++)
      for (unsigned y = 0; y < s.grid.y; y++)
        for (unsigned x = 0; x < s.grid.x; x++)
          for (unsigned t = 0; t < size; t++) {
            uint3 thread = {t % s.block.x, t / s.block.x % s.block.y, t / (s.block.x * s.block.y)};
            Id id = identify(uint3{x, y, z}, thread, s.grid, s.block);
            want[id.linear] = id;
          }
    check.same("ids", out.host(), want);
  }
  for (dim3 block : {dim3(61), dim3(130), dim3(20, 13)}) {
    unsigned size = block.x * block.y;
    Buffer<unsigned> out(3 * size);
    barriers<<<3, block, size * sizeof(unsigned)>>>(out.get(), 7);
    std::vector<unsigned> want(3 * size);
    for (unsigned b = 0; b < 3; b++) {
      std::vector<unsigned> v(size), w(size);
      for (unsigned t = 0; t < size; t++) v[t] = t * 3 + b;
      for (unsigned k = 0; k < 7; k++) {
        for (unsigned t = 0; t < size; t++) w[t] = v[(t + 1) % size] * 5 + k;
        v.swap(w);
      }
      for (unsigned t = 0; t < size; t++) want[b * size + t] = v[t];
    }
    check.same("barriers", out.host(), want);
  }
  return check.end();
}
