// exact: the headers with the names of those of the CUDA samples, on host and device
// text: 1 of 1 timers
#include "../../../hip-runtime/include/rocport/cutil.h"
#include "../../../hip-runtime/include/rocport/helper_cuda.h"
#include "../../../hip-runtime/include/rocport/helper_functions.h"
#include "../../../hip-runtime/include/rocport/helper_math.h"

#include <unistd.h>

#undef MIN
#undef MAX
#include "check.h"

struct Out {
  float v[20];
  int w[8];
};

BOTH Out compute(float4 a, float4 b, int4 c, uint4 d) {
  Out o = {};
  const float3 p = make_float3(a), q = make_float3(b.x, b.y, b.z);
  const float3 x = cross(p, q), r = reflect(p, make_float3(0.0f, 1.0f, 0.0f));
  const float4 l = lerp(a, b, 0.25f), m = fminf(a, fmaxf(b, make_float4(0.5f)));
  const float2 f = fracf(make_float2(a.z, b.w)), s = smoothstep(make_float2(0.0f), make_float2(2.0f), make_float2(a.x, b.y));
  const float3 k = clamp(p * 2.0f - q, -1.0f, 1.0f);
  const float v[20] = {x.x, x.y, x.z, r.x, r.y, r.z, l.x, l.y, l.z, l.w, m.x, m.w, f.x, f.y, s.x, k.x, k.y, k.z, dot(a, b), length(make_float2(3.0f * d.x, 4.0f * d.x))};
  for (int i = 0; i < 20; i++) o.v[i] = v[i];
  const int4 n = clamp(abs(c) - 3, 0, 40), e = max(min(c, make_int4(5)), make_int4(make_float4(-2.5f)));
  const uint4 u = clamp(d, 2u, 9u);
  o.w[0] = n.x, o.w[1] = n.w, o.w[2] = e.y, o.w[3] = e.z, o.w[4] = int(u.x), o.w[5] = int(u.w);
  o.w[6] = dot(c, c), o.w[7] = int(dot(d, u));
  return o;
}

BOTH Out at(int i) {
  const float t = float(i % 17) * 0.25f;
  const unsigned n = unsigned(i % 11);
  return compute(make_float4(t, 1.0f - t, t * 0.5f, 2.0f), make_float4(0.5f, t, -t, t + 0.75f),
                 make_int4(i % 60 - 30, 7, -i % 9, 4), make_uint4(n, 1u, 3u, n + 8u));
}

__global__ void run(Out* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = at(i);
}

static void expect(bool good, const char* what) {
  if (!good) {
    printf("FAIL %s\n", what);
    exit(1);
  }
}

static void texts() {
  const char* argv[] = {"/x/program", "--size=12", "-ratio=0.5", "-verbose", "--name=a=b"};
  expect(checkCmdLineFlag(5, argv, "VERBOSE") && !checkCmdLineFlag(5, argv, "verb"), "flags");
  expect(getCmdLineArgumentInt(5, argv, "size") == 12, "int");
  expect(getCmdLineArgumentInt(5, argv, "size=") == 12, "int with an equals sign");
  expect(getCmdLineArgumentFloat(5, argv, "ratio") == 0.5f, "float");
  char* text = nullptr;
  expect(getCmdLineArgumentString(5, argv, "name", &text) && !strcmp(text, "a=b"), "string");
  expect(!getCmdLineArgumentString(5, argv, "none", &text) && text == nullptr, "no string");
  int value = 0;
  expect(cutGetCmdLineArgumenti(5, argv, "size", &value) == CUTTrue && value == 12, "cutil int");
}

