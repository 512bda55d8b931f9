// The device that a thread works with.
#pragma once

#include "session.h"

namespace rocport {

/** The calling thread's device; connects where nothing did yet. */
int currentDevice();

/** Makes it the calling thread's device, or hipErrorInvalidDevice. */
void useDevice(int device);

}  // namespace rocport
