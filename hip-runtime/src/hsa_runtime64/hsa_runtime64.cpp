// libhsa-runtime64: which agents there are, what they are, and memory of the host that GPUs access. It has no queues,
// signals and code objects: programs start kernels with HIP. The declarations are those of hsa.h and hsa_ext_amd.h,
// which the toolchain may lack.
#include <hip/hip_runtime_api.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "../library/runtime.h"

namespace {

enum Status : int {
  SUCCESS = 0,
  BREAK = 1,
  FAILED = 0x1000,
  INVALID_ARGUMENT = 0x1001,
  INVALID_AGENT = 0x1004,
  OUT_OF_RESOURCES = 0x1008,
  NOT_INITIALIZED = 0x100B,
  INVALID_MEMORY_POOL = 40,
};

/** hsa_agent_t and hsa_amd_memory_pool_t. */
struct Handle {
  uint64_t handle;
};

struct HdpFlush {
  uint32_t* memory;
  uint32_t* registers;
};

// hsa_agent_info_t and hsa_amd_agent_info_t
enum AgentInfo : int {
  NAME = 0,
  VENDOR_NAME = 1,
  FEATURE = 2,
  MACHINE_MODEL = 3,
  PROFILE = 4,
  WAVEFRONT_SIZE = 6,
  QUEUES_MAX = 12,
  NODE = 16,
  DEVICE = 17,
  COMPUTE_UNIT_COUNT = 0xA002,
  DRIVER_NODE_ID = 0xA004,
  BDFID = 0xA006,
  PRODUCT_NAME = 0xA009,
  HDP_FLUSH = 0xA00E,
  DOMAIN_ID = 0xA00F,
};

enum DeviceType : int { CPU = 0, GPU = 1 };
enum PoolInfo : int { SEGMENT = 0, GLOBAL_FLAGS = 1, SIZE = 2, ALLOC_ALLOWED = 5, ACCESSIBLE_BY_ALL = 15 };
enum PoolFlags : uint32_t { KERNARG_INIT = 1, FINE_GRAINED = 2, COARSE_GRAINED = 4 };
enum SystemInfo : int { VERSION_MAJOR = 0, VERSION_MINOR = 1, ENDIANNESS = 5, SYSTEM_MACHINE_MODEL = 6, DMABUF_SUPPORTED = 0x204 };

constexpr int LARGE_MODEL = 1;
constexpr int BASE_PROFILE = 0;
constexpr int GLOBAL_SEGMENT = 0;
constexpr size_t TEXT = 64;  // bytes of a name

// Agent 1 is the host, and the others are the GPUs in the order of HIP.
constexpr uint64_t HOST = 1;
constexpr uint64_t FIRST_GPU = 2;

// A pool is its agent and its flags.
constexpr uint64_t POOL_BITS = 8;
constexpr uint32_t HOST_POOLS[] = {FINE_GRAINED, KERNARG_INIT | FINE_GRAINED, COARSE_GRAINED};

std::mutex mutex;
uint64_t uses = 0;
std::map<void*, int> locked;  // how often

/** What HIP says of a GPU. */
struct Gpu {
  char name[TEXT];
  char product[TEXT];
  uint32_t computeUnits;
  uint32_t wave;
  uint32_t function;  // 8 bits of bus, 5 of device, 3 of function
  uint32_t domain;
  uint64_t memory;
};

std::optional<std::vector<Gpu>> ask() {
  int count = 0;
  if (hipGetDeviceCount(&count) != hipSuccess) return std::nullopt;
  std::vector<Gpu> all;
  for (int i = 0; i < count; i++) {
    hipDeviceProp_t from;
    if (hipGetDeviceProperties(&from, i) != hipSuccess) return std::nullopt;
    Gpu gpu = {};
    // gfx90a of gfx90a:sramecc+:xnack-
    memcpy(gpu.name, from.gcnArchName, std::min(TEXT - 1, strcspn(from.gcnArchName, ":")));
    memcpy(gpu.product, from.name, strnlen(from.name, TEXT - 1));
    gpu.computeUnits = static_cast<uint32_t>(from.multiProcessorCount);
    gpu.wave = static_cast<uint32_t>(from.warpSize);
    gpu.function = static_cast<uint32_t>(from.pciBusID << 8 | from.pciDeviceID << 3);
    gpu.domain = static_cast<uint32_t>(from.pciDomainID);
    gpu.memory = from.totalGlobalMem;
    all.push_back(gpu);
  }
  return all;
}

bool whole(ssize_t (*move)(int, void*, size_t), int file, void* data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t moved = move(file, static_cast<char*>(data) + done, size - done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return false;
    done += static_cast<size_t>(moved);
  }
  return true;
}

ssize_t put(int file, void* data, size_t size) { return write(file, data, size); }

/** Programs ask for agents to start a process for each of them, which they cannot after they have used HIP. */
std::optional<std::vector<Gpu>> askInChild() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  pid_t child = fork();
  if (child == 0) {
    auto found = ask();
    size_t count = found ? found->size() : 0;
    bool sent = found && whole(put, ends[1], &count, sizeof count) &&
                whole(put, ends[1], found->data(), count * sizeof(Gpu));
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::optional<std::vector<Gpu>> found;
  size_t count = 0;
  if (child > 0 && whole(read, ends[0], &count, sizeof count)) {
    std::vector<Gpu> all(count);
    if (whole(read, ends[0], all.data(), count * sizeof(Gpu))) found = std::move(all);
  }
  close(ends[0]);
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return found;
}

/** Empty as well if there is no device, which libamdhip64 reports. */
const std::vector<Gpu>& gpus() {
  static const std::vector<Gpu> all = (rocportStarted() ? ask() : askInChild()).value_or(std::vector<Gpu>());
  return all;
}

uint64_t agents() { return HOST + gpus().size(); }

bool ready() {
  std::lock_guard<std::mutex> lock(mutex);
  return uses > 0;
}

bool known(Handle agent) { return agent.handle >= HOST && agent.handle <= agents(); }

template <typename T>
Status give(void* value, T result) {
  memcpy(value, &result, sizeof result);
  return SUCCESS;
}

Status text(void* value, const char* result) {
  char* to = static_cast<char*>(value);
  memset(to, 0, TEXT);
  memcpy(to, result, strnlen(result, TEXT - 1));
  return SUCCESS;
}

Status host(AgentInfo what, void* value) {
  switch (what) {
    case NAME:
    case PRODUCT_NAME:
      return text(value, "host");
    case VENDOR_NAME:
      return text(value, "CPU");
    case WAVEFRONT_SIZE:
    case COMPUTE_UNIT_COUNT:
    case BDFID:
    case DOMAIN_ID:
      return give(value, uint32_t{0});
    default:
      return INVALID_ARGUMENT;
  }
}

Status flush(int gpu, void* value) {
  HdpFlush address = {};
  if (hipDeviceGetAttribute(reinterpret_cast<int*>(&address.memory), hipDeviceAttributeHdpMemFlushCntl, gpu) !=
          hipSuccess ||
      hipDeviceGetAttribute(reinterpret_cast<int*>(&address.registers), hipDeviceAttributeHdpRegFlushCntl, gpu) !=
          hipSuccess) {
    return FAILED;
  }
  return give(value, address);
}

Status gpu(size_t index, AgentInfo what, void* value) {
  const Gpu& gpu = gpus()[index];
  switch (what) {
    case NAME:
      return text(value, gpu.name);
    case PRODUCT_NAME:
      return text(value, gpu.product);
    case VENDOR_NAME:
      return text(value, "AMD");
    case WAVEFRONT_SIZE:
      return give(value, gpu.wave);
    case COMPUTE_UNIT_COUNT:
      return give(value, gpu.computeUnits);
    case BDFID:
      return give(value, gpu.function);
    case DOMAIN_ID:
      return give(value, gpu.domain);
    case HDP_FLUSH:
      return flush(static_cast<int>(index), value);
    default:
      return INVALID_ARGUMENT;
  }
}

Status lock(void* address, size_t size, void** seen) {
  if (address == nullptr || size == 0 || seen == nullptr) return INVALID_ARGUMENT;
  std::lock_guard<std::mutex> guard(mutex);
  bool first = locked.count(address) == 0;
  if (first && hipHostRegister(address, size, hipHostRegisterMapped) != hipSuccess) return OUT_OF_RESOURCES;
  if (hipHostGetDevicePointer(seen, address, 0) != hipSuccess) {
    if (first) static_cast<void>(hipHostUnregister(address));
    return FAILED;
  }
  locked[address]++;
  return SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Status hsa_init() {
  std::lock_guard<std::mutex> lock(mutex);
  uses++;
  return SUCCESS;
}

Status hsa_shut_down() {
  std::lock_guard<std::mutex> lock(mutex);
  if (uses == 0) return NOT_INITIALIZED;
  uses--;
  return SUCCESS;
}

Status hsa_status_string(Status status, const char** text) {
  if (text == nullptr) return INVALID_ARGUMENT;
  switch (status) {
    case SUCCESS:
      *text = "HSA_STATUS_SUCCESS: no error";
      return SUCCESS;
    case BREAK:
      *text = "HSA_STATUS_INFO_BREAK: a callback ended an iteration";
      return SUCCESS;
    case FAILED:
      *text = "HSA_STATUS_ERROR: an error";
      return SUCCESS;
    case INVALID_ARGUMENT:
      *text = "HSA_STATUS_ERROR_INVALID_ARGUMENT: an argument is invalid or not supported";
      return SUCCESS;
    case INVALID_AGENT:
      *text = "HSA_STATUS_ERROR_INVALID_AGENT: no such agent";
      return SUCCESS;
    case OUT_OF_RESOURCES:
      *text = "HSA_STATUS_ERROR_OUT_OF_RESOURCES: the memory cannot be locked";
      return SUCCESS;
    case NOT_INITIALIZED:
      *text = "HSA_STATUS_ERROR_NOT_INITIALIZED: hsa_init has not been called";
      return SUCCESS;
    case INVALID_MEMORY_POOL:
      *text = "HSA_STATUS_ERROR_INVALID_MEMORY_POOL: no such memory pool";
      return SUCCESS;
    default:
      return INVALID_ARGUMENT;
  }
}

Status hsa_system_get_info(SystemInfo what, void* value) {
  if (!ready()) return NOT_INITIALIZED;
  if (value == nullptr) return INVALID_ARGUMENT;
  switch (what) {
    case VERSION_MAJOR:
    case VERSION_MINOR:
      return give(value, uint16_t{1});
    case ENDIANNESS:  // little
      return give(value, int{0});
    case SYSTEM_MACHINE_MODEL:
      return give(value, LARGE_MODEL);
    case DMABUF_SUPPORTED:
      return give(value, false);
    default:
      return INVALID_ARGUMENT;
  }
}

Status hsa_iterate_agents(Status (*each)(Handle, void*), void* data) {
  if (!ready()) return NOT_INITIALIZED;
  if (each == nullptr) return INVALID_ARGUMENT;
  for (uint64_t agent = HOST; agent <= agents(); agent++) {
    Status status = each({agent}, data);
    if (status != SUCCESS) return status;
  }
  return SUCCESS;
}

Status hsa_agent_get_info(Handle agent, AgentInfo what, void* value) {
  if (!ready()) return NOT_INITIALIZED;
  if (!known(agent)) return INVALID_AGENT;
  if (value == nullptr) return INVALID_ARGUMENT;
  bool cpu = agent.handle == HOST;
  switch (what) {
    case DEVICE:
      return give(value, cpu ? CPU : GPU);
    case NODE:
    case DRIVER_NODE_ID:
      return give(value, static_cast<uint32_t>(agent.handle - HOST));
    case FEATURE:  // no queues, so no kernels in them
    case QUEUES_MAX:
      return give(value, uint32_t{0});
    case MACHINE_MODEL:
      return give(value, LARGE_MODEL);
    case PROFILE:
      return give(value, BASE_PROFILE);
    default:
      return cpu ? host(what, value) : gpu(agent.handle - FIRST_GPU, what, value);
  }
}

Status hsa_amd_agent_iterate_memory_pools(Handle agent, Status (*each)(Handle, void*), void* data) {
  if (!ready()) return NOT_INITIALIZED;
  if (!known(agent)) return INVALID_AGENT;
  if (each == nullptr) return INVALID_ARGUMENT;
  if (agent.handle != HOST) return each({agent.handle << POOL_BITS | COARSE_GRAINED}, data);
  for (uint32_t flags : HOST_POOLS) {
    Status status = each({HOST << POOL_BITS | flags}, data);
    if (status != SUCCESS) return status;
  }
  return SUCCESS;
}

Status hsa_amd_memory_pool_get_info(Handle pool, PoolInfo what, void* value) {
  if (!ready()) return NOT_INITIALIZED;
  Handle agent = {pool.handle >> POOL_BITS};
  if (!known(agent)) return INVALID_MEMORY_POOL;
  if (value == nullptr) return INVALID_ARGUMENT;
  switch (what) {
    case SEGMENT:
      return give(value, GLOBAL_SEGMENT);
    case GLOBAL_FLAGS:
      return give(value, static_cast<uint32_t>(pool.handle & ((1u << POOL_BITS) - 1)));
    case ALLOC_ALLOWED:  // HIP allocates
      return give(value, false);
    case ACCESSIBLE_BY_ALL:
      return give(value, agent.handle == HOST);
    case SIZE:
      if (agent.handle == HOST) return INVALID_ARGUMENT;
      return give(value, static_cast<size_t>(gpus()[agent.handle - FIRST_GPU].memory));
    default:
      return INVALID_ARGUMENT;
  }
}

/** All GPUs access the memory, whichever are named. */
Status hsa_amd_memory_lock(void* address, size_t size, Handle*, int, void** seen) {
  return ready() ? lock(address, size, seen) : NOT_INITIALIZED;
}

Status hsa_amd_memory_lock_to_pool(void* address, size_t size, Handle*, int, Handle pool, uint32_t, void** seen) {
  if (!ready()) return NOT_INITIALIZED;
  return pool.handle >> POOL_BITS == HOST ? lock(address, size, seen) : INVALID_MEMORY_POOL;
}

Status hsa_amd_memory_unlock(void* address) {
  if (!ready()) return NOT_INITIALIZED;
  std::lock_guard<std::mutex> guard(mutex);
  auto found = locked.find(address);
  if (found == locked.end()) return INVALID_ARGUMENT;
  if (--found->second == 0) {
    locked.erase(found);
    if (hipHostUnregister(address) != hipSuccess) return FAILED;
  }
  return SUCCESS;
}

}  // extern "C"
#pragma GCC visibility pop
