// exact: LDS accesses of a row of lanes whose first lanes are inactive, with offsets below 0
#include "check.h"

constexpr int Lanes = 64;

/** Lane i reads what lane i - shift wrote, and then replaces it; lanes below shift do nothing. */
template <class T>
__global__ void shifted(int shift, T* read, T* after) {
  __shared__ T row[Lanes];
  int lane = threadIdx.x;
  row[lane] = static_cast<T>(7 * lane + 1);
  unsigned at = static_cast<unsigned>((lane - shift) * static_cast<int>(sizeof(T)));
  // All lanes compute the offset, and it stays in one register.
  asm volatile("" : "+v"(at));
  __syncthreads();
  T got = 0;
  if (lane >= shift) got = *reinterpret_cast<T*>(reinterpret_cast<char*>(row) + at);
  __syncthreads();
  if (lane >= shift) *reinterpret_cast<T*>(reinterpret_cast<char*>(row) + at) = got * 3;
  __syncthreads();
  read[lane] = got;
  after[lane] = row[lane];
}

template <class T>
void test(Check& check) {
  for (int shift = 0; shift < 20; shift++) {
    Buffer<T> read(Lanes), after(Lanes);
    shifted<T><<<1, Lanes>>>(shift, read.get(), after.get());
    std::vector<T> r = read.host(), a = after.host();
    for (int i = 0; i < Lanes; i++) {
      T first = static_cast<T>(7 * i + 1);
      check.same("read", r[i], i < shift ? T(0) : static_cast<T>(7 * (i - shift) + 1));
      check.same("after", a[i], i + shift < Lanes ? static_cast<T>(first * 3) : first);
    }
  }
}

int main() {
  Check check;
  test<int>(check);
  test<long long>(check);
  test<short>(check);
  return check.end();
}
