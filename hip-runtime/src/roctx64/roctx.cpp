// libroctx64: the marks and ranges of rocTX without a profiler. The calls return what the real library returns in this
// case: the depth of a range, and distinct numbers for ranges.
#include <roctracer/roctx.h>

#include <atomic>

namespace {

thread_local int depth = 0;
std::atomic<roctx_range_id_t> last{0};

}  // namespace

extern "C" {

uint32_t roctx_version_major() { return ROCTX_VERSION_MAJOR; }
uint32_t roctx_version_minor() { return ROCTX_VERSION_MINOR; }

void roctxMarkA(const char*) {}

int roctxRangePushA(const char*) { return depth++; }

/** The depth that the range had, or -1 where none is open. */
int roctxRangePop() { return depth > 0 ? --depth : -1; }

roctx_range_id_t roctxRangeStartA(const char*) { return ++last; }

void roctxRangeStop(roctx_range_id_t) {}

}  // extern "C"
