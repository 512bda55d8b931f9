// Memory from outside HIP.
#pragma once

namespace rocport {

/** hipFree of a buffer of external memory; hipErrorInvalidValue if it is not one. */
void freeExternal(void* address);

}  // namespace rocport
