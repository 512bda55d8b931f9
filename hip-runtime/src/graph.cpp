#include "graph.h"

#include <algorithm>
#include <optional>
#include <set>

#include "capture.h"
#include "clock.h"
#include "copy.h"
#include "device.h"
#include "event.h"
#include "graphmemory.h"
#include "memory.h"
#include "stream.h"
#include "turns.h"

namespace rocport {
namespace {

std::map<Graph*, std::shared_ptr<Graph>>& exposed() {
  static auto* all = new std::map<Graph*, std::shared_ptr<Graph>>;
  return *all;
}

std::set<const Node*>& living() {
  static auto* all = new std::set<const Node*>;
  return *all;
}

void drop(std::vector<Node*>& nodes, const Node* node) {
  nodes.erase(std::remove(nodes.begin(), nodes.end(), node), nodes.end());
}

}  // namespace

std::recursive_mutex& graphLock() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

Node* Graph::add(Operation operation, const std::vector<Node*>& dependencies) {
  auto node = std::make_unique<Node>();
  node->graph = this;
  node->id = next_++;
  node->operation = std::move(operation);
  Node* added = node.get();
  nodes_.push_back(std::move(node));
  living().insert(added);
  for (Node* dependency : dependencies) connect(dependency, added);
  return added;
}

void Graph::remove(Node* node) {
  for (Node* other : node->dependencies) drop(other->dependents, node);
  for (Node* other : node->dependents) drop(other->dependencies, node);
  living().erase(node);
  nodes_.erase(std::find_if(nodes_.begin(), nodes_.end(),
                            [node](const auto& known) { return known.get() == node; }));
}

void Graph::connect(Node* from, Node* to) {
  require(from != to && from->graph == this && to->graph == this);
  require(std::find(to->dependencies.begin(), to->dependencies.end(), from) == to->dependencies.end());
  from->dependents.push_back(to);
  to->dependencies.push_back(from);
}

void Graph::disconnect(Node* from, Node* to) {
  require(std::find(to->dependencies.begin(), to->dependencies.end(), from) != to->dependencies.end());
  drop(from->dependents, to);
  drop(to->dependencies, from);
}

std::vector<Node*> Graph::ordered() const {
  return ordered([](size_t) { return size_t{0}; });
}

std::vector<Node*> Graph::shuffled() const { return ordered(chance); }

std::vector<Node*> Graph::ordered(size_t (*choose)(size_t)) const {
  std::map<const Node*, size_t> open;
  std::set<std::pair<uint64_t, Node*>> ready;  // the oldest first
  for (const auto& node : nodes_) {
    open[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) ready.insert({node->id, node.get()});
  }
  std::vector<Node*> order;
  while (!ready.empty()) {
    auto chosen = std::next(ready.begin(), static_cast<ptrdiff_t>(choose(ready.size())));
    Node* node = chosen->second;
    ready.erase(chosen);
    order.push_back(node);
    for (Node* next : node->dependents) {
      if (--open[next] == 0) ready.insert({next->id, next});
    }
  }
  if (order.size() != nodes_.size()) order.clear();
  return order;
}

bool Graph::ownsMemory() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
    return std::holds_alternative<AllocateNode>(node->operation) || std::holds_alternative<FreeNode>(node->operation);
  });
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> clones;
  for (const auto& node : nodes_) {
    Operation operation = node->operation;
    if (auto* child = std::get_if<Child>(&operation)) child->graph = child->graph->clone();
    Node* made = copy->add(std::move(operation), {});
    made->enabled = node->enabled;
    made->attributes = node->attributes;
    made->memory = node->memory;
    made->original = node.get();
    clones[node.get()] = made;
  }
  for (const auto& node : nodes_) {
    for (const Node* dependency : node->dependencies) copy->connect(clones[dependency], clones[node.get()]);
  }
  for (const auto& [object, count] : objects) {
    retain(object, count);
    copy->objects[object] = count;
  }
  return copy;
}

Node* Graph::cloneOf(const Node* original) const {
  for (const auto& node : nodes_) {
    if (node->original == original) return node.get();
  }
  return nullptr;
}

Graph::~Graph() {
  std::lock_guard lock(graphLock());
  for (const auto& node : nodes_) living().erase(node.get());
  for (const auto& [object, count] : objects) rocport::release(object, count);
}

hipGraph_t expose(const std::shared_ptr<Graph>& graph) {
  std::lock_guard lock(graphLock());
  exposed()[graph.get()] = graph;
  return reinterpret_cast<hipGraph_t>(graph.get());
}

