/*
 * rocport_golden.h: records the results of a program in files, for comparison with a run on another
 * machine.
 *
 * C++17, a single header, the same calls with nvcc, hipcc and a plain C++ compiler. Without the
 * environment variables below, the calls do nothing except evaluate their arguments.
 *
 *   #include <rocport_golden.h>
 *   namespace golden = rocport::golden;
 *
 *   golden::seed(7);                                    // records the seed in the file
 *   golden::fill(host, n, golden::Data::exact, 7);      // documented inputs, see "Inputs"
 *   golden::save("out", pointer, {rows, columns});      // device, managed or host memory
 *   golden::save_reference("out", exact, {rows, columns});  // optional: in double precision, host
 *   golden::Check c;                                    // a row of the program's own checks
 *   c.kernel = "reduce"; c.type = "float"; c.op = "sum"; c.count = n; c.variant = "np=4,in_place";
 *   c.data = "exact";
 *   c.tally(got, expected, n);
 *   golden::check(c);
 *
 * When programs are built, CPATH names the folder of this file: nvcc, hipcc and host compilers
 * search it, with any build system. Your own tree may also contain a copy.
 *
 * Environment
 *   ROCPORT_GOLDEN_OUT=FOLDER     tensors: FOLDER/PROGRAM.safetensors
 *   ROCPORT_CHECKS=FILE           rows of checks: tab-separated, with a header line
 *   ROCPORT_GOLDEN_MAX=BYTES      tensors up to this size are stored completely (default 65536)
 *   ROCPORT_GOLDEN_FLAGS, ROCPORT_GOLDEN_SOURCES, ROCPORT_GOLDEN_DRIVER, ROCPORT_GOLDEN_COMMAND
 *                                 compiler flags, hash of the sources, driver, command: provenance
 *   SOURCE_DATE_EPOCH             the date to write instead of the current one
 * Under MPI (OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK or SLURM_PROCID with more than one task) the
 * names are PROGRAM.rankN.safetensors and FILE.rankN.
 * Files are written when the program ends (or at golden::finish()), first under a temporary name
 * and then renamed, so files are always complete. A program that crashes, or a call that failed,
 * leaves no file.
 *
 * Device memory can be read if nvcc or hipcc compiles this, or if the runtime's header is included
 * before this one; otherwise pointers must be host pointers. save() waits for the device.
 *
 * Larger tensors
 *   For a tensor NAME above the limit, the file holds NAME@sample (1024 elements), NAME@index (I64,
 *   their positions: one in each of 1024 equal parts, chosen by hash(0, part)), and the metadata
 *   "tensor.NAME": "dtype=F32 shape=1000,1000 sha256=... finite=N nan=N inf=N zero=N min=X max=X
 *   mean=X rms=X", statistics over the finite elements in double.
 *
 * Inputs
 *   hash(seed, i) is SplitMix64's output function of seed + (i + 1) * 0x9E3779B97F4A7C15. Of h = hash(seed, i):
 *   exact    h mod 5 - 2 (unsigned types: h mod 5): sums are exact in any order while 2 n is below
 *            2^digits of the type (float 2^24, half 2^11, bfloat16 2^8)
 *   power    floating: +-2^k, k = -1, 0, 1; integers: 1, 2 (odd signed -1): products are exact in any
 *            order while the exponent's range holds 2^n
 *   random   floating: uniform in [-1, 1), (h >> 11) * 2^-52 - 1, rounded to nearest; integers: the low bits of h
 *   edge     floating: h mod 16 of 0, -0, 1, -1, inf, -inf, NaN, -NaN, the least and the greatest
 *            denormal, minus the least denormal, the least normal, max, -max, 1 + eps, 1/3;
 *            integers: h mod 8 of 0, 1, -1 (all bits), max, min, max - 1, min + 1, alternating bits
 *
 * Licensed under the Apache License, Version 2.0 (SPDX-License-Identifier: Apache-2.0)
 */
#ifndef ROCPORT_GOLDEN_H
#define ROCPORT_GOLDEN_H

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__HIPCC__) || defined(__HIP__) || defined(HIP_INCLUDE_HIP_HIP_RUNTIME_API_H)
#define ROCPORT_GOLDEN_HIP 1
#elif defined(__CUDACC__) || defined(CUDART_VERSION)
#define ROCPORT_GOLDEN_CUDA 1
#endif

#if defined(ROCPORT_GOLDEN_HIP)
#include <hip/hip_runtime_api.h>
#if defined(__HIPCC__) || defined(__HIP__)
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#endif
#elif defined(ROCPORT_GOLDEN_CUDA)
#include <cuda_runtime_api.h>
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#endif

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#define ROCPORT_GOLDEN_HD __host__ __device__
#else
#define ROCPORT_GOLDEN_HD
#endif

