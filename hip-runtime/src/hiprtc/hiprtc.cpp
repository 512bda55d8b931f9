// libhiprtc: compiles HIP at run time with the toolchain's own clang, through bin/hipcc beside it.
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <elf.h>
#include <string.h>

#include <map>
#include <mutex>
#include <set>

#include "../signatures.h"
#include "../tool.h"
#include "kept.h"
#include "target.h"

using namespace rocport;
using namespace rocport::tool;

namespace {

/** What programs find without an include. */
constexpr char PRELUDE[] =
    "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n#include <hip/hip_bfloat16.h>\n"
    "#include <hip/hip_complex.h>\n#include <hip/hip_math_constants.h>\n"
    "#define __HIPCC_RTC__ 1\n";

struct Program {
  std::string name;
  std::string source;
  std::map<std::string, std::string> headers;
  std::vector<std::string> expressions;
  bool compiled = false;
  kept::Result result;  // with -fgpu-rdc, bitcode instead of code
};

std::mutex& lock() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::set<Program*>& programs() {
  static auto* all = new std::set<Program*>;
  return *all;
}

Program* programOf(hiprtcProgram handle) {
  auto* program = reinterpret_cast<Program*>(handle);
  std::lock_guard held(lock());
  return programs().count(program) ? program : nullptr;
}

/** Options as clang spells them; false for an unknown option. */
bool translate(const std::string& option, std::vector<std::string>& arguments, bool& target) {
  for (const char* name : {"--gpu-architecture=", "-arch=", "--offload-arch=", "--amdgpu-target="}) {
    if (begins(option, name)) {
      std::string value = option.substr(strlen(name));
      if (!begins(value, "gfx")) return false;
      arguments.push_back("--offload-arch=" + value);
      target = true;
      return true;
    }
  }
  if (option == "--use_fast_math" || option == "-use_fast_math") {
    arguments.push_back("-ffast-math");
  } else if (option == "-G" || option == "--device-debug") {
    arguments.insert(arguments.end(), {"-O0", "-g"});
  } else if (option == "-lineinfo" || option == "--generate-line-info") {
    arguments.push_back("-gline-tables-only");
  } else {
    arguments.push_back(option);
  }
  return true;
}

/** Names after clang: each expression's address is kept in a variable whose relocation tells it. */
class Image {
 public:
  explicit Image(const std::string& bytes) : bytes_(bytes) {
    Elf64_Ehdr head = at<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < head.e_shnum; i++) {
      auto section = at<Elf64_Shdr>(head.e_shoff + uint64_t{i} * head.e_shentsize);
      if (section.sh_type == SHT_DYNSYM) {
        auto strings = at<Elf64_Shdr>(head.e_shoff + uint64_t{section.sh_link} * head.e_shentsize);
        readSymbols(section, strings.sh_offset);
      } else if (section.sh_type == SHT_RELA) {
        for (uint64_t r = 0; r + sizeof(Elf64_Rela) <= section.sh_size; r += sizeof(Elf64_Rela)) {
          auto relocation = at<Elf64_Rela>(section.sh_offset + r);
          relocations_[relocation.r_offset] = relocation;
        }
      }
    }
  }

  /** The name of what the pointer variable of this name points to; empty for none. */
  std::string target(const std::string& pointer) const {
    auto variable = byName_.find(pointer);
    if (variable == byName_.end()) return {};
    auto relocation = relocations_.find(variable->second.st_value);
    if (relocation == relocations_.end()) return {};
    uint64_t symbol = ELF64_R_SYM(relocation->second.r_info);
    if (symbol != 0) return symbol < names_.size() ? names_[symbol] : std::string();
    auto name = byAddress_.find(static_cast<uint64_t>(relocation->second.r_addend));
    return name == byAddress_.end() ? std::string() : name->second;
  }

 private:
  template <class T>
  T at(uint64_t offset) const {
    T value = {};
    if (offset <= bytes_.size() && sizeof value <= bytes_.size() - offset) {
      memcpy(&value, bytes_.data() + offset, sizeof value);
    }
    return value;
  }

  void readSymbols(const Elf64_Shdr& section, uint64_t strings) {
    for (uint64_t s = 0; s + sizeof(Elf64_Sym) <= section.sh_size; s += sizeof(Elf64_Sym)) {
      auto symbol = at<Elf64_Sym>(section.sh_offset + s);
      uint64_t start = strings + symbol.st_name;
      std::string name = start < bytes_.size() ? std::string(bytes_.c_str() + start) : std::string();
      names_.push_back(name);
      byName_[name] = symbol;
      if (symbol.st_shndx != SHN_UNDEF) byAddress_[symbol.st_value] = name;
    }
  }

