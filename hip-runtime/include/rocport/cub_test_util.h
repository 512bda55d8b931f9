// What programs use most of test/test_util.h of the CUB repository, in the global namespace as there:
// arguments of the command line, timers, and comparisons of results. No release of CUDA or ROCm has
// that header.
//
// An argument is "--name" or "--name=value"; others are naked arguments. The last of several values
// counts. Names of random data (RandomBits, RandomValue, InitValue) are refused when they are used.
#ifndef ROCPORT_CUB_TEST_UTIL_H
#define ROCPORT_CUB_TEST_UTIL_H

#ifndef __cplusplus
#error "rocport/cub_test_util.h needs C++"
#endif

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <hipcub/hipcub.hpp>

/// Ends the program with 1 if two values differ.
#define AssertEquals(a, b) \
  if ((a) != (b)) { \
    std::cerr << "\n(" << __FILE__ << ": " << __LINE__ << ")\n"; \
    std::exit(1); \
  }

namespace rocport {
namespace cub_test {

template <typename T>
void print(const T& value) {
  std::cout << value;
}
inline void print(char value) { std::cout << static_cast<int>(value); }
inline void print(signed char value) { std::cout << static_cast<int>(value); }
inline void print(unsigned char value) { std::cout << static_cast<unsigned>(value); }

/// True of the type that a call has, but only once that is known.
template <typename T>
struct Never {
  static const bool value = false;
};

/// Bytes per second that a memory of two transfers per cycle moves, in GB/s.
inline float bandwidth(const hipDeviceProp_t& p) {
  return static_cast<float>(p.memoryBusWidth) * static_cast<float>(p.memoryClockRate) * 2.0f /
         8.0f / 1.0e6f;
}

}  // namespace cub_test
}  // namespace rocport

/// The arguments of a program, and the choice of a GPU by --device=N.
struct CommandLineArgs {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  std::vector<std::string> args;
  hipDeviceProp_t deviceProp;
  float device_giga_bandwidth;
  size_t device_free_physmem;
  size_t device_total_physmem;

  CommandLineArgs(int argc, char** argv)
      : deviceProp(), device_giga_bandwidth(0), device_free_physmem(0), device_total_physmem(0) {
    for (int i = 1; i < argc; i++) {
      std::string text = argv[i];
      if (text.compare(0, 2, "--") != 0) {
        args.push_back(text);
        continue;
      }
      size_t equals = text.find('=');
      bool has_value = equals != std::string::npos;
      keys.push_back(text.substr(2, has_value ? equals - 2 : std::string::npos));
      values.push_back(has_value ? text.substr(equals + 1) : std::string());
    }
  }

  bool CheckCmdLineFlag(const char* arg_name) {
    for (const std::string& key : keys) {
      if (key == arg_name) return true;
    }
    return false;
  }

  template <typename T>
  int NumNakedArgs() {
    return static_cast<int>(args.size());
  }
  int NumNakedArgs() { return static_cast<int>(args.size()); }

  /// The number of arguments that are not naked.
  int ParsedArgc() { return static_cast<int>(keys.size()); }

  /// Reads a naked argument; leaves the value if there are not so many.
  template <typename T>
  void GetCmdLineArgument(int index, T& val) {
    if (index < 0 || static_cast<size_t>(index) >= args.size()) return;
    std::istringstream in(args[static_cast<size_t>(index)]);
    in >> val;
  }

  /// Reads the value of an argument; leaves val if there is none.
  template <typename T>
  void GetCmdLineArgument(const char* arg_name, T& val) {
    for (size_t i = 0; i < keys.size(); i++) {
      if (keys[i] != arg_name) continue;
      std::istringstream in(values[i]);
      in >> val;
    }
  }

  /// Reads values between commas; leaves vals if the argument is not there.
  template <typename T>
  void GetCmdLineArguments(const char* arg_name, std::vector<T>& vals) {
    if (!CheckCmdLineFlag(arg_name)) return;
    vals.clear();
    for (size_t i = 0; i < keys.size(); i++) {
      if (keys[i] != arg_name) continue;
      std::istringstream in(values[i]);
      for (std::string part; std::getline(in, part, ',');) {
        std::istringstream one(part);
        T val;
        if (one >> val) vals.push_back(val);
      }
    }
  }