namespace rocport {
namespace golden {

/** Version of the files that this header writes. */
constexpr const char *kFormat = "1";

enum class DType { BOOL, U8, I8, F8_E4M3, F8_E5M2, U16, I16, F16, BF16, U32, I32, F32, U64, I64, F64 };

enum class Data { exact, power, random, edge };

/** Bits of types that a C++ compiler may not have. */
struct half_bits {
  std::uint16_t bits;
};
struct bfloat16_bits {
  std::uint16_t bits;
};
struct e4m3_bits {
  std::uint8_t bits;
};
struct e5m2_bits {
  std::uint8_t bits;
};

inline const char *name_of(DType type) {
  static const char *const names[] = {"BOOL", "U8",  "I8",  "F8_E4M3", "F8_E5M2", "U16", "I16", "F16",
                                      "BF16", "U32", "I32", "F32",     "U64",     "I64", "F64"};
  return names[static_cast<int>(type)];
}

inline std::size_t size_of(DType type) {
  static const std::size_t sizes[] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 8, 8, 8};
  return sizes[static_cast<int>(type)];
}

namespace detail {

template <class T>
constexpr DType arithmetic() {
  static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8,
                "rocport_golden.h: no tensor type for this C++ type; pass a DType");
  if (std::is_same<T, bool>::value) {
    return DType::BOOL;
  }
  if (std::is_floating_point<T>::value) {
    return sizeof(T) == 4 ? DType::F32 : DType::F64;
  }
  if (std::is_signed<T>::value) {
    return sizeof(T) == 1 ? DType::I8 : sizeof(T) == 2 ? DType::I16 : sizeof(T) == 4 ? DType::I32 : DType::I64;
  }
  return sizeof(T) == 1 ? DType::U8 : sizeof(T) == 2 ? DType::U16 : sizeof(T) == 4 ? DType::U32 : DType::U64;
}

}  // namespace detail

/** The tensor type of a C++ type; specialize it for your own types. */
template <class T>
struct TypeOf {
  static constexpr DType value = detail::arithmetic<T>();
};
template <>
struct TypeOf<half_bits> {
  static constexpr DType value = DType::F16;
};
template <>
struct TypeOf<bfloat16_bits> {
  static constexpr DType value = DType::BF16;
};
template <>
struct TypeOf<e4m3_bits> {
  static constexpr DType value = DType::F8_E4M3;
};
template <>
struct TypeOf<e5m2_bits> {
  static constexpr DType value = DType::F8_E5M2;
};
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
template <>
struct TypeOf<__half> {
  static constexpr DType value = DType::F16;
};
#if defined(ROCPORT_GOLDEN_HIP)
template <>
struct TypeOf<__hip_bfloat16> {
  static constexpr DType value = DType::BF16;
};
#else
template <>
struct TypeOf<__nv_bfloat16> {
  static constexpr DType value = DType::BF16;
};
#endif
#endif

// ---------------------------------------------------------------- small floating-point types

namespace detail {

/** The bits of a value: of the size of T. */
template <class T>
ROCPORT_GOLDEN_HD inline std::uint64_t bits_of(const T &value) {
  std::uint64_t bits = 0;
  const unsigned char *from = reinterpret_cast<const unsigned char *>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) {
    bits |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  }
  return bits;
}

