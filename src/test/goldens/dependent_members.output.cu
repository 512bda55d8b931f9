#include <hip/hip_runtime.h>

struct Box {
  int n;
  template <int Axis>
  __host__ __device__ int wrapped(int x) const { return (x + Axis) % n; }
  template <int Count>
  __host__ __device__ float scaled(int x) const { return float(x) / (n * Count); }
};

struct Limits {
  int bound;
  template <int Axis>
  __host__ __device__ int clipped(int x) const { return x < bound ? x : bound - Axis; }
};

// The type of the object is a parameter of a template.
template <class Grid>
__device__ int corner(const Grid &grid, Grid *other, int x) {
  Grid local = *other;
  return grid.template wrapped<0>(x) + other->template wrapped<1>(x + 1) + local.template wrapped<2>(x);
}

template <int N, class Grid>
struct Walk {
  Grid grid;
  __device__ float step(int x) const { return grid.template scaled<N>(x) + grid.template scaled<N + 1>(x); }
};

// Classes of the file, functions without templates, and calls that have the word need none.
template <class Grid>
__device__ int known(const Grid &grid, const Box &box, int x) {
  return grid.template wrapped<0>(x) + box.wrapped<1>(x);
}

__device__ int plain(Box box, int x) { return box.wrapped<0>(x); }

// Comparisons.
template <class L>
__device__ bool less(const L &limits, int x) {
  return limits.bound < 3 && x > (limits.bound);
}

__global__ void fill(Box box, Limits limits, int *out) {
  Walk<2, Box> walk{box};
  out[0] = corner(box, &box, 7) + known(box, box, 5) + plain(box, 3);
  out[1] = int(walk.step(4)) + less(limits, 2) + limits.clipped<1>(6);
}

int main() {
  int *out;
  hipMalloc(&out, 2 * sizeof(int));
  fill<<<1, 1>>>(Box{5}, Limits{4}, out);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
