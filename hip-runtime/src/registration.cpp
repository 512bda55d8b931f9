#include "registration.h"

#include <string.h>

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "device.h"
#include "memory.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

/** What the compiler's constructor passes; HIPF. */
struct Wrapper {
  uint32_t magic;
  uint32_t version;
  const void* image;
  const void* unused;
};
constexpr uint32_t MAGIC = 0x48495046;

struct Managed {
  std::string name;  // of the device's pointer to it
  void* memory;
};

struct FatBinary {
  const void* image = nullptr;
  std::vector<Managed> managed;
  std::mutex loading;
  std::map<int, std::unique_ptr<Module>> onGpu;

  Module& on(int gpu) {
    std::lock_guard lock(loading);
    auto& module = onGpu[gpu];
    if (!module) {
      try {
        module = std::make_unique<Module>(gpu, imageAt(image), false);
      } catch (...) {
        onGpu.erase(gpu);
        throw;
      }
      for (const Managed& variable : managed) {
        const Variable* pointer = module->variable(variable.name);
        if (pointer) memcpy(reinterpret_cast<void*>(pointer->address), &variable.memory, sizeof(void*));
      }
    }
    return *module;
  }
};

struct Symbol {
  FatBinary* binary;
  std::string name;
  void* managed;  // its memory, where it is a managed variable
  size_t size;
};

struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<FatBinary*, std::unique_ptr<FatBinary>> binaries;
  std::unordered_map<const void*, Symbol> kernels;
  std::unordered_map<const void*, Symbol> variables;
};

// Constructors of other libraries come here before this library's own have run.
Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t lds;
  hipStream_t stream;
  std::vector<char> arguments = {};  // of hipSetupArgument
};
thread_local std::vector<Configuration> configurations;

void forget(std::unordered_map<const void*, Symbol>& symbols, FatBinary* binary) {
  for (auto at = symbols.begin(); at != symbols.end();) {
    at = at->second.binary == binary ? symbols.erase(at) : std::next(at);
  }
}

}  // namespace

const Kernel* kernelOfHost(const void* function, int gpu) {
  std::shared_lock lock(registry().mutex);
  auto found = registry().kernels.find(function);
  if (found == registry().kernels.end()) return nullptr;
  const Kernel* kernel = found->second.binary->on(gpu).kernel(found->second.name);
  require(kernel != nullptr, hipErrorInvalidDeviceFunction);
  return kernel;
}

const Kernel& kernelFor(const void* function, int gpu) {
  require(function != nullptr, hipErrorInvalidDeviceFunction);
  if (const Kernel* kernel = kernelOfHost(function, gpu)) return *kernel;
  require(isFunction(function), hipErrorInvalidDeviceFunction);
  return *static_cast<const Kernel*>(function);
}

Variable variableOfHost(const void* symbol, int gpu) {
  std::shared_lock lock(registry().mutex);
  auto found = registry().variables.find(symbol);
  require(found != registry().variables.end(), hipErrorInvalidSymbol);
  const Symbol& named = found->second;
  if (named.managed) return {reinterpret_cast<uintptr_t>(named.managed), named.size};
  const Variable* variable = named.binary->on(gpu).variable(named.name);
  require(variable != nullptr, hipErrorInvalidSymbol);
  return *variable;
}

void forgetLoaded(int gpu) {
  std::unique_lock lock(registry().mutex);
  for (auto& [key, binary] : registry().binaries) binary->onGpu.erase(gpu);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

void** __hipRegisterFatBinary(const void* data) {
  Wrapper wrapper;
  memcpy(&wrapper, data, sizeof wrapper);
  if (wrapper.magic != MAGIC || wrapper.version != 1) die("this program's GPU code has an unknown format");
  auto binary = std::make_unique<FatBinary>();
  binary->image = wrapper.image;
  std::unique_lock lock(registry().mutex);
  auto* handle = reinterpret_cast<void**>(binary.get());
  registry().binaries[binary.get()] = std::move(binary);
  return handle;
}

void __hipUnregisterFatBinary(void** handle) {
  // A child of fork() has neither the device nor the threads.
  if (Session::inherited()) return;
  try {
    if (Session::started()) drainAll();
    auto* binary = reinterpret_cast<FatBinary*>(handle);
    std::unique_lock lock(registry().mutex);
    forget(registry().kernels, binary);
    forget(registry().variables, binary);
    registry().binaries.erase(binary);
  } catch (const Failure&) {
    // The program is ending: an error cannot be reported any more.
  }
}

void __hipRegisterFunction(void** handle, const void* host, char*, const char* name, unsigned,
                           void*, void*, void*, void*, int*) {
  std::unique_lock lock(registry().mutex);
  registry().kernels[host] = {reinterpret_cast<FatBinary*>(handle), name, nullptr, 0};
}

void __hipRegisterVar(void** handle, void* host, char*, char* name, int, size_t size, int, int) {
  std::unique_lock lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<FatBinary*>(handle), name, nullptr, size};
}

