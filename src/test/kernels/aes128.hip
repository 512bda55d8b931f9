// exact: AES-128 with tables made on the device; the example of FIPS 197
#include "check.h"

BOTH uint8_t times(uint8_t a, uint8_t b) {
  uint8_t r = 0;
  for (int k = 0; k < 8; k++) {
    if (b >> k & 1) r ^= a;
    a = uint8_t(a << 1) ^ (a & 0x80 ? 0x1b : 0);
  }
  return r;
}

BOTH uint8_t substitute(uint8_t v) {
  uint8_t inverse = 1;
  for (int k = 0; k < 254; k++) inverse = times(inverse, v);
  uint8_t r = 0x63;
  for (int k = 0; k < 5; k++) r ^= uint8_t(inverse << k | inverse >> (8 - k));
  return r;
}

struct Block {
  uint8_t b[16];
};

BOTH void expand(const uint8_t* box, const Block& key, uint8_t* keys) {
  for (int i = 0; i < 16; i++) keys[i] = key.b[i];
  uint8_t round = 1;
  for (int i = 16; i < 176; i += 4) {
    uint8_t t[4] = {keys[i - 4], keys[i - 3], keys[i - 2], keys[i - 1]};
    if (i % 16 == 0) {
      uint8_t first = t[0];
      t[0] = box[t[1]] ^ round;
      t[1] = box[t[2]];
      t[2] = box[t[3]];
      t[3] = box[first];
      round = times(round, 2);
    }
    for (int k = 0; k < 4; k++) keys[i + k] = keys[i - 16 + k] ^ t[k];
  }
}

BOTH Block encrypt(const uint8_t* box, const uint8_t* keys, Block s) {
  for (int i = 0; i < 16; i++) s.b[i] ^= keys[i];
  for (int round = 1; round <= 10; round++) {
    Block t;
    for (int c = 0; c < 4; c++)
      for (int r = 0; r < 4; r++) t.b[4 * c + r] = box[s.b[4 * ((c + r) % 4) + r]];
    if (round < 10)
      for (int c = 0; c < 4; c++) {
        uint8_t* p = t.b + 4 * c;
        uint8_t all = p[0] ^ p[1] ^ p[2] ^ p[3], first = p[0];
        for (int r = 0; r < 4; r++) {
          uint8_t v = p[r] ^ (r < 3 ? p[r + 1] : first);
          p[r] ^= all ^ uint8_t(v << 1) ^ (v & 0x80 ? 0x1b : 0);
        }
      }
    for (int i = 0; i < 16; i++) s.b[i] = t.b[i] ^ keys[16 * round + i];
  }
  return s;
}

BOTH Block plain(uint32_t i) {
  Block p;
  for (int k = 0; k < 16; k++) p.b[k] = i ? uint8_t(bits(i * 16 + k)) : uint8_t(k * 0x11);
  return p;
}

__global__ void makeBox(uint8_t* box) { box[threadIdx.x] = substitute(threadIdx.x); }

__global__ void run(const uint8_t* box, Block key, Block* out, int n) {
  __shared__ uint8_t keys[176], local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = box[i];
  __syncthreads();
  if (threadIdx.x == 0) expand(local, key, keys);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = encrypt(local, keys, plain(i));
}

int main() {
  Check check;
  constexpr int n = 100;
  Block key;
  for (int k = 0; k < 16; k++) key.b[k] = uint8_t(k);
  Buffer<uint8_t> box(256);
  Buffer<Block> out(n);
  makeBox<<<1, 256>>>(box.get());
  run<<<2, 64>>>(box.get(), key, out.get(), n);
  std::vector<uint8_t> hostBox(256), keys(176);
  for (int i = 0; i < 256; i++) hostBox[i] = substitute(uint8_t(i));
  expand(hostBox.data(), key, keys.data());
  std::vector<Block> want(n), got = out.host();
  for (int i = 0; i < n; i++) want[i] = encrypt(hostBox.data(), keys.data(), plain(i));
  check.same("box", box.host(), hostBox);
  check.same("blocks", got, want);
  Block known = {{0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}};
  check.same("FIPS 197", got[0], known);
  return check.end();
}
