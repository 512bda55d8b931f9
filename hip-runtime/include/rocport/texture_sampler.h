// A texture unit in software: the arithmetic of texture.h, independent of any runtime, so that the
// same code runs on the device, on the host and in tests.
//
// The CUDA programming guide (texture fetching) gives the formulas: the nearest texel is floor(x);
// linear filtering uses i = floor(x - 0.5) and weights in 1.8 fixed point. Details that the guide
// does not specify were measured on an NVIDIA H200 and are reproduced here:
//  - a normalized coordinate keeps 21 bits of fraction, a subnormal one counts as zero, NaN as 0,
//    and an infinite one as 0 where it wraps;
//  - x - 0.5 is rounded to the nearest 1/256 (halves up) before it is split into texel and weight;
//  - the four weights of a plane (or of half a volume) are rounded to 1/256 each, so that they
//    still add up: first along z or the level of detail, then x, then y;
//  - 32-bit floats of a plane are aligned to the largest with 27 bits behind its leading one, cut
//    off, and the exact sum is rounded once (halves away from zero); halves likewise with 14 bits,
//    to a half;
//  - normalized integers are widened to 16 bits and the sum is rounded to 16 bits;
//  - a one-dimensional texture is filtered as one row of a two-dimensional one at y = 0, so the
//    border color counts half where the second axis is in border mode.
// hip-runtime/checks/texture-sampler holds the measurement and the comparison.
#ifndef ROCPORT_TEXTURE_SAMPLER_H
#define ROCPORT_TEXTURE_SAMPLER_H

#if defined(__HIP__) || defined(__CUDACC__)
#define ROCPORT_HD __host__ __device__ inline
#else
#define ROCPORT_HD inline
#endif
// A fetch is long: one copy of it in a kernel keeps code and compile times small.
#define ROCPORT_HD_CALL __attribute__((noinline)) ROCPORT_HD

