// The state of an event that several processes use: counters in shared memory.
#pragma once

#include <cstdint>

#include "descriptor.h"

namespace rocport {

class SharedEvent {
 public:
  /** A new one, of this process. */
  SharedEvent();

  /** That of another process; hipErrorInvalidContext where it is this process' own. */
  explicit SharedEvent(const Handle& handle);

  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  /** By which other processes open it. */
  Handle handle() const;

  /** One more recording has been asked for: its number. */
  uint32_t begin();

  /** A recording has been reached. */
  void finish(uint32_t number);

  /** The number of the last recording that any process has asked for; 0 for none. */
  uint32_t last() const;

  bool reached(uint32_t number) const;

  /** Until it is reached, or the process that recorded has ended. */
  void wait(uint32_t number) const;

 private:
  struct State;
  State* state_;
  bool own_;
};

}  // namespace rocport