static void files() {
  char folder[] = "/tmp/samples-XXXXXX";
  expect(mkdtemp(folder) != nullptr, "folder");
  const std::string image = std::string(folder) + "/a.pgm", list = std::string(folder) + "/a.txt";
  std::vector<unsigned char> gray;
  for (int i = 0; i < 35; i++) gray.push_back((unsigned char)(i * 7));
  expect(sdkSavePGM(image.c_str(), gray.data(), 7, 5), "save");
  unsigned char* read = nullptr;
  unsigned w = 0, h = 0;
  expect(sdkLoadPGM(image.c_str(), &read, &w, &h) && w == 7 && h == 5, "load");
  expect(cutCompareub(gray.data(), read, 35) == CUTTrue, "the same image");
  free(read);
  expect(sdkComparePGM(image.c_str(), image.c_str(), 0.0f, 0.0f, false), "compare images");
  char* found = sdkFindFilePath("a.pgm", (std::string(folder) + "/program").c_str());
  expect(found != nullptr && found == image, "find");
  free(found);
  const float numbers[] = {1.5f, -2.25f, 1e-3f};
  expect(sdkWriteFile(list.c_str(), numbers, 3, 0.1f, true), "write");
  float* back = nullptr;
  expect(sdkReadFile(list.c_str(), &back, &w, true) && w == 3, "read");
  expect(compareData(numbers, back, 3, 0.0f, 0.0f), "the same numbers");
  back[1] = 2;
  expect(!sdkCompareL2fe(numbers, back, 3, 1e-3f), "other numbers");
  expect(!compareData(numbers, back, 3, 0.1f, 0.0f) && compareData(numbers, back, 3, 0.1f, 0.5f),
         "a part of them");
  free(back);
  const std::string bytes = std::string(folder) + "/a.bin", other = std::string(folder) + "/b.bin";
  float few[] = {1.0f, 2.5f, -3.0f}, near[] = {1.0f, 2.5f, -3.125f};
  std::string program = std::string(folder) + "/program";
  expect(sdkDumpBin(few, sizeof few, bytes.c_str()) && sdkDumpBin(near, sizeof near, other.c_str()), "dump");
  expect(sdkCompareBin2BinFloat(bytes.c_str(), "b.bin", 3, 0.25f, 0.0f, &program[0]), "binary files");
  expect(!sdkCompareBin2BinFloat(bytes.c_str(), "b.bin", 3, 0.01f, 0.15f, &program[0]) &&
             sdkCompareBin2BinFloat(bytes.c_str(), "b.bin", 3, 0.01f, 0.5f, &program[0]),
         "a part of them");
  expect(sdkCompareBin2BinUint(bytes.c_str(), "a.bin", 3, 0.0f, 0.0f, &program[0]) &&
             !sdkCompareBin2BinUint(bytes.c_str(), "b.bin", 3, 1.0f, 0.0f, &program[0]),
         "binary files of integers");
  expect(!sdkCompareBin2BinFloat(bytes.c_str(), "b.bin", 4, 9.0f, 0.0f, &program[0]) &&
             !sdkCompareBin2BinFloat(bytes.c_str(), "c.bin", 3, 9.0f, 0.0f, &program[0]),
         "files that are short or missing");
  unlink(bytes.c_str());
  unlink(other.c_str());
  unlink(image.c_str());
  unlink(list.c_str());
  rmdir(folder);
}

int main(int argc, char** argv) {
  const int device = findCudaDevice(argc, const_cast<const char**>(argv));
  expect(device == 0 && checkCudaCapabilities(2, 0), "device");
  texts();
  files();
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  const int n = 200;
  Buffer<Out> out(n);
  run<<<4, 64>>>(out.get(), n);
  getLastCudaError("run");
  checkCudaErrors(hipDeviceSynchronize());
  CUT_CHECK_ERROR("run");
  sdkStopTimer(&timer);
  const float time = sdkGetTimerValue(&timer);
  expect(time > 0.0f && sdkGetAverageTimerValue(&timer) == time, "timer");
  sdkDeleteTimer(&timer);
  printf("%d of 1 timers\n", timer == nullptr);
  const std::vector<Out> got = out.host();
  std::vector<Out> wanted;
  for (int i = 0; i < n; i++) wanted.push_back(at(i));
  const float v[20] = {-0.5f, 1.25f,  1, 1, 0,    0.5f,  0.875f, 0.25f, 0.125f, 1.9375f,
                       0.5f,  1.75f, 0.5f, 0.75f, 0.5f, 1, -1, 1, 3.5f, 20};
  const int w[8] = {23, 1, 5, -2, 4, 9, 757, 135};
  expect(!memcmp(got[4].v, v, sizeof v) && !memcmp(got[4].w, w, sizeof w), "computed by hand");
  Check checked;
  checked.same("samples", got, wanted);
  return checked.end();
}
