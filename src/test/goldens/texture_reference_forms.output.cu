#include <hip/hip_runtime.h>
#include "rocport/texture.h"
#include "rocport/texture_reference.h"

extern texture<float, 2, hipReadModeElementType> elsewhere;  // want: TEXTURE-REFERENCE-USE
typedef texture<float, 1, hipReadModeElementType> Row;  // want: TEXTURE-REFERENCE-USE
__constant__ rocport::texture_handle<float> one_handle, two_handle;
rocport::texture_reference<float> one(one_handle), two(two_handle, 1, hipFilterModeLinear, hipAddressModeWrap);
texture<float, 1> taken;  // want: TEXTURE-REFERENCE-USE
int taken_handle;

struct texture_atlas { int texture; };

__device__ float read(const float* one, int i) { return one[i]; }

__host__ __device__ float both(int i) {
  return rocport::tex1Dfetch(one_handle, i);
}

#define AT(t, i) rocport::tex1Dfetch(t, i)
#define TWO(i) rocport::tex1Dfetch(two_handle, i)

template <int n>
__global__ void pick(float* out, hipTextureObject_t two) {
  float v = AT(one_handle, n);
  out[0] = v + rocport::tex1D<float>(two, v) + read(out, n);
}

__global__ void macro(float* out) { out[0] = TWO(1) + rocport::tex1D(two_handle, 2.0f); }

void by_name() {
  const textureReference* r;
  hipGetTextureReference(&r, HIP_SYMBOL(&one));  // want: TEXTURE-REFERENCE-USE
  texture_atlas atlas = {3};
  bool small = atlas.texture < 4;
  two.normalized = small;
}

void host(texture<float> t, float* d);  // want: TEXTURE-REFERENCE-USE
void host(rocport::texture_reference<float>& t, float* d) { rocport::bindTexture(0, t, d); }

__constant__ rocport::texture_handle<float> looked_up_handle;
rocport::texture_reference<float> looked_up(looked_up_handle);

const void* address() { return &looked_up; }

__global__ void branches(float* out, int n) {
#ifdef ONE_LESS
  if (n > 1) {
    n--;
#else
  if (n > 0) {
#endif
    out[n] = rocport::tex1Dfetch(looked_up_handle, n);
  }
}
