// Library work on the host, on memory that host and device share.
#pragma once

#include <hip/hip_runtime_api.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

/** Of the runtime: what lies at these addresses may have been written; none: anything may. */
extern "C" void rocportMayHaveWritten(const void* const* addresses, size_t count);

namespace rocport {

using Work = std::function<void()>;

/** What work may write: the allocations of these addresses, or with none whatever there is. */
using Written = std::vector<const void*>;

/**
 * Appends work to a stream, or to the graph that captures the stream. The graph owns the work and
 * may run it many times.
 */
inline hipError_t inOrder(hipStream_t stream, Work work, Written written = {}) {
  auto kept = std::make_unique<Work>([work = std::move(work), written = std::move(written)] {
    work();
    rocportMayHaveWritten(written.data(), written.size());
  });
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  hipGraph_t graph = nullptr;
  hipError_t error =
      hipStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, nullptr, nullptr);
  if (error != hipSuccess) return error;
  if (status != hipStreamCaptureStatusActive) {
    auto once = [](void* data) {
      std::unique_ptr<Work> mine(static_cast<Work*>(data));
      (*mine)();
    };
    error = hipLaunchHostFunc(stream, once, kept.get());
    if (error == hipSuccess) kept.release();
    return error;
  }
  auto again = [](void* data) { (*static_cast<Work*>(data))(); };
  error = hipLaunchHostFunc(stream, again, kept.get());
  if (error != hipSuccess) return error;
  hipUserObject_t owner = nullptr;
  auto destroy = [](void* data) { delete static_cast<Work*>(data); };
  error = hipUserObjectCreate(&owner, kept.get(), destroy, 1, hipUserObjectNoDestructorSync);
  if (error != hipSuccess) return error;
  kept.release();
  return hipGraphRetainUserObject(graph, owner, 1, hipGraphUserObjectMove);
}

/** Does work after all that the stream holds, and returns when it is done. */
inline hipError_t inOrderNow(hipStream_t stream, const Work& work) {
  hipError_t error = hipStreamSynchronize(stream);
  if (error == hipSuccess) {
    work();
    rocportMayHaveWritten(nullptr, 0);
  }
  return error;
}

}  // namespace rocport