template <class T>
ROCPORT_GOLDEN_HD inline T of_bits(std::uint64_t bits) {
  T value;
  unsigned char *to = reinterpret_cast<unsigned char *>(&value);
  for (unsigned i = 0; i < sizeof(T); ++i) {
    to[i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  return value;
}

/** A small floating-point format. finite: no infinities, the greatest pattern is NaN (E4M3). */
struct Small {
  int exponent;
  int mantissa;
  bool finite;
};

ROCPORT_GOLDEN_HD inline Small small(DType type) {
  switch (type) {
    case DType::F16:
      return Small{5, 10, false};
    case DType::BF16:
      return Small{8, 7, false};
    case DType::F8_E4M3:
      return Small{4, 3, true};
    default:
      return Small{5, 2, false};
  }
}

ROCPORT_GOLDEN_HD inline double power_of_two(int k) {
  double x = 1;
  for (; k > 0; --k) {
    x *= 2;
  }
  for (; k < 0; ++k) {
    x *= 0.5;
  }
  return x;
}

/** The value of a bit pattern. */
ROCPORT_GOLDEN_HD inline double decode(unsigned bits, Small f) {
  unsigned mantissa = bits & ((1u << f.mantissa) - 1);
  int exponent = static_cast<int>((bits >> f.mantissa) & ((1u << f.exponent) - 1));
  double sign = (bits >> (f.mantissa + f.exponent)) & 1 ? -1.0 : 1.0;
  int top = (1 << f.exponent) - 1;
  int bias = top >> 1;
  if (f.finite ? exponent == top && mantissa == (1u << f.mantissa) - 1 : exponent == top) {
    if (!f.finite && mantissa == 0) {
      return of_bits<double>(sign < 0 ? 0xFFF0000000000000ull : 0x7FF0000000000000ull);
    }
    return of_bits<double>(0x7FF8000000000000ull);
  }
  double fraction = mantissa * power_of_two(-f.mantissa);
  return exponent == 0 ? sign * fraction * power_of_two(1 - bias) : sign * (1 + fraction) * power_of_two(exponent - bias);
}

/** The bit pattern nearest to a value, ties to even; beyond the range infinity (E4M3: NaN). */
ROCPORT_GOLDEN_HD inline unsigned encode(double value, Small f) {
  unsigned sign = std::signbit(value) ? 1u << (f.exponent + f.mantissa) : 0;
  int top = (1 << f.exponent) - 1;
  int bias = top >> 1;
  unsigned nan = f.finite ? (1u << (f.exponent + f.mantissa)) - 1
                          : (static_cast<unsigned>(top) << f.mantissa) | (1u << (f.mantissa - 1));
  unsigned over = f.finite ? nan : static_cast<unsigned>(top) << f.mantissa;
  if (value != value) {
    return sign | nan;
  }
  double size = value < 0 ? -value : value;
  if (size == 0) {
    return sign;
  }
  if (size > power_of_two(bias + 2)) {
    return sign | over;
  }
  int exponent = 0;
  double scaled = size;
  while (scaled >= 2) {
    scaled *= 0.5;
    ++exponent;
  }
  while (scaled < 1 && exponent > 1 - bias) {
    scaled *= 2;
    --exponent;
  }
  double steps = scaled * power_of_two(f.mantissa);  // exact; below 2^mantissa for denormals
  double whole = static_cast<double>(static_cast<std::uint64_t>(steps));
  double rest = steps - whole;
  std::uint64_t rounded = static_cast<std::uint64_t>(whole);
  if (rest > 0.5 || (rest == 0.5 && (rounded & 1))) {
    ++rounded;
  }
  // A carry runs into the exponent, as it should; a denormal that becomes normal does, too.
  std::uint64_t biased = static_cast<std::uint64_t>(exponent + bias);
  std::uint64_t bits = rounded >= (1ull << f.mantissa) || scaled >= 1
                           ? (biased << f.mantissa) + rounded - (1ull << f.mantissa)
                           : rounded;
  return sign | (bits >= over ? over : static_cast<unsigned>(bits));
}

ROCPORT_GOLDEN_HD inline bool is_floating(DType t) {
  return t == DType::F8_E4M3 || t == DType::F8_E5M2 || t == DType::F16 || t == DType::BF16 || t == DType::F32 ||
         t == DType::F64;
}

ROCPORT_GOLDEN_HD inline bool is_signed(DType t) {
  return t == DType::I8 || t == DType::I16 || t == DType::I32 || t == DType::I64;
}

/** The value of an element as a double. */
ROCPORT_GOLDEN_HD inline double value_of(std::uint64_t bits, DType type) {
  switch (type) {
    case DType::F64:
      return of_bits<double>(bits);
    case DType::F32:
      return of_bits<float>(bits);
    case DType::I8:
      return static_cast<std::int8_t>(bits);
    case DType::I16:
      return static_cast<std::int16_t>(bits);
    case DType::I32:
      return static_cast<std::int32_t>(bits);
    case DType::I64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case DType::F16:
    case DType::BF16:
    case DType::F8_E4M3:
    case DType::F8_E5M2:
      return decode(static_cast<unsigned>(bits), small(type));
    default:
      return static_cast<double>(bits);
  }
}

/** The bits of the element nearest to a value; for floating-point types. */
ROCPORT_GOLDEN_HD inline std::uint64_t nearest(double value, DType type) {
  if (type == DType::F64) {
    return bits_of(value);
  }
  if (type == DType::F32) {
    return bits_of(static_cast<float>(value));
  }
  return encode(value, small(type));
}

ROCPORT_GOLDEN_HD inline unsigned width(DType type) {
  switch (type) {
    case DType::U64:
    case DType::I64:
    case DType::F64:
      return 64;
    case DType::U32:
    case DType::I32:
    case DType::F32:
      return 32;
    case DType::U16:
    case DType::I16:
    case DType::F16:
    case DType::BF16:
      return 16;
    default:
      return 8;
  }
}

/** Bits as an integer in which neighbouring values differ by one and both zeros are 0. */
ROCPORT_GOLDEN_HD inline std::int64_t ordered(std::uint64_t bits, DType type) {
  std::uint64_t sign = 1ull << (width(type) - 1);
  std::int64_t size = static_cast<std::int64_t>(bits & (sign - 1));
  return bits & sign ? -size : size;
}

}  // namespace detail

// ---------------------------------------------------------------- inputs

/** SplitMix64: a documented hash, the same everywhere. */
ROCPORT_GOLDEN_HD inline std::uint64_t hash(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

namespace detail {

ROCPORT_GOLDEN_HD inline std::uint64_t edge(std::uint64_t h, DType type) {
  unsigned n = width(type);
  std::uint64_t all = n == 64 ? ~0ull : (1ull << n) - 1;
  std::uint64_t sign = 1ull << (n - 1);
  if (!is_floating(type)) {
    std::uint64_t top = is_signed(type) ? all >> 1 : all;
    std::uint64_t bottom = is_signed(type) ? sign : 0;
    switch (h % 8) {
      case 0:
        return 0;
      case 1:
        return 1;
      case 2:
        return all;
      case 3:
        return top;
      case 4:
        return bottom;
      case 5:
        return top - 1;
      case 6:
        return bottom + 1;
      default:
        return 0x5555555555555555ull & all;
    }
  }
  Small f = type == DType::F64 ? Small{11, 52, false} : type == DType::F32 ? Small{8, 23, false} : small(type);
  std::uint64_t one = ((1ull << (f.exponent - 1)) - 1) << f.mantissa;
  std::uint64_t least = 1ull << f.mantissa;  // the least normal
  std::uint64_t infinity = ((1ull << f.exponent) - 1) << f.mantissa;
  std::uint64_t nan = infinity | (1ull << (f.mantissa - 1));
  std::uint64_t top = infinity - 1;
  if (f.finite) {
    nan = sign - 1;
    top = nan - 1;
    infinity = top;  // there is none: the greatest value stands for it
  }
  switch (h % 16) {
    case 0:
      return 0;
    case 1:
      return sign;
    case 2:
      return one;
    case 3:
      return one | sign;
    case 4:
      return infinity;
    case 5:
      return infinity | sign;
    case 6:
      return nan;
    case 7:
      return nan | sign;
    case 8:
      return 1;
    case 9:
      return least - 1;
    case 10:
      return 1 | sign;
    case 11:
      return least;
    case 12:
      return top;
    case 13:
      return top | sign;
    case 14:
      return one + 1;
    default:
      return nearest(1.0 / 3, type);
  }
}

ROCPORT_GOLDEN_HD inline std::uint64_t element(std::uint64_t h, Data data, DType type) {
  bool floating = is_floating(type);
  if (type == DType::BOOL) {
    return h & 1;
  }
  switch (data) {
    case Data::exact: {
      std::int64_t v = static_cast<std::int64_t>(h % 5) - (floating || is_signed(type) ? 2 : 0);
      return floating ? nearest(static_cast<double>(v), type) : static_cast<std::uint64_t>(v);
    }
    case Data::power: {
      if (floating) {
        double v = power_of_two(static_cast<int>(h % 3) - 1);
        return nearest((h >> 8) & 1 ? -v : v, type);
      }
      return h & 1 && is_signed(type) ? ~0ull : 1 + ((h >> 8) & 1);
    }
    case Data::random:
      return floating ? nearest(static_cast<double>(h >> 11) * power_of_two(-52) - 1, type) : h;
    default:
      return edge(h, type);
  }
}

}  // namespace detail

/** Element i of an input. */
template <class T>
ROCPORT_GOLDEN_HD inline T input(Data data, std::uint64_t seed, std::uint64_t i) {
  return detail::of_bits<T>(detail::element(hash(seed, i), data, TypeOf<T>::value));
}

/** Fills host memory; element i is input(data, seed, first + i). */
template <class T>
inline void fill(T *to, std::size_t n, Data data, std::uint64_t seed, std::uint64_t first = 0) {
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = input<T>(data, seed, first + i);
  }
}

/** The word for a row of checks. */
inline const char *name_of(Data data) {
  static const char *const names[] = {"exact", "power", "random", "edge"};
  return names[static_cast<int>(data)];
}

/** The value of an element of any type as a double: for references. */
template <class T>
ROCPORT_GOLDEN_HD inline double to_double(const T &value) {
  return detail::value_of(detail::bits_of(value), TypeOf<T>::value);
}

/** The element nearest to a value; integers are truncated. */
template <class T>
ROCPORT_GOLDEN_HD inline T from_double(double value) {
  return detail::is_floating(TypeOf<T>::value)
             ? detail::of_bits<T>(detail::nearest(value, TypeOf<T>::value))
             : detail::of_bits<T>(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}

/** Steps between two values of a type: 0 for equal, both zeros, and any two NaNs. */
template <class T>
ROCPORT_GOLDEN_HD inline std::uint64_t ulps(const T &a, const T &b) {
  constexpr DType type = TypeOf<T>::value;
  std::uint64_t x = detail::bits_of(a);
  std::uint64_t y = detail::bits_of(b);
  if (!detail::is_floating(type)) {
    bool less = detail::is_signed(type) ? detail::value_of(x, type) < detail::value_of(y, type) : x < y;
    std::uint64_t mask = detail::width(type) == 64 ? ~0ull : (1ull << detail::width(type)) - 1;
    return (less ? y - x : x - y) & mask;
  }
  double u = detail::value_of(x, type);
  double v = detail::value_of(y, type);
  if (u != u || v != v) {
    return u != u && v != v ? 0 : ~0ull;
  }
  std::int64_t p = detail::ordered(x, type);
  std::int64_t q = detail::ordered(y, type);
  return p > q ? static_cast<std::uint64_t>(p) - static_cast<std::uint64_t>(q)
               : static_cast<std::uint64_t>(q) - static_cast<std::uint64_t>(p);
}

// ---------------------------------------------------------------- checks

/** One row: what a program compared, and how far off it was. */
struct Check {
  std::string kernel;
  std::string type;
  std::string op;
  std::uint64_t count = 0;     ///< elements a call worked on
  std::string variant;         ///< words such as np=4,in_place,offset=1
  std::string data = "exact";  ///< exact, power, random or edge
  std::uint64_t checks = 0;    ///< elements compared
  std::uint64_t wrong = 0;
  std::uint64_t max_ulp = 0;  ///< over pairs of which not just one is NaN
  double max_abs = 0;
  double err_ref = 0;  ///< greatest difference from a reference in double precision

  /** Compares n host elements; wrong are those more than so many steps apart. */
  template <class T>
  void tally(const T *got, const T *expected, std::size_t n, std::uint64_t allowed = 0) {
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t apart = ulps(got[i], expected[i]);
      ++checks;
      if (apart > allowed) {
        ++wrong;
      }
      if (apart != ~0ull) {
        max_ulp = std::max(max_ulp, apart);
        double off = std::fabs(to_double(got[i]) - to_double(expected[i]));
        if (off > max_abs) {
          max_abs = off;
        }
      }
    }
  }

  /** The greatest difference of n host elements from a reference in double precision. */
  template <class T>
  void reference(const T *got, const double *exact, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      double off = std::fabs(to_double(got[i]) - exact[i]);
      if (off > err_ref) {
        err_ref = off;
      }
    }
  }
};

