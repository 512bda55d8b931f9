// Memory of the program that hipHostRegister has moved.
#pragma once

#include <cstdint>

namespace rocport {

/** Whether other processes find the memory of the registered piece that has this address on the device. */
bool foundByOthers(uintptr_t device);

}  // namespace rocport
