// Services of libamdhip64, only for the libraries beside it.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>

extern "C" {

/** The next call that waits for the GPU returns this error. */
void rocportFailLater(hipError_t error);

/**
 * Returns the address at which every process on the device can access GPU memory. Null if it is not
 * GPU memory, leaves its allocation, or consists of several mappings.
 */
void* rocportShared(const void* address, size_t bytes);

/** Work in a stream continues only when work in other streams has begun. */
void rocportWaitsForOthers(void);

/** Other processes may learn what this one has done; then, what this one has learned of them. Only for the race check. */
void rocportTellsOthers(void);
void rocportHearsOthers(void);

/** Whether this process has used the device, which its children then cannot. */
int rocportStarted(void);

/** The process that is the device: programs share memory where theirs is the same. */
uint32_t rocportDevice(void);
}
