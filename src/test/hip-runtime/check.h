// Checks of the programs in this folder: each says what failed, and ends with PASS where nothing did.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdio>

inline int failures = 0;

#define GIVES(call, wanted)                                                               \
  do {                                                                                    \
    hipError_t result_ = (call);                                                          \
    if (result_ != (wanted)) {                                                            \
      std::printf("line %d: %s gives %s\n", __LINE__, #call, hipGetErrorName(result_));   \
      failures++;                                                                         \
    }                                                                                     \
  } while (0)

#define WORKS(call) GIVES(call, hipSuccess)

#define HOLDS(condition)                                            \
  do {                                                              \
    if (!(condition)) {                                             \
      std::printf("line %d: not so: %s\n", __LINE__, #condition);   \
      failures++;                                                   \
    }                                                               \
  } while (0)

inline int done() {
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
