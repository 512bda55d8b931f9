#include "node.h"

#include "allocation.h"
#include "copy.h"
#include "device.h"
#include "event.h"
#include "launch.h"
#include "registration.h"
#include "signatures.h"

namespace rocport {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::vector<Node*> dependenciesOf(const hipGraphNode_t* handles, size_t count) {
  require(count == 0 || handles != nullptr);
  std::vector<Node*> nodes;
  for (size_t i = 0; i < count; i++) nodes.push_back(nodeOf(handles[i]));
  return nodes;
}

/** Adds a node; every function that adds one comes here. */
void add(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
         Operation operation) {
  require(out != nullptr);
  Lock lock(graphLock());
  *out = handleOf(graphOf(graph)->add(std::move(operation), dependenciesOf(dependencies, count)));
}

template <class T>
void replace(hipGraphNode_t handle, T operation) {
  Lock lock(graphLock());
  only<T>(nodeOf(handle)) = std::move(operation);
}

hipMemsetParams plain(const DriverMemset& driver) {
  hipMemsetParams params = {};
  params.dst = driver.dst;
  params.pitch = driver.pitch;
  params.value = driver.value;
  params.elementSize = driver.elementSize;
  params.width = driver.width;
  params.height = driver.height;
  return params;
}

std::shared_ptr<Graph> childOf(hipGraph_t graph) { return graphOf(graph)->clone(); }

/** The GPUs keep no part of their cache for a range, so only ranges without bytes are small enough. */
void checkWindow(const hipAccessPolicyWindow& window) {
  int most = 0;
  hipError_t known =
      hipDeviceGetAttribute(&most, hipDeviceAttributeAccessPolicyMaxWindowSize, currentDevice());
  require(known == hipSuccess && window.num_bytes <= static_cast<size_t>(most));
  require(window.hitRatio >= 0 && window.hitRatio <= 1 && window.missProp != hipAccessPropertyPersisting);
}

HostCall hostCall(const hipHostNodeParams* params) {
  require(params != nullptr && params->fn != nullptr);
  return {params->fn, params->userData};
}

}  // namespace

Launch launchFrom(const hipKernelNodeParams& params) {
  Launch launch = launchOf(kernelFor(params.func, currentDevice()), params.gridDim, params.blockDim,
                           params.sharedMemBytes, params.kernelParams, params.extra);
  launch.function = params.func;
  return launch;
}

BatchNode batchFrom(const hipBatchMemOpNodeParams& params) {
  checkBatch(params.count, params.paramArray);
  return {{params.paramArray, params.paramArray + params.count}, params.ctx, params.flags};
}

std::shared_ptr<Event> given(hipEvent_t event) {
  require(event != nullptr);
  return eventOf(event);
}

Copy nodeCopy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  require(bytes > 0 && to != from);
  return linearCopy(to, from, bytes, kind);
}

void requireCopy(const void* symbol, const void* other, size_t bytes, hipMemcpyKind kind) {
  require(symbol != nullptr, hipErrorInvalidSymbol);
  require(bytes > 0 && (kind != hipMemcpyDeviceToDevice || Allocations::get().find(other)));
}

Fill fillFrom(const hipMemsetParams& params) {
  require(params.height > 0 && params.width > 0);
  return fillOf(params.dst, params.value, params.elementSize, params.pitch, params.width, params.height);
}

