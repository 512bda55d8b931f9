#include "capture.h"

#include <algorithm>
#include <set>
#include <thread>

#include "event.h"
#include "graph.h"
#include "stream.h"

namespace rocport {

/** One capture, from hipStreamBeginCapture to hipStreamEndCapture. */
class Capture {
 public:
  Capture(std::shared_ptr<Graph> graph, hipStreamCaptureMode mode, const Stream* origin)
      : graph(std::move(graph)), mode(mode), origin(origin), thread(std::this_thread::get_id()) {
    static unsigned long long last = 0;
    id = ++last;
  }

  const std::shared_ptr<Graph> graph;
  const hipStreamCaptureMode mode;
  const Stream* const origin;
  const std::thread::id thread;
  unsigned long long id;
  bool spoiled = false;
  std::map<Stream*, std::vector<Node*>> tails;  // what the next operation of a stream depends on
  std::vector<Node*> left;                      // the same of streams that were destroyed
  std::vector<hipGraphNode_t> shown;            // returned by hipStreamGetCaptureInfo_v2
};

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::set<Capture*>& active() {
  static auto* all = new std::set<Capture*>;
  return *all;
}

thread_local hipStreamCaptureMode threadMode = hipStreamCaptureModeGlobal;

std::vector<Node*> merged(std::vector<Node*> nodes, const std::vector<Node*>& more) {
  for (Node* node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  return nodes;
}

void join(Stream& stream, const std::shared_ptr<Capture>& capture, const std::vector<Node*>& nodes) {
  stream.capture = capture;
  capture->tails[&stream] = merged(capture->tails[&stream], nodes);
}

/** A blocking stream's capture forbids the null stream, which would have to wait for it. */
Capture* blockedBy(const Stream& stream) {
  if (stream.role != Stream::Role::LEGACY) return nullptr;
  for (Capture* capture : active()) {
    for (const auto& [member, nodes] : capture->tails) {
      if (member->role == Stream::Role::BLOCKING && member->device == stream.device) return capture;
    }
  }
  return nullptr;
}

/** The capture of a stream, if it can take one more operation. */
Capture* takes(Stream& stream) {
  if (Capture* blocking = blockedBy(stream)) {
    blocking->spoiled = true;
    fail(hipErrorStreamCaptureImplicit);
  }
  if (!stream.capture) return nullptr;
  require(!stream.capture->spoiled, hipErrorStreamCaptureInvalidated);
  return stream.capture.get();
}

Node* take(Capture& capture, Stream& stream, Operation operation) {
  Node* node = capture.graph->add(std::move(operation), capture.tails[&stream]);
  capture.tails[&stream] = {node};
  return node;
}

std::set<const Node*> ancestors(const std::vector<Node*>& nodes) {
  std::set<const Node*> seen;
  std::vector<const Node*> left(nodes.begin(), nodes.end());
  while (!left.empty()) {
    const Node* node = left.back();
    left.pop_back();
    if (!seen.insert(node).second) continue;
    left.insert(left.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return seen;
}

void begin(hipStream_t handle, const std::shared_ptr<Graph>& graph, const std::vector<Node*>& nodes,
           hipStreamCaptureMode mode) {
  require(mode == hipStreamCaptureModeGlobal || mode == hipStreamCaptureModeThreadLocal ||
          mode == hipStreamCaptureModeRelaxed);
  auto stream = streamOf(handle);
  Lock lock(graphLock());
  require(stream->role != Stream::Role::LEGACY, hipErrorStreamCaptureUnsupported);
  require(!stream->capture, hipErrorIllegalState);
  auto capture = std::make_shared<Capture>(graph, mode, stream.get());
  active().insert(capture.get());
  join(*stream, capture, nodes);
}

bool joined(Capture& capture, Stream& origin) {
  std::set<const Node*> reached = ancestors(capture.tails[&origin]);
  std::vector<Node*> ends = capture.left;
  for (const auto& [stream, nodes] : capture.tails) ends.insert(ends.end(), nodes.begin(), nodes.end());
  return std::all_of(ends.begin(), ends.end(), [&](const Node* node) { return reached.count(node) != 0; });
}

hipError_t end(hipStream_t handle, hipGraph_t* graph) {
  require(graph != nullptr);
  auto stream = streamOf(handle);
  Lock lock(graphLock());
  auto capture = stream->capture;
  require(capture != nullptr, hipErrorIllegalState);
  require(capture->origin == stream.get(), hipErrorStreamCaptureUnmatched);
  require(capture->mode == hipStreamCaptureModeRelaxed || capture->thread == std::this_thread::get_id(),
          hipErrorStreamCaptureWrongThread);
  hipError_t result = capture->spoiled             ? hipErrorStreamCaptureInvalidated
                      : joined(*capture, *stream) ? hipSuccess
                                                   : hipErrorStreamCaptureUnjoined;
  for (const auto& [member, nodes] : capture->tails) member->capture = nullptr;
  active().erase(capture.get());
  *graph = result == hipSuccess ? expose(capture->graph) : nullptr;
  return result;
}

hipStreamCaptureStatus statusOf(const Stream& stream) {
  if (!stream.capture) return hipStreamCaptureStatusNone;
  return stream.capture->spoiled ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

hipStream_t perThread(hipStream_t stream) { return stream ? stream : hipStreamPerThread; }

}  // namespace

bool captured(Stream& stream, const Operation& operation) {
  Lock lock(graphLock());
  Capture* capture = takes(stream);
  if (!capture) return false;
  take(*capture, stream, operation);
  return true;
}

bool isCapturing(Stream& stream) {
  Lock lock(graphLock());
  return takes(stream) != nullptr;
}

void* captureAllocation(Stream& stream, size_t bytes) {
  Lock lock(graphLock());
  Capture* capture = takes(stream);
  require(capture != nullptr);
  hipMemAllocNodeParams params = {};
  params.bytesize = bytes;
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, stream.device};
  capture->tails[&stream] = {addAllocation(*capture->graph, capture->tails[&stream], params)};
  return params.dptr;
}

bool capturesRecord(Stream& stream, const std::shared_ptr<Event>& event, bool external) {
  Lock lock(graphLock());
  Capture* capture = takes(stream);
  event->capture = nullptr;
  event->nodes.clear();
  if (!capture) return false;
  if (external) {
    take(*capture, stream, Record{event});
  } else {
    event->capture = stream.capture;
    event->nodes = capture->tails[&stream];
  }
  return true;
}

bool capturesWait(Stream& stream, const std::shared_ptr<Event>& event, bool external) {
  Lock lock(graphLock());
  Capture* capture = takes(stream);
  if (capture && external) {
    take(*capture, stream, Wait{event});
    return true;
  }
  if (event->capture && active().count(event->capture.get()) == 0) event->capture = nullptr;
  if (event->capture) {
    if (capture && capture != event->capture.get()) {
      capture->spoiled = event->capture->spoiled = true;
      fail(hipErrorStreamCaptureMerge);
    }
    require(stream.role != Stream::Role::LEGACY, hipErrorStreamCaptureImplicit);
    join(stream, event->capture, event->nodes);
    return true;
  }
  if (capture) {
    Point point = event->point();
    if (point) {
      capture->spoiled = true;
      fail(hipErrorStreamCaptureIsolation);
    }
    return true;
  }
  return false;
}

void forbidWhileCapturing(Stream& stream) {
  Lock lock(graphLock());
  if (takes(stream)) {
    stream.capture->spoiled = true;
    fail(hipErrorStreamCaptureUnsupported);
  }
}

void forbidWhileCapturing(int device) {
  Lock lock(graphLock());
  bool any = false;
  for (Capture* capture : active()) {
    for (const auto& [member, nodes] : capture->tails) {
      if (member->device == device) capture->spoiled = any = true;
    }
  }
  require(!any, hipErrorStreamCaptureUnsupported);
}

void forbidUnsafe() {
  Lock lock(graphLock());
  if (threadMode == hipStreamCaptureModeRelaxed) return;
  for (Capture* capture : active()) {
    bool mine = capture->thread == std::this_thread::get_id();
    bool forbids = capture->mode == hipStreamCaptureModeRelaxed ? false
                   : mine ? true
                          : capture->mode == hipStreamCaptureModeGlobal &&
                                threadMode == hipStreamCaptureModeGlobal;
    if (forbids) {
      capture->spoiled = true;
      fail(hipErrorStreamCaptureUnsupported);
    }
  }
}

void forbidCaptured(Event& event) {
  Lock lock(graphLock());
  if (event.capture && active().count(event.capture.get()) != 0) {
    event.capture->spoiled = true;
    fail(hipErrorCapturedEvent);
  }
}

void abandonCapture(Stream& stream) {
  Lock lock(graphLock());
  if (!stream.capture) return;
  auto capture = stream.capture;
  capture->left = merged(capture->left, capture->tails[&stream]);
  capture->tails.erase(&stream);
  stream.capture = nullptr;
  if (capture->origin == &stream) {
    capture->spoiled = true;
    for (const auto& [member, nodes] : capture->tails) member->capture = nullptr;
    active().erase(capture.get());
  }
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
  return api([&] { begin(stream, std::make_shared<Graph>(), {}, mode); });
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies, const hipGraphEdgeData*,
                                        size_t count, hipStreamCaptureMode mode) {
  return api([&] {
    require(count == 0 || dependencies != nullptr);
    std::vector<Node*> nodes;
    for (size_t i = 0; i < count; i++) nodes.push_back(nodeOf(dependencies[i]));
    begin(stream, graphOf(graph), nodes, mode);
  });
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* graph) {
  return api([&] { return end(stream, graph); });
}

hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  return api([&] {
    require(status != nullptr);
    auto stream = streamOf(handle);
    Lock lock(graphLock());
    require(blockedBy(*stream) == nullptr, hipErrorStreamCaptureImplicit);
    *status = statusOf(*stream);
  });
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status,
                                      unsigned long long* id, hipGraph_t* graph,
                                      const hipGraphNode_t** dependencies, size_t* count) {
  return api([&] {
    require(status != nullptr);
    auto stream = streamOf(handle);
    Lock lock(graphLock());
    require(blockedBy(*stream) == nullptr, hipErrorStreamCaptureImplicit);
    *status = statusOf(*stream);
    if (!stream->capture) return;
    Capture& capture = *stream->capture;
    if (id) *id = capture.id;
    if (graph) *graph = expose(capture.graph);
    capture.shown.clear();
    for (const Node* node : capture.tails[stream.get()]) capture.shown.push_back(handleOf(node));
    if (dependencies) *dependencies = capture.shown.data();
    if (count) *count = capture.shown.size();
  });
}

hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status,
                                   unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies,
                                              size_t count, unsigned flags) {
  return api([&] {
    require(count == 0 || dependencies != nullptr);
    require(flags == hipStreamAddCaptureDependencies || flags == hipStreamSetCaptureDependencies);
    auto stream = streamOf(handle);
    Lock lock(graphLock());
    Capture* capture = takes(*stream);
    require(capture != nullptr, hipErrorIllegalState);
    std::vector<Node*> nodes;
    for (size_t i = 0; i < count; i++) {
      nodes.push_back(nodeOf(dependencies[i]));
      require(nodes.back()->graph == capture->graph.get());
    }
    auto& tail = capture->tails[stream.get()];
    tail = flags == hipStreamSetCaptureDependencies ? nodes : merged(tail, nodes);
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return api([&] {
    require(mode != nullptr && *mode >= hipStreamCaptureModeGlobal && *mode <= hipStreamCaptureModeRelaxed);
    std::swap(*mode, threadMode);
  });
}

hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return hipStreamBeginCapture(perThread(stream), mode);
}

hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* graph) {
  return hipStreamEndCapture(perThread(stream), graph);
}

hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamIsCapturing(perThread(stream), status);
}

hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return hipStreamGetCaptureInfo(perThread(stream), status, id);
}

hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                          unsigned long long* id, hipGraph_t* graph,
                                          const hipGraphNode_t** dependencies, size_t* count) {
  return hipStreamGetCaptureInfo_v2(perThread(stream), status, id, graph, dependencies, count);
}

}  // extern "C"
