// A texture unit in software: the arithmetic behind texture.h, free of any runtime so that the
// same code runs on the device, on the host and in tests.
//
// The CUDA programming guide (appendix on texture fetching) gives the formulas: the nearest texel
// is floor(x); linear filtering takes i = floor(x - 0.5) and weights in 1.8 fixed point. What the
// guide leaves open was measured on an NVIDIA H200 and is reproduced here bit by bit:
//  - x - 0.5 is rounded to the nearest 1/256 (halves up) before it is split into texel and weight;
//  - wrap and mirror keep 21 bits of the fraction of a normalized coordinate, cut off;
//  - a subnormal coordinate counts as zero;
//  - a filtered float is the sum of weight * texel, where the texels with a weight are aligned to
//    the largest of them with 27 bits behind the leading one, cut off, and the exact sum is rounded
//    once (halves away from zero);
//  - a one-dimensional texture is filtered as one row of a two-dimensional texture at y = 0, so the
//    border colour of the second axis counts half when that axis is in border mode.
// fixtures/texture-sampler-check records the measurements and compares.
#ifndef ROCPORT_TEXTURE_SAMPLER_H
#define ROCPORT_TEXTURE_SAMPLER_H

#if defined(__HIP__) || defined(__CUDACC__)
#define ROCPORT_HD __host__ __device__ inline
#else
#define ROCPORT_HD inline
#endif

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
  int width, height, depth;  // texels; 1 where the image has no such axis
};

/// What a texture or surface object points to.
struct Image {
  Level level[kMaxLevels];
  int levels;
  int kind, bits, channels;
  int address[3];
  bool linear, normalized_coordinates, normalized_read, srgb, mip_linear, cubemap, layered;
  float border[4];
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

/// Linear light of an sRGB byte (IEC 61966-2-1).
ROCPORT_HD float from_srgb(float c) {
  if (c <= 0.04045f) return c / 12.92f;
  return static_cast<float>(__builtin_pow((static_cast<double>(c) + 0.055) / 1.055, 2.4));
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

/// A border channel as it would be stored.
ROCPORT_HD unsigned stored_border(const Image& image, int channel) {
  const float value = image.border[channel];
  const unsigned bits = as_bits(value);
  if (image.kind == kFloat) return bits;
  if (!image.normalized_read) {
    if (image.bits == 32) return bits;
    const unsigned mask = (1u << image.bits) - 1u;
    const unsigned sign = image.kind == kSigned ? 1u << (image.bits - 1) : 0u;
    return ((bits & mask) ^ sign) - sign;
  }
  const float least = image.kind == kSigned ? -1.0f : 0.0f;
  const float inside = !(value > least) ? least : value > 1.0f ? 1.0f : value;
  return static_cast<unsigned>(
      static_cast<int>(__builtin_ceil(static_cast<double>(inside) * most_of(image) - 0.5)));
}

/// What a read returns for a stored channel.
ROCPORT_HD unsigned decode(const Image& image, unsigned value, int channel) {
  if (image.kind == kFloat || !image.normalized_read) return value;
  float result = static_cast<float>(static_cast<int>(value)) / static_cast<float>(most_of(image));
  if (result < -1.0f) result = -1.0f;
  if (image.srgb && channel < 3) result = from_srgb(result);
  return as_bits(result);
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
                  : border            ? stored_border(image, c)
                                      : stored(image, texel, c);
  }
  return result;
}

/// Channels that the image lacks: 0, and 1 for alpha.
ROCPORT_HD unsigned absent(const Image& image, int channel) {
  return channel < 3 ? 0u : reads_float(image) ? as_bits(1.0f) : 1u;
}

ROCPORT_HD Texel load(const Image& image, int level, int x, int y, int z) {
  Texel result = load_stored(image, level, x, y, z);
  for (int c = 0; c < 4; ++c) {
    result.u[c] = c < image.channels ? decode(image, result.u[c], c) : absent(image, c);
  }
  return result;
}

/// The texels along one axis: two indices (negative: border) and the second one's weight in 1/256.
struct Tap {
  int first, second;
  int weight;
};

/// An index brought into 0..n-1 by clamp, wrap and mirror, or -1 by border.
ROCPORT_HD int in_range(int index, int n, int address) {
  if (index >= 0 && index < n) return index;
  if (address == kBorder) return -1;
  if (address == kWrap) return index < 0 ? index + n : index - n;
  return index < 0 ? 0 : n - 1;  // clamp; a mirrored neighbour is the edge texel again
}

/// A coordinate in texels (as a double: exact), and whether a mirror turns it round.
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
      const double fraction = __builtin_floor((x - whole) * kSteps) / kSteps;
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

/// The weighted sum of one plane's floats: sum * 2^(top - 11 - bits), bits being those of the
/// result's significand. Texels are aligned to the largest one with four bits to spare, cut off.
ROCPORT_HD long long plane_sum(const Taps& taps, int from, int to, int channel, int bits,
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
    const int down = *top - exponent_of(taps.texel[i].f[channel]) + (24 - bits);
    const long long aligned =
        down > 31 ? 0 : static_cast<long long>((raw & 0x7fffffu) | lead) * 16 >> down;
    sum += (raw >> 31 ? -aligned : aligned) * taps.weight[i];
  }
  return sum;
}