void __hipRegisterTexture(void** handle, void* host, char*, char* name, int, int, int) {
  std::unique_lock lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<FatBinary*>(handle), name, nullptr, sizeof(textureReference)};
}

void __hipRegisterSurface(void** handle, void* host, char*, char* name, int, int) {
  std::unique_lock lock(registry().mutex);
  registry().variables[host] = {reinterpret_cast<FatBinary*>(handle), name, nullptr, sizeof(hipSurfaceObject_t)};
}

void __hipRegisterManagedVar(void** handle, void** pointer, void* initial, const char* name,
                             size_t size, unsigned) {
  // Host code may read the variable before any call of HIP, so its memory must be there now.
  void* memory = nullptr;
  hipError_t result = hipMallocManaged(&memory, size, hipMemAttachGlobal);
  if (result != hipSuccess) die("no memory for the managed variable %s: %s", name, hipGetErrorName(result));
  if (initial) memcpy(memory, initial, size);
  *pointer = memory;
  auto* binary = reinterpret_cast<FatBinary*>(handle);
  std::unique_lock lock(registry().mutex);
  binary->managed.push_back({name, memory});
  registry().variables[pointer] = {binary, name, memory, size};
  registry().variables[memory] = {binary, name, memory, size};
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  configurations.push_back({grid, block, lds, stream});
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, hipStream_t* stream) {
  if (configurations.empty()) return remember(hipErrorMissingConfiguration);
  Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *lds = last.lds;
  *stream = last.stream;
  return hipSuccess;
}

hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t lds, hipStream_t stream) {
  return api([&] { configurations.push_back({grid, block, lds, stream}); });
}

hipError_t hipSetupArgument(const void* argument, size_t size, size_t offset) {
  return api([&] {
    constexpr size_t MOST = 4096;
    require(!configurations.empty(), hipErrorMissingConfiguration);
    require(argument != nullptr && size <= MOST && offset <= MOST - size);
    std::vector<char>& bytes = configurations.back().arguments;
    if (bytes.size() < offset + size) bytes.resize(offset + size);
    memcpy(bytes.data() + offset, argument, size);
  });
}

hipError_t hipLaunchByPtr(const void* function) {
  return api([&] {
    require(!configurations.empty(), hipErrorMissingConfiguration);
    Configuration last = std::move(configurations.back());
    configurations.pop_back();
    const Kernel& kernel = kernelFor(function, streamOf(last.stream)->device);
    size_t size = last.arguments.size();
    require(size >= kernel.argumentBytes());
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, last.arguments.data(),
                     HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
    return hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(&kernel)),
                                 last.grid.x, last.grid.y, last.grid.z, last.block.x, last.block.y,
                                 last.block.z, static_cast<unsigned>(last.lds), last.stream, nullptr,
                                 extra);
  });
}

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  return api([&] {
    require(address != nullptr);
    *address = reinterpret_cast<void*>(variableOfHost(symbol, currentDevice()).address);
  });
}

hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  return api([&] {
    require(size != nullptr);
    *size = variableOfHost(symbol, currentDevice()).size;
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
  return api([&] {
    require(function != nullptr);
    const Kernel* kernel = kernelOfHost(symbol, currentDevice());
    require(kernel != nullptr, hipErrorInvalidDeviceFunction);
    *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(kernel));
  });
}

const char* hipKernelNameRefByPtr(const void* function, hipStream_t) {
  std::shared_lock lock(registry().mutex);
  auto found = registry().kernels.find(function);
  return found == registry().kernels.end() ? nullptr : found->second.name.c_str();
}

}  // extern "C"
