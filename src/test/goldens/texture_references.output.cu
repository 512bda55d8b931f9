// Texture and surface references as CUDA had them before version 12. The program compares what its
// kernels read with the same on the CPU; it exits with 0 where all is right.
#include <hip/hip_runtime.h>
#include "rocport/texture.h"
#include "rocport/texture_reference.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    hipError_t e = (call);                                               \
    if (e != hipSuccess) {                                               \
      printf("%s: %s\n", #call, hipGetErrorString(e));                   \
      return 1;                                                           \
    }                                                                     \
  } while (0)

#define FETCH(i) rocport::tex1Dfetch(weights_handle, i)

typedef unsigned char uchar;

__constant__ rocport::texture_handle<float> weights_handle;
rocport::texture_reference<float> weights(weights_handle);
static __constant__ rocport::texture_handle<int2, hipTextureType1D, hipReadModeElementType> doubles_handle;
static rocport::texture_reference<int2, hipTextureType1D, hipReadModeElementType> doubles(doubles_handle);
__constant__ rocport::texture_handle<float, 2, hipReadModeElementType> image_handle;
rocport::texture_reference<float, 2, hipReadModeElementType> image(image_handle);
__constant__ rocport::texture_handle<float, 3, hipReadModeElementType> volume_handle;
rocport::texture_reference<float, 3, hipReadModeElementType> volume(volume_handle, 0, hipFilterModeLinear, hipAddressModeClamp);
__constant__ rocport::texture_handle<uchar4, 2, hipReadModeNormalizedFloat> colours_handle, other_colours_handle;
rocport::texture_reference<uchar4, 2, hipReadModeNormalizedFloat> colours(colours_handle), other_colours(other_colours_handle);
namespace tables {
  __constant__ rocport::texture_handle<short, 1, hipReadModeNormalizedFloat> curve_handle;
  rocport::texture_reference<short, 1, hipReadModeNormalizedFloat> curve(curve_handle);  // in an array
}
__constant__ rocport::surface_handle<void, rocport::surfaceType2D> canvas_handle;
rocport::surface_reference<void, rocport::surfaceType2D> canvas(canvas_handle);

const int N = 32;

__global__ void linear(float* out, double* wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = rocport::tex1Dfetch(weights_handle, i) + FETCH(n - 1 - i);
    int2 v = rocport::tex1Dfetch(doubles_handle, i);
    wide[i] = __hiloint2double(v.y, v.x);
  }
}

__global__ void sample(float* out, float step, float shift) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * blockDim.x + x] = rocport::tex2D(image_handle, (x + 0.5f) * step + shift, (y + 0.5f) * step);
}

__global__ void slice(float* out, float z) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * blockDim.x + x] = rocport::tex3D(volume_handle, x + 0.5f, y + 0.5f, z);
}

