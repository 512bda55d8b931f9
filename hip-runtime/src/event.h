// Events: the last point that was recorded.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "completion.h"
#include "error.h"
#include "sharedevent.h"

namespace rocport {

class Capture;
class Stream;
struct Node;

class Event : public std::enable_shared_from_this<Event> {
 public:
  Event(int device, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : device(device), flags(flags), shared(std::move(shared)) {}

  const int device;
  const unsigned flags;
  const std::shared_ptr<SharedEvent> shared;  // of an event that other processes may see

  bool timed() const { return (flags & hipEventDisableTiming) == 0; }

  /** The point that was recorded last in this process; null where none was. */
  Point point() const;

  /** Records the end of what is in a stream, outside of captures. */
  void recordIn(Stream& stream);

  /** Lets a stream continue once the last recorded point has been reached. */
  void waitIn(Stream& stream) const;

  /** Whether what was recorded last, by any process, has been reached. */
  bool reached() const;

  /** Waits until it is. */
  void wait() const;

  /** Where in a capture the event was recorded; empty outside of one. Held under Capture's lock. */
  std::shared_ptr<Capture> capture;
  std::vector<Node*> nodes;

 private:
  mutable std::mutex mutex_;
  Point point_;
  std::map<uint64_t, uint64_t> frees_;  // that come before it: see Stream::before
};

/**
 * The event of a handle; hipErrorInvalidHandle for null.
 *
 * @param destroyed the result of the call for any other handle
 */
std::shared_ptr<Event> eventOf(hipEvent_t handle, hipError_t destroyed = hipErrorContextIsDestroyed);

/** Records an event in a stream, outside of captures. */
void recordEvent(Event& event, hipStream_t stream);

}  // namespace rocport
