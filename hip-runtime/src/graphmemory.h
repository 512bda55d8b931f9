// Accounting of graph allocations.
#pragma once

#include <cstddef>

namespace rocport {

void graphMemoryTaken(int device, size_t bytes);
void graphMemoryGiven(int device, size_t bytes);

}  // namespace rocport
