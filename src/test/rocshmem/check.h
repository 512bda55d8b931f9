// Ranks that this program forks, and what they compare. Values are small whole numbers, which all
// types hold; what is written is compared with all around it.
#pragma once

#include <hip/hip_runtime.h>
#include <rocshmem/rocshmem.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace rocshmem;

// A type of each size and sort, or all.
#ifdef SAMPLE
#define EACH_TYPE(X) X(double, double) X(unsigned char, uchar) X(__hip_bfloat16, bfloat16)
#define EACH_COLL(X) X(float, float) X(unsigned char, uchar) X(__half, half)
#define EACH_REDUCED(X) X(float, float) X(unsigned short, ushort) X(__hip_bfloat16, bfloat16)
#define EACH_REDUCED_BITS(X) X(unsigned short, ushort)
#define EACH_COUNTER(X) X(int, int) X(uint64_t, uint64)
#define EACH_ATOMIC(X) X(double, double) X(uint32_t, uint32)
#define EACH_BITS(X) X(unsigned, uint) X(int64_t, int64)
#else
#define EACH_TYPE ROCSHMEM_EACH_RMA_TYPE
#define EACH_COLL ROCSHMEM_EACH_COLL_TYPE
#define EACH_REDUCED ROCSHMEM_EACH_COLL_TYPE
#define EACH_REDUCED_BITS ROCSHMEM_EACH_INTEGER_TYPE
#define EACH_COUNTER ROCSHMEM_EACH_COUNTER_TYPE
#define EACH_ATOMIC ROCSHMEM_EACH_ATOMIC_TYPE
#define EACH_BITS ROCSHMEM_EACH_BITS_TYPE
#endif

#define HIP(CALL)                                                                          \
  do {                                                                                     \
    hipError_t error_ = (CALL);                                                            \
    if (error_ != hipSuccess) {                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL, hipGetErrorString(error_)); \
      exit(3);                                                                             \
    }                                                                                      \
  } while (0)

constexpr int THREADS = 192;  // three waves

/** Segments of these counts lie in a buffer one behind the other, with guards around them. */
constexpr int COUNTS[] = {1, 31, 32, 33, 63, 64, 65, 1025};
constexpr int SEGMENTS = sizeof COUNTS / sizeof *COUNTS;
constexpr int GUARD = 17;

/** Where a segment begins, in elements. */
__host__ __device__ inline int begins(int segment) {
  int at = GUARD;
  constexpr int counts[] = {1, 31, 32, 33, 63, 64, 65, 1025};
  for (int i = 0; i < segment; i++) at += counts[i] + GUARD;
  return at;
}

__host__ __device__ inline int counted(int segment) {
  constexpr int counts[] = {1, 31, 32, 33, 63, 64, 65, 1025};
  return counts[segment];
}

template <typename T>
__host__ __device__ inline T number(int value) {
  return static_cast<T>(static_cast<float>(value));
}

/** What PE has at an index before a step. */
__host__ __device__ inline int valueOf(int pe, int index, int step) { return (pe * 31 + index * 7 + step * 3) % 97; }

struct Here {
  int pe;
  int pes;
  int checks = 0;
  int failures = 0;

  void check(bool right, const char* what, int form, int index) {
    checks++;
    if (right) return;
    if (failures++ < 10) fprintf(stderr, "PE %d of %d: %s, form %d: wrong at %d\n", pe, pes, what, form, index);
  }
};

constexpr unsigned char EMPTY = 0xa5;

/** Symmetric memory for so many elements, with what is not written marked. */
template <typename T>
struct Buffer {
  T* data;
  size_t size;

  explicit Buffer(size_t n) : data(static_cast<T*>(rocshmem_malloc(n * sizeof(T)))), size(n) {
    if (data == nullptr) {
      fprintf(stderr, "the symmetric heap is exhausted\n");
      exit(3);
    }
    clear();
  }
  ~Buffer() { rocshmem_free(data); }
  Buffer(const Buffer&) = delete;

  void clear() {
    HIP(hipMemset(data, EMPTY, size * sizeof(T)));
    HIP(hipDeviceSynchronize());
  }
  std::vector<T> read() const {
    std::vector<T> all(size);
    HIP(hipMemcpy(all.data(), data, size * sizeof(T), hipMemcpyDeviceToHost));
    return all;
  }
  void write(const std::vector<T>& all) {
    HIP(hipMemcpy(data, all.data(), all.size() * sizeof(T), hipMemcpyHostToDevice));
    HIP(hipDeviceSynchronize());
  }
};

template <typename T>
std::vector<T> empty(size_t n) {
  std::vector<T> all(n);
  memset(static_cast<void*>(all.data()), EMPTY, n * sizeof(T));
  return all;
}

/** Compares bit for bit, guards included. */
template <typename T>
void same(Here& here, const std::vector<T>& got, const std::vector<T>& expected, const char* what, int form) {
  for (size_t i = 0; i < got.size(); i++) {
    if (memcmp(&got[i], &expected[i], sizeof(T)) != 0) {
      here.check(false, what, form, static_cast<int>(i));
      return;
    }
  }
  here.check(true, what, form, 0);
}

/** Ends a step on all PEs. */
inline void done() {
  HIP(hipDeviceSynchronize());
  rocshmem_barrier_all();
}

/** Teams that a check is repeated for, and the members of each: all PEs, and parts. */
struct Group {
  rocshmem_team_t team;
  std::vector<int> members;
  int pe;  // in it; -1 where this PE is none of it
};

inline Group group(const Here& here, int start, int stride, int size) {
  Group made = {ROCSHMEM_TEAM_INVALID, {}, -1};
  for (int i = 0; i < size; i++) {
    if (start + i * stride == here.pe) made.pe = i;
    made.members.push_back(start + i * stride);
  }
  if (rocshmem_team_split_strided(ROCSHMEM_TEAM_WORLD, start, stride, size, nullptr, 0, &made.team) != 0) {
    fprintf(stderr, "no team of %d\n", size);
    exit(3);
  }
  return made;
}

/** The world, all but the first PE, and every second one. */
inline std::vector<Group> groups(const Here& here) {
  std::vector<Group> all;
  all.push_back({ROCSHMEM_TEAM_WORLD, {}, here.pe});
  for (int i = 0; i < here.pes; i++) all[0].members.push_back(i);
  if (here.pes > 1) all.push_back(group(here, 1, 1, here.pes - 1));
  all.push_back(group(here, 0, 2, (here.pes + 1) / 2));
  return all;
}

inline void forget(std::vector<Group>& all) {
  for (size_t i = 1; i < all.size(); i++) rocshmem_team_destroy(all[i].team);
}

// One for each family, in a file of its own.
void puts(Here& here);
void signals(Here& here);
void atomics(Here& here);
void waits(Here& here);
void collectives(Here& here);
void reductions(Here& here);
void teams(Here& here);
void streams(Here& here);
void hosts(Here& here);
