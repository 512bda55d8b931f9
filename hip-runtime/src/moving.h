// Pages of the program that are replaced by others with the same content, while other threads may use them.
#pragma once

#include <cstdint>

namespace rocport {

/** While it lives, other threads that write to these pages wait. There is one at a time. */
class Moving {
 public:
  Moving(uintptr_t first, uintptr_t end);
  ~Moving();
  Moving(const Moving&) = delete;
  Moving& operator=(const Moving&) = delete;

 private:
  uintptr_t first_;
  uintptr_t end_;
};

/** For the handler of faults: waits until no page at this address is being moved. False if none was. */
bool awaitMoved(uintptr_t address);

}  // namespace rocport
