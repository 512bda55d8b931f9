// Services of libamdhip64 for the libraries next to it, and for no other code.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/** The next call that waits for the GPU returns this error. */
void rocportFailLater(hipError_t error);

/**
 * Where every process on the device finds memory that a GPU can reach. Null where it is none,
 * leaves its allocation, or lies in several pieces.
 */
void* rocportShared(const void* address, size_t bytes);

/** Work in a stream continues only when work in other streams has begun. */
void rocportWaitsForOthers(void);

/** The process that is the device: programs share memory where theirs is the same. */
uint32_t rocportDevice(void);
}