// ---------------------------------------------------------------- SHA-256 (FIPS 180-4)

namespace detail {

class Sha256 {
 public:
  void update(const void *data, std::size_t n) {
    const unsigned char *p = static_cast<const unsigned char *>(data);
    length_ += n;
    while (n > 0) {
      std::size_t take = std::min(n, sizeof block_ - used_);
      std::memcpy(block_ + used_, p, take);
      used_ += take;
      p += take;
      n -= take;
      if (used_ == sizeof block_) {
        compress();
        used_ = 0;
      }
    }
  }

  std::string hex() {
    std::uint64_t bits = length_ * 8;
    unsigned char mark = 0x80;
    update(&mark, 1);
    unsigned char zero = 0;
    while (used_ != 56) {
      update(&zero, 1);
    }
    unsigned char size[8];
    for (int i = 0; i < 8; ++i) {
      size[i] = static_cast<unsigned char>(bits >> (56 - 8 * i));
    }
    update(size, 8);
    std::string text;
    char word[9];
    for (std::uint32_t s : state_) {
      std::snprintf(word, sizeof word, "%08x", s);
      text += word;
    }
    return text;
  }

 private:
  static std::uint32_t turn(std::uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

  /** Fractional bits of the cube roots of the first 64 primes. */
  static const std::uint32_t *constants() {
    static const std::vector<std::uint32_t> k = [] {
      std::vector<std::uint32_t> made;
      for (std::uint64_t p = 2; made.size() < 64; ++p) {
        bool prime = true;
        for (std::uint64_t d = 2; d * d <= p; ++d) {
          prime = prime && p % d != 0;
        }
        if (prime) {
          // floor(cbrt(p) * 2^32) by bisection on exact integers: r^3 <= p * 2^96
          std::uint64_t low = 0;
          std::uint64_t high = 8ull << 32;
          while (high - low > 1) {
            std::uint64_t middle = low + (high - low) / 2;
            (below(middle, p) ? low : high) = middle;
          }
          made.push_back(static_cast<std::uint32_t>(low));
        }
      }
      return made;
    }();
    return k.data();
  }

  static bool below(std::uint64_t r, std::uint64_t p) {
    // r^3 <= p * 2^96, in 32-bit limbs: r has two, r^3 has at most five
    std::uint64_t limb[6] = {1, 0, 0, 0, 0, 0};
    for (int times = 0; times < 3; ++times) {
      std::uint64_t out[6] = {0, 0, 0, 0, 0, 0};
      for (int part = 0; part < 2; ++part) {
        std::uint64_t factor = (r >> (32 * part)) & 0xffffffffu;
        std::uint64_t carry = 0;
        for (int i = 0; i + part < 6; ++i) {
          std::uint64_t sum = limb[i] * factor + out[i + part] + carry;
          out[i + part] = sum & 0xffffffffu;
          carry = sum >> 32;
        }
      }
      std::memcpy(limb, out, sizeof limb);
    }
    std::uint64_t high = limb[3] | (limb[4] << 32);
    if (limb[5] != 0 || high > p) {
      return false;
    }
    return high < p || (limb[0] == 0 && limb[1] == 0 && limb[2] == 0);
  }

  void compress() {
    const std::uint32_t *k = constants();
    std::uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
      w[i] = static_cast<std::uint32_t>(block_[4 * i]) << 24 | static_cast<std::uint32_t>(block_[4 * i + 1]) << 16 |
             static_cast<std::uint32_t>(block_[4 * i + 2]) << 8 | block_[4 * i + 3];
    }
    for (int i = 16; i < 64; ++i) {
      std::uint32_t a = w[i - 15];
      std::uint32_t b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >> 10));
    }
    std::uint32_t s[8];
    std::copy(state_, state_ + 8, s);
    for (int i = 0; i < 64; ++i) {
      std::uint32_t t1 =
          s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
      std::uint32_t t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                         ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      for (int j = 7; j > 0; --j) {
        s[j] = s[j - 1];
      }
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) {
      state_[i] += s[i];
    }
  }

  std::uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned char block_[64] = {};
  std::size_t used_ = 0;
  std::uint64_t length_ = 0;
};

