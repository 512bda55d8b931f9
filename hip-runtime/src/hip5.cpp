// What differs for callers with the types of HIP 5. The functions have the same symbol versions in HIP 5 and 6, so a
// process finds one of them for all callers: the caller determines the form.
#include "hip5.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include <atomic>
#include <iterator>

#include "error.h"

namespace rocport {
namespace {

constexpr const char* NAME = "libamdhip64.so.5";

/** Whether the library of that name is loaded: nothing is looked up in other processes. */
std::atomic<bool> isLoaded{false};

/** The kinds of memory in the order of their numbers in HIP 5. */
constexpr hipMemoryType KINDS[] = {hipMemoryTypeHost, hipMemoryTypeDevice, hipMemoryTypeArray, hipMemoryTypeUnified,
                                   hipMemoryTypeManaged};

bool isLinkedWithHip5(const link_map& object) {
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = object.l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  for (const ElfW(Dyn)* entry = object.l_ld; names != nullptr && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_NEEDED && strcmp(names + entry->d_un.d_val, NAME) == 0) return true;
  }
  return false;
}

}  // namespace

bool isHip5(const void* caller) {
  if (!isLoaded) return false;
  Dl_info place;
  link_map* object = nullptr;
  return dladdr1(caller, &place, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0 && object != nullptr &&
         isLinkedWithHip5(*object);
}

unsigned inHip5(hipMemoryType type) {
  for (unsigned number = 0; number < std::size(KINDS); number++) {
    if (KINDS[number] == type) return number;
  }
  fail(hipErrorInvalidValue);
}

hipMemoryType memoryType(hipMemoryType passed, const void* caller) {
  if (!isHip5(caller)) return passed;
  auto number = static_cast<size_t>(passed);
  require(number < std::size(KINDS));
  return KINDS[number];
}

}  // namespace rocport

/** Called by libamdhip64.so.5 when it is loaded. */
extern "C" __attribute__((visibility("default"))) void rocportHip5() { rocport::isLoaded = true; }
