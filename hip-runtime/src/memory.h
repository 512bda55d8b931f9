// Device memory, and host memory that the device can access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "allocation.h"

namespace rocport {

/** Allocates; hipErrorOutOfMemory if there is not enough. Null for 0 bytes. */
void* allocate(Kind kind, size_t bytes, unsigned flags = 0, size_t align = 256);

/** Closes another process' memory here. */
void closeImported(uintptr_t start);

/** Managed memory is freed: what the program has said of it is void. */
void forgetAdvice(uintptr_t allocation);

/** Frees an allocation at once; hipErrorInvalidValue if it is not one. */
void release(const void* address);

}  // namespace rocport
