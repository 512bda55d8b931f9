// CUresult and cudaError_t are one type in HIP, also where the project names one of them.
using status_t = CUresult;
typedef CUresult driver_status;

bool succeeded(status_t s) { return s == CUDA_SUCCESS; }    // want: OVERLOAD-CLASH
bool succeeded(cudaError_t s) { return s == cudaSuccess; }  // want: OVERLOAD-CLASH

bool failed(cudaError_t s, const char *text) { return s != cudaSuccess; }  // want: OVERLOAD-CLASH
bool failed(driver_status s, const char *text) { return s != 0; }  // want: OVERLOAD-CLASH

bool known(status_t s) { return s != CUDA_ERROR_UNKNOWN; }  // ok: OVERLOAD-CLASH
bool known(int s) { return s != 999; }                      // ok: OVERLOAD-CLASH

void raise(status_t s) noexcept(false) { throw int(s); }     // want: OVERLOAD-CLASH
void raise(cudaError_t s) noexcept(false) { throw int(s); }  // want: OVERLOAD-CLASH

struct Text {
  bool succeeded(status_t s) { return true; }               // ok: OVERLOAD-CLASH
};