Operation operationFrom(hipGraphNodeParams& params) {
  switch (params.type) {
    case hipGraphNodeTypeKernel:
      return launchFrom(params.kernel);
    case hipGraphNodeTypeMemcpy:
      return volumeCopy(params.memcpy.copyParams);
    case hipGraphNodeTypeMemset:
      return fillFrom(params.memset);
    case hipGraphNodeTypeHost:
      return hostCall(&params.host);
    case hipGraphNodeTypeGraph:
      return Child{childOf(params.graph.graph)};
    case hipGraphNodeTypeEmpty:
      return Empty{};
    case hipGraphNodeTypeWaitEvent:
      return Wait{eventOf(params.eventWait.event)};
    case hipGraphNodeTypeEventRecord:
      return Record{eventOf(params.eventRecord.event)};
    case hipGraphNodeTypeMemFree:
      return FreeNode{params.free.dptr};
    default:
      require(params.type < hipGraphNodeTypeCount);
      fail(hipErrorNotSupported);
  }
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                           size_t count, hipGraphNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    if (params->type == hipGraphNodeTypeMemAlloc) {
      return hipGraphAddMemAllocNode(node, graph, dependencies, count, &params->alloc);
    }
    add(node, graph, dependencies, count, operationFrom(*params));
    return hipSuccess;
  });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t handle, hipGraphNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    Node* node = nodeOf(handle);
    Operation operation = operationFrom(*params);
    require(operation.index() == node->operation.index());
    node->operation = std::move(operation);
  });
}

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph,
                                const hipGraphNode_t* dependencies, size_t count) {
  return api([&] { add(node, graph, dependencies, count, Empty{}); });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipKernelNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, launchFrom(*params));
  });
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    Node* node = nodeOf(handle);
    Launch& launch = only<Launch>(node);
    node->argumentPointers.clear();
    for (const Argument& argument : launch.kernel->arguments) {
      node->argumentPointers.push_back(launch.arguments.data() + argument.offset);
    }
    *params = {};
    params->func = const_cast<void*>(launch.function);
    params->gridDim = launch.grid;
    params->blockDim = launch.block;
    params->sharedMemBytes = launch.dynamicLds;
    params->kernelParams = node->argumentPointers.data();
  });
}

hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    replace(node, launchFrom(*params));
  });
}

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t handle, hipLaunchAttributeID id,
                                          const hipLaunchAttributeValue* value) {
  return api([&] {
    require(value != nullptr);
    require(id == hipLaunchAttributeCooperative || id == hipLaunchAttributePriority ||
            id == hipLaunchAttributeAccessPolicyWindow);
    Lock lock(graphLock());
    Node* node = nodeOf(handle);
    Launch& launch = only<Launch>(node);
    if (id == hipLaunchAttributeCooperative) launch.cooperative = value->cooperative != 0;
    if (id == hipLaunchAttributeAccessPolicyWindow) checkWindow(value->accessPolicyWindow);
    node->attributes[id] = *value;
  });
}

hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t handle, hipLaunchAttributeID id,
                                          hipLaunchAttributeValue* value) {
  return api([&] {
    require(value != nullptr);
    Lock lock(graphLock());
    Node* node = nodeOf(handle);
    Launch& launch = only<Launch>(node);
    require(id == hipLaunchAttributeCooperative || id == hipLaunchAttributePriority ||
            id == hipLaunchAttributeAccessPolicyWindow);
    *value = {};
    auto kept = node->attributes.find(id);
    if (kept != node->attributes.end()) {
      *value = kept->second;
    } else if (id == hipLaunchAttributeCooperative) {
      value->cooperative = launch.cooperative;
    }
  });
}

hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  return api([&] {
    Lock lock(graphLock());
    Node* source = nodeOf(from);
    Node* target = nodeOf(to);
    only<Launch>(target).cooperative = only<Launch>(source).cooperative;
    target->attributes = source->attributes;
  });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipMemcpy3DParms* params) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, volumeCopy(*params));
  });
}

hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    *params = only<Copy>(nodeOf(node)).asked;
  });
}

hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* params) {
  return api([&] {
    require(params != nullptr);
    replace(node, volumeCopy(*params));
  });
}

hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, size_t count, void* to,
                                   const void* from, size_t bytes, hipMemcpyKind kind) {
  return api([&] { add(node, graph, dependencies, count, linearCopy(to, from, bytes, kind)); });
}

hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from,
                                         size_t bytes, hipMemcpyKind kind) {
  return api([&] { replace(node, nodeCopy(to, from, bytes, kind)); });
}

hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                           const hipGraphNode_t* dependencies, size_t count,
                                           void* to, const void* symbol, size_t bytes,
                                           size_t offset, hipMemcpyKind kind) {
  return api([&] {
    add(node, graph, dependencies, count, symbolCopyFrom(to, symbol, bytes, offset, kind));
  });
}

hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* to, const void* symbol,
                                                 size_t bytes, size_t offset, hipMemcpyKind kind) {
  return api([&] {
    requireCopy(symbol, to, bytes, kind);
    replace(node, symbolCopyFrom(to, symbol, bytes, offset, kind));
  });
}

hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph,
                                         const hipGraphNode_t* dependencies, size_t count,
                                         const void* symbol, const void* from, size_t bytes,
                                         size_t offset, hipMemcpyKind kind) {
  return api([&] {
    add(node, graph, dependencies, count, symbolCopyTo(symbol, from, bytes, offset, kind));
  });
}

hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol,
                                               const void* from, size_t bytes, size_t offset,
                                               hipMemcpyKind kind) {
  return api([&] {
    requireCopy(symbol, from, bytes, kind);
    replace(node, symbolCopyTo(symbol, from, bytes, offset, kind));
  });
}

hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    const HIP_MEMCPY3D* params, hipCtx_t) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, volumeCopy(*params));
  });
}

hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    *params = driverForm(only<Copy>(nodeOf(node)));
  });
}

hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D* params) {
  return api([&] {
    require(params != nullptr);
    replace(node, volumeCopy(*params));
  });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, size_t count,
                                 const hipMemsetParams* params) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, fillFrom(*params));
  });
}

hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    const DriverMemset* params, hipCtx_t) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, fillFrom(plain(*params)));
  });
}

hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    *params = described(only<Fill>(nodeOf(node)));
  });
}

hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* params) {
  return api([&] {
    require(params != nullptr);
    replace(node, fillFrom(*params));
  });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph,
                               const hipGraphNode_t* dependencies, size_t count,
                               const hipHostNodeParams* params) {
  return api([&] { add(node, graph, dependencies, count, hostCall(params)); });
}

hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    const HostCall& call = only<HostCall>(nodeOf(node));
    *params = {call.function, call.data};
  });
}

hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* params) {
  return api([&] { replace(node, hostCall(params)); });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     hipGraph_t child) {
  return api([&] { add(node, graph, dependencies, count, Child{childOf(child)}); });
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
  return api([&] {
    require(graph != nullptr);
    Lock lock(graphLock());
    *graph = expose(only<Child>(nodeOf(node)).graph);
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph,
                                      const hipGraphNode_t* dependencies, size_t count,
                                      hipEvent_t event) {
  return api([&] { add(node, graph, dependencies, count, Record{given(event)}); });
}

hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return api([&] {
    require(event != nullptr);
    Lock lock(graphLock());
    *event = reinterpret_cast<hipEvent_t>(only<Record>(nodeOf(node)).event.get());
  });
}

hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return api([&] { replace(node, Record{given(event)}); });
}

hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, size_t count,
                                    hipEvent_t event) {
  return api([&] { add(node, graph, dependencies, count, Wait{given(event)}); });
}

hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
  return api([&] {
    require(event != nullptr);
    Lock lock(graphLock());
    *event = reinterpret_cast<hipEvent_t>(only<Wait>(nodeOf(node)).event.get());
  });
}

hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return api([&] { replace(node, Wait{given(event)}); });
}

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, size_t count,
                                   hipMemAllocNodeParams* params) {
  return api([&] {
    require(node != nullptr && params != nullptr);
    Lock lock(graphLock());
    *node = handleOf(addAllocation(*graphOf(graph), dependenciesOf(dependencies, count), *params));
  });
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    *params = only<AllocateNode>(nodeOf(node)).params;
  });
}

hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph,
                                  const hipGraphNode_t* dependencies, size_t count, void* address) {
  return api([&] {
    auto found = Allocations::get().find(address);
    require(found && found->start == reinterpret_cast<uintptr_t>(address));
    add(node, graph, dependencies, count, FreeNode{address});
  });
}

hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     hipDeviceptr_t address) {
  return hipGraphAddMemFreeNode(node, graph, dependencies, count, address);
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* address) {
  return api([&] {
    require(address != nullptr);
    Lock lock(graphLock());
    *static_cast<void**>(address) = only<FreeNode>(nodeOf(node)).address;
  });
}

hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t* node, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, size_t count,
                                     const hipBatchMemOpNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    add(node, graph, dependencies, count, batchFrom(*params));
  });
}

hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t node, hipBatchMemOpNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    replace(node, batchFrom(*params));
  });
}

hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t node, hipBatchMemOpNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    BatchNode& batch = only<BatchNode>(nodeOf(node));
    *params = {};
    params->ctx = batch.context;
    params->count = static_cast<unsigned>(batch.operations.size());
    params->paramArray = batch.operations.data();
    params->flags = batch.flags;
  });
}

}  // extern "C"