  const std::string& bytes_;
  std::vector<std::string> names_;
  std::map<std::string, Elf64_Sym> byName_;
  std::map<uint64_t, std::string> byAddress_;
  std::map<uint64_t, Elf64_Rela> relocations_;
};

constexpr char POINTER[] = "__hiprtc_name_";

/** The program, followed by a pointer to each name that the caller requests. */
std::string wholeSource(const Program& program) {
  std::string text = "#line 1 \"" + program.name + "\"\n" + program.source + "\n";
  for (size_t i = 0; i < program.expressions.size(); i++) {
    // A leading & has no effect.
    std::string expression = program.expressions[i];
    size_t first = expression.find_first_not_of(" &");
    expression = first == std::string::npos ? std::string() : expression.substr(first);
    std::string number = std::to_string(i);
    text += "#line 1 \"name expression " + number + "\"\n";
    text += "extern \"C\" __device__ __attribute__((used)) const void* const " + (POINTER + number) +
            " = (const void*)(&" + expression + ");\n";
  }
  return text;
}

std::string compiler() {
  return beside(reinterpret_cast<void*>(&hiprtcCompileProgram), "hipcc").string();
}

/** The names from bitcode: what each pointer variable points to in its text. */
hiprtcResult lowerBitcode(Program& program, const Scratch& folder) {
  fs::path text = folder / "program.ll";
  std::string clang = beside(reinterpret_cast<void*>(&hiprtcCompileProgram), "clang").string();
  int status = run({clang, "-x", "ir", "-S", "-emit-llvm", "-Wno-override-module", "-o", text.string(),
                    (folder / "program.o").string()},
                   folder / "log");
  if (!succeeded(status)) {
    program.result.log += read(folder / "log");
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  std::ifstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (size_t i = 0; i < program.expressions.size(); i++) {
      if (!begins(line, ("@" + (POINTER + std::to_string(i)) + " = ").c_str())) continue;
      size_t at = line.rfind('@');
      size_t end = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$", at + 1);
      program.result.lowered[program.expressions[i]] = line.substr(at + 1, end - at - 1);
    }
  }
  return HIPRTC_SUCCESS;
}

/** All that the result of a compile depends on, beyond its arguments and the files that it includes. */
std::vector<std::string> texts(const Program& program) {
  std::vector<std::string> all = {PRELUDE, wholeSource(program)};
  for (const auto& [name, text] : program.headers) all.insert(all.end(), {name, text});
  all.insert(all.end(), program.expressions.begin(), program.expressions.end());
  return all;
}

