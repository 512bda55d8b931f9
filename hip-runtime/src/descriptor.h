// File descriptors for objects of the device. Each contains the device's handle, so a process that inherits it or
// receives it over a socket can open the same object.
#pragma once

#include <array>
#include <cstdint>

#include "error.h"

namespace rocport {

/** What the device calls something that programs share. */
using Handle = std::array<unsigned char, 64>;

enum class Shared : uint32_t { MEMORY = 1, POOL = 2 };

/** A descriptor of its own for a handle; the caller closes it. */
int descriptorOf(Shared kind, const Handle& handle);

/** The handle in a descriptor; hipErrorInvalidValue where it is not one of this kind. */
Handle handleIn(int descriptor, Shared kind);

}  // namespace rocport
