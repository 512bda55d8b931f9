// Links bitcode to a code object, as hipLink* and hiprtcLink* do it.
#pragma once

#include <string.h>

#include <hip/linker_types.h>

#include <string_view>

#include "tool.h"

namespace rocport {

class Linker {
 public:
  enum class Result { GOOD, NOT_SUPPORTED, BAD_INPUT, NO_FILE, FAILED };

  /** What hiprtcLinkCreate and hipLinkCreate take; values that are pointers must live as long as this. */
  Result configure(unsigned count, const hipJitOption* options, void** values) {
    if (count > 0 && (!options || !values)) return Result::BAD_INPUT;
    const char** arguments = nullptr;
    size_t number = 0;
    for (unsigned i = 0; i < count; i++) {
      auto value = reinterpret_cast<uintptr_t>(values[i]);
      switch (options[i]) {
        case hipJitOptionIRtoISAOptExt:
          arguments = static_cast<const char**>(values[i]);
          break;
        case hipJitOptionIRtoISAOptCountExt:
          number = value;
          break;
        case hipJitOptionOptimizationLevel:
          if (value > 3) return Result::BAD_INPUT;
          level_ = std::to_string(value);
          break;
        case hipJitOptionErrorLogBuffer:
          report_ = static_cast<char*>(values[i]);
          break;
        case hipJitOptionErrorLogBufferSizeBytes:
          room_ = value;
          break;
        default:
          break;  // exists only in CUDA's compiler
      }
    }
    if (number > 0 && !arguments) return Result::BAD_INPUT;
    for (size_t i = 0; i < number; i++) {
      std::string argument = arguments[i];
      if (argument.size() == 3 && argument.compare(0, 2, "-O") == 0) {
        level_ = argument.substr(2);
      } else {
        extra_.push_back(argument);
      }
    }
    return Result::GOOD;
  }

  Result add(hipJitInputType type, std::string_view data, const std::string& target) {
    switch (type) {
      case hipJitInputLLVMBitcode:
        inputs_.emplace_back(data);
        return Result::GOOD;
      case hipJitInputLLVMBundledBitcode:
        return addBundle(data, target);
      case hipJitInputLLVMArchivesOfBundledBitcode:
        return addArchive(data, target);
      default:
        return Result::NOT_SUPPORTED;
    }
  }

  Result addFile(hipJitInputType type, const char* path, const std::string& target) {
    bool known = type == hipJitInputLLVMBitcode || type == hipJitInputLLVMBundledBitcode ||
                 type == hipJitInputLLVMArchivesOfBundledBitcode;
    if (!known) return Result::NOT_SUPPORTED;
    if (!std::ifstream(path, std::ios::binary).good()) return Result::NO_FILE;
    return add(type, tool::read(path), target);
  }

  /**
   * Links all inputs.
   *
   * @param function of the library that asks: the linker is beside it
   */
  Result complete(void* function, const std::string& target) {
    tool::Scratch folder;
    if (!folder.made() || inputs_.empty()) return inputs_.empty() ? Result::BAD_INPUT : Result::FAILED;
    tool::fs::path output = folder / "linked.o";
    std::vector<std::string> command = {tool::beside(function, "ld.lld").string(),
                                        "-m", "elf64_amdgpu", "--no-undefined", "-shared",
                                        "-plugin-opt=mcpu=" + target, "--lto-O" + level_,
                                        "-plugin-opt=-amdgpu-internalize-symbols", "-o", output.string()};
    command.insert(command.end(), extra_.begin(), extra_.end());
    for (size_t i = 0; i < inputs_.size(); i++) {
      tool::fs::path input = folder / ("input" + std::to_string(i) + ".bc");
      if (!tool::write(input, inputs_[i])) return Result::FAILED;
      command.push_back(input.string());
    }
    int status = tool::run(command, folder / "log");
    std::string log = tool::read(folder / "log");
    if (report_ && room_ > 0) {
      size_t size = log.copy(report_, room_ - 1);
      report_[size] = '\0';
    }
    if (!tool::succeeded(status)) {
      if (!report_) fprintf(stderr, "rocport: cannot link:\n%s", log.c_str());
      return Result::FAILED;
    }
    image_ = tool::read(output);
    return Result::GOOD;
  }

  std::string& image() { return image_; }

 private:
  /** The bitcode for the target in clang's bundle of several; those for other targets are left out. */
  Result addBundle(std::string_view data, const std::string& target) {
    constexpr std::string_view MAGIC = "__CLANG_OFFLOAD_BUNDLE__";
    if (data.substr(0, MAGIC.size()) != MAGIC) return Result::BAD_INPUT;
    size_t at = MAGIC.size();
    uint64_t entries = 0;
    if (!take(data, at, entries)) return Result::BAD_INPUT;
    bool found = false;
    for (uint64_t i = 0; i < entries; i++) {
      uint64_t offset = 0;
      uint64_t size = 0;
      uint64_t name = 0;
      if (!take(data, at, offset) || !take(data, at, size) || !take(data, at, name)) return Result::BAD_INPUT;
      if (name > data.size() - at || offset > data.size() || size > data.size() - offset) return Result::BAD_INPUT;
      std::string_view entry = data.substr(at, name);
      at += name;
      if (!names(entry, target)) continue;
      inputs_.emplace_back(data.substr(offset, size));
      found = true;
    }
    return found ? Result::GOOD : Result::BAD_INPUT;
  }

  /** Whether an entry such as hip-amdgcn-amd-amdhsa--gfx90a:xnack- is for a target. */
  static bool names(std::string_view entry, const std::string& target) {
    size_t at = entry.rfind("gfx");
    if (entry.substr(0, 3) != "hip" || at == std::string_view::npos) return false;
    std::string_view gpu = entry.substr(at);
    return gpu.substr(0, gpu.find(':')) == target;
  }

  /** The members of an archive, each a bundle. */
  Result addArchive(std::string_view data, const std::string& target) {
    constexpr std::string_view MAGIC = "!<arch>\n";
    constexpr size_t HEAD = 60;
    constexpr size_t SIZE_AT = 48;
    if (data.substr(0, MAGIC.size()) != MAGIC) return Result::BAD_INPUT;
    for (size_t at = MAGIC.size(); at + HEAD <= data.size();) {
      std::string_view name = data.substr(at, 16);
      size_t size = strtoull(std::string(data.substr(at + SIZE_AT, 10)).c_str(), nullptr, 10);
      at += HEAD;
      if (size > data.size() - at) return Result::BAD_INPUT;
      // The tables of symbols and of long names are not members.
      bool table = name.substr(0, 2) == "/ " || name.substr(0, 2) == "//" || name.substr(0, 7) == "/SYM64/";
      if (!table && addBundle(data.substr(at, size), target) != Result::GOOD) return Result::BAD_INPUT;
      at += size + (size & 1);
    }
    return Result::GOOD;
  }

  static bool take(std::string_view data, size_t& at, uint64_t& value) {
    if (at > data.size() || sizeof value > data.size() - at) return false;
    memcpy(&value, data.data() + at, sizeof value);
    at += sizeof value;
    return true;
  }

  std::vector<std::string> inputs_;
  std::vector<std::string> extra_;
  std::string level_ = "3";
  char* report_ = nullptr;
  size_t room_ = 0;
  std::string image_;
};

}  // namespace rocport
