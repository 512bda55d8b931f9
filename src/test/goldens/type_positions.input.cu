// Places where a CUDA type or constant stands like a declared name, and is none.
#include <cuda_runtime.h>

class Event {
 public:
  operator cudaEvent_t() const { return event_; }
  explicit operator const cudaEvent_t*() const { return &event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

void take(const cudaStream_t, int);
static cudaError_t last;
unsigned twice(unsigned n) { return n * cudaEventDisableTiming; }
cudaStream_t cast(void* p) { return (const cudaStream_t)p; }
__host__ cudaError_t (*hook)(int) = nullptr;

void advise(void* p) {
#if CUDART_VERSION >= 13000
  cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
  cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, where);
#else
  cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, 0);
#endif
}
