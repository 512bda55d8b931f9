// Code objects loaded on a GPU, their kernels and variables.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "codeimage.h"
#include "error.h"

namespace rocport {

class Module;

struct Argument {
  enum Type : uint32_t { BY_VALUE = 0, GLOBAL_BUFFER = 1, DYNAMIC_LDS = 2 };
  uint32_t offset;
  uint32_t size;
  uint32_t type;
};

/** A kernel on one GPU; what a hipFunction_t points to. */
struct Kernel {
  Module* module = nullptr;
  std::string name;
  uint32_t index = 0;
  uint32_t kernargSize = 0;
  std::vector<Argument> arguments;
  uint32_t staticLds = 0;
  uint32_t scratch = 0;  // bytes per lane
  uint32_t vgprs = 0;
  uint32_t sgprs = 0;
  uint32_t maxThreads = 0;

  /** Bytes of the explicit arguments. */
  size_t argumentBytes() const;
};

struct Variable {
  uintptr_t address;
  size_t size;
};

/** What a hipModule_t points to. */
class Module {
 public:
  /**
   * Loads a code object or a fat binary on a GPU.
   *
   * @param alone whether no host code of a program has the memory of its managed variables
   */
  Module(int gpu, std::string_view image, bool alone);
  /** Loads a code object when one of its kernels or variables is first asked for. */
  Module(int gpu, std::unique_ptr<CodeImage> image);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const int gpu;
  uint64_t id() const { return id_; }

  /** Null if there is none of that name. */
  const Kernel* kernel(const std::string& name);
  const Variable* variable(const std::string& name);

 private:
  void load(std::string_view image);
  /** Lets managed variables be found by their names, and lets their pointers on the GPU have their addresses. */
  void bindManaged();
  /** Loads what is kept, if anything is. */
  void loadKept();

  std::mutex loading_;
  std::unique_ptr<CodeImage> kept_;  // until it is loaded
  uint64_t id_ = 0;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::map<std::string, const Kernel*> byName_;
  std::map<std::string, Variable> variables_;
};

/**
 * The bytes of a code object or fat binary in memory, measured by its own header.
 * Fails with hipErrorInvalidImage if it is neither.
 */
std::string_view imageAt(const void* address);

/** The kernel of a hipFunction_t, or hipErrorInvalidHandle. */
const Kernel& kernelOf(hipFunction_t function);

/** Whether a pointer is a hipFunction_t. */
bool isFunction(const void* pointer);

}  // namespace rocport