namespace rocport {
namespace texture {

enum Kind { kSigned = 0, kUnsigned = 1, kFloat = 2 };        // as the channel format kinds
enum Address { kWrap = 0, kClamp = 1, kMirror = 2, kBorder = 3 };  // as the address modes

constexpr int kMaxLevels = 16;

/// One level of an image: rows of texels, rows in slices (depth, layers, or faces).
struct Level {
  unsigned char* data;
  unsigned long long pitch;  // bytes from row to row
  unsigned long long slice;  // bytes from slice to slice
  int width, height, depth;  // texels; 1 if the image has no such axis
};

/// The target of a texture or surface object.
struct Image {
  Level level[kMaxLevels];
  int levels;
  int kind, bits, channels;
  int address[3];
  bool linear, normalized_coordinates, normalized_read, srgb, mip_linear, cubemap, layered;
  unsigned border[4];  // as stored: see set_border
  float lod_bias, min_lod, max_lod;
};

/// Four channels, as floats or as integer bits (sign-extended).
struct Texel {
  union {
    float f[4];
    unsigned u[4];
    int i[4];
  };
};

ROCPORT_HD float as_float(unsigned bits) {
  union { unsigned u; float f; } both;
  both.u = bits;
  return both.f;
}

ROCPORT_HD unsigned as_bits(float value) {
  union { float f; unsigned u; } both;
  both.f = value;
  return both.u;
}

/// A half-precision number, exactly.
ROCPORT_HD float from_half(unsigned half) {
  const unsigned sign = (half & 0x8000u) << 16;
  const unsigned exponent = half >> 10 & 31u;
  const unsigned fraction = half & 0x3ffu;
  if (exponent == 31u) return as_float(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0u) return as_float(sign | (exponent + 112u) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
  return sign ? -magnitude : magnitude;
}

/// Linear light of an sRGB byte, as in the texture unit: eight significant bits, listed as the
/// upper half of a float (IEC 61966-2-1 to within 0.4 %).
ROCPORT_HD float from_srgb(unsigned byte) {
  constexpr unsigned short kLinear[256] = {
      0x0000, 0x39a0, 0x3a20, 0x3a70, 0x3aa0, 0x3ac8, 0x3af0, 0x3b0c, 0x3b20, 0x3b34, 0x3b48,
      0x3b5c, 0x3b70, 0x3b84, 0x3b90, 0x3b9c, 0x3baa, 0x3bb8, 0x3bc6, 0x3bd6, 0x3be6, 0x3bf6,
      0x3c03, 0x3c0c, 0x3c16, 0x3c1f, 0x3c29, 0x3c34, 0x3c3e, 0x3c49, 0x3c55, 0x3c60, 0x3c6c,
      0x3c7a, 0x3c83, 0x3c8a, 0x3c91, 0x3c98, 0x3c9f, 0x3ca6, 0x3cae, 0x3cb6, 0x3cbe, 0x3cc6,
      0x3cce, 0x3cd7, 0x3ce0, 0x3ce9, 0x3cf2, 0x3cfc, 0x3d03, 0x3d08, 0x3d0d, 0x3d12, 0x3d17,
      0x3d1c, 0x3d22, 0x3d28, 0x3d2d, 0x3d33, 0x3d39, 0x3d3f, 0x3d45, 0x3d4c, 0x3d52, 0x3d58,
      0x3d60, 0x3d66, 0x3d6c, 0x3d74, 0x3d7a, 0x3d81, 0x3d85, 0x3d88, 0x3d8c, 0x3d90, 0x3d94,
      0x3d98, 0x3d9c, 0x3da0, 0x3da4, 0x3da9, 0x3dad, 0x3db1, 0x3db6, 0x3dba, 0x3dbf, 0x3dc3,
      0x3dc8, 0x3dcd, 0x3dd1, 0x3dd6, 0x3ddb, 0x3de0, 0x3de5, 0x3dea, 0x3df0, 0x3df4, 0x3dfa,
      0x3e00, 0x3e02, 0x3e05, 0x3e08, 0x3e0b, 0x3e0e, 0x3e11, 0x3e14, 0x3e17, 0x3e1a, 0x3e1d,
      0x3e20, 0x3e23, 0x3e26, 0x3e29, 0x3e2c, 0x3e30, 0x3e33, 0x3e36, 0x3e3a, 0x3e3d, 0x3e40,
      0x3e44, 0x3e47, 0x3e4b, 0x3e4e, 0x3e52, 0x3e56, 0x3e59, 0x3e5d, 0x3e61, 0x3e65, 0x3e68,
      0x3e6c, 0x3e70, 0x3e74, 0x3e78, 0x3e7c, 0x3e80, 0x3e82, 0x3e84, 0x3e86, 0x3e88, 0x3e8a,
      0x3e8d, 0x3e8f, 0x3e91, 0x3e93, 0x3e95, 0x3e98, 0x3e9a, 0x3e9c, 0x3e9e, 0x3ea1, 0x3ea3,
      0x3ea5, 0x3ea8, 0x3eaa, 0x3ead, 0x3eaf, 0x3eb2, 0x3eb4, 0x3eb6, 0x3eb9, 0x3ebc, 0x3ebe,
      0x3ec1, 0x3ec3, 0x3ec6, 0x3ec8, 0x3ecb, 0x3ece, 0x3ed1, 0x3ed3, 0x3ed6, 0x3ed9, 0x3edb,
      0x3ede, 0x3ee1, 0x3ee4, 0x3ee7, 0x3eea, 0x3eed, 0x3ef0, 0x3ef2, 0x3ef6, 0x3ef8, 0x3efc,
      0x3efe, 0x3f01, 0x3f02, 0x3f04, 0x3f05, 0x3f07, 0x3f09, 0x3f0a, 0x3f0c, 0x3f0d, 0x3f0f,
      0x3f11, 0x3f12, 0x3f14, 0x3f16, 0x3f17, 0x3f19, 0x3f1b, 0x3f1c, 0x3f1e, 0x3f20, 0x3f21,
      0x3f23, 0x3f25, 0x3f27, 0x3f29, 0x3f2a, 0x3f2c, 0x3f2e, 0x3f30, 0x3f32, 0x3f33, 0x3f35,
      0x3f37, 0x3f39, 0x3f3b, 0x3f3d, 0x3f3f, 0x3f41, 0x3f43, 0x3f45, 0x3f47, 0x3f49, 0x3f4b,
      0x3f4d, 0x3f4f, 0x3f51, 0x3f53, 0x3f55, 0x3f57, 0x3f59, 0x3f5b, 0x3f5d, 0x3f5f, 0x3f61,
      0x3f63, 0x3f65, 0x3f68, 0x3f6a, 0x3f6c, 0x3f6e, 0x3f70, 0x3f72, 0x3f74, 0x3f76, 0x3f7a,
      0x3f7c, 0x3f7e, 0x3f80};
  return as_float(static_cast<unsigned>(kLinear[byte & 255u]) << 16);
}

/// The sRGB byte of linear light between 0 and 1.
inline int to_srgb(float value) {
  const double c = value <= 0.0031308f
                       ? static_cast<double>(value) * 12.92
                       : 1.055 * __builtin_pow(static_cast<double>(value), 1.0 / 2.4) - 0.055;
  return static_cast<int>(__builtin_floor(c * 255.0 + 0.5));
}

ROCPORT_HD bool reads_float(const Image& image) {
  return image.kind == kFloat || image.normalized_read;
}

/// A channel as it is stored: a float's bits (halves widened) or a sign-extended integer.
ROCPORT_HD unsigned stored(const Image& image, const unsigned char* texel, int channel) {
  const unsigned char* at = texel + channel * (image.bits / 8);
  unsigned raw = at[0];
  if (image.bits >= 16) raw |= static_cast<unsigned>(at[1]) << 8;
  if (image.bits == 32) {
    raw |= static_cast<unsigned>(at[2]) << 16 | static_cast<unsigned>(at[3]) << 24;
  }
  if (image.kind == kFloat) return image.bits == 16 ? as_bits(from_half(raw)) : raw;
  if (image.kind == kSigned && image.bits < 32) {
    const unsigned sign = 1u << (image.bits - 1);
    raw = (raw ^ sign) - sign;
  }
  return raw;
}

/// The largest stored value of a normalized channel: 255, 127, 65535 or 32767.
ROCPORT_HD int most_of(const Image& image) {
  return static_cast<int>((1u << (image.kind == kSigned ? image.bits - 1 : image.bits)) - 1u);
}

/// sRGB colors are filtered as halves.
ROCPORT_HD bool is_srgb(const Image& image, int channel) {
  return image.srgb && image.bits == 8 && image.normalized_read && channel < 3;
}

/// Sets the border color in the format of the image (host code).
inline void set_border(Image* image, const float* colour) {
  for (int c = 0; c < 4; ++c) {
    const unsigned bits = as_bits(colour[c]);
    const unsigned mask = image->bits == 32 ? ~0u : (1u << image->bits) - 1u;
    const unsigned sign = image->kind == kSigned ? 1u << (image->bits - 1) : 0u;
    if (image->kind == kFloat) {
      image->border[c] = image->bits == 16 ? bits & 0xffffe000u : bits;
    } else if (!image->normalized_read) {
      image->border[c] = image->bits == 32 ? bits : ((bits & mask) ^ sign) - sign;
    } else {
      const float least = sign ? -1.0f : 0.0f;
      const float inside = !(colour[c] > least) ? least : colour[c] > 1.0f ? 1.0f : colour[c];
      image->border[c] = static_cast<unsigned>(
          is_srgb(*image, c)
              ? to_srgb(inside)
              : static_cast<int>(
                    __builtin_floor(static_cast<double>(inside) * most_of(*image) + 0.499)));
    }
  }
}

/// The result of a read for a stored channel.
ROCPORT_HD unsigned decode(const Image& image, unsigned value, int channel) {
  if (image.kind == kFloat || !image.normalized_read) return value;
  if (is_srgb(image, channel)) return as_bits(from_srgb(value));
  const float result =
      static_cast<float>(static_cast<int>(value)) / static_cast<float>(most_of(image));
  return as_bits(result < -1.0f ? -1.0f : result);
}

/// A texel as stored, by its indices; a negative index is the border.
ROCPORT_HD Texel load_stored(const Image& image, int level, int x, int y, int z) {
  Texel result;
  const Level& from = image.level[level];
  const bool border = x < 0 || y < 0 || z < 0;
  const unsigned char* texel =
      border ? nullptr
             : from.data + z * from.slice + y * from.pitch +
                   static_cast<long long>(x) * image.channels * (image.bits / 8);
  for (int c = 0; c < 4; ++c) {
    result.u[c] = c >= image.channels ? 0u
                  : border            ? image.border[c]
                                      : stored(image, texel, c);
  }
  return result;
}

/// Channels that the image lacks: 0, and 1 for alpha.
ROCPORT_HD unsigned absent(const Image& image, int channel) {
  return channel < 3 ? 0u : reads_float(image) ? as_bits(1.0f) : 1u;
}

ROCPORT_HD Texel decode_all(const Image& image, Texel texel) {
  for (int c = 0; c < 4; ++c) {
    texel.u[c] = c < image.channels ? decode(image, texel.u[c], c) : absent(image, c);
  }
  return texel;
}

ROCPORT_HD Texel load(const Image& image, int level, int x, int y, int z) {
  return decode_all(image, load_stored(image, level, x, y, z));
}

/// The texels along one axis: two indices (negative: border) and the second one's weight in 1/256.
struct Tap {
  int first, second;
  int weight;
};

/// An index mapped to 0..n-1 by clamp, wrap and mirror, or to -1 by border.
ROCPORT_HD int in_range(int index, int n, int address) {
  if (index >= 0 && index < n) return index;
  if (address == kBorder) return -1;
  if (address == kWrap) return index < 0 ? index + n : index - n;
  return index < 0 ? 0 : n - 1;  // clamp; a mirrored neighbor is the edge texel again
}

/// A coordinate in texels (as a double: exact), and whether a mirror reverses it.
struct Place {
  double x;
  bool flipped;
};

ROCPORT_HD Place place(float coordinate, int n, int address, bool normalized) {
  constexpr double kSteps = 2097152.0;  // 21 bits
  if (!(coordinate == coordinate)) coordinate = 0.0f;
  if (coordinate > -1.17549435e-38f && coordinate < 1.17549435e-38f) coordinate = 0.0f;
  double x = coordinate;
  if (normalized) {
    if (address == kWrap || address == kMirror) {
      if (x - x != 0.0) x = 0.0;  // infinite
      const double whole = __builtin_floor(x);
      double fraction = __builtin_floor((x - whole) * kSteps) / kSteps;
      if (fraction >= 1.0) fraction = (kSteps - 1.0) / kSteps;
      const bool odd = whole - 2.0 * __builtin_floor(whole * 0.5) != 0.0;
      return {fraction * n, address == kMirror && odd};
    }
    x = __builtin_floor(x * kSteps) / kSteps * n;
  }
  const double most = static_cast<double>(n) + 2.0;
  return {x < -2.0 ? -2.0 : x > most ? most : x, false};
}

ROCPORT_HD Tap tap(float coordinate, int n, int address, bool normalized, bool linear) {
  if (!normalized && address != kBorder) address = kClamp;
  const Place at = place(coordinate, n, address, normalized);
  Tap result;
  if (!linear) {
    const int index = static_cast<int>(__builtin_floor(at.x));
    result.first = in_range(at.flipped ? n - 1 - index : index, n, address);
    result.second = result.first;
    result.weight = 0;
    return result;
  }
  const int fixed = static_cast<int>(__builtin_floor(at.x * 256.0 + 0.5)) - 128;
  const int index = fixed >> 8;
  result.first = in_range(at.flipped ? n - 1 - index : index, n, address);
  result.second = in_range(at.flipped ? n - 2 - index : index + 1, n, address);
  result.weight = address == kClamp && result.first == result.second ? 0 : fixed & 255;
  return result;
}

ROCPORT_HD int exponent_of(float value) {
  const int biased = static_cast<int>(as_bits(value) >> 23 & 255u);
  return (biased == 0 ? 1 : biased) - 127;
}

/// Texels and their weights, which add up to 256.
struct Taps {
  Texel texel[16];
  int weight[16];
  int first_plane;  // how many of them belong to the first plane
  int count;
};

/// magnitude * 2^exponent rounded to a number of bits, halves away from zero.
ROCPORT_HD float rounded(bool negative, unsigned long long magnitude, int exponent, int bits) {
  const int spare = 64 - __builtin_clzll(magnitude | 1ull) - bits;
  if (spare > 0) {
    magnitude = (magnitude + (1ull << (spare - 1))) >> spare;
    exponent += spare;
  }
  const double value = static_cast<double>(magnitude) * __builtin_ldexp(1.0, exponent);
  return static_cast<float>(negative ? -value : value);
}

/// The weighted sum of one plane's floats: sum * 2^(top - kept - 8). Texels are aligned to the
/// largest one; bits more than kept positions below its leading bit are cut off.
ROCPORT_HD long long plane_sum(const Taps& taps, int from, int to, int channel, int kept,
                               int* top) {
  *top = -1000;
  for (int i = from; i < to; ++i) {
    const float value = taps.texel[i].f[channel];
    if ((as_bits(value) & 0x7fffffffu) != 0u && exponent_of(value) > *top) {
      *top = exponent_of(value);
    }
  }
  long long sum = 0;
  for (int i = from; i < to; ++i) {
    const unsigned raw = as_bits(taps.texel[i].f[channel]);
    if ((raw & 0x7fffffffu) == 0u) continue;
    const unsigned lead = (raw & 0x7f800000u) != 0u ? 0x800000u : 0u;
    const int down = *top - exponent_of(taps.texel[i].f[channel]) + (27 - kept);
    const long long aligned =
        down > 31 ? 0 : static_cast<long long>((raw & 0x7fffffu) | lead) * 16 >> down;
    sum += (raw >> 31 ? -aligned : aligned) * taps.weight[i];
  }
  return sum;
}

/// bits: of the result's significand.
ROCPORT_HD_CALL float blend_floats(const Taps& taps, int channel, int kept, int bits) {
  bool special = false;
  float plain = 0.0f;
  for (int i = 0; i < taps.count; ++i) {
    const float value = taps.texel[i].f[channel];
    if ((as_bits(value) & 0x7f800000u) == 0x7f800000u) special = true;
    plain += value * (static_cast<float>(taps.weight[i]) * 0.00390625f);
  }
  if (special) return plain;
  int top, other_top;
  long long sum = plane_sum(taps, 0, taps.first_plane, channel, kept, &top);
  long long other = plane_sum(taps, taps.first_plane, taps.count, channel, kept, &other_top);
  if (other != 0) {
    if (sum == 0) {
      sum = other;
      top = other_top;
    } else {
      if (other_top > top) {
        const long long sum_before = sum;
        const int top_before = top;
        sum = other;
        top = other_top;
        other = sum_before;
        other_top = top_before;
      }
      const int apart = top - other_top;
      const int up = apart < 24 ? apart : 24;
      const int down = apart - up < 62 ? apart - up : 62;
      sum = sum * (1ll << up) + (other >> down);
      top -= up;
    }
  }
  if (sum == 0) return 0.0f;
  const unsigned long long magnitude = static_cast<unsigned long long>(sum < 0 ? -sum : sum);
  return rounded(sum < 0, magnitude, top - kept - 8, bits);
}

ROCPORT_HD float blend_normalized(const Image& image, const Taps& taps, int channel) {
  long long sum = 0;
  for (int i = 0; i < taps.count; ++i) {
    sum += static_cast<long long>(taps.texel[i].i[channel]) * taps.weight[i];
  }
  if (image.kind == kUnsigned) {
    if (image.bits == 8) sum *= 257;
    return static_cast<float>((sum + 128) >> 8) / 65535.0f;
  }
  if (image.bits == 8) {
    sum += (sum + 16 * (sum >> 12) + 64) >> 7;  // approximately times 32767 / 32512
  } else {
    sum = (sum + 128) >> 8;
  }
  return static_cast<float>(sum < -32767 ? -32767 : sum) / 32767.0f;
}

ROCPORT_HD Texel blend(const Image& image, const Taps& taps) {
  Texel result;
  for (int c = 0; c < 4; ++c) {
    if (c >= image.channels) {
      result.u[c] = absent(image, c);
    } else if (image.kind == kFloat) {
      const bool half = image.bits == 16;
      result.f[c] = blend_floats(taps, c, half ? 14 : 27, half ? 11 : 24);
    } else if (is_srgb(image, c)) {
      Taps linear = taps;
      for (int i = 0; i < taps.count; ++i) {
        linear.texel[i].f[c] = from_srgb(taps.texel[i].u[c]);
      }
      result.f[c] = blend_floats(linear, c, 7, 11);
    } else {
      result.f[c] = blend_normalized(image, taps, c);
    }
  }
  return result;
}

/// part / 256 of a weight, rounded halves up.
ROCPORT_HD int share_of(int weight, int part) { return (weight * part + 128) >> 8; }

/// Adds the four texels of a plane, whose weights add up to whole (in 1/256). The whole is split
/// along x and then along y; so that rounding preserves the total.
ROCPORT_HD void add_plane(const Image& image, int level, const Tap& x, const Tap& y, int z,
                          int whole, Taps* taps) {
  const int right = share_of(whole, x.weight);
  const int left = whole - right;
  const int near_left = share_of(left, 256 - y.weight);
  const int far_right = share_of(right, y.weight);
  const int weight[4] = {near_left, right - far_right, left - near_left, far_right};
  for (int i = 0; i < 4; ++i) {
    if (weight[i] == 0) continue;
    taps->texel[taps->count] =
        load_stored(image, level, i & 1 ? x.second : x.first, i & 2 ? y.second : y.first, z);
    taps->weight[taps->count++] = weight[i];
  }
}

/// The taps of a sample: along x, y and a third coordinate of a volume, or one slice.
struct Position {
  float x, y, z;
  bool volume;
  int slice;  // layer or face, if there is no third coordinate
};

/// Adds the texels of one level, weighted by whole (in 1/256).
ROCPORT_HD void add_level(const Image& image, int level, const Position& at, int whole,
                          Taps* taps) {
  const Level& size = image.level[level];
  const bool normalized = image.normalized_coordinates;
  const Tap x = tap(at.x, size.width, image.address[0], normalized, true);
  // A row of layers has no second axis to exceed; a plain row has one, at y = 0.
  const bool row = size.height == 1 && image.layered;
  Tap y = {0, 0, 0};
  if (!row) y = tap(at.y, size.height, image.address[1], normalized, true);
  Tap z = {at.slice, at.slice, 0};
  if (at.volume) z = tap(at.z, size.depth, image.address[2], normalized, true);
  const int far = share_of(whole, z.weight);
  add_plane(image, level, x, y, z.first, whole - far, taps);
  if (at.volume) taps->first_plane = taps->count;
  add_plane(image, level, x, y, z.second, far, taps);
}

ROCPORT_HD Texel nearest(const Image& image, int level, const Position& at) {
  const Level& size = image.level[level];
  const bool normalized = image.normalized_coordinates;
  const int x = tap(at.x, size.width, image.address[0], normalized, false).first;
  const int y = size.height == 1 && image.layered
                    ? 0
                    : tap(at.y, size.height, image.address[1], normalized, false).first;
  const int z = at.volume ? tap(at.z, size.depth, image.address[2], normalized, false).first
                          : at.slice;
  return load_stored(image, level, x, y, z);
}

/// Samples at a level of detail (0 where the image has one level).
ROCPORT_HD_CALL Texel sample(const Image& image, const Position& at, float lod) {
  const bool linear = image.linear && reads_float(image);
  int first = 0, second = 0, weight = 0;
  if (image.levels > 1) {
    lod += image.lod_bias;
    lod = !(lod > image.min_lod) ? image.min_lod : lod;
    lod = lod > image.max_lod ? image.max_lod : lod;
    const int last = image.levels - 1;
    const float most = static_cast<float>(last);
    const float inside = lod < 0.0f ? 0.0f : lod > most ? most : lod;
    const int fixed = static_cast<int>(__builtin_floor(inside * 256.0f));
    if (image.mip_linear) {
      first = fixed >> 8;
      weight = fixed & 255;
      second = first < last ? first + 1 : last;
    } else {
      first = second = (fixed + 128) >> 8;
    }
  }
  if (!linear && weight == 0) return decode_all(image, nearest(image, first, at));
  Taps taps;
  taps.count = 0;
  if (linear) {
    add_level(image, first, at, 256 - weight, &taps);
    if (image.levels > 1 || !at.volume) taps.first_plane = taps.count;
    if (weight != 0) add_level(image, second, at, weight, &taps);
  } else {
    // Nearest texels of two levels: the filter sees one texel of each.
    taps.texel[0] = nearest(image, first, at);
    taps.texel[1] = nearest(image, second, at);
    taps.weight[0] = 256 - weight;
    taps.weight[1] = weight;
    taps.count = 2;
    taps.first_plane = 1;
  }
  return blend(image, taps);
}

/// One component of the four texels that filtering at (x, y) would read, counterclockwise from the
/// lower left: (0,1), (1,1), (1,0), (0,0).
ROCPORT_HD_CALL Texel gather(const Image& image, float x, float y, int component) {
  const Level& size = image.level[0];
  const bool normalized = image.normalized_coordinates;
  const Tap tx = tap(x, size.width, image.address[0], normalized, true);
  const Tap ty = tap(y, size.height, image.address[1], normalized, true);
  Texel result;
  for (int i = 0; i < 4; ++i) {
    const Texel texel = load(image, 0, i == 1 || i == 2 ? tx.second : tx.first,
                             i < 2 ? ty.second : ty.first, 0);
    result.u[i] = texel.u[component & 3];
  }
  return result;
}

/// Intersection of a direction with a cube: face (+x, -x, +y, -y, +z, -z) and normalized
/// coordinates on it.
ROCPORT_HD Position on_cube(float x, float y, float z, int layer) {
  const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, az = z < 0 ? -z : z;
  int face;
  float s, t, major;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4;
    major = az;
    s = z < 0 ? -x : x;
    t = -y;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2;
    major = ay;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = x < 0 ? 1 : 0;
    major = ax;
    s = x < 0 ? z : -z;
    t = -y;
  }
  return {(s / major + 1.0f) * 0.5f, (t / major + 1.0f) * 0.5f, 0.0f, false, layer * 6 + face};
}

/// A layer's index is unsigned and stops at the last layer, so a negative one is the last as well.
ROCPORT_HD int layer_of(int layer, int layers) {
  return layer < 0 || layer >= layers ? layers - 1 : layer;
}

}  // namespace texture
}  // namespace rocport

#endif  // ROCPORT_TEXTURE_SAMPLER_H
