// What the test kernels share: checked HIP calls, device buffers, comparisons and the checksum line,
// which must be the same at every optimization level and on every target.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define BOTH __host__ __device__

#define HIP(call)                                                                     \
  do {                                                                                \
    hipError_t hip_error = (call);                                                    \
    if (hip_error != hipSuccess) {                                                    \
      printf("FAIL %s:%d %s\n", __FILE_NAME__, __LINE__, hipGetErrorString(hip_error)); \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)

/** Waits for the kernels and checks them. */
#define DONE()                \
  do {                        \
    HIP(hipGetLastError());   \
    HIP(hipDeviceSynchronize()); \
  } while (0)

/** Device memory, filled with zeros or from the host. */
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t n) : n_(n) {
    HIP(hipMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    HIP(hipMemset(data_, 0, n * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    HIP(hipMemcpy(data_, from.data(), n_ * sizeof(T), hipMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { (void)hipFree(data_); }

  T* get() const { return data_; }

  std::vector<T> host() const {
    DONE();
    std::vector<T> to(n_);
    HIP(hipMemcpy(to.data(), data_, n_ * sizeof(T), hipMemcpyDeviceToHost));
    return to;
  }

 private:
  T* data_ = nullptr;
  size_t n_;
};

/** A reproducible stream of bits: the murmur3 finalizer of a counter. */
BOTH inline uint32_t bits(uint32_t i) {
  i += 0x9e3779b9u;
  i ^= i >> 16;
  i *= 0x85ebca6bu;
  i ^= i >> 13;
  i *= 0xc2b2ae35u;
  return i ^ (i >> 16);
}

BOTH inline uint64_t bits64(uint32_t i) {
  return uint64_t(bits(2 * i)) << 32 | bits(2 * i + 1);
}

/** Uniform in [0, 1), a multiple of 2^-24: exact in float. */
BOTH inline float unit(uint32_t i) { return float(bits(i) >> 8) * 0x1p-24f; }

/** Gathers the outcome of a program. */
class Check {
 public:
  /** Bit for bit. */
  template <class T>
  void same(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
    add(got.data(), got.size() * sizeof(T));
    if (got.size() != want.size()) {
      fail("%s: size %zu, not %zu", what, got.size(), want.size());
      return;
    }
    for (size_t i = 0; i < got.size(); i++) {
      if (memcmp(&got[i], &want[i], sizeof(T)) != 0) {
        char g[40], w[40];
        fail("%s[%zu]: %s, not %s", what, i, hex(got[i], g), hex(want[i], w));
        return;
      }
    }
  }

  template <class T>
  void same(const char* what, T got, T want) {
    same(what, std::vector<T>{got}, std::vector<T>{want});
  }

  /** Within ulps units in the last place of T; want is of higher precision. Not in the checksum. */
  template <class T, class W>
  void near(const char* what, const std::vector<T>& got, const std::vector<W>& want, double ulps) {
    double worst = 0;
    for (size_t i = 0; i < got.size(); i++) {
      T rounded = T(want[i]);
      if (std::isnan(rounded) ? std::isnan(got[i]) : got[i] == rounded) continue;
      T a = std::fabs(rounded);
      double ulp = std::isfinite(a) ? double(std::nextafter(a, T(INFINITY)) - a) : 0;
      double error = std::fabs(double(W(got[i]) - want[i])) / ulp;
      if (!(error <= ulps)) {
        fail("%s[%zu]: %.17g, not %.17g (%g ulp)", what, i, double(got[i]), double(want[i]), error);
        return;
      }
      worst = error > worst ? error : worst;
    }
  }

  void that(const char* what, bool holds) {
    if (!holds) fail("%s", what);
  }

  /** Prints the outcome; the program's exit status. */
  int end() {
    printf("checksum %016llx\n", static_cast<unsigned long long>(sum_));
    if (failures_ == 0) printf("PASS\n");
    return failures_ == 0 ? 0 : 1;
  }

 private:
  uint64_t sum_ = 0xcbf29ce484222325;
  int failures_ = 0;

  void add(const void* data, size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (size_t i = 0; i < size; i++) sum_ = (sum_ ^ bytes[i]) * 0x100000001b3;
  }

  template <class... A>
  void fail(const char* format, A... arguments) {
    failures_++;
    printf("FAIL ");
    printf(format, arguments...);
    printf("\n");
  }

  template <class T>
  static const char* hex(const T& value, char* to) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    char* at = to;
    for (size_t i = sizeof(T) < 16 ? sizeof(T) : 16; i-- > 0;) at += snprintf(at, 3, "%02x", bytes[i]);
    return to;
  }
};
