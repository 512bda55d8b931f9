// What libamdhip64 does for the libraries beside it, and for nobody else.
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

/** Work in a stream goes on only when work in other streams has begun. */
void rocportWaitsForOthers(void);

/** The process that is the device: programs share memory where theirs is the same. */
uint32_t rocportDevice(void);
}
