// Operations of streams and of graph nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "error.h"

namespace rocport {

class Event;
class Graph;
class Stream;
struct Kernel;

/** One launch of several that share a barrier. */
struct Part {
  std::shared_ptr<void> barrier;  // 8 bytes that all GPUs reach; null where there is none
  uint32_t number = 0;
  uint32_t count = 1;
  uint64_t threadsBefore = 0;  // of the parts with smaller numbers
  uint64_t threads = 0;        // of all parts
};

/** A launch with its arguments packed as the kernel reads them. */
struct Launch {
  const Kernel* kernel = nullptr;
  const void* function = nullptr;  // as given by the program
  dim3 grid;                       // in blocks
  dim3 block;
  uint32_t dynamicLds = 0;
  bool cooperative = false;
  Part part;
  std::vector<char> arguments;
};

/** Rows of bytes that lie in planes. */
struct Plane {
  char* address = nullptr;
  size_t pitch = 0;  // from row to row
  size_t slice = 0;  // from plane to plane
};

struct Copy {
  Plane to;
  Plane from;
  size_t width = 0;  // bytes
  size_t height = 1;
  size_t depth = 1;
  hipMemcpy3DParms asked = {};   // as the program described it
  std::shared_ptr<char[]> kept;  // a snapshot of the source, if the program may change it
  std::shared_ptr<const HIP_MEMCPY3D> driver;  // as the driver API described it, if it did
};

struct Fill {
  Plane to;
  uint32_t value = 0;
  uint32_t elementSize = 1;  // 1, 2 or 4 bytes
  size_t width = 0;          // elements
  size_t height = 1;
  size_t depth = 1;
};

struct HostCall {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};

/** Something of the library's own that has no node of its own in HIP. */
struct Task {
  std::function<void()> run;
  void* data = nullptr;  // that the program has given it
};

struct Empty {};

struct Record {
  std::shared_ptr<Event> event;
};

struct Wait {
  std::shared_ptr<Event> event;
};

struct Child {
  std::shared_ptr<Graph> graph;
};

struct AllocateNode {
  hipMemAllocNodeParams params = {};
};

struct FreeNode {
  void* address = nullptr;
};

struct BatchNode {
  std::vector<hipStreamBatchMemOpParams> operations;
  hipCtx_t context = nullptr;  // as the program gave it
  unsigned flags = 0;
};

using Operation = std::variant<Empty, Launch, Copy, Fill, HostCall, Task, Record, Wait, Child,
                               AllocateNode, FreeNode, BatchNode>;

/** hipErrorInvalidValue if a batch names invalid memory or an unknown operation. */
void checkBatch(unsigned count, const hipStreamBatchMemOpParams* operations);

/** Does it now, on this thread, for this stream. */
void execute(const Operation& operation, Stream& stream);

}  // namespace rocport
