// exact: SHA-256 of messages, the rounds unrolled; known digest of "abc"
#include "check.h"

struct Digest {
  uint32_t h[8];
};

BOTH uint32_t rotate(uint32_t v, int n) { return v >> n | v << (32 - n); }

__constant__ uint32_t deviceK[64];
uint32_t hostK[64];

// The constants are the first 32 bits of the fractional parts of cube roots of primes.
void constants() {
  int n = 0;
  for (int p = 2; n < 64; p++) {
    bool prime = true;
    for (int d = 2; d * d <= p; d++) prime = prime && p % d;
    if (!prime) continue;
    long double root = cbrtl(p);
    hostK[n++] = uint32_t((root - floorl(root)) * 4294967296.0L);
  }
}

BOTH void block(const uint32_t* k, const uint32_t* message, Digest& digest) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++) w[i] = message[i];
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t a = digest.h[0], b = digest.h[1], c = digest.h[2], d = digest.h[3];
  uint32_t e = digest.h[4], f = digest.h[5], g = digest.h[6], h = digest.h[7];
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
    uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  digest.h[0] += a;
  digest.h[1] += b;
  digest.h[2] += c;
  digest.h[3] += d;
  digest.h[4] += e;
  digest.h[5] += f;
  digest.h[6] += g;
  digest.h[7] += h;
}

BOTH Digest start() {
  return {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

// Message 0 is "abc", message i > 0 is two blocks of its number.
BOTH void message(int i, int b, uint32_t* w) {
  for (int k = 0; k < 16; k++) w[k] = i ? bits(i * 32 + b * 16 + k) : 0;
  if (i == 0) {
    w[0] = 0x61626380;
    w[15] = 24;
  }
}

BOTH Digest hash(const uint32_t* k, int i) {
  Digest digest = start();
  for (int b = 0; b < (i ? 2 : 1); b++) {
    uint32_t w[16];
    message(i, b, w);
    block(k, w, digest);
  }
  return digest;
}

__global__ void run(Digest* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = hash(deviceK, i);
}

int main() {
  Check check;
  constants();
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(deviceK), hostK, sizeof hostK));
  constexpr int n = 200;
  Buffer<Digest> out(n);
  run<<<(n + 63) / 64, 64>>>(out.get(), n);
  std::vector<Digest> want(n), got = out.host();
  for (int i = 0; i < n; i++) want[i] = hash(hostK, i);
  check.same("digests", got, want);
  check.same("abc", got[0],
             Digest{{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad}});
  return check.end();
}
