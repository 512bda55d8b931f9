// Events: the last point that was recorded.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "completion.h"
#include "error.h"

namespace rocport {

class Capture;
struct Node;

class Event : public std::enable_shared_from_this<Event> {
 public:
  Event(int device, unsigned flags) : device(device), flags(flags) {}

  const int device;
  const unsigned flags;

  bool timed() const { return (flags & hipEventDisableTiming) == 0; }

  /** The point that was recorded last; null where none was. */
  Point point() const;
  void record(Point point);

  /** Where in a capture the event was recorded; empty outside of one. Held under Capture's lock. */
  std::shared_ptr<Capture> capture;
  std::vector<Node*> nodes;

 private:
  mutable std::mutex mutex_;
  Point point_;
};

/** The event of a handle, or hipErrorInvalidHandle. */
std::shared_ptr<Event> eventOf(hipEvent_t handle);

/** Records an event in a stream, outside of captures. */
void recordEvent(Event& event, hipStream_t stream);

}  // namespace rocport
