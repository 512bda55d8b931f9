#include "element.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "../dense/number.h"

namespace rocport::ccl {
namespace {

// Types newer than the oldest header that this is compiled with.
constexpr int FLOAT8_E4M3 = 10;
constexpr int FLOAT8_E5M2 = 11;

template <class T>
T combine(int operation, T a, T b) {
  switch (operation) {
    case ncclProd:
      return a * b;
    case ncclMax:
      return std::max(a, b);
    case ncclMin:
      return std::min(a, b);
    default:
      return a + b;
  }
}

template <class T>
T combined(int operation, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (operation == ncclMax || operation == ncclMin) return combine(operation, a, b);
    // Unsigned, since integers wrap.
    using U = uint64_t;
    return static_cast<T>(combine<U>(operation, static_cast<U>(a), static_cast<U>(b)));
  } else {
    // A NaN of any rank is propagated, as on GPUs.
    if (operation == ncclMax || operation == ncclMin) {
      return std::isnan(a) ? a : std::isnan(b) ? b : combine(operation, a, b);
    }
    return combine(operation, a, b);
  }
}

template <class T>
void reduceAs(int operation, const Input* inputs, int ranks, void* out, size_t count) {
  using W = std::conditional_t<std::is_integral_v<T>, T, double>;
  constexpr size_t BLOCK = 512;
  W sums[BLOCK];
  for (size_t from = 0; from < count; from += BLOCK) {
    size_t n = std::min(BLOCK, count - from);
    for (int r = 0; r < ranks; r++) {
      const T* in = static_cast<const T*>(inputs[r].elements) + from;
      if (operation == Reduction::SCALED_SUM) {
        T factor;
        memcpy(&factor, &inputs[r].scalar, sizeof factor);
        auto wide = static_cast<W>(factor);
        for (size_t i = 0; i < n; i++) {
          W scaled = combined<W>(ncclProd, wide, static_cast<W>(in[i]));
          sums[i] = r == 0 ? scaled : combined<W>(ncclSum, sums[i], scaled);
        }
      } else if (r == 0) {
        for (size_t i = 0; i < n; i++) sums[i] = static_cast<W>(in[i]);
      } else {
        for (size_t i = 0; i < n; i++) sums[i] = combined<W>(operation, sums[i], static_cast<W>(in[i]));
      }
    }
    if (operation == ncclAvg) {
      for (size_t i = 0; i < n; i++) sums[i] = static_cast<W>(sums[i] / static_cast<W>(ranks));
    }
    T* to = static_cast<T*>(out) + from;
    for (size_t i = 0; i < n; i++) {
      if constexpr (std::is_integral_v<T>) {
        to[i] = sums[i];
      } else {
        to[i] = narrow<T>(sums[i]);
      }
    }
  }
}

}  // namespace

size_t sizeOf(int type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
    case FLOAT8_E4M3:
    case FLOAT8_E5M2:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    default:
      return 0;
  }
}

std::string nameOf(int type) {
  constexpr const char* NAMES[] = {"ncclInt8",   "ncclUint8",    "ncclInt32",     "ncclUint32",
                                   "ncclInt64",  "ncclUint64",   "ncclFloat16",   "ncclFloat32",
                                   "ncclFloat64", "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
  return sizeOf(type) > 0 ? NAMES[type] : "type " + std::to_string(type);
}

const char* Reduction::name() const {
  switch (operation) {
    case ncclSum:
      return "ncclSum";
    case ncclProd:
      return "ncclProd";
    case ncclMax:
      return "ncclMax";
    case ncclMin:
      return "ncclMin";
    case ncclAvg:
      return "ncclAvg";
    default:
      return "a scaled sum";
  }
}

bool reducible(int type) { return sizeOf(type) > 0 && type < FLOAT8_E4M3; }

void reduce(int type, int operation, const Input* inputs, int ranks, void* out, size_t count) {
  switch (type) {
    case ncclInt8:
      return reduceAs<int8_t>(operation, inputs, ranks, out, count);
    case ncclUint8:
      return reduceAs<uint8_t>(operation, inputs, ranks, out, count);
    case ncclInt32:
      return reduceAs<int32_t>(operation, inputs, ranks, out, count);
    case ncclUint32:
      return reduceAs<uint32_t>(operation, inputs, ranks, out, count);
    case ncclInt64:
      return reduceAs<int64_t>(operation, inputs, ranks, out, count);
    case ncclUint64:
      return reduceAs<uint64_t>(operation, inputs, ranks, out, count);
    case ncclFloat16:
      return reduceAs<Half>(operation, inputs, ranks, out, count);
    case ncclBfloat16:
      return reduceAs<BFloat>(operation, inputs, ranks, out, count);
    case ncclFloat32:
      return reduceAs<float>(operation, inputs, ranks, out, count);
    case ncclFloat64:
      return reduceAs<double>(operation, inputs, ranks, out, count);
    default:
      break;
  }
}

}  // namespace rocport::ccl