std::shared_ptr<Graph> graphOf(hipGraph_t handle) {
  std::lock_guard lock(graphLock());
  auto found = exposed().find(reinterpret_cast<Graph*>(handle));
  require(found != exposed().end());
  return found->second;
}

Node* nodeOf(hipGraphNode_t handle) {
  std::lock_guard lock(graphLock());
  auto* node = reinterpret_cast<Node*>(handle);
  require(living().count(node) != 0);
  return node;
}

Node* addAllocation(Graph& graph, const std::vector<Node*>& dependencies,
                    hipMemAllocNodeParams& params) {
  // The address is part of the graph from the start, and the same in each launch.
  require(params.bytesize > 0 && params.poolProps.allocType == hipMemAllocationTypePinned &&
          params.poolProps.location.type == hipMemLocationTypeDevice);
  require(params.poolProps.location.id >= 0 && params.poolProps.location.id < Session::get().count());
  int before = currentDevice();
  useDevice(params.poolProps.location.id);
  params.dptr = allocate(Kind::DEVICE, params.bytesize);
  useDevice(before);
  Node* node = graph.add(AllocateNode{params}, dependencies);
  int device = params.poolProps.location.id;
  size_t bytes = params.bytesize;
  graphMemoryTaken(device, bytes);
  graphMemoryStarts(params.dptr);
  node->memory = std::shared_ptr<void>(params.dptr, [device, bytes](void* address) {
    graphMemoryGiven(device, bytes);
    try {
      drainAll();  // a launch may still use it
      graphMemoryEnds(address);
      release(address);
    } catch (const Failure&) {
      // The device has ended.
    }
  });
  return node;
}

namespace {

/** What does not depend on each other in a graph happens on lines of its own, as far as clocks go. */
class Branches {
 public:
  explicit Branches(Stream& stream) : stream_(stream) { join(); }

  /** Puts a node into the stream that happens after what it depends on. */
  void add(const Node& node) {
    std::vector<Point> follows;
    for (const Node* dependency : node.dependencies) collect(*dependency, follows);
    if (follows.empty()) follows.push_back(base_);
    size_t branch = branchFor(follows);
    tips_[branch] = done_[&node] = stream_.enqueueNode(node.operation, std::move(follows), branch);
  }

  /** Lets all that is in the stream come together; what is added then comes after it. */
  void join() { tips_ = {base_ = stream_.enqueue(Empty{}, tips_)}; }

 private:
  /** The nearest nodes before that do something. */
  void collect(const Node& node, std::vector<Point>& points) {
    auto known = done_.find(&node);
    if (known != done_.end()) {
      points.push_back(known->second);
    } else if (node.enabled) {
      points.push_back(base_);  // it precedes the join
    } else {
      for (const Node* dependency : node.dependencies) collect(*dependency, points);
    }
  }

  size_t branchFor(const std::vector<Point>& follows) {
    for (size_t i = 0; i < tips_.size(); i++) {
      if (std::find(follows.begin(), follows.end(), tips_[i]) != follows.end()) return i;
    }
    tips_.emplace_back();
    return tips_.size() - 1;
  }

  Stream& stream_;
  Point base_;               // the join of all branches
  std::vector<Point> tips_;  // the end of each branch
  std::map<const Node*, Point> done_;
};

}  // namespace

void launchGraph(const Graph& graph, Stream& stream) {
  std::optional<Branches> branches;
  if (clocks()) branches.emplace(stream);
  for (const Node* node : late() ? graph.shuffled() : graph.ordered()) {
    if (!node->enabled) continue;
    const auto* child = std::get_if<Child>(&node->operation);
    const auto* record = std::get_if<Record>(&node->operation);
    const auto* wait = std::get_if<Wait>(&node->operation);
    if (child == nullptr && record == nullptr && wait == nullptr) {
      if (branches) {
        branches->add(*node);
      } else {
        stream.enqueue(node->operation);
      }
      continue;
    }
    if (branches) branches->join();
    if (child) launchGraph(*child->graph, stream);
    if (record) record->event->recordIn(stream);
    if (wait) wait->event->waitIn(stream);
    if (branches) branches->join();
  }
  if (branches) branches->join();
}