ROCPORT_HD float blend_floats(const Taps& taps, int channel, int bits) {
  bool special = false;
  float plain = 0.0f;
  for (int i = 0; i < taps.count; ++i) {
    const float value = taps.texel[i].f[channel];
    if ((as_bits(value) & 0x7f800000u) == 0x7f800000u) special = true;
    plain += value * (static_cast<float>(taps.weight[i]) * 0.00390625f);
  }
  if (special) return plain;
  int top, other_top;
  long long sum = plane_sum(taps, 0, taps.first_plane, channel, bits, &top);
  long long other = plane_sum(taps, taps.first_plane, taps.count, channel, bits, &other_top);
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
  return rounded(sum < 0, magnitude, top - 11 - bits, bits);
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
    sum += (sum + 16 * (sum >> 12) + 64) >> 7;  // times 32767 / 32512, as near as this comes
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
      result.f[c] = blend_floats(taps, c, image.bits == 16 ? 11 : 24);
    } else {
      result.f[c] = blend_normalized(image, taps, c);
    }
  }
  return result;
}

/// part / 256 of a weight, rounded halves up.
ROCPORT_HD int share_of(int weight, int part) { return (weight * part + 128) >> 8; }

/// Adds the four texels of a plane, whose weights add up to whole (in 1/256). The whole is split
/// along x and then along y; what one side gains by rounding the other loses.
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
  int slice;  // layer or face, where there is no third coordinate
};

/// Adds the texels of one level, weighted by whole (in 1/256).
ROCPORT_HD void add_level(const Image& image, int level, const Position& at, int whole,
                          Taps* taps) {
  const Level& size = image.level[level];
  const bool normalized = image.normalized_coordinates;
  const Tap x = tap(at.x, size.width, image.address[0], normalized, true);
  // A row of layers has no second axis to leave; a plain row has, at y = 0.
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

ROCPORT_HD Texel sample_point(const Image& image, int level, const Position& at) {
  const Level& size = image.level[level];
  const bool normalized = image.normalized_coordinates;
  const int x = tap(at.x, size.width, image.address[0], normalized, false).first;
  const int y = size.height == 1 && image.layered
                    ? 0
                    : tap(at.y, size.height, image.address[1], normalized, false).first;
  const int z = at.volume ? tap(at.z, size.depth, image.address[2], normalized, false).first
                          : at.slice;
  return load(image, level, x, y, z);
}

/// Samples at a level of detail (0 where the image has one level).
ROCPORT_HD Texel sample(const Image& image, const Position& at, float lod) {
  const bool linear = image.linear && reads_float(image);
  int first = 0, second = 0, weight = 0;
  if (image.levels > 1) {
    lod += image.lod_bias;
    lod = !(lod > image.min_lod) ? image.min_lod : lod;
    lod = lod > image.max_lod ? image.max_lod : lod;
    const int last = image.levels - 1;
    const float inside = lod < 0.0f ? 0.0f : lod > static_cast<float>(last) ? static_cast<float>(last) : lod;
    const int fixed = static_cast<int>(__builtin_floor(inside * 256.0f));
    if (image.mip_linear) {
      first = fixed >> 8;
      weight = fixed & 255;
      second = first < last ? first + 1 : last;
    } else {
      first = second = (fixed + 128) >> 8;
    }
  }
  if (!linear && weight == 0) return sample_point(image, first, at);
  Taps taps;
  taps.count = 0;
  if (linear) {
    add_level(image, first, at, 256 - weight, &taps);
    if (image.levels > 1 || !at.volume) taps.first_plane = taps.count;
    if (weight != 0) add_level(image, second, at, weight, &taps);
  } else {
    // Nearest texels of two levels: the filter sees one texel of each.
    for (int k = 0; k < 2; ++k) {
      const Level& size = image.level[k ? second : first];
      const bool normalized = image.normalized_coordinates;
      taps.texel[k] = load_stored(
          image, k ? second : first, tap(at.x, size.width, image.address[0], normalized, false).first,
          tap(at.y, size.height, image.address[1], normalized, false).first,
          at.volume ? tap(at.z, size.depth, image.address[2], normalized, false).first : at.slice);
      taps.weight[k] = k ? weight : 256 - weight;
    }
    taps.count = 2;
    taps.first_plane = 1;
  }
  return blend(image, taps);
}

/// One component of the four texels that filtering at (x, y) would read, from the lower left
/// against the clock: (0,1), (1,1), (1,0), (0,0).
ROCPORT_HD Texel gather(const Image& image, float x, float y, int component) {
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

/// Where a direction meets a cube: face (+x, -x, +y, -y, +z, -z) and normalized coordinates on it.
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
