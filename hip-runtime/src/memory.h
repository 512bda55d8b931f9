// Memory of the device and of the host that the device can reach.
#pragma once

#include <cstddef>
#include <cstdint>

#include "allocation.h"

namespace rocport {

/** Allocates; hipErrorOutOfMemory where there is not enough. Nothing for 0 bytes: null. */
void* allocate(Kind kind, size_t bytes, unsigned flags = 0, size_t align = 256);

/** Closes another process' memory here. */
void closeImported(uintptr_t start);

/** Gives an allocation back at once; hipErrorInvalidValue where it is none. */
void release(const void* address);

}  // namespace rocport
