// Memory that comes from outside of HIP.
#pragma once

namespace rocport {

/** hipFree of a buffer of external memory; hipErrorInvalidValue where it is none. */
void freeExternal(void* address);

}  // namespace rocport
