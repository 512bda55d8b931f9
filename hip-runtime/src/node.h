// Converts parameters of graph nodes to operations and back.
#pragma once

#include "graph.h"

namespace rocport {

Launch launchFrom(const hipKernelNodeParams& params);
Fill fillFrom(const hipMemsetParams& params);

/** The event of a node; hipErrorInvalidValue if there is none. */
std::shared_ptr<Event> given(hipEvent_t event);

/** A copy that a node gets later: of at least one byte, and not to where it comes from. */
Copy nodeCopy(void* to, const void* from, size_t bytes, hipMemcpyKind kind);

/** Checks for one between a symbol and other memory, which is the GPU's if the direction says so. */
void requireCopy(const void* symbol, const void* other, size_t bytes, hipMemcpyKind kind);

Operation operationFrom(hipGraphNodeParams& params);
BatchNode batchFrom(const hipBatchMemOpNodeParams& params);

/** The operation of a node if it is of this type, else hipErrorInvalidValue. */
template <class T>
T& only(Node* node) {
  T* operation = std::get_if<T>(&node->operation);
  require(operation != nullptr);
  return *operation;
}

}  // namespace rocport
