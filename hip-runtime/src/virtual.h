// Virtual memory management: addresses separate from memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "error.h"

namespace rocport {

/** Whether an address lies in a range that the program has reserved. */
bool reserves(uintptr_t address);

/** How a GPU may access what is mapped at an address. */
hipMemAccessFlags accessAt(const void* address, int gpu);

/** A GPU's memory behind a file descriptor, held by this program as well. */
hipMemGenericAllocationHandle_t importMemory(int descriptor);

/** The position in the arena of the memory mapped at an address; 0 if no mapping begins there. */
uintptr_t arenaAddress(uintptr_t mapped);

/** Reserves addresses and maps a part of memory there for a GPU. */
void* mapWhole(hipMemGenericAllocationHandle_t memory, size_t offset, size_t size, int gpu);

/** Undoes that. */
void unmapWhole(void* address);

}  // namespace rocport
