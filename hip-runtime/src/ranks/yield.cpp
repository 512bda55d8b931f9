// For more ranks than cores: a rank that waits for a message polls and yields in between, which gives the core to the
// next polling rank instead of one with work. Preloaded, this library lets it sleep for a moment instead.
#include <sys/prctl.h>
#include <time.h>

namespace {

constexpr long NAP_NS = 20'000;
constexpr unsigned long SLACK_NS = 1'000;  // else the kernel makes 70 us of it

[[maybe_unused]] const int precise = prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);

}  // namespace

extern "C" __attribute__((visibility("default"))) int sched_yield() {
  timespec nap = {0, NAP_NS};
  nanosleep(&nap, nullptr);
  return 0;
}
