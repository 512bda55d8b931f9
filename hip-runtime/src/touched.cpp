#include "touched.h"

#include <optional>

#include "allocation.h"
#include "clock.h"
#include "error.h"
#include "session.h"

namespace rocport {
namespace {

/** Its encoding in the message; docs/device-protocol.md. */
enum class What : uint32_t { WROTE = 0, READ = 1, COPIED = 2, MAY_HAVE_WRITTEN = 3, MPI_WRITES = 4, MPI_READS = 5 };

bool wanted() { return !Session::inherited() && Session::started() && Session::get().checks(); }

/** Where the device finds it; empty for memory that is the program's own. */
std::optional<uint64_t> place(const void* address) {
  auto found = Allocations::get().find(address);
  if (!found) return {};
  return found->device + (reinterpret_cast<uintptr_t>(address) - found->start);
}

void send(What what, uint64_t to, uint64_t from, uint64_t bytes, const Stamp* stamp) {
  Writer message;
  message.u32(static_cast<uint32_t>(what)).u64(to).u64(from).u64(bytes);
  if (stamp) stamp->write(message);
  Session::get().call(Message::TOUCHED, message);
}

}  // namespace

void touchedByWrite(const void* to, size_t bytes) {
  if (bytes == 0 || !wanted()) return;
  if (auto at = place(to)) send(What::WROTE, *at, 0, bytes, Stamp::current());
}

void touchedByValue(const void* to, size_t bytes) {
  if (!wanted()) return;
  if (auto at = place(to)) send(What::WROTE, *at, 0, bytes, nullptr);
}

void touchedByOthers(const void* to, size_t bytes) {
  if (bytes == 0 || !wanted()) return;
  if (auto at = place(to)) send(What::MAY_HAVE_WRITTEN, *at, 0, bytes, nullptr);
}

bool touchedByMpi(const void* address, size_t bytes, bool writes, const Stamp& stamp) {
  if (bytes == 0 || !wanted()) return false;
  auto at = place(address);
  if (!at) return false;
  send(writes ? What::MPI_WRITES : What::MPI_READS, writes ? *at : 0, writes ? 0 : *at, bytes, &stamp);
  return true;
}

void touchedByCopy(const void* to, const void* from, size_t bytes) {
  if (bytes == 0 || !wanted()) return;
  auto target = place(to);
  auto source = place(from);
  if (target && source) {
    send(What::COPIED, *target, *source, bytes, Stamp::current());
  } else if (target) {
    send(What::WROTE, *target, 0, bytes, Stamp::current());
  } else if (source) {
    send(What::READ, 0, *source, bytes, Stamp::current());
  }
}

}  // namespace rocport

using namespace rocport;

extern "C" {

// For the libraries that compute on the host: the whole allocation of each address may have been written. Without any
// address, all memory.
void rocportMayHaveWritten(const void* const* addresses, size_t count) {
  if (!wanted()) return;
  try {
    if (count == 0) send(What::MAY_HAVE_WRITTEN, 0, 0, UINT64_MAX >> 1, nullptr);
    for (size_t i = 0; i < count; i++) {
      auto found = Allocations::get().find(addresses[i]);
      if (found) send(What::MAY_HAVE_WRITTEN, found->device, 0, found->size, nullptr);
    }
  } catch (const Failure&) {
    // The device has ended; the next call reports it.
  }
}

}  // extern "C"
