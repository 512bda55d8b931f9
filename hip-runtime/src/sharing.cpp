// Memory of other GPUs and of other processes.
#include <string.h>

#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "allocation.h"
#include "device.h"
#include "hip5.h"
#include "memory.h"
#include "stream.h"

namespace rocport {
namespace {

struct Peers {
  std::mutex mutex;
  std::set<std::pair<int, int>> enabled;
};

/** Handles of memory that this process has made. */
struct Exports {
  std::mutex mutex;
  std::set<std::string> handles;
};

Exports& exports() {
  static auto* all = new Exports;
  return *all;
}

std::string nameOf(const hipIpcMemHandle_t& handle) { return {handle.reserved, sizeof handle.reserved}; }

Peers& peers() {
  static auto* all = new Peers;
  return *all;
}

void tellDevice(int gpu, int peer, bool on) {
  Session::get().call(Message::PEER, Writer().u32(static_cast<uint32_t>(gpu)).u32(static_cast<uint32_t>(peer)).u32(on));
}

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    require(can != nullptr);
    Session::get().gpu(device);
    Session::get().gpu(peer);
    *can = device != peer;
  });
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api([&] {
    require(flags == 0);
    Session::get().gpu(peer);
    int device = currentDevice();
    require(device != peer, hipErrorInvalidDevice);
    std::lock_guard lock(peers().mutex);
    require(peers().enabled.insert({device, peer}).second, hipErrorPeerAccessAlreadyEnabled);
    tellDevice(device, peer, true);
  });
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  return api([&] {
    Session::get().gpu(peer);
    int device = currentDevice();
    std::lock_guard lock(peers().mutex);
    require(peers().enabled.erase({device, peer}) == 1, hipErrorPeerAccessNotEnabled);
    drainDevice(device);
    tellDevice(device, peer, false);
  });
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int from, int to) {
  return api([&] {
    require(value != nullptr);
    Session::get().gpu(from);
    Session::get().gpu(to);
    require(from != to, hipErrorInvalidDevice);
    switch (attribute) {
      case hipDevP2PAttrPerformanceRank:
      case hipDevP2PAttrAccessSupported:
      case hipDevP2PAttrNativeAtomicSupported:
        *value = 1;
        return;
      case hipDevP2PAttrHipArrayAccessSupported:
        *value = 0;
        return;
    }
    fail(hipErrorInvalidValue);
  });
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* address) {
  return api([&] {
    require(handle != nullptr);
    auto found = Allocations::get().find(address);
    require(found && (found->kind == Kind::DEVICE || found->kind == Kind::FINE_GRAINED));
    Reader reply = Session::get().call(Message::IPC_EXPORT, Writer().u64(found->start));
    memcpy(handle->reserved, reply.take(HIP_IPC_HANDLE_SIZE), HIP_IPC_HANDLE_SIZE);
    std::lock_guard lock(exports().mutex);
    exports().handles.insert(nameOf(*handle));
  });
}

hipError_t hipIpcOpenMemHandle(void** address, hipIpcMemHandle_t handle, unsigned flags) {
  // The value of hipIpcMemLazyEnablePeerAccess changed.
  unsigned lazy = isHip5(CALLER) ? 0 : hipIpcMemLazyEnablePeerAccess;
  return api([&] {
    require(address != nullptr && flags == lazy);
    {
      std::lock_guard lock(exports().mutex);
      require(exports().handles.count(nameOf(handle)) == 0, hipErrorInvalidContext);
    }
    int device = currentDevice();
    Writer request;
    request.raw(handle.reserved, sizeof handle.reserved).u32(static_cast<uint32_t>(device));
    Reader reply = Session::get().call(Message::IPC_OPEN, request);
    Allocation opened;
    opened.start = opened.device = reply.u64();
    opened.size = reply.u64();
    opened.kind = Kind::IPC;
    opened.gpu = device;
    // A process may open memory several times.
    if (!Allocations::get().find(opened.start)) Allocations::get().add(opened);
    *address = reinterpret_cast<void*>(opened.start);
  });
}

hipError_t hipIpcCloseMemHandle(void* address) {
  return api([&] {
    auto found = Allocations::get().find(address);
    require(found.has_value());
    drainAll();
    closeImported(found->start);
  });
}

}  // extern "C"
