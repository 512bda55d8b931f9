// Host memory that pending asynchronous work will read or write: the program must not touch it until then. Its pages
// are protected, and an early access is reported.
#pragma once

#include "completion.h"
#include "operation.h"

namespace rocport {

/** Whether the host can look at what an operation does. */
bool hostSees(const Operation& operation);

/** Guards what an operation does to memory of the host; false where it does nothing to it. */
bool guard(const Completion& point, const Operation& operation);

/** It begins. */
void unguard(const Completion& point);

/** It has ended. */
void compare(const Completion& point);

/** The program continues after it has waited. */
void watchAgain();

/** Makes the handler of faults the first one. */
void listenForFaults();

/** Tells the device of what was touched too early since the last call. */
void tellOfHost();

}  // namespace rocport
