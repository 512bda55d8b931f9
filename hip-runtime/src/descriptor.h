// File descriptors that stand for something of the device: they hold the device's handle for it, so
// whoever gets one, inherited or sent over a socket, can open the same.
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
