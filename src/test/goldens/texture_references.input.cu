// Texture and surface references as CUDA had them before version 12. The program compares what its
// kernels read with the same on the CPU; it exits with 0 where all is right.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    cudaError_t e = (call);                                               \
    if (e != cudaSuccess) {                                               \
      printf("%s: %s\n", #call, cudaGetErrorString(e));                   \
      return 1;                                                           \
    }                                                                     \
  } while (0)

#define FETCH(i) tex1Dfetch(weights, i)

typedef unsigned char uchar;

texture<float> weights;
static texture<int2, cudaTextureType1D, cudaReadModeElementType> doubles;
texture<float, 2, cudaReadModeElementType> image;
texture<float, 3, cudaReadModeElementType> volume(0, cudaFilterModeLinear, cudaAddressModeClamp);
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours, other_colours;
namespace tables {
  texture<short, 1, cudaReadModeNormalizedFloat> curve;  // in an array
}
surface<void, cudaSurfaceType2D> canvas;

const int N = 32;

__global__ void linear(float* out, double* wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = tex1Dfetch(weights, i) + FETCH(n - 1 - i);
    int2 v = tex1Dfetch(doubles, i);
    wide[i] = __hiloint2double(v.y, v.x);
  }
}

__global__ void sample(float* out, float step, float shift) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * blockDim.x + x] = tex2D(image, (x + 0.5f) * step + shift, (y + 0.5f) * step);
}

__global__ void slice(float* out, float z) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * blockDim.x + x] = tex3D(volume, x + 0.5f, y + 0.5f, z);
}

