// Reports host accesses to shared memory to a device with checks.
#pragma once

#include <cstddef>

namespace rocport {

class Stamp;

/** The host has written device memory, or memory that the device can reach. */
void touchedByWrite(const void* to, size_t bytes);

/** The same, of a value that others may wait for meanwhile. */
void touchedByValue(const void* to, size_t bytes);

/** Someone who tells nothing of it, such as MPI, may write memory of the device from now on. */
void touchedByOthers(const void* to, size_t bytes);

/** An MPI function accesses memory; whether the device can reach that. */
bool touchedByMpi(const void* address, size_t bytes, bool writes, const Stamp& stamp);

/** The host has copied; only memory on either side that the device can access is reported. */
void touchedByCopy(const void* to, const void* from, size_t bytes);

}  // namespace rocport
