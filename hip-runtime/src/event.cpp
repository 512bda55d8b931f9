#include "event.h"

#include <string.h>

#include <map>

#include "capture.h"
#include "device.h"
#include "pool.h"
#include "stream.h"

namespace rocport {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<Event*, std::shared_ptr<Event>> events;
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

hipEvent_t add(const std::shared_ptr<Event>& event) {
  std::lock_guard lock(registry().mutex);
  registry().events[event.get()] = event;
  return reinterpret_cast<hipEvent_t>(event.get());
}

void create(hipEvent_t* handle, unsigned flags) {
  constexpr unsigned KNOWN = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                             hipEventDisableSystemFence | hipEventReleaseToDevice |
                             hipEventReleaseToSystem;
  require(handle != nullptr && (flags & ~KNOWN) == 0);
  // At most one of the flags that select what a kernel before the event makes visible.
  unsigned released = flags & (hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem);
  require((released & (released - 1)) == 0);
  // As in HIP, an event that other processes see records no times.
  require((flags & hipEventInterprocess) == 0 || (flags & hipEventDisableTiming) != 0);
  int device = currentDevice();
  bool shared = (flags & hipEventInterprocess) != 0;
  *handle = add(std::make_shared<Event>(device, flags, shared ? std::make_shared<SharedEvent>() : nullptr));
}

void record(hipEvent_t handle, hipStream_t streamHandle, unsigned flags) {
  require(flags == hipEventRecordDefault || flags == hipEventRecordExternal);
  auto event = eventOf(handle);
  auto stream = streamOf(streamHandle);
  if (capturesRecord(*stream, event, flags == hipEventRecordExternal)) return;
  require(event->device == stream->device, hipErrorInvalidHandle);
  event->recordIn(*stream);
}

}  // namespace

Point Event::point() const {
  std::lock_guard lock(mutex_);
  return point_;
}

void Event::recordIn(Stream& stream) {
  Frees frees = stream.before();
  Point point;
  if (shared) {
    point = stream.enqueue(Task{[state = shared, number = shared->begin()] { state->finish(number); }});
  } else {
    point = stream.enqueue(Empty{});
  }
  std::lock_guard lock(mutex_);
  point_ = std::move(point);
  frees_ = std::move(frees);
}

void Event::waitIn(Stream& stream) const {
  if (shared) {
    uint32_t number = shared->last();
    if (!shared->reached(number) || clocks()) stream.enqueue(Task{[state = shared, number] { state->wait(number); }});
    return;
  }
  Point last;
  {
    std::lock_guard lock(mutex_);
    last = point_;
    stream.follow(frees_);
  }
  if (last && (!last->done() || clocks())) stream.enqueue(Empty{}, {last});
}

bool Event::reached() const {
  if (shared) {
    bool reached = shared->reached(shared->last());
    if (reached) hearOthers();
    return reached;
  }
  Point last = point();
  return !last || rocport::reached(last);
}

void Event::wait() const {
  if (shared) {
    shared->wait(shared->last());
  } else if (Point last = point()) {
    await({last});
  }
}

std::shared_ptr<Event> eventOf(hipEvent_t handle, hipError_t destroyed) {
  require(handle != nullptr, hipErrorInvalidHandle);
  std::lock_guard lock(registry().mutex);
  auto found = registry().events.find(reinterpret_cast<Event*>(handle));
  require(found != registry().events.end(), destroyed);
  return found->second;
}

void recordEvent(Event& event, hipStream_t stream) { event.recordIn(*streamOf(stream)); }

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipEventCreate(hipEvent_t* event) {
  return api([&] { create(event, hipEventDefault); });
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return api([&] { create(event, flags); });
}

hipError_t hipEventDestroy(hipEvent_t handle) {
  return api([&] {
    auto event = eventOf(handle);
    std::lock_guard lock(registry().mutex);
    registry().events.erase(event.get());
  });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return api([&] { record(event, stream, hipEventRecordDefault); });
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return api([&] { record(event, stream, flags); });
}

hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return hipEventRecord(event, stream ? stream : hipStreamPerThread);
}

hipError_t hipEventQuery(hipEvent_t handle) {
  return api([&] {
    auto event = eventOf(handle);
    forbidCaptured(*event);
    return event->reached() ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  return api([&] {
    auto event = eventOf(handle);
    forbidCaptured(*event);
    event->wait();
    trimPools();
    return failedMeanwhile();
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  return api([&] {
    require(milliseconds != nullptr);
    auto start = eventOf(from);
    auto stop = eventOf(to);
    require(start->device == stop->device, hipErrorInvalidHandle);
    require(start->timed() && stop->timed(), hipErrorInvalidHandle);
    Point first = start->point();
    Point last = stop->point();
    require(first && last, hipErrorInvalidHandle);
    require(first->done() && last->done(), hipErrorNotReady);
    std::chrono::duration<float, std::milli> time = last->time() - first->time();
    *milliseconds = time.count();
  });
}

hipError_t hipStreamWaitEvent(hipStream_t streamHandle, hipEvent_t handle, unsigned flags) {
  return api([&] {
    require(flags == hipEventWaitDefault || flags == hipEventWaitExternal);
    auto event = eventOf(handle);
    auto stream = streamOf(streamHandle, hipErrorInvalidHandle);
    if (capturesWait(*stream, event, flags == hipEventWaitExternal)) return;
    event->waitIn(*stream);
  });
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t given) {
  return api([&] {
    require(handle != nullptr && given != nullptr);
    auto event = eventOf(given);
    require(event->shared != nullptr, hipErrorInvalidConfiguration);
    Handle name = event->shared->handle();
    static_assert(sizeof handle->reserved == sizeof name);
    memcpy(handle->reserved, name.data(), name.size());
  });
}

hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
  return api([&] {
    require(event != nullptr);
    Handle name;
    memcpy(name.data(), handle.reserved, name.size());
    *event = add(std::make_shared<Event>(currentDevice(), hipEventDisableTiming | hipEventInterprocess,
                                         std::make_shared<SharedEvent>(name)));
  });
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(stream ? stream : hipStreamPerThread, event, flags);
}

}  // extern "C"
