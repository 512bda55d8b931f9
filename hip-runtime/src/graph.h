// Graphs: operations with dependencies. One lock protects all graphs.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "operation.h"
#include "userobject.h"

namespace rocport {

class Graph;

struct Node {
  Graph* graph = nullptr;
  uint64_t id = 0;
  Operation operation;
  std::vector<Node*> dependencies;
  std::vector<Node*> dependents;
  bool enabled = true;
  const Node* original = nullptr;       // the original of a clone
  std::vector<void*> argumentPointers;  // returned by hipGraphKernelNodeGetParams
  std::map<hipLaunchAttributeID, hipLaunchAttributeValue> attributes;
  std::shared_ptr<void> memory;  // of an allocation node
};

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  Node* add(Operation operation, const std::vector<Node*>& dependencies);
  void remove(Node* node);
  void connect(Node* from, Node* to);
  void disconnect(Node* from, Node* to);

  /** In the order they were added. */
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }

  /** An order that keeps the dependencies; empty where they make a circle. */
  std::vector<Node*> ordered() const;

  /** One of those orders, each time another. */
  std::vector<Node*> shuffled() const;

  std::shared_ptr<Graph> clone() const;

  /** The node that was cloned from this one, or null. */
  Node* cloneOf(const Node* original) const;

  /** Whether a node allocates or frees memory. */
  bool ownsMemory() const;

  std::map<SharedObject, unsigned> objects;
  bool instantiated = false;

  ~Graph();

 private:
  std::vector<Node*> ordered(size_t (*choose)(size_t)) const;

  std::vector<std::unique_ptr<Node>> nodes_;
  uint64_t next_ = 0;
};

/** The lock over all graphs and captures. */
std::recursive_mutex& graphLock();

/** Makes a graph's handle valid, for as long as the graph is not destroyed. */
hipGraph_t expose(const std::shared_ptr<Graph>& graph);

/** The graph of a handle, or hipErrorInvalidValue. */
std::shared_ptr<Graph> graphOf(hipGraph_t handle);

Node* nodeOf(hipGraphNode_t handle);

inline hipGraphNode_t handleOf(const Node* node) {
  return reinterpret_cast<hipGraphNode_t>(const_cast<Node*>(node));
}

/** An allocation node's memory; it lives as long as a graph that holds the node. */
Node* addAllocation(Graph& graph, const std::vector<Node*>& dependencies,
                    hipMemAllocNodeParams& params);

/** Puts what a graph does into a stream. */
void launchGraph(const Graph& graph, Stream& stream);

}  // namespace rocport
