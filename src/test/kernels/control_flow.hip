// quick exact: divergence: nested loops, breaks, switches, gotos, early returns, short circuits
#include "check.h"

BOTH uint32_t wander(uint32_t i) {
  uint32_t v = bits(i), r = 0;
  for (uint32_t a = 0; a < v % 7; a++) {
    if (a == 4) continue;
    for (uint32_t b = a; b < 9; b++) {
      if ((v >> b & 3) == 3) break;
      r = r * 3 + b;
      if (r > 5000000) goto out;
    }
    do {
      r ^= v << a;
      v = v * 5 + 1;
    } while (v & 0x100);
  }
  switch (v % 9) {
    case 0: r += 1; [[fallthrough]];
    case 1: r *= 3; break;
    case 2: return r ^ 0x55;
    case 3: {
      while (r & 1) r >>= 1;
      break;
    }
    case 5: r = ~r; break;
    case 8: r = r / (v | 1); break;
    default: r -= v;
  }
out:
  return r & 4 && v & 8 ? r + 1 : r % 3 == 0 || v % 5 == 1 ? r ^ v : r - 7;
}

BOTH uint32_t collatz(uint32_t n) {
  uint32_t steps = 0;
  uint64_t v = n + 1;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    steps++;
  }
  return steps;
}

// A state machine over the bits of a number.
BOTH uint32_t machine(uint32_t i) {
  uint32_t tape = bits(i), out = 0;
  int state = 0;
  for (int step = 0; step < 100; step++) {
    bool bit = tape & 1;
    tape = tape >> 1 | uint32_t(bit) << 31;
    switch (state) {
      case 0: state = bit ? 1 : 3; break;
      case 1: out += step; state = bit ? 2 : 0; break;
      case 2: out ^= tape; state = bit ? 2 : 4; break;
      case 3: state = out & 1 ? 1 : 4; out *= 3; break;
      default: if (bit) return out; state = 0;
    }
  }
  return ~out;
}

__global__ void run(uint32_t* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[4 * i] = wander(i);
  if (i % 3 == 0) {
    out[4 * i + 1] = collatz(i);
    if (i % 2) return;
  } else if (i % 3 == 1 && bits(i) & 1) {
    out[4 * i + 1] = 7;
  }
  out[4 * i + 2] = machine(i);
  // What is uniform over the wave, but not over the block.
  if (__any(bits(i) % 97 == 0)) out[4 * i + 3] = i / 64;
}

int main() {
  Check check;
  constexpr int n = 1000;
  Buffer<uint32_t> out(4 * n);
  run<<<(n + 127) / 128, 128>>>(out.get(), n);
  std::vector<uint32_t> want(4 * n);
  for (int i = 0; i < n; i++) {
    want[4 * i] = wander(i);
    if (i % 3 == 0) {
      want[4 * i + 1] = collatz(i);
      if (i % 2) continue;
    } else if (i % 3 == 1 && bits(i) & 1) {
      want[4 * i + 1] = 7;
    }
    want[4 * i + 2] = machine(i);
    bool any = false;
    for (int k = i / 64 * 64; k < n && k < i / 64 * 64 + 64; k++) any |= !(k % 3 == 0 && k % 2) && bits(k) % 97 == 0;
    if (any) want[4 * i + 3] = i / 64;
  }
  check.same("flow", out.host(), want);
  return check.end();
}
