// The properties of the GPUs: those of the real ones, combined with what the device reports.
#pragma once

#include "module.h"

namespace rocport {

/** The properties of a GPU; they stay where they are. */
const hipDeviceProp_t& propertiesOf(int device);

/** Blocks of this shape that fit on a compute unit at a time. */
unsigned blocksPerUnit(const Kernel& kernel, uint64_t threads, size_t dynamicLds);

/** hipErrorCooperativeLaunchTooLarge where not all blocks fit on the GPU at a time. */
void checkCooperative(const Kernel& kernel, dim3 grid, dim3 block, size_t dynamicLds);

}  // namespace rocport
