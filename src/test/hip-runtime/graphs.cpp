// Graphs: captured, made by hand, changed, cloned.
#include <cstring>
#include <vector>

#include "check.h"

static int calls = 0;
static void call(void*) { calls++; }

static void captureForksAndJoins() {
  hipStream_t main, side;
  hipEvent_t forked, joined;
  char *device, *host;
  WORKS(hipStreamCreate(&main));
  WORKS(hipStreamCreate(&side));
  WORKS(hipEventCreate(&forked));
  WORKS(hipEventCreate(&joined));
  WORKS(hipMalloc(reinterpret_cast<void**>(&device), 100));
  WORKS(hipHostMalloc(reinterpret_cast<void**>(&host), 100, 0));
  hipGraph_t graph = nullptr;
  // What would have to wait for the capture spoils it.
  WORKS(hipStreamBeginCapture(main, hipStreamCaptureModeGlobal));
  void* other = nullptr;
  GIVES(hipMalloc(&other, 1), hipErrorStreamCaptureUnsupported);
  GIVES(hipStreamEndCapture(main, &graph), hipErrorStreamCaptureInvalidated);
  WORKS(hipStreamBeginCapture(main, hipStreamCaptureModeRelaxed));
  WORKS(hipMalloc(&other, 1));
  WORKS(hipStreamEndCapture(main, &graph));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipFree(other));
  // A side that never comes back.
  WORKS(hipStreamBeginCapture(main, hipStreamCaptureModeGlobal));
  WORKS(hipEventRecord(forked, main));
  WORKS(hipStreamWaitEvent(side, forked, 0));
  WORKS(hipMemsetAsync(device, 1, 100, side));
  GIVES(hipStreamEndCapture(side, &graph), hipErrorStreamCaptureUnmatched);
  GIVES(hipStreamEndCapture(main, &graph), hipErrorStreamCaptureUnjoined);

  // One that is destroyed, first without its work having come back.
  for (bool joins : {false, true}) {
    hipStream_t brief;
    WORKS(hipStreamCreate(&brief));
    WORKS(hipStreamBeginCapture(main, hipStreamCaptureModeGlobal));
    WORKS(hipEventRecord(forked, main));
    WORKS(hipStreamWaitEvent(brief, forked, 0));
    WORKS(hipMemsetAsync(device, 1, 100, brief));
    WORKS(hipEventRecord(joined, brief));
    if (joins) WORKS(hipStreamWaitEvent(main, joined, 0));
    WORKS(hipStreamDestroy(brief));
    GIVES(hipStreamEndCapture(main, &graph), joins ? hipSuccess : hipErrorStreamCaptureUnjoined);
  }
  WORKS(hipGraphDestroy(graph));

  WORKS(hipStreamBeginCapture(main, hipStreamCaptureModeThreadLocal));
  hipStreamCaptureStatus ofLegacy;
  GIVES(hipStreamGetCaptureInfo(nullptr, &ofLegacy, nullptr), hipErrorStreamCaptureImplicit);
  WORKS(hipMemsetAsync(device, 9, 100, main));
  WORKS(hipEventRecord(forked, main));
  WORKS(hipStreamWaitEvent(side, forked, 0));
  WORKS(hipMemcpyAsync(host, device, 100, hipMemcpyDeviceToHost, side));
  WORKS(hipEventRecord(joined, side));
  WORKS(hipStreamWaitEvent(main, joined, 0));
  WORKS(hipLaunchHostFunc(main, call, nullptr));
  hipStreamCaptureStatus status;
  WORKS(hipStreamIsCapturing(side, &status));
  HOLDS(status == hipStreamCaptureStatusActive);
  WORKS(hipStreamEndCapture(main, &graph));
  size_t nodes = 0, edges = 0;
  WORKS(hipGraphGetNodes(graph, nullptr, &nodes));
  WORKS(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
  HOLDS(nodes == 3 && edges == 3);
  hipGraphExec_t exec;
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  calls = 0;
  std::memset(host, 0, 100);
  for (int i = 0; i < 3; i++) WORKS(hipGraphLaunch(exec, main));
  WORKS(hipStreamSynchronize(main));
  HOLDS(calls == 3 && host[99] == 9);
  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  GIVES(hipGraphDestroy(graph), hipErrorInvalidValue);
  WORKS(hipHostFree(host));
  WORKS(hipFree(device));
  WORKS(hipEventDestroy(forked));
  WORKS(hipEventDestroy(joined));
  WORKS(hipStreamDestroy(main));
  WORKS(hipStreamDestroy(side));
}