hiprtcResult compile(Program& program, const std::vector<std::string>& options) {
  program.result = {};
  kept::Result& result = program.result;
  std::vector<std::string> own = {"-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-O3"};
  std::vector<std::string> translated;
  bool target = false;
  bool relocatable = false;
  for (const std::string& option : options) {
    if (option == "-fgpu-rdc" || option == "-fno-gpu-rdc") relocatable = option == "-fgpu-rdc";
    if (!translate(option, translated, target)) {
      result.log = "not an AMD GPU: " + option + "\n";
      return HIPRTC_ERROR_INVALID_OPTION;
    }
  }
  if (!target) translated.push_back("--offload-arch=" + currentTarget());
  own.insert(own.end(), translated.begin(), translated.end());
  if (relocatable) own.insert(own.end(), {"-c", "-emit-llvm"});
  kept::Request request(own, translated, texts(program), compiler());
  if (auto found = request.find()) {
    result = std::move(*found);
    return HIPRTC_SUCCESS;
  }
  Scratch folder;
  if (!folder.made()) return HIPRTC_ERROR_INTERNAL_ERROR;
  bool written = write(folder / "prelude.h", PRELUDE) &&
                 write(folder / "program.hip", wholeSource(program));
  for (const auto& [name, text] : program.headers) {
    written = written && write(folder / "include" / name, text);
  }
  if (!written) return HIPRTC_ERROR_INTERNAL_ERROR;
  fs::path output = folder / "program.o";
  std::vector<std::string> command = {compiler(), "-include", folder / "prelude.h", "-I",
                                      (folder / "include").string()};
  if (request.isKept()) command.insert(command.end(), {"-MD", "-MF", folder / "read"});
  command.insert(command.end(), own.begin(), own.end());
  command.insert(command.end(), {"-o", output.string(), (folder / "program.hip").string()});
  int status = run(command, folder / "log");
  result.log = read(folder / "log");
  if (status == -1) {
    result.log += "cannot run " + command.front() + "\n";
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
  if (!succeeded(status)) {
    bool names = result.log.find("name expression ") != std::string::npos;
    return names ? HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID : HIPRTC_ERROR_COMPILATION;
  }
  (relocatable ? result.bitcode : result.code) = read(output);
  if (relocatable && !program.expressions.empty()) {
    hiprtcResult lowered = lowerBitcode(program, folder);
    if (lowered != HIPRTC_SUCCESS) return lowered;
  } else if (!relocatable) {
    Image image(result.code);
    for (size_t i = 0; i < program.expressions.size(); i++) {
      result.lowered[program.expressions[i]] = image.target(POINTER + std::to_string(i));
    }
  }
  request.keep(result, read(folder / "read"), folder / "");
  return HIPRTC_SUCCESS;
}

hiprtcResult copyOut(const std::string& text, char* to, size_t extra) {
  if (!to) return HIPRTC_ERROR_INVALID_INPUT;
  memcpy(to, text.c_str(), text.size() + extra);
  return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS: return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY: return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE: return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT: return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM: return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION: return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION: return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE: return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION: return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION: return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case HIPRTC_ERROR_INTERNAL_ERROR: return "HIPRTC_ERROR_INTERNAL_ERROR";
    case HIPRTC_ERROR_LINKING: return "HIPRTC_ERROR_LINKING";
  }
  return "Invalid HIPRTC error code";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  // HIPRTC's own version, not HIP's.
  *major = 9;
  *minor = 0;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name,
                                 int count, Texts headers, Texts names) {
  if (!program || !source || count < 0 || (count > 0 && (!headers || !names))) {
    return HIPRTC_ERROR_INVALID_INPUT;
  }
  auto* made = new Program;
  made->name = name && *name ? name : "program";
  made->source = source;
  for (int i = 0; i < count; i++) made->headers[names[i]] = headers[i];
  std::lock_guard held(lock());
  programs().insert(made);
  *program = reinterpret_cast<hiprtcProgram>(made);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* handle) {
  if (!handle) return HIPRTC_ERROR_INVALID_INPUT;
  Program* program = programOf(*handle);
  if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
  std::lock_guard held(lock());
  programs().erase(program);
  delete program;
  *handle = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram handle, const char* expression) {
  Program* program = programOf(handle);
  if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return HIPRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.push_back(expression);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram handle, int count, Texts options) {
  Program* program = programOf(handle);
  if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
  try {
    hiprtcResult result = compile(*program, {options, options + count});
    program->compiled = result == HIPRTC_SUCCESS;
    return result;
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& failure) {
    program->result.log = failure.what();
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram handle, const char* expression, const char** name) {
  Program* program = programOf(handle);
  if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return HIPRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto found = program->result.lowered.find(expression);
  if (found == program->result.lowered.end() || found->second.empty()) {
    return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  }
  *name = found->second.c_str();
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram handle, size_t* size) {
  Program* program = programOf(handle);
  if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = program->result.log.size() + 1;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram handle, char* log) {
  Program* program = programOf(handle);
  return program ? copyOut(program->result.log, log, 1) : HIPRTC_ERROR_INVALID_PROGRAM;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram handle, size_t* size) {
  Program* program = programOf(handle);
  if (!program || program->result.code.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  *size = program->result.code.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram handle, char* code) {
  Program* program = programOf(handle);
  if (!program || program->result.code.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  return copyOut(program->result.code, code, 0);
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram handle, size_t* size) {
  if (!size) return HIPRTC_ERROR_INVALID_INPUT;
  Program* program = programOf(handle);
  if (!program || program->result.bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  *size = program->result.bitcode.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram handle, char* bitcode) {
  if (!bitcode) return HIPRTC_ERROR_INVALID_INPUT;
  Program* program = programOf(handle);
  if (!program || program->result.bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  return copyOut(program->result.bitcode, bitcode, 0);
}

}  // extern "C"
