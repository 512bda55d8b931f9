// libamd_smi: the functions that rocport/nvml.h calls, answered from the properties of the device. It has no sensors,
// so what a sensor measures is AMDSMI_STATUS_NOT_SUPPORTED.
#include <hip/hip_runtime_api.h>

#if __has_include(<amd_smi/amdsmi.h>)
#include <amd_smi/amdsmi.h>
#else
#include "../../amdsmi/include/amd_smi/amdsmi.h"
#endif

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int MOST = AMDSMI_MAX_DEVICES;
constexpr uint32_t VENDOR = 0x1002;
constexpr uint32_t ABSENT = 0xFFFFFFFF;

std::atomic<bool> initialized{false};

/** A handle of a GPU and of its socket is the address of its element. */
char places[MOST];

int count() {
  int number = 0;
  if (hipGetDeviceCount(&number) != hipSuccess) return 0;
  return number < MOST ? number : MOST;
}

/** What a call on a GPU is about: its index, or why it fails. */
struct Gpu {
  amdsmi_status_t status = AMDSMI_STATUS_SUCCESS;
  int index = 0;
  hipDeviceProp_t properties{};

  Gpu(amdsmi_processor_handle handle, const void* result) {
    const char* place = static_cast<const char*>(handle);
    if (!initialized) {
      status = AMDSMI_STATUS_NOT_INIT;
    } else if (result == nullptr || place < places || place >= places + count()) {
      status = AMDSMI_STATUS_INVAL;
    } else {
      index = static_cast<int>(place - places);
      if (hipGetDeviceProperties(&properties, index) != hipSuccess) status = AMDSMI_STATUS_NOT_FOUND;
    }
  }

  explicit operator bool() const { return status == AMDSMI_STATUS_SUCCESS; }
};

template <size_t N>
void put(char (&to)[N], const char* from) {
  snprintf(to, N, "%s", from);
}

/** At most 16 characters; empty if there is none. */
std::string uuidOf(const Gpu& at) {
  hipUUID uuid{};
  if (hipDeviceGetUuid(&uuid, at.index) != hipSuccess) return "";
  return std::string(uuid.bytes, strnlen(uuid.bytes, sizeof uuid.bytes));
}

amdsmi_status_t noSensor(amdsmi_processor_handle gpu, const void* result) {
  Gpu at(gpu, result);
  return at ? AMDSMI_STATUS_NOT_SUPPORTED : at.status;
}

/** Reports name the libraries that replaced those of ROCm. */
__attribute__((constructor)) void note() {
  const char* path = getenv("ROCPORT_STAND_INS");
  int file = path != nullptr ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0) return;
  const char name[] = "libamd_smi\n";
  (void)!write(file, name, sizeof name - 1);
  close(file);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

