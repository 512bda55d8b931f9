// Prints the GPUs that the runtime beside it shows: rocminfo and rocm_agent_enumerator.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

std::string target(const hipDeviceProp_t& gpu) {
  std::string name = gpu.gcnArchName;
  return name.substr(0, name.find(':'));
}

void info(const hipDeviceProp_t& gpu, int number) {
  std::printf("*******\nAgent %d\n*******\n", number);
  std::printf("  Name:                    %s\n", target(gpu).c_str());
  std::printf("  Marketing Name:          %s\n", gpu.name);
  std::printf("  Vendor Name:             AMD (emulated by rocport)\n");
  std::printf("  Device Type:             GPU\n");
  std::printf("  Compute Unit:            %d\n", gpu.multiProcessorCount);
  std::printf("  Max Clock Freq. (MHz):   %d\n", gpu.clockRate / 1000);
  std::printf("  Wavefront Size:          %d(0x%x)\n", gpu.warpSize, static_cast<unsigned>(gpu.warpSize));
  std::printf("  Workgroup Max Size:      %d(0x%x)\n", gpu.maxThreadsPerBlock, static_cast<unsigned>(gpu.maxThreadsPerBlock));
  std::printf("  Max Waves Per CU:        %d\n", gpu.maxThreadsPerMultiProcessor / gpu.warpSize);
  std::printf("  Pool Info:\n    Pool 1\n      Segment:             GLOBAL; FLAGS: COARSE GRAINED\n");
  std::printf("      Size:                %zu(0x%zx) KB\n", gpu.totalGlobalMem >> 10, gpu.totalGlobalMem >> 10);
  std::printf("    Pool 2\n      Segment:             GROUP\n      Size:                %zu KB\n", gpu.sharedMemPerBlock >> 10);
  std::printf("  ISA Info:\n    ISA 1\n      Name:                amdgcn-amd-amdhsa--%s\n", gpu.gcnArchName);
}

}  // namespace

int main(int count, char** arguments) {
  bool brief = count > 1 && std::strcmp(arguments[1], "targets") == 0;
  int gpus = 0;
  if (hipGetDeviceCount(&gpus) != hipSuccess) return 1;
  if (!brief) std::printf("=====================\nHSA Agents\n=====================\n");
  for (int i = 0; i < gpus; i++) {
    hipDeviceProp_t gpu;
    if (hipGetDeviceProperties(&gpu, i) != hipSuccess) return 1;
    if (brief) {
      std::printf("%s\n", target(gpu).c_str());
    } else {
      info(gpu, i + 1);
    }
  }
  if (!brief) std::printf("*** Done ***\n");
  return 0;
}
