// Places where a CUDA type or constant stands like a declared name, and is none.
#include <hip/hip_runtime.h>

class Event {
 public:
  operator hipEvent_t() const { return event_; }
  explicit operator const hipEvent_t*() const { return &event_; }

 private:
  hipEvent_t event_ = nullptr;
};

void take(const hipStream_t, int);
static hipError_t last;
unsigned twice(unsigned n) { return n * hipEventDisableTiming; }
hipStream_t cast(void* p) { return (const hipStream_t)p; }
__host__ hipError_t (*hook)(int) = nullptr;

void advise(void* p) {
#if 12999 /* CUDART_VERSION */ >= 13000
  hipMemLocation where = {hipMemLocationTypeDevice, 0};
  hipMemAdvise(p, 64, hipMemAdviseSetReadMostly, where);
#else
  hipMemAdvise(p, 64, hipMemAdviseSetReadMostly, 0);
#endif
}
