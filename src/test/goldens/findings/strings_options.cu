// Options of NVRTC that another file passes.
#include <nvrtc.h>
#include <string>

std::string options(bool debug) {
  std::string all = "--gpu-architecture=sm_90";  // want: STRING-NVRTC-OPTION
  return debug ? all + " --device-debug" : all;
}

nvrtcResult plain(nvrtcProgram program) { return nvrtcCompileProgram(program, 0, nullptr); }
