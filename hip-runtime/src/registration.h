// Registrations by clang's start-up code: fat binaries, kernels, variables.
#pragma once

#include "module.h"

namespace rocport {

/** The kernel of a host function on a GPU, loaded there if needed; null for none. */
const Kernel* kernelOfHost(const void* function, int gpu);

/** The device variable of a host variable; hipErrorInvalidSymbol for none. */
Variable variableOfHost(const void* symbol, int gpu);

/** The kernel of a host function or a hipFunction_t; hipErrorInvalidDeviceFunction for neither. */
const Kernel& kernelFor(const void* function, int gpu);

/** Unloads all registered code from a GPU; it is loaded again, as it was at first, when used. */
void forgetLoaded(int gpu);

}  // namespace rocport
