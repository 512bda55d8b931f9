// Converts parameters of graph nodes to operations and back.
#pragma once

#include "graph.h"

namespace rocport {

Launch launchFrom(const hipKernelNodeParams& params);
Fill fillFrom(const hipMemsetParams& params);
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