template <class T>
__device__ float4 mean(const rocport::texture_handle<T, 2, hipReadModeNormalizedFloat> from, float x, float y) {
  float4 a = rocport::tex2D(from, x, y), b = rocport::tex2D(from, x + 1, y);
  return make_float4((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2, (a.w + b.w) / 2);
}

__global__ void colour(float4* out) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 a = mean(colours_handle, x + 0.5f, y + 0.5f), b = mean<uchar4>(other_colours_handle, x, y);
  out[y * blockDim.x + x] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void graph(float* out) { out[threadIdx.x] = rocport::tex1D(tables::curve_handle, threadIdx.x + 0.5f); }

__global__ void paint(float scale) {
  int x = threadIdx.x, y = blockIdx.x;
  float v;
  rocport::surf2Dread(&v, canvas_handle, x * sizeof(float), y);
  rocport::surf2Dwrite(v * scale, canvas_handle, x * sizeof(float), y);
}

__global__ void unrelated(hipTextureObject_t image, float* out) {
  out[threadIdx.x] = rocport::tex2D<float>(image, threadIdx.x + 0.5f, 0.5f);
}

static int bad(const char* what, const std::vector<float>& got, const std::vector<float>& want,
               float tolerance) {
  for (size_t i = 0; i < want.size(); ++i) {
    if (!(std::fabs(got[i] - want[i]) <= tolerance)) {
      printf("%s: %zu is %g, not %g\n", what, i, got[i], want[i]);
      return 1;
    }
  }
  printf("%s: %zu values agree\n", what, want.size());
  return 0;
}

template <class T>
hipError_t bind_row(const rocport::texture_reference<T, 1, hipReadModeElementType>& to, const void* p, size_t bytes) {
  size_t offset = 1;
  hipError_t e = rocport::bindTexture(&offset, to, p, bytes);
  return e == hipSuccess && offset != 0 ? hipErrorInvalidValue : e;
}

int main() {
  std::vector<float> pixels(N * N), got(N * N), want(N * N);
  std::vector<double> wide(N * N), wide_got(N * N);
  for (int i = 0; i < N * N; ++i) {
    pixels[i] = float((i * 37) % 101) * 0.25f;
    wide[i] = 1.0 / (i + 1);
  }
  float *d, *out;
  double *dd, *dout;
  CHECK(hipMalloc(&d, N * N * sizeof(float)));
  CHECK(hipMalloc(&out, N * N * sizeof(float4)));
  CHECK(hipMalloc(&dd, N * N * sizeof(double)));
  CHECK(hipMalloc(&dout, N * N * sizeof(double)));
  CHECK(hipMemcpy(d, pixels.data(), N * N * sizeof(float), hipMemcpyHostToDevice));
  CHECK(hipMemcpy(dd, wide.data(), N * N * sizeof(double), hipMemcpyHostToDevice));
  int failed = 0;

  // Linear memory, all of it and a part of it that begins anywhere.
  CHECK(rocport::bindTexture(0, weights, d));
  CHECK(bind_row(doubles, dd, N * N * sizeof(double)));
  linear<<<N, N>>>(out, dout, N * N);
  CHECK(hipMemcpy(got.data(), out, N * N * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(wide_got.data(), dout, N * N * sizeof(double), hipMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i] + pixels[N * N - 1 - i];
  failed += bad("linear", got, want, 0);
  for (int i = 0; i < N * N; ++i) failed += wide_got[i] != wide[i];
  CHECK(rocport::unbindTexture(weights));
  CHECK(rocport::bindTexture(NULL, weights, d + 64, hipCreateChannelDesc<float>(), 64 * sizeof(float)));
  linear<<<2, N>>>(out, dout, 2 * N);
  CHECK(hipMemcpy(got.data(), out, 2 * N * sizeof(float), hipMemcpyDeviceToHost));
  std::vector<float> part(2 * N);
  for (int i = 0; i < 2 * N; ++i) part[i] = pixels[64 + i] + pixels[64 + 2 * N - 1 - i];
  failed += bad("part", got, part, 0);

  // Rows with a pitch; fields that are set while the reference is bound hold for the next kernel.
  size_t offset;
  image.addressMode[0] = image.addressMode[1] = hipAddressModeClamp;
  image.filterMode = hipFilterModePoint;
  image.normalized = false;
  CHECK(rocport::bindTexture2D(&offset, image, d, N, N, N * sizeof(float)));
  sample<<<N, N>>>(out, 1.0f, 2.0f);
  CHECK(hipMemcpy(got.data(), out, N * N * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i / N * N + std::min(i % N + 2, N - 1)];
  failed += bad("point, clamped", got, want, 0);
  image.filterMode = hipFilterModeLinear;
  sample<<<N, N>>>(out, 1.0f, 0.5f);
  CHECK(hipMemcpy(got.data(), out, N * N * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) {
    want[i] = (pixels[i] + pixels[i / N * N + std::min(i % N + 1, N - 1)]) / 2;
  }
  failed += bad("linear filter", got, want, 1e-5f);
  image.normalized = true;
  image.addressMode[0] = hipAddressModeWrap;
  image.addressMode[1] = hipAddressModeWrap;
  sample<<<N, N>>>(out, 1.0f / N, 1.0f + 3.0f / N);
  CHECK(hipMemcpy(got.data(), out, N * N * sizeof(float), hipMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i / N * N + (i % N + 3) % N];
  failed += bad("wrapped", got, want, 0.1f);

  // A volume in an array.
  hipArray* array;
  hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  CHECK(rocport::malloc3DArray(&array, &format, make_hipExtent(N, N / 2, 2)));
  hipMemcpy3DParms copy = {0};
  copy.srcPtr = make_hipPitchedPtr(pixels.data(), N * sizeof(float), N, N / 2);
  copy.dstArray = array;
  copy.extent = make_hipExtent(N, N / 2, 2);
  copy.kind = hipMemcpyHostToDevice;
  CHECK(rocport::memcpy3D(&copy));
  CHECK(rocport::bindTextureToArray(volume, array, format));
  slice<<<N / 2, N>>>(out, 1.0f);
  CHECK(hipMemcpy(got.data(), out, N * N / 2 * sizeof(float), hipMemcpyDeviceToHost));
  want.resize(N * N / 2);
  for (int i = 0; i < N * N / 2; ++i) want[i] = (pixels[i] + pixels[N * N / 2 + i]) / 2;
  failed += bad("volume", got, want, 1e-5f);

  // Bytes as numbers from 0 to 1, in rows.
  std::vector<uchar> bytes(N * N * 4);
  for (int i = 0; i < N * N * 4; ++i) bytes[i] = uchar(i * 7);
  CHECK(hipMemcpy(d, bytes.data(), N * N * 4, hipMemcpyHostToDevice));
  CHECK(rocport::bindTexture2D(0, colours, d, N, N, N * 4));
  CHECK(rocport::bindTexture2D(0, &other_colours, d, &colours.channelDesc, N, N, N * 4));
  colour<<<N, N>>>((float4*)out);
  std::vector<float> channels(N * N * 4), expected(N * N * 4);
  CHECK(hipMemcpy(channels.data(), out, N * N * 16, hipMemcpyDeviceToHost));
  for (int i = 0; i < N * N * 4; ++i) {
    int x = i / 4 % N, row = i / 4 / N * N, c = i % 4;
    expected[i] = bytes[i] / 255.0f + bytes[(row + std::min(x + 1, N - 1)) * 4 + c] / 255.0f;
  }
  failed += bad("colours", channels, expected, 1e-6f);

  // A curve in an array, looked up between its points.
  std::vector<short> points(N);
  for (int i = 0; i < N; ++i) points[i] = short(i * 1000);
  hipArray_t row;
  CHECK(rocport::mallocArray(&row, &tables::curve.channelDesc, N));
  CHECK(rocport::memcpyToArray(row, 0, 0, points.data(), N * sizeof(short), hipMemcpyHostToDevice));
  tables::curve.filterMode = hipFilterModeLinear;
  CHECK(rocport::bindTextureToArray(tables::curve, row));
  graph<<<1, N>>>(out);
  CHECK(hipMemcpy(got.data(), out, N * sizeof(float), hipMemcpyDeviceToHost));
  want.resize(N);
  for (int i = 0; i < N; ++i) want[i] = points[i] / 32767.0f;
  failed += bad("curve", got, want, 1e-4f);

  // A surface.
  hipArray_t sheet;
  CHECK(rocport::mallocArray(&sheet, &format, N, N, hipArraySurfaceLoadStore));
  CHECK(rocport::memcpy2DToArray(sheet, 0, 0, pixels.data(), N * sizeof(float), N * sizeof(float), N,
                            hipMemcpyHostToDevice));
  CHECK(rocport::bindSurfaceToArray(canvas, sheet));
  paint<<<N, N>>>(3.0f);
  CHECK(rocport::memcpy2DFromArray(got.data(), N * sizeof(float), sheet, 0, 0, N * sizeof(float), N,
                              hipMemcpyDeviceToHost));
  want = pixels;
  for (float& v : want) v *= 3.0f;
  failed += bad("surface", got, want, 0);

  CHECK(rocport::unbindTexture(volume));
  CHECK(rocport::freeArray(array));
  printf(failed ? "FAILED\n" : "all agree\n");
  return failed ? 1 : 0;
}
