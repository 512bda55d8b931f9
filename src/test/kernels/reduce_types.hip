// exact: tree reductions in LDS and by shuffles for every arithmetic type
#include "check.h"

constexpr int kThreads = 256;
constexpr int kBlocks = 5;

template <class T>
BOTH T value(uint32_t i) {
  return T(int(bits(i) % 17) - 8);
}

struct Sum {
  template <class T>
  BOTH T operator()(T a, T b) const { return T(a + b); }
};
struct Largest {
  template <class T>
  BOTH T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Xor {
  template <class T>
  BOTH T operator()(T a, T b) const { return T(a ^ b); }
};

template <class T, class Op>
__global__ void lds(T* out, Op op) {
  __shared__ T part[kThreads];
  part[threadIdx.x] = value<T>(blockIdx.x * kThreads + threadIdx.x);
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + step]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

template <class T, class Op>
__global__ void shuffles(T* out, Op op) {
  T v = value<T>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int step = 32; step > 0; step /= 2) v = op(v, T(__shfl_xor(v, step)));
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

template <class T, class Op>
void reduce(Check& check, const char* name, Op op) {
  Buffer<T> perBlock(kBlocks), perLane(kBlocks * 64);
  lds<T><<<kBlocks, kThreads>>>(perBlock.get(), op);
  std::vector<T> want;
  for (int b = 0; b < kBlocks; b++) {
    T part[kThreads];
    for (int i = 0; i < kThreads; i++) part[i] = value<T>(b * kThreads + i);
    for (int step = kThreads / 2; step > 0; step /= 2)
      for (int i = 0; i < step; i++) part[i] = op(part[i], part[i + step]);
    want.push_back(part[0]);
  }
  check.same(name, perBlock.host(), want);
  if constexpr (sizeof(T) >= 4) {
    shuffles<T><<<kBlocks, 64>>>(perLane.get(), op);
    want.clear();
    for (int b = 0; b < kBlocks; b++) {
      T part[64];
      for (int i = 0; i < 64; i++) part[i] = value<T>(b * 64 + i);
      for (int step = 32; step > 0; step /= 2) {
        T next[64];
        for (int i = 0; i < 64; i++) next[i] = op(part[i], part[i ^ step]);
        memcpy(part, next, sizeof part);
      }
      want.insert(want.end(), part, part + 64);
    }
    check.same(name, perLane.host(), want);
  }
}

template <class T>
void all(Check& check, const char* name) {
  reduce<T>(check, name, Sum());
  reduce<T>(check, name, Largest());
}

int main() {
  Check check;
  all<int8_t>(check, "int8");
  all<uint8_t>(check, "uint8");
  all<int16_t>(check, "int16");
  all<uint16_t>(check, "uint16");
  all<int>(check, "int32");
  all<unsigned>(check, "uint32");
  all<long long>(check, "int64");
  all<unsigned long long>(check, "uint64");
  all<float>(check, "float");
  all<double>(check, "double");
  all<_Float16>(check, "half");
  reduce<int>(check, "xor32", Xor());
  reduce<unsigned long long>(check, "xor64", Xor());
  reduce<uint8_t>(check, "xor8", Xor());
  return check.end();
}