static void updatesKeepTheKindsOfNodes() {
  std::vector<char> host(100);
  char* device = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&device), 100));
  hipGraph_t up, down, longer, owner;
  hipGraphNode_t copy, back, first, second;
  WORKS(hipGraphCreate(&up, 0));
  WORKS(hipGraphAddMemcpyNode1D(&copy, up, nullptr, 0, device, host.data(), 100, hipMemcpyHostToDevice));
  WORKS(hipGraphCreate(&down, 0));
  WORKS(hipGraphAddMemcpyNode1D(&back, down, nullptr, 0, host.data(), device, 100, hipMemcpyDeviceToHost));
  WORKS(hipGraphCreate(&longer, 0));
  WORKS(hipGraphAddMemcpyNode1D(&first, longer, nullptr, 0, device, host.data(), 100, hipMemcpyHostToDevice));
  WORKS(hipGraphAddEmptyNode(&second, longer, &first, 1));
  hipGraphExec_t exec;
  WORKS(hipGraphInstantiate(&exec, up, nullptr, nullptr, 0));
  hipGraphNode_t wrong = copy;
  hipGraphExecUpdateResult result;
  GIVES(hipGraphExecUpdate(exec, down, &wrong, &result), hipErrorGraphExecUpdateFailure);
  HOLDS(result == hipGraphExecUpdateErrorParametersChanged && wrong == back);
  GIVES(hipGraphExecUpdate(exec, longer, &wrong, &result), hipErrorGraphExecUpdateFailure);
  HOLDS(result == hipGraphExecUpdateErrorTopologyChanged && wrong == nullptr);
  WORKS(hipGraphExecUpdate(exec, up, &wrong, &result));
  GIVES(hipGraphExecMemcpyNodeSetParams1D(exec, copy, host.data(), device, 100, hipMemcpyDeviceToHost),
        hipErrorInvalidValue);
  WORKS(hipGraphExecMemcpyNodeSetParams1D(exec, copy, device, host.data(), 50, hipMemcpyHostToDevice));
  WORKS(hipGraphExecDestroy(exec));

  WORKS(hipGraphCreate(&owner, 0));
  hipMemAllocNodeParams params = {};
  params.bytesize = 64;
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  WORKS(hipGraphAddMemAllocNode(&first, owner, nullptr, 0, &params));
  WORKS(hipGraphInstantiate(&exec, owner, nullptr, nullptr, 0));
  hipGraphExec_t again;
  GIVES(hipGraphInstantiate(&again, owner, nullptr, nullptr, 0), hipErrorNotSupported);
  WORKS(hipGraphExecDestroy(exec));
  for (hipGraph_t graph : {up, down, longer, owner}) WORKS(hipGraphDestroy(graph));
  WORKS(hipFree(device));
}

// A launch allocates memory of its graph again after the program has freed it.
static void memoryOfGraphsFreedOutside() {
  hipStream_t stream;
  WORKS(hipStreamCreate(&stream));
  hipMemAllocNodeParams params = {};
  params.bytesize = 400;
  params.poolProps.allocType = hipMemAllocationTypePinned;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  hipGraph_t graph;
  hipGraphExec_t exec;
  hipGraphNode_t memory, fill;
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipGraphAddMemAllocNode(&memory, graph, nullptr, 0, &params));
  hipMemsetParams set = {};
  set.dst = params.dptr;
  set.elementSize = 4;
  set.value = 5;
  set.width = 100;
  set.height = 1;
  WORKS(hipGraphAddMemsetNode(&fill, graph, &memory, 1, &set));
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int round = 0; round < 3; round++) {
    std::vector<int> out(100);
    WORKS(hipGraphLaunch(exec, stream));
    WORKS(hipMemcpyAsync(out.data(), params.dptr, 400, hipMemcpyDeviceToHost, stream));
    WORKS(hipStreamSynchronize(stream));
    HOLDS(out.front() == 5 && out.back() == 5);
    if (round % 2 == 0) {
      WORKS(hipFree(params.dptr));
      GIVES(hipFree(params.dptr), hipErrorInvalidValue);
    } else {
      WORKS(hipFreeAsync(params.dptr, stream));
      WORKS(hipStreamSynchronize(stream));
    }
  }
  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipStreamDestroy(stream));
}

