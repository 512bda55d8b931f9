// Converts all forms of copies and fills to one form and checks them.
#pragma once

#include "array.h"
#include "operation.h"

namespace rocport {

Copy linearCopy(void* to, const void* from, size_t bytes, hipMemcpyKind kind);
Copy rowsCopy(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
              size_t height, hipMemcpyKind kind);
Copy volumeCopy(const hipMemcpy3DParms& parms);
Copy volumeCopy(const HIP_MEMCPY3D& parms);
Copy symbolCopyTo(const void* symbol, const void* from, size_t bytes, size_t offset,
                  hipMemcpyKind kind);
Copy symbolCopyFrom(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind);

Fill fillOf(void* to, uint32_t value, uint32_t elementSize, size_t pitch, size_t width,
            size_t height);

/** A copy as the driver API describes it. */
HIP_MEMCPY3D driverForm(const Copy& copy);

/** Does it on this thread; both sides are memory that the host can reach. */
void perform(const Copy& copy);
void perform(const Fill& fill);

/** The parameters of a fill in a graph node. */
hipMemsetParams described(const Fill& fill);

}  // namespace rocport
