#include <cuda_runtime.h>

extern texture<float, 2, cudaReadModeElementType> elsewhere;  // want: TEXTURE-REFERENCE-USE
typedef texture<float, 1, cudaReadModeElementType> Row;  // want: TEXTURE-REFERENCE-USE
texture<float> one, two(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<float, 1> taken;  // want: TEXTURE-REFERENCE-USE
int taken_handle;

struct texture_atlas { int texture; };

__device__ float read(const float* one, int i) { return one[i]; }

__host__ __device__ float both(int i) {
  return tex1Dfetch(one, i);
}

#define AT(t, i) tex1Dfetch(t, i)
#define TWO(i) tex1Dfetch(two, i)

template <int n>
__global__ void pick(float* out, cudaTextureObject_t two) {
  float v = AT(one, n);
  out[0] = v + tex1D<float>(two, v) + read(out, n);
}

__global__ void macro(float* out) { out[0] = TWO(1) + tex1D(two, 2.0f); }

void by_name() {
  const textureReference* r;
  cudaGetTextureReference(&r, &one);  // want: TEXTURE-REFERENCE-USE
  texture_atlas atlas = {3};
  bool small = atlas.texture < 4;
  two.normalized = small;
}

void host(texture<float> t, float* d);  // want: TEXTURE-REFERENCE-USE
void host(texture<float>& t, float* d) { cudaBindTexture(0, t, d); }

texture<float> looked_up;

const void* address() { return &looked_up; }

__global__ void branches(float* out, int n) {
#ifdef ONE_LESS
  if (n > 1) {
    n--;
#else
  if (n > 0) {
#endif
    out[n] = tex1Dfetch(looked_up, n);
  }
}
