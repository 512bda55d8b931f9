// Objects of the program that exist as long as graphs use them.
#pragma once

#include <memory>

#include "error.h"

namespace rocport {

struct UserObject;

using SharedObject = std::shared_ptr<UserObject>;

/** Does nothing to an object that has been destroyed. */
void retain(const SharedObject& object, unsigned count);

/** Destroys the object with its last reference. More references than there are count as all of them. */
void release(const SharedObject& object, unsigned count);

}  // namespace rocport
