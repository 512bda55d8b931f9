// Numbers and indices in memory, of types that are known at run time.
#pragma once

#include <hip/library_types.h>

#include <cstdint>

#include "../dense/number.h"

namespace rocport::sparse {

inline bool isComplex(hipDataType type) { return type == HIP_C_32F || type == HIP_C_64F; }

/** Numbers in a row; they are read as double or Z and rounded once when they are written. */
struct Values {
  void* at = nullptr;
  hipDataType type = HIP_R_32F;

  template <class W>
  W get(int64_t i) const {
    switch (type) {
      case HIP_R_32F:
        return W(of<float>()[i]);
      case HIP_R_64F:
        return W(of<double>()[i]);
      case HIP_C_32F:
        return complex<W>(of<Complex<float>>()[i]);
      case HIP_C_64F:
        return complex<W>(of<Complex<double>>()[i]);
      case HIP_R_16F:
        return W(static_cast<double>(of<Half>()[i]));
      case HIP_R_16BF:
        return W(static_cast<double>(of<BFloat>()[i]));
      case HIP_R_8I:
        return W(of<int8_t>()[i]);
      default:
        return W(of<int32_t>()[i]);
    }
  }

  template <class W>
  void set(int64_t i, W value) const {
    switch (type) {
      case HIP_R_32F:
        return put<float>(i, value);
      case HIP_R_64F:
        return put<double>(i, value);
      case HIP_C_32F:
        return put<Complex<float>>(i, value);
      case HIP_C_64F:
        return put<Complex<double>>(i, value);
      case HIP_R_16F:
        return put<Half>(i, value);
      case HIP_R_16BF:
        return put<BFloat>(i, value);
      case HIP_R_8I:
        return put<int8_t>(i, value);
      default:
        return put<int32_t>(i, value);
    }
  }

  static bool known(hipDataType type) { return bytes(type) > 0; }

  static int64_t bytes(hipDataType type) {
    switch (type) {
      case HIP_R_8I:
        return 1;
      case HIP_R_16F:
      case HIP_R_16BF:
        return 2;
      case HIP_R_32F:
      case HIP_R_32I:
        return 4;
      case HIP_R_64F:
      case HIP_C_32F:
        return 8;
      case HIP_C_64F:
        return 16;
      default:
        return 0;
    }
  }

  Values from(int64_t i) const { return {static_cast<char*>(at) + i * bytes(type), type}; }

 private:
  template <class T>
  T* of() const {
    return static_cast<T*>(at);
  }

  template <class T, class W>
  void put(int64_t i, W value) const {
    of<T>()[i] = narrow<T>(value);
  }

  template <class W, class T>
  static W complex(T value) {
    if constexpr (IsComplex<W>::value) {
      return widen<T>(value);
    } else {
      return static_cast<double>(value.re);
    }
  }
};

/** Indices in a row, of 32 or 64 bits. */
struct Indices {
  void* at = nullptr;
  bool wide = false;

  int64_t operator[](int64_t i) const {
    return wide ? static_cast<int64_t*>(at)[i] : static_cast<int32_t*>(at)[i];
  }

  void set(int64_t i, int64_t value) const {
    if (wide) {
      static_cast<int64_t*>(at)[i] = value;
    } else {
      static_cast<int32_t*>(at)[i] = static_cast<int32_t>(value);
    }
  }

  Indices from(int64_t i) const { return {static_cast<char*>(at) + i * (wide ? 8 : 4), wide}; }
};

/** Calls with a 0 of the type to compute in. */
template <class Call>
auto inWide(bool complex, Call call) {
  return complex ? call(Z()) : call(0.0);
}

}  // namespace rocport::sparse
