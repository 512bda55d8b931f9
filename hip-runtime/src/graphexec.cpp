// Instantiated graphs: a copy of the graph, launched into streams.
#include <map>

#include "allocation.h"
#include "capture.h"
#include "copy.h"
#include "event.h"
#include "node.h"
#include "signatures.h"
#include "stream.h"

namespace rocport {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

struct Executable {
  std::shared_ptr<Graph> graph;
  unsigned long long flags;
};

std::map<Executable*, std::shared_ptr<Executable>>& living() {
  static auto* all = new std::map<Executable*, std::shared_ptr<Executable>>;
  return *all;
}

std::shared_ptr<Executable> executableOf(hipGraphExec_t handle) {
  auto found = living().find(reinterpret_cast<Executable*>(handle));
  require(found != living().end());
  return found->second;
}

hipGraphExec_t instantiate(hipGraph_t handle, unsigned long long flags) {
  constexpr unsigned long long KNOWN =
      hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
      hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;
  // As in HIP, one of them at most.
  require((flags & ~KNOWN) == 0 && (flags & (flags - 1)) == 0);
  require((flags & hipGraphInstantiateFlagDeviceLaunch) == 0, hipErrorNotSupported);
  Lock lock(graphLock());
  auto graph = graphOf(handle);
  require(!graph->instantiated || !graph->ownsMemory(), hipErrorNotSupported);
  require(graph->nodes().empty() || !graph->ordered().empty());
  graph->instantiated = true;
  auto made = std::make_shared<Executable>(Executable{graph->clone(), flags});
  living()[made.get()] = made;
  return reinterpret_cast<hipGraphExec_t>(made.get());
}

/** The executable's own node for a node of the graph it was made from. */
Node* nodeIn(hipGraphExec_t exec, hipGraphNode_t original) {
  Node* node = executableOf(exec)->graph->cloneOf(nodeOf(original));
  require(node != nullptr);
  return node;
}

template <class T>
void replace(hipGraphExec_t exec, hipGraphNode_t node, T operation) {
  Lock lock(graphLock());
  only<T>(nodeIn(exec, node)) = std::move(operation);
}

/** Whether a program can disable a node. */
bool hasSwitch(const Node& node) {
  return std::holds_alternative<Launch>(node.operation) || std::holds_alternative<Copy>(node.operation) ||
         std::holds_alternative<Fill>(node.operation);
}

/** The direction of a copy cannot change. */
void replaceCopy(hipGraphExec_t exec, hipGraphNode_t node, Copy copy) {
  Lock lock(graphLock());
  Copy& old = only<Copy>(nodeIn(exec, node));
  require(old.asked.kind == copy.asked.kind);
  old = std::move(copy);
}

/** The memory that a copy reads cannot change to that of another GPU. */
void requireSameGpu(hipGraphExec_t exec, hipGraphNode_t node, const void* from) {
  Lock lock(graphLock());
  auto before = Allocations::get().find(only<Copy>(nodeIn(exec, node)).from.address);
  auto now = Allocations::get().find(from);
  require(!before || !now || before->gpu == now->gpu);
}

/** Why a graph cannot replace another one, and the node that shows it, or null. */
const Node* difference(const Graph& old, const Graph& now, hipGraphExecUpdateResult* why) {
  *why = hipGraphExecUpdateErrorTopologyChanged;
  if (old.nodes().size() != now.nodes().size()) return nullptr;
  std::map<const Node*, size_t> place;
  for (size_t i = 0; i < old.nodes().size(); i++) {
    place[old.nodes()[i].get()] = i;
    place[now.nodes()[i].get()] = i;
  }
  for (size_t i = 0; i < old.nodes().size(); i++) {
    const Node& before = *old.nodes()[i];
    const Node& after = *now.nodes()[i];
    if (before.operation.index() != after.operation.index()) {
      *why = hipGraphExecUpdateErrorNodeTypeChanged;
      return &after;
    }
    if (before.dependencies.size() != after.dependencies.size()) return &after;
    for (size_t d = 0; d < before.dependencies.size(); d++) {
      if (place[before.dependencies[d]] != place[after.dependencies[d]]) return &after;
    }
    if (const auto* child = std::get_if<Child>(&before.operation)) {
      const Node* inner = difference(*child->graph, *std::get<Child>(after.operation).graph, why);
      if (*why != hipGraphExecUpdateSuccess) return inner;
      *why = hipGraphExecUpdateErrorTopologyChanged;
    }
    if (const auto* copy = std::get_if<Copy>(&before.operation)) {
      if (copy->asked.kind != std::get<Copy>(after.operation).asked.kind) {
        *why = hipGraphExecUpdateErrorParametersChanged;
        return &after;
      }
    }
  }
  *why = hipGraphExecUpdateSuccess;
  return nullptr;
}

void adopt(Graph& executable, const Graph& graph) {
  for (size_t i = 0; i < graph.nodes().size(); i++) {
    Node& target = *executable.nodes()[i];
    const Node& source = *graph.nodes()[i];
    target.operation = source.operation;
    if (auto* child = std::get_if<Child>(&target.operation)) child->graph = child->graph->clone();
    target.memory = source.memory;
    target.original = &source;
  }
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGraphInstantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* errorNode,
                               char* log, size_t size) {
  return api([&] {
    require(exec != nullptr);
    if (errorNode) *errorNode = nullptr;
    if (log && size > 0) *log = '\0';
    *exec = instantiate(graph, 0);
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph,
                                        unsigned long long flags) {
  return api([&] {
    require(exec != nullptr);
    *exec = instantiate(graph, flags);
  });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* exec, hipGraph_t graph,
                                         hipGraphInstantiateParams* params) {
  return api([&] {
    require(exec != nullptr && params != nullptr);
    params->errNode_out = nullptr;
    params->result_out = hipGraphInstantiateError;
    {
      Lock lock(graphLock());
      auto given = graphOf(graph);
      bool circle = !given->nodes().empty() && given->ordered().empty();
      if (circle) params->result_out = hipGraphInstantiateInvalidStructure;
      if (params->flags & hipGraphInstantiateFlagDeviceLaunch) {
        params->result_out = hipGraphInstantiateNodeOperationNotSupported;
      }
    }
    *exec = instantiate(graph, params->flags);
    params->result_out = hipGraphInstantiateSuccess;
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  return api([&] {
    Lock lock(graphLock());
    auto kept = executableOf(exec);
    living().erase(kept.get());
  });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t exec, unsigned long long* flags) {
  return api([&] {
    require(flags != nullptr);
    Lock lock(graphLock());
    *flags = executableOf(exec)->flags;
  });
}

// Nothing to upload: a launch finds everything in place.
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream) {
  return api([&] {
    Lock lock(graphLock());
    executableOf(exec);
    streamOf(stream);
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t handle) {
  return api([&] {
    auto stream = streamOf(handle);
    Lock lock(graphLock());
    auto executable = executableOf(exec);
    if (isCapturing(*stream)) {
      captured(*stream, Child{executable->graph->clone()});
      return;
    }
    launchGraph(*executable->graph, *stream);
  });
}

hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) {
  return hipGraphLaunch(exec, stream ? stream : hipStreamPerThread);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t handle, hipGraphNode_t* errorNode,
                              hipGraphExecUpdateResult* result) {
  return api([&] {
    require(errorNode != nullptr && result != nullptr);
    Lock lock(graphLock());
    auto executable = executableOf(exec);
    auto graph = graphOf(handle);
    const Node* differs = difference(*executable->graph, *graph, result);
    *errorNode = differs ? handleOf(differs) : nullptr;
    require(*result == hipGraphExecUpdateSuccess, hipErrorGraphExecUpdateFailure);
    adopt(*executable->graph, *graph);
  });
}

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t handle,
                                     hipGraphNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    Node* node = nodeIn(exec, handle);
    Operation operation = operationFrom(*params);
    require(operation.index() == node->operation.index());
    node->operation = std::move(operation);
  });
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t handle,
                                           const hipKernelNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    Lock lock(graphLock());
    Launch& launch = only<Launch>(nodeIn(exec, handle));
    bool cooperative = launch.cooperative;
    launch = launchFrom(*params);
    launch.cooperative = cooperative;
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* params) {
  return api([&] {
    require(params != nullptr && params->extent.width > 0 && params->extent.height > 0 && params->extent.depth > 0);
    require(params->dstPtr.ptr == nullptr || params->dstPtr.pitch >= params->extent.width);
    require(params->srcPtr.ptr == nullptr || params->srcPtr.pitch >= params->extent.width);
    replaceCopy(exec, node, volumeCopy(*params));
  });
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to,
                                             const void* from, size_t bytes, hipMemcpyKind kind) {
  return api([&] { replaceCopy(exec, node, nodeCopy(to, from, bytes, kind)); });
}

hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void* to, const void* symbol, size_t bytes,
                                                     size_t offset, hipMemcpyKind kind) {
  return api([&] {
    requireCopy(symbol, to, bytes, kind);
    replaceCopy(exec, node, symbolCopyFrom(to, symbol, bytes, offset, kind));
  });
}

hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void* symbol, const void* from,
                                                   size_t bytes, size_t offset, hipMemcpyKind kind) {
  return api([&] {
    requireCopy(symbol, from, bytes, kind);
    requireSameGpu(exec, node, from);
    replaceCopy(exec, node, symbolCopyTo(symbol, from, bytes, offset, kind));
  });
}

hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D* params, hipCtx_t) {
  return api([&] {
    require(params != nullptr);
    replace(exec, node, volumeCopy(*params));
  });
}

hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* params) {
  return api([&] {
    require(params != nullptr);
    replace(exec, node, fillFrom(*params));
  });
}

hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const DriverMemset* params, hipCtx_t) {
  return api([&] {
    require(params != nullptr);
    replace(exec, node, fillOf(params->dst, params->value, params->elementSize, params->pitch, params->width, params->height));
  });
}

hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams* params) {
  return api([&] {
    require(params != nullptr && params->fn != nullptr);
    replace(exec, node, HostCall{params->fn, params->userData});
  });
}

hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipGraph_t child) {
  return api([&] {
    Lock lock(graphLock());
    auto graph = graphOf(child);
    hipGraphExecUpdateResult why;
    Child& own = only<Child>(nodeIn(exec, node));
    difference(*own.graph, *graph, &why);
    require(why == hipGraphExecUpdateSuccess);
    own.graph = graph->clone();
  });
}

hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event) {
  return api([&] { replace(exec, node, Record{given(event)}); });
}

hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event) {
  return api([&] { replace(exec, node, Wait{given(event)}); });
}

hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               const hipBatchMemOpNodeParams* params) {
  return api([&] {
    require(params != nullptr);
    replace(exec, node, batchFrom(*params));
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t handle, unsigned enabled) {
  return api([&] {
    Lock lock(graphLock());
    Node* node = nodeIn(exec, handle);
    require(hasSwitch(*node));
    node->enabled = enabled != 0;
  });
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned* enabled) {
  return api([&] {
    require(enabled != nullptr);
    Lock lock(graphLock());
    Node* own = nodeIn(exec, node);
    require(hasSwitch(*own));
    *enabled = own->enabled;
  });
}

}  // extern "C"
