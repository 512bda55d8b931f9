// exact: buffer descriptors of RDNA (raw, by index, swizzled) with accesses out of their bounds
// targets: gfx1100 gfx1151
#include "check.h"

typedef int int4_ __attribute__((ext_vector_type(4)));

__device__ int load(int4_ rsrc, int offset, int scalar, int aux) __asm("llvm.amdgcn.raw.buffer.load.i32");
__device__ int4_ load4(int4_ rsrc, int offset, int scalar, int aux) __asm("llvm.amdgcn.raw.buffer.load.v4i32");
__device__ void store(int data, int4_ rsrc, int offset, int scalar, int aux) __asm("llvm.amdgcn.raw.buffer.store.i32");
__device__ int loadAt(int4_ rsrc, int index, int offset, int scalar, int aux) __asm("llvm.amdgcn.struct.buffer.load.i32");
__device__ void storeAt(int data, int4_ rsrc, int index, int offset, int scalar, int aux) __asm("llvm.amdgcn.struct.buffer.store.i32");
__device__ int add(int data, int4_ rsrc, int offset, int scalar, int aux) __asm("llvm.amdgcn.raw.buffer.atomic.add.i32");
__device__ int scalarLoad(int4_ rsrc, int offset, int aux) __asm("llvm.amdgcn.s.buffer.load.i32");

enum Bounds { STRUCTURED = 0, INDEX = 1, ANY = 2, RAW = 3 };

__device__ int4_ describe(const void* base, int stride, int elementSize, int records, int indexStride, Bounds bounds) {
  uint64_t at = reinterpret_cast<uint64_t>(base);
  int swizzle = elementSize == 0 ? 0 : elementSize == 4 ? 1 : elementSize == 8 ? 2 : 3;
  int indices = indexStride == 8 ? 0 : indexStride == 16 ? 1 : indexStride == 32 ? 2 : 3;
  return {int(at), int(at >> 32 & 0xffff) | stride << 16 | swizzle << 30, records, indices << 21 | 1 << 24 | bounds << 28};
}

__global__ void raw(int* data, int* out, int n) {
  int i = threadIdx.x;
  int4_ d = describe(data, 0, 0, 4 * n, 8, RAW);
  out[i] = load(d, 4 * i, 0, 0);
  int4_ four = load4(d, 4 * i, 0, 0);
  out[64 + i] = four[0] + four[1] + four[2] + four[3];
  out[128 + i] = scalarLoad(d, 8, 0) + scalarLoad(d, 4 * n, 0);
}

__global__ void stores(int* data, int n) {
  int i = threadIdx.x;
  int4_ d = describe(data, 0, 0, 4 * n, 8, RAW);
  store(1000 + i, d, 4 * i + 128, 0, 0);
  add(7, d, 4 * i + 100, 4, 0);
}

__global__ void records(int* data, int* out, int* swizzled) {
  int i = threadIdx.x;
  int4_ plain = describe(data, 12, 0, 20, 8, STRUCTURED);
  out[i] = loadAt(plain, i, 8, 0, 0);
  out[64 + i] = loadAt(plain, i, 12, 0, 0);                                         // beyond its record
  out[128 + i] = loadAt(describe(data, 12, 0, 20, 8, INDEX), i, 12, 0, 0);          // only the index counts
  out[192 + i] = loadAt(describe(data, 12, 0, i == 64, 8, ANY), i, 0, 0, 0);        // none at all
  int4_ s = describe(swizzled, 16, 4, 32, 8, RAW);
  for (int word = 0; word < 4; word++) storeAt(100 * i + word, s, i, 4 * word, 0, 0);
}

int main() {
  Check check;
  constexpr int n = 48;
  std::vector<int> data(256);
  for (int i = 0; i < 256; i++) data[i] = 3 * i + 1;
  Buffer<int> d(data), out(256), swizzled(256);
  raw<<<1, 64>>>(d.get(), out.get(), n);
  std::vector<int> want(256), after = data;
  auto in = [&](int i) { return i < n ? data[i] : 0; };
  for (int i = 0; i < 64; i++) {
    want[i] = in(i);
    want[64 + i] = i + 4 <= n ? in(i) + in(i + 1) + in(i + 2) + in(i + 3) : 0;
    want[128 + i] = data[2];
  }
  for (int i = 0; i < 32 && 32 + i < n; i++) after[32 + i] = 1000 + i;
  // The scalar offset moves the access; it does not count for the bounds.
  for (int i = 0; i < 32 && 25 + i < n; i++) after[26 + i] += 7;
  std::vector<int> got = out.host();
  check.same("raw", got, want);
  stores<<<1, 32>>>(d.get(), n);
  check.same("stored", d.host(), after);

  Buffer<int> e(data), places(256);
  records<<<1, 32>>>(e.get(), places.get(), swizzled.get());
  std::vector<int> expected(256), rows(256);
  for (int i = 0; i < 32; i++) {
    expected[i] = i < 20 ? data[3 * i + 2] : 0;
    expected[128 + i] = i < 20 ? data[3 * i + 3] : 0;
    for (int word = 0; word < 4; word++) rows[i / 8 * 32 + word * 8 + i % 8] = 100 * i + word;
  }
  check.same("records", places.host(), expected);
  check.same("swizzled", swizzled.host(), rows);
  return check.end();
}