template <class T>
__device__ float4 mean(const texture<T, 2, cudaReadModeNormalizedFloat> from, float x, float y) {
  float4 a = tex2D(from, x, y), b = tex2D(from, x + 1, y);
  return make_float4((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2, (a.w + b.w) / 2);
}

__global__ void colour(float4* out) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 a = mean(colours, x + 0.5f, y + 0.5f), b = mean<uchar4>(other_colours, x, y);
  out[y * blockDim.x + x] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void graph(float* out) { out[threadIdx.x] = tex1D(tables::curve, threadIdx.x + 0.5f); }

__global__ void paint(float scale) {
  int x = threadIdx.x, y = blockIdx.x;
  float v;
  surf2Dread(&v, canvas, x * sizeof(float), y);
  surf2Dwrite(v * scale, canvas, x * sizeof(float), y);
}

__global__ void unrelated(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 0.5f);
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
cudaError_t bind_row(const texture<T, 1, cudaReadModeElementType>& to, const void* p, size_t bytes) {
  size_t offset = 1;
  cudaError_t e = cudaBindTexture(&offset, to, p, bytes);
  return e == cudaSuccess && offset != 0 ? cudaErrorInvalidValue : e;
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
  CHECK(cudaMalloc(&d, N * N * sizeof(float)));
  CHECK(cudaMalloc(&out, N * N * sizeof(float4)));
  CHECK(cudaMalloc(&dd, N * N * sizeof(double)));
  CHECK(cudaMalloc(&dout, N * N * sizeof(double)));
  CHECK(cudaMemcpy(d, pixels.data(), N * N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dd, wide.data(), N * N * sizeof(double), cudaMemcpyHostToDevice));
  int failed = 0;

  // Linear memory, all of it and a part of it that begins anywhere.
  CHECK(cudaBindTexture(0, weights, d));
  CHECK(bind_row(doubles, dd, N * N * sizeof(double)));
  linear<<<N, N>>>(out, dout, N * N);
  CHECK(cudaMemcpy(got.data(), out, N * N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(wide_got.data(), dout, N * N * sizeof(double), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i] + pixels[N * N - 1 - i];
  failed += bad("linear", got, want, 0);
  for (int i = 0; i < N * N; ++i) failed += wide_got[i] != wide[i];
  CHECK(cudaUnbindTexture(weights));
  CHECK(cudaBindTexture(NULL, weights, d + 64, cudaCreateChannelDesc<float>(), 64 * sizeof(float)));
  linear<<<2, N>>>(out, dout, 2 * N);
  CHECK(cudaMemcpy(got.data(), out, 2 * N * sizeof(float), cudaMemcpyDeviceToHost));
  std::vector<float> part(2 * N);
  for (int i = 0; i < 2 * N; ++i) part[i] = pixels[64 + i] + pixels[64 + 2 * N - 1 - i];
  failed += bad("part", got, part, 0);

  // Rows with a pitch; fields that are set while the reference is bound hold for the next kernel.
  size_t offset;
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModePoint;
  image.normalized = false;
  CHECK(cudaBindTexture2D(&offset, image, d, N, N, N * sizeof(float)));
  sample<<<N, N>>>(out, 1.0f, 2.0f);
  CHECK(cudaMemcpy(got.data(), out, N * N * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i / N * N + std::min(i % N + 2, N - 1)];
  failed += bad("point, clamped", got, want, 0);
  image.filterMode = cudaFilterModeLinear;
  sample<<<N, N>>>(out, 1.0f, 0.5f);
  CHECK(cudaMemcpy(got.data(), out, N * N * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) {
    want[i] = (pixels[i] + pixels[i / N * N + std::min(i % N + 1, N - 1)]) / 2;
  }
  failed += bad("linear filter", got, want, 1e-5f);
  image.normalized = true;
  image.addressMode[0] = cudaAddressModeWrap;
  image.addressMode[1] = cudaAddressModeWrap;
  sample<<<N, N>>>(out, 1.0f / N, 1.0f + 3.0f / N);
  CHECK(cudaMemcpy(got.data(), out, N * N * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < N * N; ++i) want[i] = pixels[i / N * N + (i % N + 3) % N];
  failed += bad("wrapped", got, want, 0.1f);

  // A volume in an array.
  cudaArray* array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(N, N / 2, 2)));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(pixels.data(), N * sizeof(float), N, N / 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(N, N / 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  CHECK(cudaBindTextureToArray(volume, array, format));
  slice<<<N / 2, N>>>(out, 1.0f);
  CHECK(cudaMemcpy(got.data(), out, N * N / 2 * sizeof(float), cudaMemcpyDeviceToHost));
  want.resize(N * N / 2);
  for (int i = 0; i < N * N / 2; ++i) want[i] = (pixels[i] + pixels[N * N / 2 + i]) / 2;
  failed += bad("volume", got, want, 1e-5f);

  // Bytes as numbers from 0 to 1, in rows.
  std::vector<uchar> bytes(N * N * 4);
  for (int i = 0; i < N * N * 4; ++i) bytes[i] = uchar(i * 7);
  CHECK(cudaMemcpy(d, bytes.data(), N * N * 4, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(0, colours, d, N, N, N * 4));
  CHECK(cudaBindTexture2D(0, &other_colours, d, &colours.channelDesc, N, N, N * 4));
  colour<<<N, N>>>((float4*)out);
  std::vector<float> channels(N * N * 4), expected(N * N * 4);
  CHECK(cudaMemcpy(channels.data(), out, N * N * 16, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N * N * 4; ++i) {
    int x = i / 4 % N, row = i / 4 / N * N, c = i % 4;
    expected[i] = bytes[i] / 255.0f + bytes[(row + std::min(x + 1, N - 1)) * 4 + c] / 255.0f;
  }
  failed += bad("colours", channels, expected, 1e-6f);

  // A curve in an array, looked up between its points.
  std::vector<short> points(N);
  for (int i = 0; i < N; ++i) points[i] = short(i * 1000);
  cudaArray_t row;
  CHECK(cudaMallocArray(&row, &tables::curve.channelDesc, N));
  CHECK(cudaMemcpyToArray(row, 0, 0, points.data(), N * sizeof(short), cudaMemcpyHostToDevice));
  tables::curve.filterMode = cudaFilterModeLinear;
  CHECK(cudaBindTextureToArray(tables::curve, row));
  graph<<<1, N>>>(out);
  CHECK(cudaMemcpy(got.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost));
  want.resize(N);
  for (int i = 0; i < N; ++i) want[i] = points[i] / 32767.0f;
  failed += bad("curve", got, want, 1e-4f);

  // A surface.
  cudaArray_t sheet;
  CHECK(cudaMallocArray(&sheet, &format, N, N, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(sheet, 0, 0, pixels.data(), N * sizeof(float), N * sizeof(float), N,
                            cudaMemcpyHostToDevice));
  CHECK(cudaBindSurfaceToArray(canvas, sheet));
  paint<<<N, N>>>(3.0f);
  CHECK(cudaMemcpy2DFromArray(got.data(), N * sizeof(float), sheet, 0, 0, N * sizeof(float), N,
                              cudaMemcpyDeviceToHost));
  want = pixels;
  for (float& v : want) v *= 3.0f;
  failed += bad("surface", got, want, 0);

  CHECK(cudaUnbindTexture(volume));
  CHECK(cudaFreeArray(array));
  printf(failed ? "FAILED\n" : "all agree\n");
  return failed ? 1 : 0;
}