// ---------------------------------------------------------------- memory of the device

/** Copies to the host from wherever the memory is; the reason of a failure, else empty. */
inline std::string fetch(void *to, const void *from, std::size_t bytes) {
  if (bytes == 0) {
    return "";
  }
#if defined(ROCPORT_GOLDEN_HIP)
  hipError_t error = hipDeviceSynchronize();
  if (error != hipSuccess) {
    return hipGetErrorString(error);
  }
  hipPointerAttribute_t a;
  bool known = hipPointerGetAttributes(&a, from) == hipSuccess;
  if (!known) {
    (void)hipGetLastError();
  }
  if (known && a.type == hipMemoryTypeDevice) {
    error = hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
    return error == hipSuccess ? "" : hipGetErrorString(error);
  }
#elif defined(ROCPORT_GOLDEN_CUDA)
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    return cudaGetErrorString(error);
  }
  cudaPointerAttributes a;
  bool known = cudaPointerGetAttributes(&a, from) == cudaSuccess;
  if (!known) {
    (void)cudaGetLastError();
  }
  if (known && a.type == cudaMemoryTypeDevice) {
    error = cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
  }
#endif
  std::memcpy(to, from, bytes);
  return "";
}

inline std::string dotted(int version, int major, int minor) {
  return std::to_string(version / major) + "." + std::to_string(version % major / minor);
}