static void graphsByHand() {
  std::vector<int> in(100, 3), out(100);
  int* device = nullptr;
  WORKS(hipMalloc(reinterpret_cast<void**>(&device), 400));
  hipGraph_t graph, clone;
  hipGraphNode_t up, down, host, fill, child;
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipGraphAddMemcpyNode1D(&up, graph, nullptr, 0, device, in.data(), 400, hipMemcpyHostToDevice));
  hipMemsetParams set = {};
  set.dst = device;
  set.elementSize = 4;
  set.value = 77;
  set.width = 1;
  set.height = 1;
  WORKS(hipGraphAddMemsetNode(&fill, graph, &up, 1, &set));
  WORKS(hipGraphAddMemcpyNode1D(&down, graph, &fill, 1, out.data(), device, 400, hipMemcpyDeviceToHost));
  hipHostNodeParams function = {call, nullptr};
  WORKS(hipGraphAddHostNode(&host, graph, &down, 1, &function));
  hipGraphNodeType type;
  WORKS(hipGraphNodeGetType(fill, &type));
  HOLDS(type == hipGraphNodeTypeMemset);
  WORKS(hipGraphClone(&clone, graph));
  hipGraphNode_t same;
  WORKS(hipGraphNodeFindInClone(&same, fill, clone));
  HOLDS(same != fill);
  hipGraph_t outer;
  WORKS(hipGraphCreate(&outer, 0));
  WORKS(hipGraphAddChildGraphNode(&child, outer, nullptr, 0, clone));

  hipGraphExec_t exec, nested;
  WORKS(hipGraphInstantiateWithFlags(&exec, graph, 0));
  WORKS(hipGraphInstantiateWithFlags(&nested, outer, 0));
  calls = 0;
  WORKS(hipGraphLaunch(nested, nullptr));
  WORKS(hipDeviceSynchronize());
  HOLDS(calls == 1 && out[0] == 77 && out[1] == 3);

  set.value = 78;
  WORKS(hipGraphExecMemsetNodeSetParams(exec, fill, &set));
  in[1] = 4;
  WORKS(hipGraphLaunch(exec, nullptr));
  WORKS(hipDeviceSynchronize());
  HOLDS(calls == 2 && out[0] == 78 && out[1] == 4);

  WORKS(hipGraphNodeSetEnabled(exec, fill, 0));
  WORKS(hipGraphLaunch(exec, nullptr));
  WORKS(hipDeviceSynchronize());
  HOLDS(out[0] == 3);

  set.value = 79;
  WORKS(hipGraphMemsetNodeSetParams(fill, &set));
  hipGraphNode_t differs;
  hipGraphExecUpdateResult result;
  WORKS(hipGraphNodeSetEnabled(exec, fill, 1));
  WORKS(hipGraphExecUpdate(exec, graph, &differs, &result));
  WORKS(hipGraphLaunch(exec, nullptr));
  WORKS(hipDeviceSynchronize());
  HOLDS(out[0] == 79);
  WORKS(hipGraphDestroyNode(host));
  GIVES(hipGraphExecUpdate(exec, graph, &differs, &result), hipErrorGraphExecUpdateFailure);
  HOLDS(result == hipGraphExecUpdateErrorTopologyChanged);

  // A circle cannot be launched.
  WORKS(hipGraphAddDependencies(graph, &down, &up, 1));
  GIVES(hipGraphInstantiateWithFlags(&exec, graph, 0), hipErrorInvalidValue);
  WORKS(hipFree(device));
}

