// Compiling at run time: headers, options, names, logs.
#include <hip/hiprtc.h>

#include <cstring>
#include <string>

#include "../../../hip-runtime/include/rocport/rtc_options.h"
#include "check.h"

namespace {

/** The options as rocport_compile_program passes them, separated by spaces. */
std::string translated(std::initializer_list<const char*> options) {
  const char* to[24] = {};
  int count = rocport_rtc_translate(static_cast<int>(options.size()), options.begin(), to);
  std::string all;
  for (int i = 0; i < count; i++) all += (i ? " " : "") + std::string(to[i]);
  return all;
}

}  // namespace

int main() {
  const char* source =
      "#include \"own/number.h\"\n"
      "template <class T, int N> __global__ void put(T* x) { *x = N + NUMBER + ADDED; }\n"
      "namespace inner { __constant__ int table[4]; }\n"
      "extern \"C\" __global__ void plain() {}\n"
      "__global__ void narrow(__half* h, hip_bfloat16* b, float f) { *h = f + HIP_INF_F + hipCrealf(make_hipFloatComplex(f, f)); *b = hip_bfloat16(f); }\n";
  const char* header = "#define NUMBER 3\n";
  const char* headerName = "own/number.h";
  hiprtcProgram program;
  HOLDS(hiprtcCreateProgram(&program, source, "folder/put.cu", 1, &header, &headerName) == HIPRTC_SUCCESS);
  const char* names[] = {"put<float, 7>", "&inner::table", "plain"};
  const char* lowered[] = {"_Z3putIfLi7EEvPT_", "_ZN5inner5tableE", "plain"};
  for (const char* name : names) HOLDS(hiprtcAddNameExpression(program, name) == HIPRTC_SUCCESS);
  const char* options[] = {"--std=c++17", "-DADDED=1", "--gpu-architecture=gfx942"};
  HOLDS(hiprtcCompileProgram(program, 3, options) == HIPRTC_SUCCESS);
  for (int i = 0; i < 3; i++) {
    const char* name = "";
    HOLDS(hiprtcGetLoweredName(program, names[i], &name) == HIPRTC_SUCCESS);
    HOLDS(std::strcmp(name, lowered[i]) == 0);
  }
  size_t size = 0;
  HOLDS(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS && size > 0);
  std::string code(size, '\0');
  HOLDS(hiprtcGetCode(program, &code[0]) == HIPRTC_SUCCESS);
  HOLDS(code.compare(0, 4, "\177ELF") == 0);
  HOLDS(hiprtcGetBitcodeSize(nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  HOLDS(hiprtcGetBitcodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
  HOLDS(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);

  HOLDS(hiprtcCreateProgram(&program, "__global__ void f() { int x = y; }", "bad.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  HOLDS(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  HOLDS(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
  std::string log(size, '\0');
  HOLDS(hiprtcGetProgramLog(program, &log[0]) == HIPRTC_SUCCESS);
  HOLDS(log.find("bad.cu:1:") != std::string::npos);
  HOLDS(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);

  HOLDS(translated({"--gpu-architecture=sm_94", "-arch", "compute_90", "-lineinfo"}) == "-gline-tables-only");
  HOLDS(translated({"-arch", "gfx90a", "--gpu-architecture=gfx942"}) == "-arch gfx90a --gpu-architecture=gfx942");
  HOLDS(translated({"--fmad=false", "-ftz=true", "--prec-div=true", "--maxrregcount", "32"}) ==
        "-ffp-contract=off -fgpu-flush-denormals-to-zero");
  HOLDS(translated({"-DN=4", "--define-macro=M=2", "-I", "folder", "--std=c++17"}) == "-DN=4 -D M=2 -I folder --std=c++17");
  HOLDS(translated({"", "-", "file"}) == " - file");
  HOLDS(translated({"--dlink-time-opt", "-default-device", "-D"}) == "--dlink-time-opt -default-device -D ");
  const char* assembled[] = {"--gpu-architecture=sm_94", "--use_fast_math", "--define-macro=ADDED=1", "-rdc", "-G"};
  HOLDS(hiprtcCreateProgram(&program, "__global__ void f(int* x) { *x = ADDED; }", "f.cu", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  HOLDS(hiprtcCompileProgram(program, 1, assembled) == HIPRTC_ERROR_INVALID_OPTION);
  HOLDS(rocport_compile_program(program, 3, assembled) == HIPRTC_SUCCESS);
  HOLDS(rocport_compile_program(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  HOLDS(rocport_compile_program(program, 5, assembled) == HIPRTC_SUCCESS);
  HOLDS(hiprtcGetBitcodeSize(program, &size) == HIPRTC_SUCCESS && size > 0);
  HOLDS(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return done();
}
