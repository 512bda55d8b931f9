// quick exact: shuffles of every width and type, ballot, any, all, first lane, with lanes masked off
#include "check.h"

template <class T>
__global__ void shuffles(T* out, int width) {
  int i = threadIdx.x;
  T v = T(bits64(i));
  out[i] = __shfl(v, i * 7 + 3, width);
  out[i + 64] = __shfl_up(v, 3, width);
  out[i + 128] = __shfl_down(v, 5, width);
  out[i + 192] = __shfl_xor(v, 9, width);
}

template <class T>
void shuffle(Check& check, const char* name) {
  for (int width : {64, 32, 16, 4, 2}) {
    Buffer<T> out(256);
    shuffles<T><<<1, 64>>>(out.get(), width);
    std::vector<T> want(256);
    for (int i = 0; i < 64; i++) {
      int base = i / width * width;
      auto v = [](int k) { return T(bits64(k)); };
      want[i] = v(base + (i * 7 + 3) % width);
      want[i + 64] = v(i - 3 < base ? i : i - 3);
      want[i + 128] = v(i % width + 5 >= width ? i : i + 5);
      want[i + 192] = v((i ^ 9) >= base + width ? i : i ^ 9);
    }
    check.same(name, out.host(), want);
  }
}

__global__ void votes(unsigned long long* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned v = bits(i);
  unsigned long long r = __ballot(v & 1);
  if (v % 3 == 0) {
    r ^= __ballot(v & 2) * 3;
    if (__any(v % 5 == 0)) r += 1;
    if (__all(v % 3 == 0)) r += 2;
    r += (unsigned long long)__builtin_amdgcn_readfirstlane(int(v)) << 5;
  } else if (i > 10) {
    r ^= __activemask();
    if (__any(v == 0x12345678)) r += 4;
    if (__all(v % 2 == 0)) r += 8;
  }
  r += __lane_id() * 1000 + __popcll(__ballot(1));
  out[i] = r;
}

__global__ void permutes(int* out) {
  int i = threadIdx.x, v = int(bits(i));
  out[i] = __builtin_amdgcn_ds_bpermute((63 - i) * 4, v);
  out[i + 64] = __builtin_amdgcn_ds_permute((i * 5 + 1) % 64 * 4, v);
  out[i + 128] = __builtin_amdgcn_ds_swizzle(v, 0x041f);
  out[i + 192] = __builtin_amdgcn_ds_swizzle(v, 0x801b);
  out[i + 256] = __builtin_amdgcn_readlane(v, 17);
}

int main() {
  Check check;
  shuffle<int>(check, "int");
  shuffle<unsigned long long>(check, "uint64");
  shuffle<float>(check, "float");
  shuffle<double>(check, "double");
  for (int n : {64, 37}) {
    Buffer<unsigned long long> out(64);
    votes<<<1, 64>>>(out.get(), n);
    auto mask = [&](auto p) {
      unsigned long long m = 0;
      for (int i = 0; i < n; i++)
        if (p(i, bits(i))) m |= 1ull << i;
      return m;
    };
    auto third = [](int, unsigned v) { return v % 3 == 0; };
    auto other = [](int i, unsigned v) { return v % 3 != 0 && i > 10; };
    std::vector<unsigned long long> want(64);
    for (int i = 0; i < n; i++) {
      unsigned v = bits(i);
      unsigned long long r = mask([](int, unsigned v) { return v & 1; });
      if (third(i, v)) {
        r ^= mask([&](int k, unsigned v) { return third(k, v) && v & 2; }) * 3;
        if (mask([&](int k, unsigned v) { return third(k, v) && v % 5 == 0; })) r += 1;
        r += 2;
        r += (unsigned long long)(long long)int(bits(__builtin_ctzll(mask(third)))) << 5;
      } else if (other(i, v)) {
        r ^= mask(other);
        if (!mask([&](int k, unsigned v) { return other(k, v) && v % 2; })) r += 8;
      }
      want[i] = r + i * 1000 + n;
    }
    check.same("votes", out.host(), want);
  }
  Buffer<int> p(320);
  permutes<<<1, 64>>>(p.get());
  std::vector<int> want(320);
  for (int i = 0; i < 64; i++) {
    want[i] = int(bits(63 - i));
    want[64 + (i * 5 + 1) % 64] = int(bits(i));
    want[i + 128] = int(bits(i ^ 1));
    want[i + 192] = int(bits(i ^ 3));
    want[i + 256] = int(bits(17));
  }
  check.same("permutes", p.host(), want);
  return check.end();
}
