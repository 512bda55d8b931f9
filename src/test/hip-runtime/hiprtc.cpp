// Compiling at run time: headers, options, names, logs.
#include <hip/hiprtc.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

// As the port writes rtc_headers.h.
#define ROCPORT_RTC_HEADERS_H
static const char* const rocport_rtc_headers[][2] = {{"rocport/one.h", "#include \"two.h\"\n#define ONE (TWO - 1)\n"},
                                                     {"rocport/two.h", "#pragma once\n#define TWO 2\n"},
                                                     {0, 0}};

#include "../../../hip-runtime/include/rocport/rtc_options.h"
#include "../../../hip-runtime/include/rocport/rtc_sources.h"
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

/** Writes a file. */
void put(const std::string& path, const char* text) {
  FILE* file = std::fopen(path.c_str(), "w");
  HOLDS(file && std::fputs(text, file) >= 0 && std::fclose(file) == 0);
}

/** What a source that is read from a file includes, compiled under a name; the log of a failure. */
std::string compiled(const char* source, const std::string& name, const char* header = nullptr) {
  const char* names[] = {"given.h"};
  hiprtcProgram program;
  HOLDS(rocport_create_program(&program, source, name.c_str(), header ? 1 : 0, &header, names) == HIPRTC_SUCCESS);
  hiprtcResult result = rocport_compile_program(program, 0, nullptr);
  size_t size = 0;
  HOLDS(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
  std::string log(size, '\0');
  HOLDS(hiprtcGetProgramLog(program, &log[0]) == HIPRTC_SUCCESS);
  HOLDS(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return result == HIPRTC_SUCCESS ? "" : log.empty() ? "failed" : log;
}

/** Headers beside the source, below it, of rocport, and of the caller. */
void sources() {
  char folder[] = "/tmp/rtcXXXXXX";
  HOLDS(mkdtemp(folder) != nullptr);
  std::string at = folder;
  HOLDS(mkdir((at + "/below").c_str(), 0700) == 0);
  put(at + "/side.cuh", "#include \"../../rocport/two.h\"\n#include \"below/deep.h\"\n#define SIDE (DEEP + TWO)\n");
  put(at + "/below/deep.h", "#pragma once\n #  include \"deeper.h\"\n#define DEEP (DEEPER + 1)\n");
  put(at + "/below/deeper.h", "#define DEEPER 4");
  const char* all =
      "#include \"../../../rocport/one.h\"  // comment\n#include \"side.cuh\"\n"
      "static_assert(ONE == 1 && SIDE == 7, \"\");\n__global__ void f(int* x) { *x = ONE; }\n";
  HOLDS(compiled(all, at + "/f.cu") == "");
  HOLDS(compiled(all, "f.cu").find("side.cuh") != std::string::npos);
  HOLDS(compiled("\n#include \"given.h\"\nstatic_assert(GIVEN == 3, \"\");", at + "/f.cu",
                 "#include \"../rocport/one.h\"\n#include \"missing.h\"\n#define GIVEN (TWO + ONE)\n")
            .find("given.h:2:") != std::string::npos);
  HOLDS(compiled("#include \"given.h\"\nstatic_assert(GIVEN == 3, \"\");", "f.cu",
                 "#include \"../rocport/one.h\"\n#define GIVEN (TWO + ONE)\n") == "");
  HOLDS(compiled("", "") == "");
  HOLDS(rocport_create_program(nullptr, "", "", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  HOLDS(compiled("#include \"below\"\n", at + "/f.cu").find("below") != std::string::npos);
  for (const char* name : {"/below/deeper.h", "/below/deep.h", "/below", "/side.cuh", ""}) {
    HOLDS(std::remove((at + name).c_str()) == 0);
  }
}

}  // namespace

int main() {
  sources();
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
