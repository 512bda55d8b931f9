// Accounting of graph allocations.
#pragma once

#include <cstddef>
#include <optional>

namespace rocport {

void graphMemoryTaken(int device, size_t bytes);
void graphMemoryGiven(int device, size_t bytes);

// The addresses of graph allocations. A program may free one with hipFree or hipFreeAsync, and a later launch of the
// graph allocates it again at the same address, so the memory itself stays until the graph ends.
void graphMemoryStarts(void* address);
void graphMemoryEnds(void* address);

// A launch has allocated the address.
void graphMemoryLaunched(void* address);

// Records that an address is free. Returns whether it was allocated; empty if it is no memory of a graph.
std::optional<bool> graphMemoryFreed(void* address);

}  // namespace rocport