inline void describe_gpu(std::map<std::string, std::string> &m) {
#if defined(ROCPORT_GOLDEN_HIP)
  int device = 0;
  int version = 0;
  hipDeviceProp_t p;
  if (hipGetDevice(&device) == hipSuccess && hipGetDeviceProperties(&p, device) == hipSuccess) {
    m["gpu"] = p.name;
    m["arch"] = p.gcnArchName;
  }
  if (hipRuntimeGetVersion(&version) == hipSuccess) {
    m["runtime"] = "HIP " + dotted(version, 10000000, 100000);
  }
  if (hipDriverGetVersion(&version) == hipSuccess) {
    m["driver"] = dotted(version, 10000000, 100000);
  }
#elif defined(ROCPORT_GOLDEN_CUDA)
  int device = 0;
  int version = 0;
  cudaDeviceProp p;
  if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&p, device) == cudaSuccess) {
    m["gpu"] = p.name;
    m["arch"] = "sm_" + std::to_string(p.major) + std::to_string(p.minor);
  }
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) {
    m["runtime"] = "CUDA " + dotted(version, 1000, 10);
  }
  if (cudaDriverGetVersion(&version) == cudaSuccess) {
    m["driver"] = "CUDA " + dotted(version, 1000, 10);
  }
#else
  m["gpu"] = "none";
#endif
}

inline std::string compiler() {
  std::string text;
#if defined(__CUDACC_VER_MAJOR__)
  text = "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
         std::to_string(__CUDACC_VER_BUILD__) + " with ";
#endif
#if defined(__clang__)
  return text + "clang " + __clang_version__;
#elif defined(__GNUC__)
  return text + "g++ " + __VERSION__;
#else
  return text + "C++";
#endif
}

// ---------------------------------------------------------------- the recorder

inline std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline std::string rank() {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    std::string value = variable(name);
    if (!value.empty()) {
      return value;
    }
  }
  return std::atoi(variable("SLURM_NTASKS").c_str()) > 1 ? variable("SLURM_PROCID") : "";
}

inline std::string program() {
  char path[4096];
  ssize_t n = ::readlink("/proc/self/exe", path, sizeof path - 1);
  std::string name = n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "program";
  std::size_t slash = name.rfind('/');
  name = slash == std::string::npos ? name : name.substr(slash + 1);
  return name.compare(0, 3, "lt-") == 0 ? name.substr(3) : name;  // libtool's uninstalled programs
}

inline std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    unsigned char u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", u);
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

inline std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

class Recorder {
 public:
  static Recorder &get() {
    static Recorder recorder;
    return recorder;
  }

  bool wants_tensors() const { return !folder_.empty(); }
  bool wants_checks() const { return !checks_file_.empty(); }

