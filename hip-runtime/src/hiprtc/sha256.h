// SHA-256 (FIPS 180-4).
#pragma once

#include <stdint.h>
#include <string.h>

#include <array>
#include <string>

namespace rocport::kept {

class Sha256 {
 public:
  void add(const void* bytes, size_t size) {
    auto* from = static_cast<const unsigned char*>(bytes);
    total_ += size;
    while (size > 0) {
      size_t part = sizeof block_ - used_ < size ? sizeof block_ - used_ : size;
      memcpy(block_ + used_, from, part);
      used_ += part;
      from += part;
      size -= part;
      if (used_ == sizeof block_) compress();
    }
  }

  /** The hash; nothing can be added after it. */
  std::string digest() {
    uint64_t bits = total_ * 8;
    const unsigned char end = 0x80;
    add(&end, 1);
    const unsigned char zero = 0;
    while (used_ != sizeof block_ - 8) add(&zero, 1);
    unsigned char size[8];
    for (int i = 0; i < 8; i++) size[i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    add(size, sizeof size);
    std::string digest;
    for (uint32_t word : state_) {
      for (int shift = 24; shift >= 0; shift -= 8) digest += static_cast<char>(word >> shift & 0xff);
    }
    return digest;
  }

  static std::string of(const std::string& text) {
    Sha256 hash;
    hash.add(text.data(), text.size());
    return hash.digest();
  }

 private:
  static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

  void compress() {
    static constexpr uint32_t K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64];
    for (int i = 0; i < 16; i++) {
      const unsigned char* b = block_ + 4 * i;
      w[i] = uint32_t{b[0]} << 24 | uint32_t{b[1]} << 16 | uint32_t{b[2]} << 8 | b[3];
    }
    for (int i = 16; i < 64; i++) {
      uint32_t s0 = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
      uint32_t s1 = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (int i = 0; i < 64; i++) {
      uint32_t s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i];
      uint32_t s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const uint32_t round[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state_[i] += round[i];
    used_ = 0;
  }

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned char block_[64] = {};
  size_t used_ = 0;
  uint64_t total_ = 0;
};

}  // namespace rocport::kept