amdsmi_status_t amdsmi_init(uint64_t) {
  int number = 0;
  if (hipGetDeviceCount(&number) != hipSuccess) return AMDSMI_STATUS_DRIVER_NOT_LOADED;
  initialized = true;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_shut_down(void) {
  initialized = false;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* version) {
  if (version == nullptr) return AMDSMI_STATUS_INVAL;
  *version = {};
  version->major = AMDSMI_LIB_VERSION_MAJOR;
  version->minor = AMDSMI_LIB_VERSION_MINOR;
  version->release = AMDSMI_LIB_VERSION_RELEASE;
  version->build = "rocport";
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_socket_handles(uint32_t* number, amdsmi_socket_handle* sockets) {
  if (!initialized) return AMDSMI_STATUS_NOT_INIT;
  if (number == nullptr) return AMDSMI_STATUS_INVAL;
  uint32_t all = static_cast<uint32_t>(count());
  if (sockets != nullptr) {
    if (*number < all) all = *number;
    for (uint32_t i = 0; i < all; i++) sockets[i] = places + i;
  }
  *number = all;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_processor_handles(
    amdsmi_socket_handle socket, uint32_t* number, amdsmi_processor_handle* processors) {
  Gpu at(socket, number);
  if (!at) return at.status;
  if (processors != nullptr && *number > 0) processors[0] = socket;
  *number = 1;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle gpu, amdsmi_bdf_t* bdf) {
  Gpu at(gpu, bdf);
  if (!at) return at.status;
  bdf->as_uint = static_cast<uint64_t>(at.properties.pciDomainID) << 16 |
                 static_cast<uint64_t>(at.properties.pciBusID) << 8 |
                 static_cast<uint64_t>(at.properties.pciDeviceID) << 3;
  return AMDSMI_STATUS_SUCCESS;
}

/** That of HIP: the device has no other one. */
amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle gpu, unsigned int* length, char* uuid) {
  Gpu at(gpu, length);
  if (!at) return at.status;
  if (uuid == nullptr || *length < AMDSMI_GPU_UUID_SIZE) return AMDSMI_STATUS_INVAL;
  const std::string text = uuidOf(at);
  memcpy(uuid, text.c_str(), text.size() + 1);
  *length = static_cast<unsigned>(text.size());
  return AMDSMI_STATUS_SUCCESS;
}

#ifndef AMDSMI_LIB_VERSION_YEAR
amdsmi_status_t amdsmi_get_gpu_enumeration_info(amdsmi_processor_handle gpu, amdsmi_enumeration_info_t* info) {
  Gpu at(gpu, info);
  if (!at) return at.status;
  *info = {};
  info->drm_render = info->drm_card = info->hsa_id = ABSENT;
  info->hip_id = static_cast<uint32_t>(at.index);
  put(info->hip_uuid, uuidOf(at).c_str());
  return AMDSMI_STATUS_SUCCESS;
}
#endif

amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle gpu, amdsmi_asic_info_t* info) {
  Gpu at(gpu, info);
  if (!at) return at.status;
  *info = {};
  put(info->market_name, at.properties.name);
  info->vendor_id = VENDOR;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes) {
  Gpu at(gpu, bytes);
  if (!at) return at.status;
  if (type != AMDSMI_MEM_TYPE_VRAM) return AMDSMI_STATUS_NOT_SUPPORTED;
  *bytes = at.properties.totalGlobalMem;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes) {
  Gpu at(gpu, bytes);
  if (!at) return at.status;
  if (type != AMDSMI_MEM_TYPE_VRAM) return AMDSMI_STATUS_NOT_SUPPORTED;
  int current = 0;
  size_t free = 0;
  size_t total = 0;
  if (hipGetDevice(&current) != hipSuccess || hipSetDevice(at.index) != hipSuccess) return AMDSMI_STATUS_NOT_SUPPORTED;
  hipError_t result = hipMemGetInfo(&free, &total);
  hipError_t back = hipSetDevice(current);
  if (result != hipSuccess || back != hipSuccess) return AMDSMI_STATUS_NOT_SUPPORTED;
  *bytes = total - free;
  return AMDSMI_STATUS_SUCCESS;
}

/** The highest clocks are properties of the modelled GPU; no clock runs. */
amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle gpu, amdsmi_clk_type_t type, amdsmi_clk_info_t* info) {
  Gpu at(gpu, info);
  if (!at) return at.status;
  int kilohertz = type == AMDSMI_CLK_TYPE_GFX   ? at.properties.clockRate
                  : type == AMDSMI_CLK_TYPE_MEM ? at.properties.memoryClockRate
                                                : 0;
  if (kilohertz <= 0) return AMDSMI_STATUS_NOT_SUPPORTED;
  *info = {};
  info->clk = info->min_clk = ABSENT;
  info->max_clk = static_cast<uint32_t>(kilohertz / 1000);
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle from, amdsmi_processor_handle to, bool* accessible) {
  Gpu first(from, accessible);
  if (!first) return first.status;
  Gpu second(to, accessible);
  if (!second) return second.status;
  int able = 0;
  if (hipDeviceCanAccessPeer(&able, first.index, second.index) != hipSuccess) return AMDSMI_STATUS_NOT_SUPPORTED;
  *accessible = able != 0;
  return AMDSMI_STATUS_SUCCESS;
}

amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle gpu, amdsmi_board_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_get_gpu_subsystem_id(amdsmi_processor_handle gpu, uint16_t* id) { return noSensor(gpu, id); }

amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle gpu, amdsmi_driver_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_get_gpu_vbios_info(amdsmi_processor_handle gpu, amdsmi_vbios_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle gpu, amdsmi_engine_usage_t* usage) {
  return noSensor(gpu, usage);
}

amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle gpu, amdsmi_power_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_get_power_cap_info(amdsmi_processor_handle gpu, uint32_t, amdsmi_power_cap_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_set_power_cap(amdsmi_processor_handle gpu, uint32_t, uint64_t) { return noSensor(gpu, gpu); }

amdsmi_status_t amdsmi_get_energy_count(amdsmi_processor_handle gpu, uint64_t* steps, float*, uint64_t*) {
  return noSensor(gpu, steps);
}

amdsmi_status_t amdsmi_get_temp_metric(
    amdsmi_processor_handle gpu, amdsmi_temperature_type_t, amdsmi_temperature_metric_t, int64_t* degrees) {
  return noSensor(gpu, degrees);
}

amdsmi_status_t amdsmi_get_gpu_fan_speed(amdsmi_processor_handle gpu, uint32_t, int64_t* speed) {
  return noSensor(gpu, speed);
}

amdsmi_status_t amdsmi_get_gpu_fan_speed_max(amdsmi_processor_handle gpu, uint32_t, uint64_t* speed) {
  return noSensor(gpu, speed);
}

amdsmi_status_t amdsmi_get_pcie_info(amdsmi_processor_handle gpu, amdsmi_pcie_info_t* info) {
  return noSensor(gpu, info);
}

amdsmi_status_t amdsmi_get_gpu_total_ecc_count(amdsmi_processor_handle gpu, amdsmi_error_count_t* errors) {
  return noSensor(gpu, errors);
}

amdsmi_status_t amdsmi_get_gpu_ecc_enabled(amdsmi_processor_handle gpu, uint64_t* blocks) {
  return noSensor(gpu, blocks);
}

amdsmi_status_t amdsmi_get_gpu_process_list(amdsmi_processor_handle gpu, uint32_t* number, amdsmi_proc_info_t*) {
  return noSensor(gpu, number);
}

amdsmi_status_t amdsmi_get_gpu_topo_numa_affinity(amdsmi_processor_handle gpu, int32_t* node) {
  return noSensor(gpu, node);
}

}  // extern "C"
#pragma GCC visibility pop
