// A graph as a drawing for Graphviz.
#include <fstream>
#include <sstream>

#include "graph.h"
#include "module.h"

namespace rocport {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::string shape(dim3 extent) {
  std::ostringstream text;
  text << extent.x << " x " << extent.y << " x " << extent.z;
  return text.str();
}

/** What a node does, a line for each thing that is asked for. */
class Words {
 public:
  explicit Words(unsigned flags) : flags_(flags) {}

  std::string of(const Node& node) {
    text_.str("");
    std::visit([this](const auto& operation) { tell(operation); }, node.operation);
    if (wants(hipGraphDebugDotFlagsHandles)) text_ << "\\nhandle " << &node;
    if (!node.enabled) text_ << "\\ndisabled";
    return text_.str();
  }

 private:
  bool wants(unsigned flag) const { return (flags_ & (flag | hipGraphDebugDotFlagsVerbose)) != 0; }

  void tell(const Empty&) { text_ << "empty"; }

  void tell(const Launch& launch) {
    text_ << "kernel " << launch.kernel->name;
    if (wants(hipGraphDebugDotFlagsKernelNodeParams)) {
      text_ << "\\ngrid " << shape(launch.grid) << ", block " << shape(launch.block)
            << "\\ndynamic LDS " << launch.dynamicLds << ", arguments " << launch.arguments.size() << " bytes";
    }
    if (wants(hipGraphDebugDotFlagsKernelNodeAttributes) && launch.cooperative) text_ << "\\ncooperative";
  }

  void tell(const Copy& copy) {
    text_ << "memcpy " << copy.width * copy.height * copy.depth << " bytes";
    if (wants(hipGraphDebugDotFlagsMemcpyNodeParams)) {
      text_ << "\\n" << static_cast<const void*>(copy.from.address) << " to "
            << static_cast<const void*>(copy.to.address) << "\\n" << copy.width << " x " << copy.height << " x "
            << copy.depth;
    }
  }

  void tell(const Fill& fill) {
    text_ << "memset " << fill.width * fill.height * fill.depth * fill.elementSize << " bytes";
    if (wants(hipGraphDebugDotFlagsMemsetNodeParams)) {
      text_ << "\\n" << static_cast<const void*>(fill.to.address) << ", value " << fill.value << " of "
            << fill.elementSize << " bytes";
    }
  }

  void tell(const HostCall& call) {
    text_ << "host";
    if (wants(hipGraphDebugDotFlagsHostNodeParams)) {
      text_ << "\\nfunction " << reinterpret_cast<const void*>(call.function) << ", data " << call.data;
    }
  }

  void tell(const Task&) { text_ << "wait or write of a value"; }

  void tell(const Record& record) { event("event record", record.event.get()); }
  void tell(const Wait& wait) { event("event wait", wait.event.get()); }

  void event(const char* what, const void* handle) {
    text_ << what;
    if (wants(hipGraphDebugDotFlagsEventNodeParams)) text_ << "\\nevent " << handle;
  }

  void tell(const Child&) { text_ << "graph"; }
  void tell(const AllocateNode& node) { text_ << "alloc " << node.params.bytesize << " bytes\\n" << node.params.dptr; }
  void tell(const FreeNode& node) { text_ << "free\\n" << node.address; }
  void tell(const BatchNode& batch) { text_ << "batch of " << batch.operations.size() << " waits and writes"; }

  const unsigned flags_;
  std::ostringstream text_;
};

/** The nodes of a graph, with names that begin alike; a child graph's are drawn in a box. */
void draw(std::ostream& out, const Graph& graph, const std::string& name, Words& words) {
  for (const auto& node : graph.nodes()) {
    std::string own = name + std::to_string(node->id);
    out << "  " << own << " [shape=box, label=\"" << words.of(*node) << "\"];\n";
    for (const Node* next : node->dependents) out << "  " << own << " -> " << name << next->id << ";\n";
    if (const auto* child = std::get_if<Child>(&node->operation)) {
      out << "  subgraph cluster_" << own << " {\n";
      draw(out, *child->graph, own + "_", words);
      out << "  }\n";
      if (!child->graph->nodes().empty()) {
        out << "  " << own << " -> " << own << "_" << child->graph->nodes().front()->id << " [style=dashed];\n";
      }
    }
  }
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipGraphDebugDotPrint(hipGraph_t handle, const char* path, unsigned flags) {
  return api([&] {
    require(path != nullptr);
    Lock lock(graphLock());
    auto graph = graphOf(handle);
    std::ofstream out(path);
    require(out.good(), hipErrorOperatingSystem);
    Words words(flags);
    out << "digraph graph_" << graph.get() << " {\n";
    draw(out, *graph, "n", words);
    out << "}\n";
    out.close();
    require(out.good(), hipErrorOperatingSystem);
  });
}

}  // extern "C"
