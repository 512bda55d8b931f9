// libhsa-runtime64: agents and their pools as hsa.h and hsa_ext_amd.h number them, before and after the program has
// used HIP, and memory of the host that GPUs access.
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.h"

struct hsa_agent_t {
  uint64_t handle;
};
struct hsa_pool_t {
  uint64_t handle;
};

extern "C" {
int hsa_init();
int hsa_shut_down();
int hsa_status_string(int, const char**);
int hsa_system_get_info(int, void*);
int hsa_iterate_agents(int (*)(hsa_agent_t, void*), void*);
int hsa_agent_get_info(hsa_agent_t, int, void*);
int hsa_amd_agent_iterate_memory_pools(hsa_agent_t, int (*)(hsa_pool_t, void*), void*);
int hsa_amd_memory_pool_get_info(hsa_pool_t, int, void*);
int hsa_amd_memory_lock_to_pool(void*, size_t, hsa_agent_t*, int, hsa_pool_t, uint32_t, void**);
int hsa_amd_memory_unlock(void*);
}

constexpr int STOP = 1, INVALID_AGENT = 0x1004, INVALID_ARGUMENT = 0x1001, NOT_INITIALIZED = 0x100B;
constexpr int NAME = 0, NODE = 16, DEVICE = 17, UNITS = 0xA002, BDF = 0xA006, FLUSH = 0xA00E;
constexpr int CPU = 0, GPU = 1;
constexpr uint32_t KERNARG = 1, FINE = 2, COARSE = 4;

volatile sig_atomic_t interrupts = 0;

template <typename T>
int add(T value, void* to) {
  static_cast<std::vector<T>*>(to)->push_back(value);
  return 0;
}

int first(hsa_agent_t agent, void* to) {
  *static_cast<hsa_agent_t*>(to) = agent;
  return STOP;
}

std::vector<hsa_agent_t> agents() {
  std::vector<hsa_agent_t> all;
  HOLDS(hsa_iterate_agents(add<hsa_agent_t>, &all) == 0);
  return all;
}

std::vector<uint32_t> pools(hsa_agent_t agent) {
  std::vector<hsa_pool_t> all;
  std::vector<uint32_t> flags;
  HOLDS(hsa_amd_agent_iterate_memory_pools(agent, add<hsa_pool_t>, &all) == 0);
  for (hsa_pool_t pool : all) {
    uint32_t of = 0;
    HOLDS(hsa_amd_memory_pool_get_info(pool, 1, &of) == 0);
    flags.push_back(of);
  }
  return flags;
}

void nothingWorksBeforeTheStart() {
  hsa_agent_t agent = {0};
  HOLDS(hsa_shut_down() == NOT_INITIALIZED);
  HOLDS(hsa_iterate_agents(first, &agent) == NOT_INITIALIZED);
  const char* text = nullptr;
  HOLDS(hsa_status_string(NOT_INITIALIZED, &text) == 0 && std::strstr(text, "HSA_STATUS_ERROR_NOT_INITIALIZED"));
  HOLDS(hsa_status_string(77, &text) == INVALID_ARGUMENT);
}

