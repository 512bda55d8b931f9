// Joins ranks into communicators.
#pragma once

#include "group.h"

namespace rocport::ccl {

/** Takes a rank's seat, and waits for those of the others. The program gets null if that fails. */
std::unique_ptr<Job> join(std::shared_ptr<Comm> comm, const ncclUniqueId& id, int virtualGpu, ncclComm_t* handle);

/** Makes communicators of the ranks of one colour, in the order of keys. */
std::unique_ptr<Job> split(std::shared_ptr<Comm> comm, int color, int key, ncclComm_t* handle);

}  // namespace rocport::ccl
