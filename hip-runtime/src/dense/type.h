// Elements whose type is an argument of a call.
#pragma once

#include <hip/library_types.h>

#include <optional>

#include "number.h"

namespace rocport {

enum class Kind { HALF, BFLOAT, FLOAT, DOUBLE, INT8, UINT8, INT32, UINT32, INT64, E4M3, E5M2, E4M3_FNUZ, E5M2_FNUZ };

/** The type of an element. */
struct Type {
  Kind kind;
  bool complex = false;

  int64_t size() const {
    int64_t one = 0;
    as([&](auto like) { one = sizeof like; });
    return complex ? 2 * one : one;
  }

  /** Calls a function with a value of the C++ type. */
  template <class Do>
  void as(Do act) const {
    switch (kind) {
      case Kind::HALF:
        return act(Half{});
      case Kind::BFLOAT:
        return act(BFloat{});
      case Kind::FLOAT:
        return act(float{});
      case Kind::DOUBLE:
        return act(double{});
      case Kind::INT8:
        return act(int8_t{});
      case Kind::UINT8:
        return act(uint8_t{});
      case Kind::INT32:
        return act(int32_t{});
      case Kind::UINT32:
        return act(uint32_t{});
      case Kind::INT64:
        return act(int64_t{});
      case Kind::E4M3:
        return act(Byte<3, false>{});
      case Kind::E5M2:
        return act(Byte<2, false>{});
      case Kind::E4M3_FNUZ:
        return act(Byte<3, true>{});
      case Kind::E5M2_FNUZ:
        return act(Byte<2, true>{});
    }
  }

  Z get(const void* at) const {
    Z value;
    as([&](auto like) {
      const auto* parts = static_cast<const decltype(like)*>(at);
      value = {widen(parts[0]), complex ? widen(parts[1]) : 0.0};
    });
    return value;
  }

  void set(void* at, Z value) const {
    as([&](auto like) {
      using T = decltype(like);
      auto* parts = static_cast<T*>(at);
      parts[0] = narrow<T>(value.re);
      if (complex) parts[1] = narrow<T>(value.im);
    });
  }

  /** Element i of an array of real numbers. */
  double real(const void* array, int64_t i) const { return get(static_cast<const char*>(array) + i * size()).re; }
  void setReal(void* array, int64_t i, double value) const { set(static_cast<char*>(array) + i * size(), value); }

  bool operator==(const Type& other) const { return kind == other.kind && complex == other.complex; }
  bool operator!=(const Type& other) const { return !(*this == other); }
};

/** The type of a hipDataType, if it is one that is computed with. */
inline std::optional<Type> typeOf(int64_t number) {
  // Numbers in place of the names that HIP 6.0 lacks.
  switch (number) {
    case HIP_R_16F:
      return Type{Kind::HALF};
    case HIP_C_16F:
      return Type{Kind::HALF, true};
    case HIP_R_16BF:
      return Type{Kind::BFLOAT};
    case HIP_C_16BF:
      return Type{Kind::BFLOAT, true};
    case HIP_R_32F:
      return Type{Kind::FLOAT};
    case HIP_C_32F:
      return Type{Kind::FLOAT, true};
    case HIP_R_64F:
      return Type{Kind::DOUBLE};
    case HIP_C_64F:
      return Type{Kind::DOUBLE, true};
    case HIP_R_8I:
      return Type{Kind::INT8};
    case HIP_R_8U:
      return Type{Kind::UINT8};
    case HIP_R_32I:
      return Type{Kind::INT32};
    case HIP_R_32U:
      return Type{Kind::UINT32};
    case 28:  // HIP_R_8F_E4M3
      return Type{Kind::E4M3};
    case 29:  // HIP_R_8F_E5M2
      return Type{Kind::E5M2};
    case 1000:  // HIP_R_8F_E4M3_FNUZ
      return Type{Kind::E4M3_FNUZ};
    case 1001:  // HIP_R_8F_E5M2_FNUZ
      return Type{Kind::E5M2_FNUZ};
  }
  return std::nullopt;
}

}  // namespace rocport
