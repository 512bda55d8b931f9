// External memory and semaphores. Memory is imported by file descriptors of hipMemExportToShareableHandle. Semaphores
// belong to graphics, which ROCm does not support on Linux: its device rejects every import (importExtSemaphore in
// rocclr/device/rocm/rocdevice.hpp of ROCm/clr), so no handle that a program passes can be valid.
#include "external.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "allocation.h"
#include "capture.h"
#include "device.h"
#include "graph.h"
#include "stream.h"
#include "virtual.h"

namespace rocport {
namespace {

struct External {
  hipMemGenericAllocationHandle_t memory;
  size_t size;
  std::vector<void*> buffers;
};

struct Table {
  std::mutex mutex;
  std::map<External*, std::unique_ptr<External>> imported;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

External& externalOf(hipExternalMemory_t handle) {
  auto* memory = static_cast<External*>(handle);
  require(memory != nullptr && table().imported.count(memory) != 0);
  return *memory;
}

/** No semaphore can have been imported. */
template <class Params>
void checkSemaphores(const hipExternalSemaphore_t* semaphores, const Params* params, unsigned count) {
  require(semaphores != nullptr && params != nullptr);
  require(count == 0);
}

template <class NodeParams>
hipError_t addNode(hipGraphNode_t* node, hipGraph_t graph, const NodeParams* params) {
  return api([&] {
    require(node != nullptr && params != nullptr);
    graphOf(graph);
    require(params->numExtSems > 0);
    checkSemaphores(params->extSemArray, params->paramsArray, params->numExtSems);
  });
}

/** No node can be one that signals or waits for a semaphore. */
hipError_t noSuchNode(hipGraphNode_t node, const void* params) {
  return api([&] {
    require(params != nullptr);
    nodeOf(node);
    fail(hipErrorInvalidValue);
  });
}

}  // namespace

void freeExternal(void* address) {
  drainAll();
  std::lock_guard lock(table().mutex);
  for (auto& [handle, memory] : table().imported) {
    auto found = std::find(memory->buffers.begin(), memory->buffers.end(), address);
    if (found == memory->buffers.end()) continue;
    memory->buffers.erase(found);
    return unmapWhole(address);
  }
  fail(hipErrorInvalidValue);
}

}  // namespace rocport

using namespace rocport;
using Lock = std::lock_guard<std::mutex>;

extern "C" {

hipError_t hipImportExternalMemory(hipExternalMemory_t* handle, const hipExternalMemoryHandleDesc* desc) {
  return api([&] {
    require(handle != nullptr && desc != nullptr && desc->size > 0);
    require(desc->flags == 0 || desc->flags == hipExternalMemoryDedicated);
    // The other types are for Windows and NVIDIA.
    require(desc->type == hipExternalMemoryHandleTypeOpaqueFd, hipErrorNotSupported);
    auto memory = std::make_unique<External>(External{importMemory(desc->handle.fd), desc->size, {}});
    Lock lock(table().mutex);
    *handle = memory.get();
    table().imported[memory.get()] = std::move(memory);
  });
}

hipError_t hipExternalMemoryGetMappedBuffer(void** address, hipExternalMemory_t handle,
                                            const hipExternalMemoryBufferDesc* desc) {
  return api([&] {
    require(address != nullptr && desc != nullptr && desc->flags == 0);
    Lock lock(table().mutex);
    External& memory = externalOf(handle);
    require(desc->size > 0 && desc->offset <= memory.size && desc->size <= memory.size - desc->offset);
    *address = mapWhole(memory.memory, desc->offset, desc->size, currentDevice());
    memory.buffers.push_back(*address);
  });
}

// A mipmapped array is an image, which these GPUs do not have.
hipError_t hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t* array, hipExternalMemory_t handle,
                                                    const hipExternalMemoryMipmappedArrayDesc* desc) {
  return api([&] {
    require(array != nullptr && desc != nullptr);
    Lock lock(table().mutex);
    externalOf(handle);
    fail(hipErrorNotSupported);
  });
}

hipError_t hipDestroyExternalMemory(hipExternalMemory_t handle) {
  return api([&] {
    forbidUnsafe();
    drainAll();
    Lock lock(table().mutex);
    External& memory = externalOf(handle);
    for (void* buffer : memory.buffers) unmapWhole(buffer);
    hipError_t released = hipMemRelease(memory.memory);
    table().imported.erase(&memory);
    require(released == hipSuccess, released);
  });
}

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* handle, const hipExternalSemaphoreHandleDesc* desc) {
  return api([&] {
    require(handle != nullptr && desc != nullptr);
    require(desc->type >= hipExternalSemaphoreHandleTypeOpaqueFd &&
            desc->type <= hipExternalSemaphoreHandleTypeD3D12Fence);
    require(desc->handle.fd != 0);
    currentDevice();
    fail(hipErrorNotSupported);
  });
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* semaphores,
                                            const hipExternalSemaphoreSignalParams* params,
                                            unsigned count, hipStream_t stream) {
  return api([&] {
    streamOf(stream);
    checkSemaphores(semaphores, params, count);
  });
}

hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* semaphores,
                                          const hipExternalSemaphoreWaitParams* params,
                                          unsigned count, hipStream_t stream) {
  return api([&] {
    streamOf(stream);
    checkSemaphores(semaphores, params, count);
  });
}

hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t) {
  return api([&] {
    currentDevice();
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t* node, hipGraph_t graph,
                                                   const hipGraphNode_t*, size_t,
                                                   const hipExternalSemaphoreSignalNodeParams* params) {
  return addNode(node, graph, params);
}

hipError_t hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t* node, hipGraph_t graph,
                                                 const hipGraphNode_t*, size_t,
                                                 const hipExternalSemaphoreWaitNodeParams* params) {
  return addNode(node, graph, params);
}

hipError_t hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t node,
                                                         hipExternalSemaphoreSignalNodeParams* params) {
  return noSuchNode(node, params);
}

hipError_t hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t node,
                                                         const hipExternalSemaphoreSignalNodeParams* params) {
  return noSuchNode(node, params);
}

hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t node,
                                                       hipExternalSemaphoreWaitNodeParams* params) {
  return noSuchNode(node, params);
}

hipError_t hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t node,
                                                       const hipExternalSemaphoreWaitNodeParams* params) {
  return noSuchNode(node, params);
}

hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(hipGraphExec_t, hipGraphNode_t node,
                                                             const hipExternalSemaphoreSignalNodeParams* params) {
  return noSuchNode(node, params);
}

hipError_t hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t, hipGraphNode_t node,
                                                           const hipExternalSemaphoreWaitNodeParams* params) {
  return noSuchNode(node, params);
}

}  // extern "C"