namespace {

std::vector<Node*> nodesOf(const hipGraphNode_t* handles, size_t count) {
  require(count == 0 || handles != nullptr);
  std::vector<Node*> nodes;
  for (size_t i = 0; i < count; i++) nodes.push_back(nodeOf(handles[i]));
  return nodes;
}

/** The usual form of an answer: how many, and as many as the caller has room for. */
void answer(const std::vector<Node*>& nodes, hipGraphNode_t* out, size_t* count) {
  require(count != nullptr);
  if (out == nullptr) {
    *count = nodes.size();
    return;
  }
  for (size_t i = 0; i < *count; i++) out[i] = i < nodes.size() ? handleOf(nodes[i]) : nullptr;
  *count = std::min(*count, nodes.size());
}

hipGraphNodeType typeOf(const Node& node) {
  struct Types {
    hipGraphNodeType operator()(const Empty&) { return hipGraphNodeTypeEmpty; }
    hipGraphNodeType operator()(const Launch&) { return hipGraphNodeTypeKernel; }
    hipGraphNodeType operator()(const Copy&) { return hipGraphNodeTypeMemcpy; }
    hipGraphNodeType operator()(const Fill&) { return hipGraphNodeTypeMemset; }
    hipGraphNodeType operator()(const HostCall&) { return hipGraphNodeTypeHost; }
    hipGraphNodeType operator()(const Task&) { return hipGraphNodeTypeBatchMemOp; }
    hipGraphNodeType operator()(const Record&) { return hipGraphNodeTypeEventRecord; }
    hipGraphNodeType operator()(const Wait&) { return hipGraphNodeTypeWaitEvent; }
    hipGraphNodeType operator()(const Child&) { return hipGraphNodeTypeGraph; }
    hipGraphNodeType operator()(const AllocateNode&) { return hipGraphNodeTypeMemAlloc; }
    hipGraphNodeType operator()(const FreeNode&) { return hipGraphNodeTypeMemFree; }
    hipGraphNodeType operator()(const BatchNode&) { return hipGraphNodeTypeBatchMemOp; }
  };
  return std::visit(Types(), node.operation);
}

}  // namespace
}  // namespace rocport

using namespace rocport;
using Lock = std::lock_guard<std::recursive_mutex>;

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
  return api([&] {
    require(graph != nullptr && flags == 0);
    *graph = expose(std::make_shared<Graph>());
  });
}

hipError_t hipGraphDestroy(hipGraph_t handle) {
  return api([&] {
    auto graph = graphOf(handle);
    Lock lock(graphLock());
    exposed().erase(graph.get());
  });
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
  return api([&] {
    require(clone != nullptr);
    Lock lock(graphLock());
    *clone = expose(graphOf(original)->clone());
  });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* found, hipGraphNode_t original, hipGraph_t clone) {
  return api([&] {
    require(found != nullptr);
    Lock lock(graphLock());
    Node* node = graphOf(clone)->cloneOf(nodeOf(original));
    require(node != nullptr);
    *found = handleOf(node);
  });
}

hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, size_t count) {
  return api([&] {
    Lock lock(graphLock());
    auto graph = graphOf(handle);
    std::vector<Node*> sources = nodesOf(from, count);
    std::vector<Node*> targets = nodesOf(to, count);
    for (size_t i = 0; i < count; i++) graph->connect(sources[i], targets[i]);
  });
}

hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, size_t count) {
  return api([&] {
    Lock lock(graphLock());
    auto graph = graphOf(handle);
    std::vector<Node*> sources = nodesOf(from, count);
    std::vector<Node*> targets = nodesOf(to, count);
    for (size_t i = 0; i < count; i++) graph->disconnect(sources[i], targets[i]);
  });
}

hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to,
                            size_t* count) {
  return api([&] {
    require(count != nullptr && (from == nullptr) == (to == nullptr));
    Lock lock(graphLock());
    std::vector<Node*> sources;
    std::vector<Node*> targets;
    for (const auto& node : graphOf(handle)->nodes()) {
      for (Node* next : node->dependents) {
        sources.push_back(node.get());
        targets.push_back(next);
      }
    }
    size_t room = *count;
    answer(sources, from, count);
    if (to) answer(targets, to, &room);
  });
}

hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    Lock lock(graphLock());
    std::vector<Node*> all;
    for (const auto& node : graphOf(handle)->nodes()) all.push_back(node.get());
    answer(all, nodes, count);
  });
}

hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    Lock lock(graphLock());
    std::vector<Node*> roots;
    for (const auto& node : graphOf(handle)->nodes()) {
      if (node->dependencies.empty()) roots.push_back(node.get());
    }
    answer(roots, nodes, count);
  });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    Lock lock(graphLock());
    answer(nodeOf(node)->dependencies, nodes, count);
  });
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* nodes, size_t* count) {
  return api([&] {
    Lock lock(graphLock());
    answer(nodeOf(node)->dependents, nodes, count);
  });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
  return api([&] {
    require(type != nullptr);
    Lock lock(graphLock());
    *type = typeOf(*nodeOf(node));
  });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t handle) {
  return api([&] {
    Lock lock(graphLock());
    Node* node = nodeOf(handle);
    node->graph->remove(node);
  });
}

}  // extern "C"
