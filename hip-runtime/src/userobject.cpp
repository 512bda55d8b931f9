#include "userobject.h"

#include <set>

#include "graph.h"

namespace rocport {

struct UserObject {
  void* data;
  hipHostFn_t destroy;
  unsigned references;
};

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

std::set<UserObject*>& living() {
  static auto* all = new std::set<UserObject*>;
  return *all;
}

UserObject* objectOf(hipUserObject_t handle) {
  auto* object = reinterpret_cast<UserObject*>(handle);
  require(living().count(object) != 0);
  return object;
}

}  // namespace

void retain(UserObject* object, unsigned count) {
  Lock lock(graphLock());
  object->references += count;
}

void release(UserObject* object, unsigned count) {
  Lock lock(graphLock());
  require(count <= object->references);
  object->references -= count;
  if (object->references > 0) return;
  living().erase(object);
  object->destroy(object->data);
  delete object;
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
    auto* object = new UserObject{data, destroy, references};
    living().insert(object);
    *handle = reinterpret_cast<hipUserObject_t>(object);
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned count) {
  return api([&] {
    require(count > 0);
    Lock lock(graphLock());
    retain(objectOf(object), count);
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count) {
  return api([&] {
    require(count > 0);
    Lock lock(graphLock());
    release(objectOf(object), count);
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t handle, unsigned count,
                                    unsigned flags) {
  return api([&] {
    require(count > 0 && (flags == 0 || flags == hipGraphUserObjectMove));
    Lock lock(graphLock());
    UserObject* object = objectOf(handle);
    // A moved reference comes from the caller.
    if (flags == 0) retain(object, count);
    graphOf(graph)->objects[object] += count;
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t handle, hipUserObject_t object, unsigned count) {
  return api([&] {
    Lock lock(graphLock());
    auto graph = graphOf(handle);
    auto held = graph->objects.find(objectOf(object));
    require(held != graph->objects.end() && count > 0 && count <= held->second);
    held->second -= count;
    UserObject* released = held->first;
    if (held->second == 0) graph->objects.erase(held);
    release(released, count);
  });
}

}  // extern "C"