  /// Makes a GPU the current one and prints what it is, unless --quiet is given.
  ///
  /// @param dev its number; -1 for that of --device, or 0
  hipError_t DeviceInit(int dev = -1) {
    int count = 0;
    hipError_t error = hipGetDeviceCount(&count);
    if (error != hipSuccess) return error;
    if (count == 0) {
      std::fprintf(stderr, "No devices supporting HIP.\n");
      std::exit(1);
    }
    if (dev < 0) {
      GetCmdLineArgument("device", dev);
    }
    dev = dev < 0 || dev >= count ? 0 : dev;
    if ((error = hipSetDevice(dev)) != hipSuccess) return error;
    error = hipMemGetInfo(&device_free_physmem, &device_total_physmem);
    if (error != hipSuccess) return error;
    if ((error = hipGetDeviceProperties(&deviceProp, dev)) != hipSuccess) return error;
    device_giga_bandwidth = rocport::cub_test::bandwidth(deviceProp);
    if (!CheckCmdLineFlag("quiet")) {
      std::printf(
          "Using device %d: %s (%s, %d compute units, %lld free / %lld total MB physmem, "
          "%.3f GB/s @ %d kHz mem clock, ECC %s)\n",
          dev, deviceProp.name, deviceProp.gcnArchName, deviceProp.multiProcessorCount,
          static_cast<long long>(device_free_physmem >> 20),
          static_cast<long long>(device_total_physmem >> 20), device_giga_bandwidth,
          deviceProp.memoryClockRate, deviceProp.ECCEnabled ? "on" : "off");
      std::fflush(stdout);
    }
    return hipSuccess;
  }
};

/// Processor time of the program, in milliseconds.
struct CpuTimer {
  void Start() { start = std::clock(); }
  void Stop() { stop = std::clock(); }
  float ElapsedMillis() {
    return static_cast<float>(stop - start) * 1000.0f / static_cast<float>(CLOCKS_PER_SEC);
  }

 private:
  std::clock_t start = 0;
  std::clock_t stop = 0;
};

/// Time between two events of the null stream, in milliseconds.
struct GpuTimer {
  GpuTimer() {
    (void)hipEventCreate(&start);
    (void)hipEventCreate(&stop);
  }
  ~GpuTimer() {
    (void)hipEventDestroy(start);
    (void)hipEventDestroy(stop);
  }
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void Start() { (void)hipEventRecord(start, nullptr); }
  void Stop() { (void)hipEventRecord(stop, nullptr); }
  float ElapsedMillis() {
    float elapsed = 0;
    (void)hipEventSynchronize(stop);
    (void)hipEventElapsedTime(&elapsed, start, stop);
    return elapsed;
  }

 private:
  hipEvent_t start = nullptr;
  hipEvent_t stop = nullptr;
};

/// Returns 1 at the first element that differs, otherwise 0.
template <typename S, typename T, typename OffsetT>
int CompareResults(T* computed, S* reference, OffsetT len, bool verbose = true) {
  for (OffsetT i = 0; i < len; i++) {
    if (computed[i] != reference[i]) {
      if (verbose) {
        std::cout << "INCORRECT: [" << i << "]: ";
        rocport::cub_test::print(computed[i]);
        std::cout << " != ";
        rocport::cub_test::print(reference[i]);
        std::cout << "\n";
      }
      return 1;
    }
  }
  return 0;
}

/// Prints an array.
template <typename T, typename OffsetT>
void DisplayResults(T* h_data, OffsetT num_items) {
  for (OffsetT i = 0; i < num_items; i++) {
    rocport::cub_test::print(h_data[i]);
    std::cout << ", ";
  }
  std::cout << "\n";
}

/// Compares an array of the device with one of the host.
template <typename S, typename T>
int CompareDeviceResults(S* h_reference, T* d_data, size_t num_items, bool verbose = true,
                         bool display_data = false) {
  std::vector<T> data(num_items);
  hipError_t error = hipMemcpy(data.data(), d_data, sizeof(T) * num_items, hipMemcpyDeviceToHost);
  if (error != hipSuccess) {
    std::fprintf(stderr, "hipMemcpy: %s\n", hipGetErrorString(error));
    return 1;
  }
  if (display_data) {
    std::cout << "Reference:\n";
    DisplayResults(h_reference, num_items);
    std::cout << "Computed:\n";
    DisplayResults(data.data(), num_items);
  }
  return CompareResults(data.data(), h_reference, num_items, verbose);
}

/// Compares two arrays of the device.
template <typename T>
int CompareDeviceDeviceResults(T* d_reference, T* d_data, size_t num_items, bool verbose = true,
                               bool display_data = false) {
  std::vector<T> reference(num_items);
  hipError_t error =
      hipMemcpy(reference.data(), d_reference, sizeof(T) * num_items, hipMemcpyDeviceToHost);
  if (error != hipSuccess) {
    std::fprintf(stderr, "hipMemcpy: %s\n", hipGetErrorString(error));
    return 1;
  }
  return CompareDeviceResults(reference.data(), d_data, num_items, verbose, display_data);
}

template <typename K, typename... Args>
void RandomBits(K&, Args...) {
  static_assert(rocport::cub_test::Never<K>::value,
                "RandomBits of CUB's tests has no counterpart; fill the data with <random>");
}
template <typename T>
T RandomValue(T) {
  static_assert(rocport::cub_test::Never<T>::value,
                "RandomValue of CUB's tests has no counterpart; fill the data with <random>");
}
template <typename Mode, typename T, typename... Args>
void InitValue(Mode, T&, Args...) {
  static_assert(rocport::cub_test::Never<T>::value,
                "InitValue of CUB's tests has no counterpart; fill the data with <random>");
}

#endif  // ROCPORT_CUB_TEST_UTIL_H
