// Linking bitcode at run time, in terms of the driver API.
#include <map>
#include <memory>
#include <mutex>

#include "device.h"
#include "linker.h"

namespace rocport {
namespace {

struct Table {
  std::mutex mutex;
  std::map<Linker*, std::unique_ptr<Linker>> living;
};

Table& table() {
  static auto* all = new Table;
  return *all;
}

Linker& linkerOf(hipLinkState_t handle) {
  auto* linker = reinterpret_cast<Linker*>(handle);
  std::lock_guard lock(table().mutex);
  require(linker != nullptr && table().living.count(linker) != 0, hipErrorInvalidHandle);
  return *linker;
}

std::string target() { return Session::get().gpu(currentDevice()).arch; }

void check(Linker::Result result) {
  switch (result) {
    case Linker::Result::GOOD:
      return;
    case Linker::Result::NO_FILE:
      fail(hipErrorFileNotFound);
    case Linker::Result::FAILED:
      fail(hipErrorInvalidImage);
    case Linker::Result::BAD_INPUT:
    case Linker::Result::NOT_SUPPORTED:  // CUDA's own kinds of input
      fail(hipErrorInvalidValue);
  }
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipLinkCreate(unsigned count, hipJitOption* options, void** values, hipLinkState_t* state) {
  return api([&] {
    require(state != nullptr);
    currentDevice();
    auto linker = std::make_unique<Linker>();
    check(linker->configure(count, options, values));
    std::lock_guard lock(table().mutex);
    *state = reinterpret_cast<hipLinkState_t>(linker.get());
    table().living[linker.get()] = std::move(linker);
  });
}

// Options for a single input exist in CUDA only.
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size,
                          const char*, unsigned, hipJitOption*, void**) {
  return api([&] {
    require(data != nullptr && size > 0);
    check(linkerOf(state).add(type, {static_cast<const char*>(data), size}, target()));
  });
}

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path, unsigned,
                          hipJitOption*, void**) {
  return api([&] {
    require(path != nullptr);
    check(linkerOf(state).addFile(type, path, target()));
  });
}

hipError_t hipLinkComplete(hipLinkState_t state, void** image, size_t* size) {
  return api([&] {
    require(image != nullptr && size != nullptr);
    Linker& linker = linkerOf(state);
    check(linker.complete(reinterpret_cast<void*>(&hipLinkComplete), target()));
    *image = linker.image().data();
    *size = linker.image().size();
  });
}

hipError_t hipLinkDestroy(hipLinkState_t state) {
  return api([&] {
    Linker& linker = linkerOf(state);
    std::lock_guard lock(table().mutex);
    table().living.erase(&linker);
  });
}

}  // extern "C"