  void save(const std::string &plain, const void *data, DType type, const std::vector<std::uint64_t> &shape,
            const char *suffix = "") {
    const std::string name = plain + suffix;
    std::lock_guard<std::mutex> lock(mutex_);
    if (!wants_tensors() || failed_) {
      return;
    }
    std::uint64_t n = 1;
    for (std::uint64_t d : shape) {
      if (d != 0 && n > (1ull << 40) / d) {
        return fail(name + ": too many elements");
      }
      n *= d;
    }
    if (plain.empty() || name == "__metadata__" || plain.find('@') != std::string::npos || !names_.insert({name, 0}).second) {
      return fail("a tensor's name must be unique, not empty and without @: '" + name + "'");
    }
    describe();
    std::size_t size = size_of(type);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(n) * size);
    std::string why = fetch(bytes.data(), data, bytes.size());
    if (!why.empty()) {
      return fail(name + ": " + why);
    }
    if (bytes.size() <= limit_) {
      tensors_.push_back(Tensor{name, type, shape, std::move(bytes)});
    } else {
      sample(name, type, shape, bytes, n);
    }
  }

  void check(const Check &c) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!wants_checks()) {
      return;
    }
    for (const std::string &word : {c.kernel, c.type, c.op, c.variant, c.data}) {
      if (word.find_first_of("\t\r\n") != std::string::npos) {
        return fail("a field of a check contains a tab or a line end: " + word);
      }
    }
    rows_ += c.kernel + '\t' + c.type + '\t' + c.op + '\t' + std::to_string(c.count) + '\t' + c.variant + '\t' + c.data +
             '\t' + std::to_string(c.checks) + '\t' + std::to_string(c.wrong) + '\t' + std::to_string(c.max_ulp) + '\t' +
             number(c.max_abs) + '\t' + number(c.err_ref) + '\n';
  }

  void note(const std::string &key, const std::string &value) {
    std::lock_guard<std::mutex> lock(mutex_);
    metadata_[key] = value;
  }

  /** Writes what there is; false if something went wrong, now or before. */
  bool finish() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (finished_ || !(wants_tensors() || wants_checks())) {
      return !failed_;
    }
    finished_ = true;
    if (failed_) {
      return false;
    }
    std::string rank = detail::rank();
    if (wants_tensors() && !tensors_.empty()) {
      if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) {
        fail(folder_ + ": " + std::strerror(errno));
        return false;
      }
      std::string stem = folder_ + "/" + program() + (rank.empty() ? "" : ".rank" + rank);
      write(stem + ".safetensors", file());
    }
    if (wants_checks()) {
      write(checks_file_ + (rank.empty() ? "" : ".rank" + rank),
            "kernel\ttype\top\tcount\tvariant\tdata\tchecks\twrong\tmax_ulp\tmax_abs\terr_ref\n" + rows_);
    }
    return !failed_;
  }

  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

 private:
  struct Tensor {
    std::string name;
    DType type;
    std::vector<std::uint64_t> shape;
    std::vector<unsigned char> bytes;
  };

  Recorder() : folder_(variable("ROCPORT_GOLDEN_OUT")), checks_file_(variable("ROCPORT_CHECKS")) {
    std::string limit = variable("ROCPORT_GOLDEN_MAX");
    if (!limit.empty()) {
      limit_ = std::strtoull(limit.c_str(), nullptr, 10);
    }
  }

  ~Recorder() { finish(); }

  void fail(const std::string &why) {
    failed_ = true;
    std::fprintf(stderr, "rocport_golden: %s; no golden files are written\n", why.c_str());
  }

  /** Asks the runtime while it is there: at the program's end it may not be. */
  void describe() {
    if (!metadata_.count("gpu")) {
      describe_gpu(metadata_);
    }
  }

  /** What the file says about itself. */
  std::map<std::string, std::string> provenance() {
    std::map<std::string, std::string> m = metadata_;
    m["format"] = kFormat;
    m["program"] = program();
    m["compiler"] = compiler();
    std::string rank = detail::rank();
    if (!rank.empty()) {
      m["rank"] = rank;
    }
    const char *const given[][2] = {{"ROCPORT_GOLDEN_FLAGS", "flags"},
                                    {"ROCPORT_GOLDEN_SOURCES", "sources"},
                                    {"ROCPORT_GOLDEN_DRIVER", "driver"},
                                    {"ROCPORT_GOLDEN_COMMAND", "command"},
                                    {"ROCPORT_VERSION", "rocport"}};
    for (const auto &pair : given) {
      std::string value = variable(pair[0]);
      if (!value.empty()) {
        m[pair[1]] = value;
      }
    }
    std::string epoch = variable("SOURCE_DATE_EPOCH");
    std::time_t now = epoch.empty() ? std::time(nullptr) : static_cast<std::time_t>(std::strtoll(epoch.c_str(), nullptr, 10));
    std::tm parts;
    char date[40];
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &parts));
    m["date"] = date;
    return m;
  }

  void sample(const std::string &name, DType type, const std::vector<std::uint64_t> &shape,
              const std::vector<unsigned char> &bytes, std::uint64_t n) {
    const std::uint64_t parts = std::min<std::uint64_t>(1024, n);
    std::size_t size = size_of(type);
    Tensor values{name + "@sample", type, {parts}, {}};
    Tensor places{name + "@index", DType::I64, {parts}, {}};
    for (std::uint64_t k = 0; k < parts; ++k) {
      std::uint64_t from = n / parts * k + std::min(k, n % parts);
      std::uint64_t length = n / parts + (k < n % parts ? 1 : 0);
      std::uint64_t at = from + hash(0, k) % length;
      const unsigned char *p = bytes.data() + at * size;
      values.bytes.insert(values.bytes.end(), p, p + size);
      for (int b = 0; b < 8; ++b) {
        places.bytes.push_back(static_cast<unsigned char>(at >> (8 * b)));
      }
    }
    tensors_.push_back(std::move(values));
    tensors_.push_back(std::move(places));
    Sha256 sha;
    sha.update(bytes.data(), bytes.size());
    std::string dims;
    for (std::uint64_t d : shape) {
      dims += (dims.empty() ? "" : ",") + std::to_string(d);
    }
    metadata_["tensor." + name] = std::string("dtype=") + name_of(type) + " shape=" + dims + " sha256=" + sha.hex() +
                                  statistics(bytes, type, n);
  }

  static std::string statistics(const std::vector<unsigned char> &bytes, DType type, std::uint64_t n) {
    std::uint64_t nan = 0;
    std::uint64_t inf = 0;
    std::uint64_t zero = 0;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    double sum = 0;
    double squares = 0;
    std::size_t size = size_of(type);
    for (std::uint64_t i = 0; i < n; ++i) {
      std::uint64_t bits = 0;
      for (std::size_t b = 0; b < size; ++b) {
        bits |= static_cast<std::uint64_t>(bytes[i * size + b]) << (8 * b);
      }
      double v = value_of(bits, type);
      if (v != v) {
        ++nan;
      } else if (std::isinf(v)) {
        ++inf;
      } else {
        zero += v == 0;
        low = std::min(low, v);
        high = std::max(high, v);
        sum += v;
        squares += v * v;
      }
    }
    std::uint64_t finite = n - nan - inf;
    std::string text = " finite=" + std::to_string(finite) + " nan=" + std::to_string(nan) +
                       " inf=" + std::to_string(inf) + " zero=" + std::to_string(zero);
    if (finite > 0) {
      double count = static_cast<double>(finite);
      text += " min=" + number(low) + " max=" + number(high) + " mean=" + number(sum / count) +
              " rms=" + number(std::sqrt(squares / count));
    }
    return text;
  }

  /** The tensors as safetensors: size of the header, header, bytes. */
  std::string file() {
    std::stable_sort(tensors_.begin(), tensors_.end(),
                     [](const Tensor &a, const Tensor &b) { return size_of(a.type) > size_of(b.type); });
    std::string header = "{\"__metadata__\":{";
    bool first = true;
    for (const auto &pair : provenance()) {
      header += (first ? "" : ",") + quoted(pair.first) + ":" + quoted(pair.second);
      first = false;
    }
    header += "}";
    std::uint64_t at = 0;
    for (const Tensor &t : tensors_) {
      header += "," + quoted(t.name) + ":{\"dtype\":\"" + name_of(t.type) + "\",\"shape\":[";
      for (std::size_t i = 0; i < t.shape.size(); ++i) {
        header += (i == 0 ? "" : ",") + std::to_string(t.shape[i]);
      }
      header += "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(at + t.bytes.size()) + "]}";
      at += t.bytes.size();
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    std::string out;
    for (int b = 0; b < 8; ++b) {
      out += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> (8 * b));
    }
    out += header;
    for (const Tensor &t : tensors_) {
      out.append(reinterpret_cast<const char *>(t.bytes.data()), t.bytes.size());
    }
    return out;
  }

  void write(const std::string &path, const std::string &content) {
    std::string beside = path + "." + std::to_string(::getpid()) + ".tmp";
    std::FILE *f = std::fopen(beside.c_str(), "wb");
    bool ok = f != nullptr && std::fwrite(content.data(), 1, content.size(), f) == content.size();
    ok = f != nullptr && std::fclose(f) == 0 && ok;
    ok = ok && std::rename(beside.c_str(), path.c_str()) == 0;
    if (!ok) {
      std::string why = std::strerror(errno);
      std::remove(beside.c_str());
      fail(path + ": " + why);
    }
  }

  std::mutex mutex_;
  std::string folder_;
  std::string checks_file_;
  std::uint64_t limit_ = 65536;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, int> names_;
  std::vector<Tensor> tensors_;
  std::string rows_;
  bool failed_ = false;
  bool finished_ = false;
};

}  // namespace detail

