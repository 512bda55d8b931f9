// Launches: packing arguments and checking shapes before anything is enqueued.
#pragma once

#include "module.h"
#include "operation.h"
#include "wire.h"

namespace rocport {

/** A launch with its arguments copied; hipErrorInvalidConfiguration where the shape cannot be. */
Launch launchOf(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds, void** arguments,
                void** extra);

/** Runs it to its end on this thread, through the stream's connection. */
void perform(const Launch& launch, Stream& stream);

/** The request that performs a launch. */
Writer requestOf(const Launch& launch, const Stream& stream);

}  // namespace rocport
