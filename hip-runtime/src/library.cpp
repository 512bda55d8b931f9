// Functions for the libraries beside this one.
#include "library/runtime.h"

#include "allocation.h"
#include "registered.h"
#include "session.h"
#include "stream.h"
#include "turns.h"
#include "virtual.h"

using namespace rocport;

extern "C" {

void rocportFailLater(hipError_t error) { failLater(error); }

void* rocportShared(const void* address, size_t bytes) {
  auto found = Allocations::get().find(address);
  if (!found) return nullptr;
  uintptr_t at = reinterpret_cast<uintptr_t>(address) - found->start;
  if (bytes > found->size - at) return nullptr;
  if (found->kind == Kind::REGISTERED && !foundByOthers(found->device)) return nullptr;
  uintptr_t shared = found->kind == Kind::MAPPED ? arenaAddress(found->start) : found->device;
  return shared == 0 ? nullptr : reinterpret_cast<void*>(shared + at);
}

void rocportWaitsForOthers(void) { commandWaitsForOthers(); }

int rocportStarted(void) { return Session::started() ? 1 : 0; }

uint32_t rocportDevice(void) { return Session::get().process(); }

}  // extern "C"
