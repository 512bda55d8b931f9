#include "userobject.h"

#include <algorithm>
#include <map>

#include "graph.h"

namespace rocport {

struct UserObject {
  void* data;
  hipHostFn_t destroy;
  unsigned references;
};

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::map<UserObject*, SharedObject>& living() {
  static auto* all = new std::map<UserObject*, SharedObject>;
  return *all;
}

/** The object of a handle; null if it has been destroyed, which HIP allows. */
SharedObject objectOf(hipUserObject_t handle) {
  require(handle != nullptr);
  auto found = living().find(reinterpret_cast<UserObject*>(handle));
  return found == living().end() ? nullptr : found->second;
}

}  // namespace

void retain(const SharedObject& object, unsigned count) {
  Lock lock(graphLock());
  if (object->references > 0) object->references += count;
}

void release(const SharedObject& object, unsigned count) {
  Lock lock(graphLock());
  if (object->references == 0) return;
  if (count > object->references) {
    tell("%u references of a user object are released, and it has %u", count, object->references);
    count = object->references;
  }
  object->references -= count;
  if (object->references > 0) return;
  living().erase(object.get());
  object->destroy(object->data);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t* handle, void* data, hipHostFn_t destroy,
                               unsigned references, unsigned flags) {
  return api([&] {
    require(handle != nullptr && destroy != nullptr && references > 0);
    require(flags == hipUserObjectNoDestructorSync);
    Lock lock(graphLock());
    auto object = std::make_shared<UserObject>(UserObject{data, destroy, references});
    living()[object.get()] = object;
    *handle = reinterpret_cast<hipUserObject_t>(object.get());
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t handle, unsigned count) {
  return api([&] {
    require(count > 0);
    Lock lock(graphLock());
    if (SharedObject object = objectOf(handle)) retain(object, count);
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t handle, unsigned count) {
  return api([&] {
    require(count > 0);
    Lock lock(graphLock());
    if (SharedObject object = objectOf(handle)) release(object, count);
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t handle, unsigned count,
                                    unsigned flags) {
  return api([&] {
    require(count > 0 && (flags == 0 || flags == hipGraphUserObjectMove));
    Lock lock(graphLock());
    auto target = graphOf(graph);
    SharedObject object = objectOf(handle);
    if (!object) return;
    // A moved reference comes from the caller.
    if (flags == 0) retain(object, count);
    target->objects[object] += count;
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t handle, hipUserObject_t object, unsigned count) {
  return api([&] {
    require(count > 0 && object != nullptr);
    Lock lock(graphLock());
    auto graph = graphOf(handle);
    auto held = std::find_if(graph->objects.begin(), graph->objects.end(), [object](const auto& one) {
      return reinterpret_cast<hipUserObject_t>(one.first.get()) == object;
    });
    if (held == graph->objects.end()) return;
    count = std::min(count, held->second);
    held->second -= count;
    SharedObject released = held->first;
    if (held->second == 0) graph->objects.erase(held);
    release(released, count);
  });
}

}  // extern "C"
