// Contexts of the driver API: names for devices, in a stack of each thread.
#include "error.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device.h"
#include "signatures.h"
#include "stream.h"

namespace rocport {
namespace {

struct Context {
  int device;
  unsigned flags;
  int references;
};

struct Registry {
  std::mutex mutex;
  std::map<int, std::unique_ptr<Context>> primary;
  std::map<Context*, std::unique_ptr<Context>> made;
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

thread_local std::vector<Context*> stack;

hipCtx_t handle(Context* context) { return reinterpret_cast<hipCtx_t>(context); }

Context* primary(int device) {
  Session::get().gpu(device);
  std::lock_guard lock(registry().mutex);
  auto& context = registry().primary[device];
  if (!context) context.reset(new Context{device, 0, 0});
  return context.get();
}

Context* contextOf(hipCtx_t given) {
  auto* context = reinterpret_cast<Context*>(given);
  std::lock_guard lock(registry().mutex);
  for (const auto& [device, known] : registry().primary) {
    if (known.get() == context) return context;
  }
  require(registry().made.count(context) != 0, hipErrorInvalidContext);
  return context;
}

/** What is current without any call: the primary context of the thread's device. */
Context* current() { return stack.empty() ? primary(currentDevice()) : stack.back(); }

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device) {
  return api([&] {
    require(context != nullptr);
    Session::get().gpu(device);
    auto made = std::make_unique<Context>(Context{device, flags, 1});
    useDevice(device);
    stack.push_back(made.get());
    *context = handle(made.get());
    std::lock_guard lock(registry().mutex);
    registry().made[made.get()] = std::move(made);
  });
}

hipError_t hipCtxDestroy(hipCtx_t given) {
  return api([&] {
    Context* context = contextOf(given);
    drainDevice(context->device);
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    std::lock_guard lock(registry().mutex);
    registry().made.erase(context);
  });
}

hipError_t hipCtxPushCurrent(hipCtx_t given) {
  return api([&] {
    Context* context = contextOf(given);
    useDevice(context->device);
    stack.push_back(context);
  });
}

hipError_t hipCtxPopCurrent(hipCtx_t* context) {
  return api([&] {
    require(!stack.empty(), hipErrorInvalidContext);
    if (context) *context = handle(stack.back());
    stack.pop_back();
    if (!stack.empty()) useDevice(stack.back()->device);
  });
}

hipError_t hipCtxSetCurrent(hipCtx_t given) {
  return api([&] {
    if (!stack.empty()) stack.pop_back();
    if (given == nullptr) return;
    Context* context = contextOf(given);
    useDevice(context->device);
    stack.push_back(context);
  });
}

hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  return api([&] {
    require(context != nullptr);
    *context = handle(current());
  });
}

hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return api([&] {
    require(device != nullptr);
    *device = current()->device;
  });
}

hipError_t hipCtxGetFlags(unsigned* flags) {
  return api([&] {
    require(flags != nullptr);
    *flags = current()->flags;
  });
}

hipError_t hipCtxGetApiVersion(hipCtx_t, ContextVersion* version) {
  return api([&] {
    require(version != nullptr);
    *version = 4;
  });
}

hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) { return hipDeviceGetCacheConfig(config); }
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return hipDeviceSetCacheConfig(config); }

hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
  return hipDeviceGetSharedMemConfig(config);
}

hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return hipDeviceSetSharedMemConfig(config);
}

hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned flags) {
  return api([&] { return hipDeviceEnablePeerAccess(contextOf(peer)->device, flags); });
}

hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return api([&] { return hipDeviceDisablePeerAccess(contextOf(peer)->device); });
}

hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  return api([&] {
    require(context != nullptr);
    Context* kept = primary(device);
    kept->references++;
    *context = handle(kept);
  });
}

hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return api([&] {
    Context* kept = primary(device);
    if (kept->references > 0) kept->references--;
  });
}

hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return api([&] {
    Session::get().gpu(device);
    int before = currentDevice();
    useDevice(device);
    hipError_t result = hipDeviceReset();
    useDevice(before);
    return result;
  });
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  return api([&] {
    require(flags != nullptr && active != nullptr);
    Context* kept = primary(device);
    *flags = kept->flags;
    *active = kept->references > 0 || currentDevice() == device;
  });
}

hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned flags) {
  return api([&] { primary(device)->flags = flags; });
}

}  // extern "C"
