#include <time.h>

#include "allocation.h"
#include "clock.h"
#include "copy.h"
#include "graphmemory.h"
#include "launch.h"
#include "operation.h"
#include "stream.h"
#include "touched.h"

namespace rocport {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <class T>
bool reached(T value, T wanted, T mask, unsigned flags) {
  switch (flags) {
    case hipStreamWaitValueGte:
      return (value & mask) >= wanted;
    case hipStreamWaitValueEq:
      return (value & mask) == wanted;
    case hipStreamWaitValueAnd:
      return (value & mask & wanted) != 0;
    default:
      return (static_cast<T>(~(value | wanted)) & mask) != 0;
  }
}

// Another stream, process or kernel writes the value: there is no futex to sleep on.
template <class T>
void waitFor(const void* address, T wanted, T mask, unsigned flags) {
  const auto* value = static_cast<const T*>(address);
  timespec pause = {0, 50000};
  while (!reached<T>(__atomic_load_n(value, __ATOMIC_ACQUIRE), wanted, mask, flags)) {
    nanosleep(&pause, nullptr);
  }
  sawValue();
}

template <class T>
void put(void* address, T value) {
  // Reported first: a thread that waits for the value continues at once.
  touchedByValue(address, sizeof value);
  tellOthers();
  __atomic_store_n(static_cast<T*>(address), value, __ATOMIC_RELEASE);
}

void perform(const BatchNode& batch) {
  for (const hipStreamBatchMemOpParams& one : batch.operations) {
    switch (one.operation) {
      case hipStreamMemOpWaitValue32:
        waitFor<uint32_t>(one.waitValue.address, one.waitValue.value, ~0U, one.waitValue.flags);
        break;
      case hipStreamMemOpWaitValue64:
        waitFor<uint64_t>(one.waitValue.address, one.waitValue.value64, ~0ULL, one.waitValue.flags);
        break;
      case hipStreamMemOpWriteValue32:
        put<uint32_t>(one.writeValue.address, one.writeValue.value);
        break;
      case hipStreamMemOpWriteValue64:
        put<uint64_t>(one.writeValue.address, one.writeValue.value64);
        break;
      default:
        break;
    }
  }
}

void checkWord(const void* address, size_t size) {
  require(reinterpret_cast<uintptr_t>(address) % size == 0);
  require(checked(address, size).has_value());
}

template <class T>
void wait(hipStream_t stream, void* address, T value, unsigned flags, T mask) {
  checkWord(address, sizeof value);
  require(flags <= hipStreamWaitValueNor);
  submit(stream, Task{[=] { waitFor<T>(address, value, mask, flags); }});
}

template <class T>
void write(hipStream_t stream, void* address, T value) {
  checkWord(address, sizeof value);
  submit(stream, Task{[=] { put<T>(address, value); }});
}

}  // namespace

void checkBatch(unsigned count, const hipStreamBatchMemOpParams* operations) {
  require(count > 0 && operations != nullptr);
  for (unsigned i = 0; i < count; i++) {
    const hipStreamBatchMemOpParams& one = operations[i];
    switch (one.operation) {
      case hipStreamMemOpWaitValue32:
      case hipStreamMemOpWaitValue64:
        checkWord(one.waitValue.address, one.operation == hipStreamMemOpWaitValue32 ? 4 : 8);
        require(one.waitValue.flags <= hipStreamWaitValueNor);
        break;
      case hipStreamMemOpWriteValue32:
      case hipStreamMemOpWriteValue64:
        checkWord(one.writeValue.address, one.operation == hipStreamMemOpWriteValue32 ? 4 : 8);
        break;
      default:
        fail(hipErrorNotSupported);
    }
  }
}

void execute(const Operation& operation, Stream& stream) {
  std::visit(Overloaded{
                 [&](const Launch& launch) { perform(launch, stream); },
                 [](const Copy& copy) { perform(copy); },
                 [](const Fill& fill) { perform(fill); },
                 [](const HostCall& call) { callBack([&] { call.function(call.data); }); },
                 [](const Task& task) { task.run(); },
                 [](const BatchNode& batch) { perform(batch); },
                 // The rest of these follows the order of the stream's commands.
                 [](const Empty&) {},
                 [](const Record&) {},
                 [](const Wait&) {},
                 [](const Child&) {},
                 [](const AllocateNode& node) { graphMemoryLaunched(node.params.dptr); },
                 [](const FreeNode& node) { graphMemoryFreed(node.address); },
             },
             operation);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipStreamWaitValue32(hipStream_t stream, void* address, uint32_t value, unsigned flags,
                                uint32_t mask) {
  return api([&] { wait<uint32_t>(stream, address, value, flags, mask); });
}

hipError_t hipStreamWaitValue64(hipStream_t stream, void* address, uint64_t value, unsigned flags,
                                uint64_t mask) {
  return api([&] { wait<uint64_t>(stream, address, value, flags, mask); });
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void* address, uint32_t value, unsigned) {
  return api([&] { write<uint32_t>(stream, address, value); });
}

hipError_t hipStreamWriteValue64(hipStream_t stream, void* address, uint64_t value, unsigned) {
  return api([&] { write<uint64_t>(stream, address, value); });
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned count,
                               hipStreamBatchMemOpParams* operations, unsigned) {
  return api([&] {
    checkBatch(count, operations);
    submit(stream, BatchNode{{operations, operations + count}, nullptr, 0});
  });
}

}  // extern "C"
