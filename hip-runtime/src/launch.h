// Launches: packing arguments and checking shapes before anything is enqueued.
#pragma once

#include "module.h"
#include "operation.h"
#include "wire.h"

namespace rocport {

/** Results of launches that cannot be; each function that launches has its own. */
struct Refusal {
  hipError_t empty;    // no blocks or no threads
  hipError_t threads;  // more threads than a block can have
  hipError_t lds;      // more LDS than a block can have
};
constexpr Refusal BY_NAME = {hipErrorInvalidValue, hipErrorInvalidConfiguration, hipErrorInvalidValue};
constexpr Refusal BY_HANDLE = {hipErrorInvalidValue, hipErrorInvalidValue, hipErrorInvalidValue};
constexpr Refusal COOPERATIVE = {hipErrorInvalidConfiguration, hipErrorInvalidConfiguration,
                                 hipErrorCooperativeLaunchTooLarge};

/**
 * A launch with its arguments copied. Fails if the shape cannot be: as told by the caller, and with
 * hipErrorLaunchFailure for more threads than the launch bounds of the kernel, hipErrorInvalidConfiguration for more
 * than 2^32 - 1 threads in one dimension.
 */
Launch launchOf(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds, void** arguments, void** extra,
                const Refusal& refusal = BY_NAME);

/** Runs it to its end on this thread, through the stream's connection. */
void perform(const Launch& launch, Stream& stream);

/** The request that performs a launch. */
Writer requestOf(const Launch& launch, const Stream& stream);

}  // namespace rocport
