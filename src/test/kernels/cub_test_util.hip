// exact: arguments, timers and comparisons with the names of CUB's test_util.h, by hand
// text: 300 5 7 'a' 3 30 1
#include "../../../hip-runtime/include/rocport/cub_test_util.h"

#include "check.h"

static __global__ void squares(int* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = i * i;
}

int main() {
  char text[9][24] = {"program", "--n=700", "7",      "--sizes=1,2,30", "--v",
                      "--n=300", "a b",     "--quiet", "--device=9"};
  char* argv[9];
  for (int i = 0; i < 9; i++) argv[i] = text[i];
  CommandLineArgs args(9, argv);
  int n = 1, kept = 5, naked = 0;
  std::string words;
  std::vector<int> sizes, none(1, 4);
  args.GetCmdLineArgument("n", n);
  args.GetCmdLineArgument("absent", kept);
  args.GetCmdLineArgument(0, naked);
  args.GetCmdLineArgument(1, words);
  args.GetCmdLineArgument(2, kept);
  args.GetCmdLineArguments("sizes", sizes);
  args.GetCmdLineArguments("absent", none);
  printf("%d %d %d '%s' %zu %d %zu\n", n, kept, naked, words.c_str(), sizes.size(), sizes[2], none.size());
  Check checked;
  checked.same("arguments",
               std::vector<int>{n, kept, naked, static_cast<int>(sizes.size()), sizes[2], none[0],
                                args.NumNakedArgs(), args.ParsedArgc(), args.CheckCmdLineFlag("v"),
                                args.CheckCmdLineFlag("7")},
               std::vector<int>{300, 5, 7, 3, 30, 4, 2, 6, 1, 0});

  const hipError_t init = args.DeviceInit();  // a GPU that is not there becomes the first one
  int device = 9;
  const hipError_t current = hipGetDevice(&device);
  Buffer<int> out(static_cast<size_t>(n));
  GpuTimer gpu;
  CpuTimer cpu;
  cpu.Start();
  gpu.Start();
  squares<<<2, 256>>>(out.get(), n);
  gpu.Stop();
  cpu.Stop();
  const float elapsed = gpu.ElapsedMillis();
  std::vector<int> wanted;
  for (int i = 0; i < n; i++) wanted.push_back(i * i);
  const int same = CompareDeviceResults(wanted.data(), out.get(), wanted.size());
  const int self = CompareDeviceDeviceResults(out.get(), out.get(), wanted.size());
  wanted[3] = 5;
  const int other = CompareDeviceResults(wanted.data(), out.get(), wanted.size(), true, false);
  AssertEquals(other, 1)
  checked.same("device",
               std::vector<int>{init, current, device, args.device_total_physmem > 0, elapsed >= 0,
                                cpu.ElapsedMillis() >= 0, same, self, other},
               std::vector<int>{0, 0, 0, 1, 1, 1, 0, 0, 1});
  return checked.end();
}
