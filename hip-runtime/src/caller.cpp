#include "caller.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <unwind.h>

#include <string_view>

#include "hash.h"

namespace rocport {
namespace {

/** A program or library that is loaded. */
struct Object {
  std::string file;
  uintptr_t base = 0;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* into) {
  auto* calls = static_cast<Calls*>(into);
  int before = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &before);
  if (address == 0 || calls->count == Calls::MOST) return _URC_END_OF_STACK;
  calls->addresses[calls->count++] = before ? address : address - 1;
  return _URC_NO_REASON;
}

std::string resolved(const char* file) {
  char path[PATH_MAX];
  return realpath(file, path) ? path : file;
}

Object objectOf(uintptr_t address) {
  struct Search {
    uintptr_t address;
    Object found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* wanted = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          uintptr_t start = info->dlpi_addr + segment.p_vaddr;
          if (wanted->address < start || wanted->address - start >= segment.p_memsz) continue;
          bool program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
          wanted->found = {resolved(program ? "/proc/self/exe" : info->dlpi_name), info->dlpi_addr};
          return 1;
        }
        return 0;
      },
      &search);
  return search.found;
}

/** The folder of the runtime that this library belongs to, with a slash. */
const std::string& ownRoot() {
  static const auto* root = [] {
    Dl_info self = {};
    dladdr(reinterpret_cast<void*>(&callsNow), &self);
    std::string path = resolved(self.dli_fname ? self.dli_fname : "");
    for (int up = 0; up < 2; up++) path.erase(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
    return new std::string(path + "/");
  }();
  return *root;
}

/** Libraries that work for the program and have no mistakes of its own. */
bool helps(std::string_view file) {
  if (file.compare(0, ownRoot().size(), ownRoot()) == 0) return true;
  std::string_view name = file.substr(file.find_last_of('/') + 1);
  for (std::string_view known : {"libc.so", "libc-", "libpthread", "ld-linux", "libm.so", "libstdc++", "libc++",
                                 "libgcc_s", "libmpi", "libopen-", "libompi", "linux-vdso", "libpmix"}) {
    if (name.compare(0, known.size(), known) == 0) return true;
  }
  return false;
}

/** Those that the program made, with the file of each. */
std::vector<std::pair<Object, uintptr_t>> programCalls(const Calls& calls) {
  std::vector<std::pair<Object, uintptr_t>> own;
  for (size_t i = 0; i < calls.count; i++) {
    Object object = objectOf(calls.addresses[i]);
    if (object.file.empty() || helps(object.file)) continue;
    own.emplace_back(object, calls.addresses[i] - object.base);
  }
  return own;
}

}  // namespace

Calls callsNow() {
  Calls calls;
  _Unwind_Backtrace(step, &calls);
  return calls;
}

bool isGlobal(uintptr_t address) {
  Object object = objectOf(address);
  return !object.file.empty() && !helps(object.file);
}

bool fromProgram(const Calls& calls) { return !programCalls(calls).empty(); }

uint32_t numberOf(const Calls& calls) {
  auto own = programCalls(calls);
  if (own.empty()) return 0;
  const auto& [object, offset] = own.front();
  return static_cast<uint32_t>(hashOf(object.file + "+" + std::to_string(offset)));
}

void write(Writer& message, const Calls& calls) {
  auto own = programCalls(calls);
  message.u32(static_cast<uint32_t>(own.size()));
  for (const auto& [object, offset] : own) message.text(object.file).u64(offset);
}

void found(Check check, bool certain, const std::string& title, const std::string& why,
           const std::string& advice, const std::vector<Place>& places) {
  Writer message;
  message.u32(static_cast<uint32_t>(check)).u32(certain ? 1 : 0).text(title).text(why).text(advice);
  message.u32(static_cast<uint32_t>(places.size()));
  for (const Place& place : places) {
    message.text(place.what);
    write(message, place.calls);
  }
  Session::get().call(Message::FOUND, message);
}

}  // namespace rocport
