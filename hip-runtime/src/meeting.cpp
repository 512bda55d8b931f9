#include "meeting.h"

#include <mutex>
#include <utility>

#include "clock.h"
#include "error.h"
#include "library/runtime.h"
#include "session.h"
#include "touched.h"

namespace rocport {
namespace {

/** What requests do that are under way, of all threads. */
struct Requests {
  std::mutex mutex;
  Clock clock;
};

Requests& requests() {
  static auto* all = new Requests;
  return *all;
}

uint64_t lineOfMpi() {
  static uint64_t line = takeLine();
  return line;
}

/** A device that has ended is no error here: the next call reports it. */
template <class Do>
void withDevice(Do act) {
  if (Session::inherited()) return;
  try {
    act();
  } catch (const Failure&) {
  }
}

}  // namespace

void usedByMpi(const void* address, size_t bytes, bool writes) {
  const Stamp* outer = Stamp::current();
  Stamp stamp(lineOfMpi(), outer ? outer->after() : hostClock(), callsNow());
  if (touchedByMpi(address, bytes, writes, stamp)) duringMpi().join(stamp.after());
}

}  // namespace rocport

using namespace rocport;

extern "C" {

void rocportTellsOthers(void) { withDevice(tellOthers); }

void rocportHearsOthers(void) { withDevice(hearOthers); }

// An MPI function has returned. What it has begun ends with it, or with a later one that completes requests.
void rocportMpiReturned(int begins, int completes) {
  if (Session::inherited() || !clocks()) return;
  Clock done = std::exchange(duringMpi(), Clock());
  {
    std::lock_guard lock(requests().mutex);
    if (begins) {
      requests().clock.join(done);
      return;
    }
    if (completes) done.join(std::exchange(requests().clock, Clock()));
  }
  hostSaw(done);
  rocportHearsOthers();
}

}  // extern "C"
