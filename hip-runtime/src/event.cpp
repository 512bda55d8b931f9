#include "event.h"

#include <map>

#include "capture.h"
#include "device.h"
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

void create(hipEvent_t* handle, unsigned flags) {
  constexpr unsigned KNOWN = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                             hipEventDisableSystemFence | hipEventReleaseToDevice |
                             hipEventReleaseToSystem;
  require(handle != nullptr && (flags & ~KNOWN) == 0);
  // As in HIP, an event that other processes see has no times.
  require((flags & hipEventInterprocess) == 0 || (flags & hipEventDisableTiming) != 0);
  auto event = std::make_shared<Event>(currentDevice(), flags);
  std::lock_guard lock(registry().mutex);
  registry().events[event.get()] = event;
  *handle = reinterpret_cast<hipEvent_t>(event.get());
}

void record(hipEvent_t handle, hipStream_t streamHandle, unsigned flags) {
  require(flags == hipEventRecordDefault || flags == hipEventRecordExternal);
  auto event = eventOf(handle);
  auto stream = streamOf(streamHandle);
  if (capturesRecord(*stream, event, flags == hipEventRecordExternal)) return;
  require(event->device == stream->device, hipErrorInvalidHandle);
  event->record(stream->enqueue(Empty{}));
}

}  // namespace

Point Event::point() const {
  std::lock_guard lock(mutex_);
  return point_;
}

void Event::record(Point point) {
  std::lock_guard lock(mutex_);
  point_ = std::move(point);
}

std::shared_ptr<Event> eventOf(hipEvent_t handle) {
  require(handle != nullptr, hipErrorInvalidHandle);
  std::lock_guard lock(registry().mutex);
  auto found = registry().events.find(reinterpret_cast<Event*>(handle));
  require(found != registry().events.end(), hipErrorInvalidHandle);
  return found->second;
}

void recordEvent(Event& event, hipStream_t stream) {
  event.record(streamOf(stream)->enqueue(Empty{}));
}

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
    Point point = event->point();
    return !point || point->done() ? hipSuccess : hipErrorNotReady;
  });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  return api([&] {
    auto event = eventOf(handle);
    forbidCaptured(*event);
    if (Point point = event->point()) point->wait();
    return failedMeanwhile();
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
  return api([&] {
    require(milliseconds != nullptr);
    auto start = eventOf(from);
    auto stop = eventOf(to);
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
    auto stream = streamOf(streamHandle);
    if (capturesWait(*stream, event, flags == hipEventWaitExternal)) return;
    Point point = event->point();
    if (point && !point->done()) stream->enqueue(Empty{}, {point});
  });
}

hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(stream ? stream : hipStreamPerThread, event, flags);
}

}  // extern "C"