/** What RCCL's tests do: they count the GPUs and then start a process for each. */
void childrenCanUseHip() {
  HOLDS(agents().size() == 3);
  pid_t child = fork();
  if (child == 0) {
    int count = 0;
    WORKS(hipGetDeviceCount(&count));
    std::_Exit(count == 2 && failures == 0 ? 0 : 1);
  }
  int status = 0;
  HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/** Signals interrupt the wait for the process that asks HIP. */
void signalsHideNoGpu() {
  struct sigaction counts = {};
  counts.sa_handler = [](int) { interrupts = interrupts + 1; };
  struct sigaction before = {};
  HOLDS(sigaction(SIGALRM, &counts, &before) == 0);
  itimerval often = {{0, 2000}, {0, 2000}};
  itimerval never = {};
  HOLDS(setitimer(ITIMER_REAL, &often, nullptr) == 0);
  size_t found = agents().size();
  HOLDS(setitimer(ITIMER_REAL, &never, nullptr) == 0);
  HOLDS(sigaction(SIGALRM, &before, nullptr) == 0);
  HOLDS(found == 3 && interrupts > 0);
  HOLDS(waitpid(-1, nullptr, WNOHANG) <= 0);  // the process has been waited for
}

void agentsAreTheGpusOfHip() {
  std::vector<hsa_agent_t> all = agents();
  HOLDS(all.size() == 3);
  int type = -1;
  HOLDS(hsa_agent_get_info(all[0], DEVICE, &type) == 0 && type == CPU);
  for (int i = 0; i < 2; i++) {
    hipDeviceProp_t gpu;
    WORKS(hipGetDeviceProperties(&gpu, i));
    hsa_agent_t agent = all[static_cast<size_t>(i) + 1];
    HOLDS(hsa_agent_get_info(agent, DEVICE, &type) == 0 && type == GPU);
    char name[64] = {};
    HOLDS(hsa_agent_get_info(agent, NAME, name) == 0);
    HOLDS(std::strncmp(name, gpu.gcnArchName, std::strlen(name)) == 0 && std::strlen(name) == 6);
    uint32_t value = 0;
    HOLDS(hsa_agent_get_info(agent, NODE, &value) == 0 && value == static_cast<uint32_t>(i) + 1);
    HOLDS(hsa_agent_get_info(agent, UNITS, &value) == 0 && value == static_cast<uint32_t>(gpu.multiProcessorCount));
    HOLDS(hsa_agent_get_info(agent, BDF, &value) == 0 && value >> 8 == static_cast<uint32_t>(gpu.pciBusID));
    uint32_t* flush[2] = {};
    HOLDS(hsa_agent_get_info(agent, FLUSH, flush) == 0 && flush[0] == gpu.hdpMemFlushCntl);
    HOLDS(hsa_agent_get_info(agent, 0x7fff, &value) == INVALID_ARGUMENT);
    HOLDS(pools(agent) == std::vector<uint32_t>({COARSE}));
  }
  HOLDS(pools(all[0]) == std::vector<uint32_t>({FINE, KERNARG | FINE, COARSE}));
  HOLDS(hsa_agent_get_info({99}, DEVICE, &type) == INVALID_AGENT);
  hsa_agent_t one = {0};
  HOLDS(hsa_iterate_agents(first, &one) == STOP && one.handle == all[0].handle);
}

void gpusAccessLockedMemory() {
  std::vector<hsa_agent_t> all = agents();
  std::vector<hsa_pool_t> host;
  HOLDS(hsa_amd_agent_iterate_memory_pools(all[0], add<hsa_pool_t>, &host) == 0);
  size_t size = 1 << 16;
  void* memory = std::malloc(size);
  std::memset(memory, 7, size);
  void* seen = nullptr;
  HOLDS(hsa_amd_memory_lock_to_pool(memory, size, &all[1], 1, host[0], 0, &seen) == 0 && seen != nullptr);
  void* again = nullptr;
  HOLDS(hsa_amd_memory_lock_to_pool(memory, size, &all[1], 1, host[0], 0, &again) == 0 && again == seen);
  WORKS(hipMemset(seen, 9, size));
  WORKS(hipDeviceSynchronize());
  HOLDS(static_cast<char*>(memory)[0] == 9 && static_cast<char*>(memory)[size - 1] == 9);
  HOLDS(hsa_amd_memory_unlock(memory) == 0 && hsa_amd_memory_unlock(memory) == 0);
  HOLDS(hsa_amd_memory_unlock(memory) == INVALID_ARGUMENT);
  std::free(memory);
}

int main() {
  nothingWorksBeforeTheStart();
  HOLDS(hsa_init() == 0 && hsa_init() == 0);
  uint16_t version = 0;
  HOLDS(hsa_system_get_info(0, &version) == 0 && version == 1);
  signalsHideNoGpu();
  childrenCanUseHip();
  agentsAreTheGpusOfHip();
  gpusAccessLockedMemory();
  HOLDS(hsa_shut_down() == 0 && hsa_shut_down() == 0 && hsa_shut_down() == NOT_INITIALIZED);
  return done();
}
