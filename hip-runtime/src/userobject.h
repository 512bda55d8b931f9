// Objects of the program that exist as long as graphs use them.
#pragma once

#include "error.h"

namespace rocport {

struct UserObject;

void retain(UserObject* object, unsigned count);

/** Destroys the object with its last reference. */
void release(UserObject* object, unsigned count);

}  // namespace rocport
