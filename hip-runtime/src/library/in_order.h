// Work of a library that is done on the host, on memory that host and device share.
#pragma once

#include <hip/hip_runtime_api.h>

#include <functional>
#include <memory>
#include <utility>

namespace rocport {

using Work = std::function<void()>;

/**
 * Puts work at the end of a stream, or into the graph that the stream is captured to, which may do
 * it many times and owns it.
 */
inline hipError_t inOrder(hipStream_t stream, Work work) {
  auto kept = std::make_unique<Work>(std::move(work));
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
  if (error == hipSuccess) work();
  return error;
}

}  // namespace rocport