/** Whether tensors are asked for: to spare work that is done for them only. */
inline bool recording() { return detail::Recorder::get().wants_tensors(); }

/** Whether rows of checks are asked for. */
inline bool checking() { return detail::Recorder::get().wants_checks(); }

/** Saves a tensor under a name that is used once in a run; waits for the device. */
inline void save(const std::string &name, const void *data, DType type, const std::vector<std::uint64_t> &shape) {
  detail::Recorder::get().save(name, data, type, shape);
}

template <class T>
inline void save(const std::string &name, const T *data, std::initializer_list<std::uint64_t> shape) {
  save(name, static_cast<const void *>(data), TypeOf<T>::value, std::vector<std::uint64_t>(shape));
}

/** Saves what a tensor of that name should hold, in double precision: as NAME@ref. */
inline void save_reference(const std::string &name, const double *exact, std::initializer_list<std::uint64_t> shape) {
  detail::Recorder::get().save(name, exact, DType::F64, std::vector<std::uint64_t>(shape), "@ref");
}

/** Reports a row of checks. */
inline void check(const Check &row) { detail::Recorder::get().check(row); }

/** Tells something that belongs to the tensors' provenance. */
inline void note(const std::string &key, const std::string &value) { detail::Recorder::get().note(key, value); }

/** Tells the seed of the inputs. */
inline void seed(std::uint64_t value) { note("seed", std::to_string(value)); }

/** Writes the files now; later calls record nothing. False if something went wrong. */
inline bool finish() { return detail::Recorder::get().finish(); }

}  // namespace golden
}  // namespace rocport

#endif