static int destroyed = 0;
static void destroy(void*) { destroyed++; }

// HIP lets programs release more references than there are, and name objects that are gone.
static void userObjectsEndWithTheirLastReference() {
  hipGraph_t graph, clone;
  hipUserObject_t object, other;
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipUserObjectCreate(&object, nullptr, destroy, 2, hipUserObjectNoDestructorSync));
  WORKS(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  WORKS(hipGraphClone(&clone, graph));
  WORKS(hipUserObjectRelease(object, 1));
  WORKS(hipGraphReleaseUserObject(graph, object, 4));
  HOLDS(destroyed == 0);
  WORKS(hipGraphDestroy(clone));
  HOLDS(destroyed == 1);
  WORKS(hipUserObjectRelease(object, 1));
  WORKS(hipUserObjectRetain(object, 1));
  WORKS(hipGraphRetainUserObject(graph, object, 1, 0));
  WORKS(hipUserObjectCreate(&object, nullptr, destroy, 1, hipUserObjectNoDestructorSync));
  WORKS(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
  WORKS(hipUserObjectRelease(object, 9));
  HOLDS(destroyed == 2);
  WORKS(hipUserObjectCreate(&other, nullptr, destroy, 1, hipUserObjectNoDestructorSync));
  WORKS(hipGraphDestroy(graph));
  HOLDS(destroyed == 2);
  WORKS(hipUserObjectRelease(other, 1));
  HOLDS(destroyed == 3);
  GIVES(hipUserObjectRelease(nullptr, 1), hipErrorInvalidValue);
  GIVES(hipUserObjectRelease(other, 0), hipErrorInvalidValue);
}

static void nodesCheckWhatTheyAreGiven() {
  hipGraph_t graph;
  hipGraphNode_t copy, fill, empty, wait, memory;
  hipGraphExec_t exec;
  char bytes[4] = {}, others[4] = {};
  void* device = nullptr;
  hipEvent_t event;
  WORKS(hipMalloc(&device, 4));
  WORKS(hipEventCreate(&event));
  WORKS(hipGraphCreate(&graph, 0));
  WORKS(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, device, bytes, 4, hipMemcpyHostToDevice));
  hipMemsetParams set = {};
  set.dst = device;
  set.elementSize = set.width = set.height = 1;
  WORKS(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  WORKS(hipGraphAddEmptyNode(&empty, graph, nullptr, 0));
  WORKS(hipGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
  GIVES(hipGraphMemcpyNodeSetParams1D(copy, device, device, 4, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  GIVES(hipGraphMemcpyNodeSetParams1D(copy, device, others, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
  WORKS(hipGraphMemcpyNodeSetParams1D(copy, device, others, 4, hipMemcpyHostToDevice));
  WORKS(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  unsigned enabled = 7;
  WORKS(hipGraphNodeGetEnabled(exec, fill, &enabled));
  HOLDS(enabled == 1);
  GIVES(hipGraphNodeGetEnabled(exec, empty, &enabled), hipErrorInvalidValue);
  GIVES(hipGraphNodeGetEnabled(exec, wait, &enabled), hipErrorInvalidValue);
  GIVES(hipGraphExecEventWaitNodeSetEvent(exec, wait, nullptr), hipErrorInvalidValue);
  hipMemAllocNodeParams params = {};
  params.bytesize = 64;
  params.poolProps.location = {hipMemLocationTypeDevice, 0};
  GIVES(hipGraphAddMemAllocNode(&memory, graph, nullptr, 0, &params), hipErrorInvalidValue);
  WORKS(hipGraphExecDestroy(exec));
  WORKS(hipGraphDestroy(graph));
  WORKS(hipEventDestroy(event));
  WORKS(hipFree(device));
}

int main() {
  userObjectsEndWithTheirLastReference();
  nodesCheckWhatTheyAreGiven();
  captureForksAndJoins();
  updatesKeepTheKindsOfNodes();
  memoryOfGraphsFreedOutside();
  graphsByHand();
  return done();
}
