// Memory of the device and of the host that the device can reach.
#pragma once

#include <cstddef>

#include "allocation.h"

namespace rocport {

/** Allocates; hipErrorOutOfMemory where there is not enough. Nothing for 0 bytes: null. */
void* allocate(Kind kind, size_t bytes, unsigned flags = 0, size_t align = 256);

/** Gives an allocation back at once; hipErrorInvalidValue where it is none. */
void release(const void* address);

}  // namespace rocport
