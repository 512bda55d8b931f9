// What MPI does with memory of the device, for the race check.
#pragma once

#include <cstddef>

namespace rocport {

/** An MPI function that this thread calls reads or writes memory, until it or its request is complete. */
void usedByMpi(const void* address, size_t bytes, bool writes);

}  // namespace rocport
