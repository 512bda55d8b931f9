#include "module.h"

#include <elf.h>
#include <string.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "allocation.h"
#include "capture.h"
#include "device.h"
#include "session.h"
#include "stream.h"

namespace rocport {
namespace {

constexpr char BUNDLE[] = "__CLANG_OFFLOAD_BUNDLE__";
constexpr size_t BUNDLE_MAGIC = sizeof BUNDLE - 1;
constexpr char COMPRESSED[] = "CCOB";

template <class T>
T read(const char*& at) {
  T value;
  memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

size_t bundleSize(const char* first) {
  constexpr uint64_t MOST = 1024;
  const char* at = first + BUNDLE_MAGIC;
  auto entries = read<uint64_t>(at);
  require(entries <= MOST, hipErrorInvalidImage);
  uint64_t end = 0;
  for (uint64_t i = 0; i < entries; i++) {
    auto offset = read<uint64_t>(at);
    auto size = read<uint64_t>(at);
    auto name = read<uint64_t>(at);
    require(name < 4096, hipErrorInvalidImage);
    at += name;
    end = std::max(end, offset + size);
  }
  return std::max<uint64_t>(end, static_cast<uint64_t>(at - first));
}

// Version 1 of the format has no size field.
size_t compressedSize(const char* first) {
  const char* at = first + sizeof COMPRESSED - 1;
  auto version = read<uint16_t>(at);
  read<uint16_t>(at);  // the compression method
  if (version == 2) return read<uint32_t>(at);
  if (version == 3) return read<uint64_t>(at);
  tell("a compressed fat binary of version %u is not supported: use a newer clang", version);
  fail(hipErrorInvalidImage);
}

size_t elfSize(const char* first) {
  Elf64_Ehdr head;
  memcpy(&head, first, sizeof head);
  require(head.e_ident[EI_CLASS] == ELFCLASS64, hipErrorInvalidImage);
  uint64_t end = head.e_shoff + uint64_t{head.e_shnum} * head.e_shentsize;
  end = std::max<uint64_t>(end, head.e_phoff + uint64_t{head.e_phnum} * head.e_phentsize);
  for (unsigned i = 0; i < head.e_phnum; i++) {
    Elf64_Phdr segment;
    memcpy(&segment, first + head.e_phoff + uint64_t{i} * head.e_phentsize, sizeof segment);
    end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  for (unsigned i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr section;
    memcpy(&section, first + head.e_shoff + uint64_t{i} * head.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS) {
      end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
    }
  }
  return end;
}

/** A GPU, and the flags and the version of a code object: what decides whether the GPU accepts it. */
using Form = std::tuple<int, Elf64_Word, unsigned char, unsigned char>;

struct Registry {
  std::mutex mutex;
  std::set<const void*> kernels;
  std::map<Module*, std::unique_ptr<Module>> modules;  // modules that the program has loaded
  std::set<Form> accepted;                             // of code objects that a GPU has loaded
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

/** The module of a handle, or hipErrorInvalidHandle for null, hipErrorNotFound for one that is not loaded. */
Module& moduleOf(hipModule_t handle) {
  require(handle != nullptr, hipErrorInvalidHandle);
  std::lock_guard lock(registry().mutex);
  auto found = registry().modules.find(reinterpret_cast<Module*>(handle));
  require(found != registry().modules.end(), hipErrorNotFound);
  return *found->second;
}

void add(hipModule_t* handle, std::unique_ptr<Module> module) {
  std::lock_guard lock(registry().mutex);
  *handle = reinterpret_cast<hipModule_t>(module.get());
  registry().modules[module.get()] = std::move(module);
}

void load(hipModule_t* handle, std::string_view image) {
  add(handle, std::make_unique<Module>(currentDevice(), image, true));
}

bool isAccepted(const Form& form) {
  std::lock_guard lock(registry().mutex);
  return registry().accepted.count(form) != 0;
}

/**
 * Loads an image. rocBLAS loads more than a gigabyte of code objects when it starts, and uses few of
 * their kernels: a large one is only kept if the GPU has accepted another of the same form.
 */
void load(hipModule_t* handle, std::unique_ptr<CodeImage> image) {
  constexpr size_t LARGE = 1 << 20;
  std::string_view bytes = image->bytes();
  require(!bytes.empty(), hipErrorInvalidImage);
  const Elf64_Ehdr* head = image->header();
  if (head == nullptr) return load(handle, bytes);
  int gpu = currentDevice();
  Form form{gpu, head->e_flags, head->e_ident[EI_OSABI], head->e_ident[EI_ABIVERSION]};
  if (bytes.size() >= LARGE && isAccepted(form)) {
    return add(handle, std::make_unique<Module>(gpu, std::move(image)));
  }
  load(handle, bytes);
  std::lock_guard lock(registry().mutex);
  registry().accepted.insert(form);
}

}  // namespace

size_t Kernel::argumentBytes() const {
  size_t end = 0;
  for (const Argument& argument : arguments) {
    end = std::max<size_t>(end, size_t{argument.offset} + argument.size);
  }
  return end;
}

Module::Module(int gpu, std::string_view image, bool alone) : gpu(gpu) {
  load(image);
  if (alone) bindManaged();
}

Module::Module(int gpu, std::unique_ptr<CodeImage> image) : gpu(gpu), kept_(std::move(image)) {}

void Module::load(std::string_view image) {
  Reader reply =
      Session::get().call(Message::LOAD, Writer().u32(static_cast<uint32_t>(gpu)), image);
  id_ = reply.u64();
  uint32_t kernels = reply.u32();
  for (uint32_t i = 0; i < kernels; i++) {
    auto kernel = std::make_unique<Kernel>();
    kernel->module = this;
    kernel->index = i;
    kernel->name = reply.text();
    kernel->kernargSize = reply.u32();
    uint32_t arguments = reply.u32();
    for (uint32_t a = 0; a < arguments; a++) {
      Argument argument;
      argument.offset = reply.u32();
      argument.size = reply.u32();
      argument.type = reply.u32();
      kernel->arguments.push_back(argument);
    }
    kernel->staticLds = reply.u32();
    kernel->scratch = reply.u32();
    kernel->vgprs = reply.u32();
    kernel->sgprs = reply.u32();
    kernel->maxThreads = reply.u32();
    byName_[kernel->name] = kernel.get();
    kernels_.push_back(std::move(kernel));
  }
  uint32_t variables = reply.u32();
  for (uint32_t i = 0; i < variables; i++) {
    std::string name = reply.text();
    Variable variable;
    variable.address = reply.u64();
    variable.size = reply.u64();
    Allocation allocation;
    allocation.start = allocation.device = variable.address;
    allocation.size = variable.size;
    allocation.kind = Kind::VARIABLE;
    allocation.gpu = gpu;
    if (variable.size > 0) Allocations::get().add(allocation);
    variables_[name] = variable;
  }
  std::lock_guard lock(registry().mutex);
  for (const auto& kernel : kernels_) registry().kernels.insert(kernel.get());
}

void Module::bindManaged() {
  // For a managed variable x, code objects have x.managed, which holds the value, and x, a pointer to it.
  constexpr std::string_view MANAGED = ".managed";
  for (const auto& [name, variable] : variables_) {
    if (name.size() <= MANAGED.size() || name.substr(name.size() - MANAGED.size()) != MANAGED) continue;
    auto pointer = variables_.find(name.substr(0, name.size() - MANAGED.size()));
    if (pointer == variables_.end() || pointer->second.size != sizeof(void*) || variable.size == 0) continue;
    memcpy(reinterpret_cast<void*>(pointer->second.address), &variable.address, sizeof(void*));
    Allocations::get().remove(pointer->second.address);
    pointer->second = variable;
    auto allocation = Allocations::get().remove(variable.address);
    if (!allocation) continue;
    allocation->kind = Kind::MANAGED;
    allocation->flags = hipMemAttachGlobal;
    Allocations::get().add(*allocation);
  }
}

Module::~Module() {
  if (kept_ != nullptr) return;
  for (const auto& [name, variable] : variables_) Allocations::get().remove(variable.address);
  {
    std::lock_guard lock(registry().mutex);
    for (const auto& kernel : kernels_) registry().kernels.erase(kernel.get());
  }
  try {
    Session::get().call(Message::UNLOAD, Writer().u64(id_));
  } catch (const Failure&) {
    // The device has dropped it: there is nothing left to unload.
  }
}

void Module::loadKept() {
  if (kept_ == nullptr) return;
  if (!kept_->isUnchanged()) {
    tell("a file was written to after hipModuleLoad, and before its first kernel was used");
    fail(hipErrorInvalidImage);
  }
  load(kept_->bytes());
  bindManaged();
  kept_.reset();
}

const Kernel* Module::kernel(const std::string& name) {
  std::lock_guard lock(loading_);
  if (kept_ != nullptr && !kept_->mayHold(name)) return nullptr;
  loadKept();
  auto found = byName_.find(name);
  return found == byName_.end() ? nullptr : found->second;
}

const Variable* Module::variable(const std::string& name) {
  std::lock_guard lock(loading_);
  loadKept();
  auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

std::string_view imageAt(const void* address) {
  require(address != nullptr);
  const char* first = static_cast<const char*>(address);
  if (memcmp(first, ELFMAG, SELFMAG) == 0) return {first, elfSize(first)};
  if (memcmp(first, COMPRESSED, sizeof COMPRESSED - 1) == 0) return {first, compressedSize(first)};
  if (strncmp(first, BUNDLE, BUNDLE_MAGIC) == 0) return {first, bundleSize(first)};
  fail(hipErrorInvalidImage);
}

bool isFunction(const void* pointer) {
  std::lock_guard lock(registry().mutex);
  return registry().kernels.count(pointer) != 0;
}

const Kernel& kernelOf(hipFunction_t function) {
  require(isFunction(function), hipErrorInvalidHandle);
  return *reinterpret_cast<const Kernel*>(function);
}

}  // namespace rocport

using namespace rocport;

extern "C" {

// HIP allows to load modules during a capture, and rocBLAS does, when a kernel is first needed.
hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  return api([&] {
    require(module != nullptr && file != nullptr && *file != '\0');
    load(module, std::make_unique<CodeImage>(file));
  });
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return api([&] {
    require(module != nullptr);
    load(module, std::make_unique<CodeImage>(imageAt(image)));
  });
}

// The options are for compiling intermediate code; a code object needs none.
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*,
                               void**) {
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleUnload(hipModule_t handle) {
  return api([&] {
    // Before HIP 7, modules may be unloaded during a capture.
    if (HIP_VERSION_MAJOR >= 7) forbidUnsafe();
    Module& module = moduleOf(handle);
    drainDevice(module.gpu);
    std::unique_ptr<Module> last;  // destroyed after the lock, since its destructor takes the lock, too
    std::lock_guard lock(registry().mutex);
    last = std::move(registry().modules[&module]);
    registry().modules.erase(&module);
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t handle, const char* name) {
  return api([&] {
    require(function != nullptr && name != nullptr);
    const Kernel* kernel = moduleOf(handle).kernel(name);
    require(kernel != nullptr, hipErrorNotFound);
    *function = reinterpret_cast<hipFunction_t>(const_cast<Kernel*>(kernel));
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t handle,
                              const char* name) {
  return api([&] {
    require(name != nullptr && (address != nullptr || bytes != nullptr));
    const Variable* variable = moduleOf(handle).variable(name);
    require(variable != nullptr, hipErrorNotFound);
    if (address) *address = reinterpret_cast<hipDeviceptr_t>(variable->address);
    if (bytes) *bytes = variable->size;
  });
}

const char* hipKernelNameRef(const hipFunction_t function) {
  return isFunction(function) ? reinterpret_cast<const Kernel*>(function)->name.c_str() : nullptr;
}

}  // extern "C"
