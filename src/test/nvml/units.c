// rocport/nvml.h with an AMD SMI of fixed values: units, error codes and the order of GPUs. C and C++.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocport/nvml.h"

static char gpus[2];  // HIP has the second one first
static int initialized = 0;
static amdsmi_status_t answer = AMDSMI_STATUS_SUCCESS;
static uint32_t average = 0xFFFF, current = 563;

amdsmi_status_t amdsmi_init(uint64_t flags) {
  initialized++;
  return flags == AMDSMI_INIT_AMD_GPUS ? answer : AMDSMI_STATUS_INVAL;
}
amdsmi_status_t amdsmi_shut_down(void) {
  initialized--;
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* version) {
  version->major = 26;
  version->minor = 2;
  version->release = 1;
  return answer;
}
amdsmi_status_t amdsmi_get_socket_handles(uint32_t* count, amdsmi_socket_handle* sockets) {
  *count = 2;
  if (sockets != NULL) sockets[0] = &gpus[0], sockets[1] = &gpus[1];
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_processor_handles(amdsmi_socket_handle socket, uint32_t* count, amdsmi_processor_handle* all) {
  *count = 1;
  if (all != NULL) *all = socket;
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_enumeration_info(amdsmi_processor_handle gpu, amdsmi_enumeration_info_t* info) {
  info->hip_id = gpu == (amdsmi_processor_handle)&gpus[0] ? 1 : 0;
  strcpy(info->hip_uuid, info->hip_id == 1 ? "GPU-0123456789abcdef" : "GPU-fedcba9876543210");
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle gpu, amdsmi_bdf_t* bdf) {
  bdf->as_uint = 1ULL << 16 | (gpu == (amdsmi_processor_handle)&gpus[0] ? 0xC1 : 0x0D) << 8 | 2 << 3 | 1;
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle gpu, unsigned int* length, char* uuid) {
  strcpy(uuid, gpu == (amdsmi_processor_handle)&gpus[0] ? "aaff74a1-0000-1000-80a9-6e5f1f2c3b4d" : "bbff74a1-0000-1000");
  *length = (unsigned int)strlen(uuid);
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle gpu, amdsmi_asic_info_t* info) {
  (void)gpu;
  strcpy(info->market_name, "AMD Instinct");
  info->vendor_id = 0x1002;
  info->subvendor_id = 0x1003;
  info->device_id = 0x74a1;
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_subsystem_id(amdsmi_processor_handle gpu, uint16_t* id) {
  (void)gpu;
  *id = 0x0c34;
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle gpu, amdsmi_board_info_t* info) {
  (void)gpu, (void)info;  // no serial number
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle gpu, amdsmi_driver_info_t* info) {
  (void)gpu;
  strcpy(info->driver_version, "6.12.12");
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_vbios_info(amdsmi_processor_handle gpu, amdsmi_vbios_info_t* info) {
  (void)gpu;
  strcpy(info->version, "022.040");
  return AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes) {
  (void)gpu;
  *bytes = type == AMDSMI_MEM_TYPE_VRAM ? 206141652992ULL : 268435456ULL;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes) {
  (void)gpu, (void)type;
  *bytes = 4096;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle gpu, amdsmi_engine_usage_t* usage) {
  (void)gpu;
  usage->gfx_activity = 97;
  usage->umc_activity = 41;
  return answer;
}
amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle gpu, amdsmi_power_info_t* info) {
  (void)gpu;
  info->average_socket_power = average;
  info->current_socket_power = current;
  return answer;
}
amdsmi_status_t amdsmi_get_power_cap_info(amdsmi_processor_handle gpu, uint32_t sensor, amdsmi_power_cap_info_t* info) {
  (void)gpu, (void)sensor;
  info->power_cap = 750000000;
  info->default_power_cap = 740000000;
  info->min_power_cap = 1000;
  info->max_power_cap = 760000000;
  return answer;
}
static uint64_t capped;
amdsmi_status_t amdsmi_set_power_cap(amdsmi_processor_handle gpu, uint32_t sensor, uint64_t microwatts) {
  (void)gpu, (void)sensor;
  capped = microwatts;
  return answer;
}
amdsmi_status_t amdsmi_get_energy_count(amdsmi_processor_handle gpu, uint64_t* steps, float* step, uint64_t* time) {
  (void)gpu, (void)time;
  *steps = 1000000000;
  *step = 15.25f;  // microjoules
  return answer;
}
amdsmi_status_t amdsmi_get_temp_metric(amdsmi_processor_handle gpu, amdsmi_temperature_type_t type,
                                       amdsmi_temperature_metric_t metric, int64_t* degrees) {
  (void)gpu;
  *degrees = type == AMDSMI_TEMPERATURE_TYPE_VRAM ? 95 : metric == AMDSMI_TEMP_EMERGENCY ? 110
             : metric == AMDSMI_TEMP_CRITICAL     ? 100 : 63;
  return answer;
}
amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle gpu, amdsmi_clk_type_t type, amdsmi_clk_info_t* info) {
  (void)gpu;
  info->clk = type == AMDSMI_CLK_TYPE_GFX ? 1900 : 0xFFFFFFFF;
  info->max_clk = type == AMDSMI_CLK_TYPE_GFX ? 2100 : 1300;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_fan_speed(amdsmi_processor_handle gpu, uint32_t sensor, int64_t* speed) {
  (void)gpu, (void)sensor;
  *speed = 102;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_fan_speed_max(amdsmi_processor_handle gpu, uint32_t sensor, uint64_t* speed) {
  (void)gpu, (void)sensor;
  *speed = 255;
  return answer;
}
amdsmi_status_t amdsmi_get_pcie_info(amdsmi_processor_handle gpu, amdsmi_pcie_info_t* info) {
  (void)gpu;
  info->pcie_static.max_pcie_width = 16;
  info->pcie_static.pcie_interface_version = 5;
  info->pcie_metric.pcie_width = 8;
  info->pcie_metric.pcie_speed = 16000;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_total_ecc_count(amdsmi_processor_handle gpu, amdsmi_error_count_t* errors) {
  (void)gpu;
  errors->correctable_count = 3;
  errors->uncorrectable_count = 1;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_ecc_enabled(amdsmi_processor_handle gpu, uint64_t* blocks) {
  (void)gpu;
  *blocks = 4;
  return answer;
}
amdsmi_status_t amdsmi_get_gpu_process_list(amdsmi_processor_handle gpu, uint32_t* count, amdsmi_proc_info_t* list) {
  (void)gpu;
  uint32_t room = *count;
  *count = 2;
  if (list == NULL || room == 0) return AMDSMI_STATUS_SUCCESS;
  for (uint32_t i = 0; i < 2 && i < room; i++) list[i].pid = 70 + i, list[i].memory_usage.vram_mem = 1000 + i;
  return room < 2 ? AMDSMI_STATUS_OUT_OF_RESOURCES : AMDSMI_STATUS_SUCCESS;
}
amdsmi_status_t amdsmi_get_gpu_topo_numa_affinity(amdsmi_processor_handle gpu, int32_t* node) {
  (void)gpu;
  *node = -1;
  return answer;
}
amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle from, amdsmi_processor_handle to, bool* accessible) {
  *accessible = from != to;
  return answer;
}

static int failures = 0;

#define CHECK(condition)                                          \
  do {                                                            \
    if (!(condition)) {                                           \
      printf("line %d: %s\n", __LINE__, #condition);              \
      failures++;                                                 \
    }                                                             \
  } while (0)

static void found(nvmlDevice_t gpu) {
  nvmlDevice_t other = NULL;
  unsigned int index = 9;
  CHECK(nvmlDeviceGetIndex(gpu, &index) == NVML_SUCCESS && index == 0);
  CHECK(nvmlDeviceGetHandleByPciBusId("00000001:0D:02.1", &other) == NVML_SUCCESS && other == gpu);
  CHECK(nvmlDeviceGetHandleByPciBusId("0001:0d:02.1", &other) == NVML_SUCCESS && other == gpu);
  CHECK(nvmlDeviceGetHandleByPciBusId("0d:02.1", &other) == NVML_ERROR_NOT_FOUND);
  CHECK(nvmlDeviceGetHandleByPciBusId("no bus", &other) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetHandleByUUID("bbff74a1-0000-1000", &other) == NVML_SUCCESS && other == gpu);
  CHECK(nvmlDeviceGetHandleByUUID("GPU-fedcba9876543210", &other) == NVML_SUCCESS && other == gpu);
  other = NULL;  // the same as 16 characters
  CHECK(nvmlDeviceGetHandleByUUID("GPU-66656463-6261-3938-3736-353433323130", &other) == NVML_SUCCESS && other == gpu);
  CHECK(nvmlDeviceGetHandleByUUID("GPU-66656463-6261-3938-3736-353433323131", &other) == NVML_ERROR_NOT_FOUND);
  nvmlPciInfo_t pci;
  CHECK(nvmlDeviceGetPciInfo(gpu, &pci) == NVML_SUCCESS);
  CHECK(strcmp(pci.busId, "00000001:0D:02.1") == 0 && strcmp(pci.busIdLegacy, "0001:0D:02.1") == 0);
  CHECK(pci.pciDeviceId == 0x74a11002 && pci.pciSubSystemId == 0x0c341003);
}

static void values(nvmlDevice_t gpu) {
  unsigned int value = 0, more = 0;
  unsigned long long large = 0;
  char text[64];
  CHECK(nvmlDeviceGetPowerUsage(gpu, &value) == NVML_SUCCESS && value == 563000);
  average = 250;
  CHECK(nvmlDeviceGetPowerUsage(gpu, &value) == NVML_SUCCESS && value == 250000);
  average = current = 0xFFFFFFFF;
  CHECK(nvmlDeviceGetPowerUsage(gpu, &value) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetEnforcedPowerLimit(gpu, &value) == NVML_SUCCESS && value == 750000);
  CHECK(nvmlDeviceGetPowerManagementDefaultLimit(gpu, &value) == NVML_SUCCESS && value == 740000);
  CHECK(nvmlDeviceGetPowerManagementLimitConstraints(gpu, &value, &more) == NVML_SUCCESS);
  CHECK(value == 1 && more == 760000);
  CHECK(nvmlDeviceSetPowerManagementLimit(gpu, 700000) == NVML_SUCCESS && capped == 700000000);
  CHECK(nvmlDeviceGetTotalEnergyConsumption(gpu, &large) == NVML_SUCCESS && large == 15250000);
  CHECK(nvmlDeviceGetTemperature(gpu, NVML_TEMPERATURE_GPU, &value) == NVML_SUCCESS && value == 63);
  CHECK(nvmlDeviceGetTemperatureThreshold(gpu, NVML_TEMPERATURE_THRESHOLD_SHUTDOWN, &value) == NVML_SUCCESS);
  CHECK(value == 110);
  CHECK(nvmlDeviceGetTemperatureThreshold(gpu, NVML_TEMPERATURE_THRESHOLD_SLOWDOWN, &value) == NVML_SUCCESS);
  CHECK(value == 100);
  CHECK(nvmlDeviceGetTemperatureThreshold(gpu, NVML_TEMPERATURE_THRESHOLD_MEM_MAX, &value) == NVML_SUCCESS);
  CHECK(value == 95);
  CHECK(nvmlDeviceGetTemperatureThreshold(gpu, NVML_TEMPERATURE_THRESHOLD_GPU_MAX, &value) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetClockInfo(gpu, NVML_CLOCK_SM, &value) == NVML_SUCCESS && value == 1900);
  CHECK(nvmlDeviceGetMaxClockInfo(gpu, NVML_CLOCK_MEM, &value) == NVML_SUCCESS && value == 1300);
  CHECK(nvmlDeviceGetClockInfo(gpu, NVML_CLOCK_MEM, &value) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetClockInfo(gpu, NVML_CLOCK_COUNT, &value) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetFanSpeed(gpu, &value) == NVML_SUCCESS && value == 40);
  CHECK(nvmlDeviceGetCurrPcieLinkWidth(gpu, &value) == NVML_SUCCESS && value == 8);
  CHECK(nvmlDeviceGetMaxPcieLinkWidth(gpu, &value) == NVML_SUCCESS && value == 16);
  CHECK(nvmlDeviceGetCurrPcieLinkGeneration(gpu, &value) == NVML_SUCCESS && value == 4);
  CHECK(nvmlDeviceGetMaxPcieLinkGeneration(gpu, &value) == NVML_SUCCESS && value == 5);
  CHECK(nvmlDeviceGetTotalEccErrors(gpu, NVML_DOUBLE_BIT_ECC, NVML_VOLATILE_ECC, &large) == NVML_SUCCESS && large == 1);
  CHECK(nvmlDeviceGetTotalEccErrors(gpu, NVML_SINGLE_BIT_ECC, NVML_AGGREGATE_ECC, &large) == NVML_ERROR_NOT_SUPPORTED);
  nvmlEnableState_t now = NVML_FEATURE_DISABLED, then = NVML_FEATURE_DISABLED;
  CHECK(nvmlDeviceGetEccMode(gpu, &now, &then) == NVML_SUCCESS && now == NVML_FEATURE_ENABLED && then == now);
  nvmlMemory_t memory;
  CHECK(nvmlDeviceGetMemoryInfo(gpu, &memory) == NVML_SUCCESS);
  CHECK(memory.total == 206141652992ULL && memory.used == 4096 && memory.free == memory.total - 4096);
  nvmlMemory_v2_t second;
  second.version = 0;
  CHECK(nvmlDeviceGetMemoryInfo_v2(gpu, &second) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  nvmlBAR1Memory_t bar;
  CHECK(nvmlDeviceGetBAR1MemoryInfo(gpu, &bar) == NVML_SUCCESS && bar.bar1Total == 268435456ULL);
  nvmlUtilization_t use;
  CHECK(nvmlDeviceGetUtilizationRates(gpu, &use) == NVML_SUCCESS && use.gpu == 97 && use.memory == 41);
  CHECK(nvmlSystemGetDriverVersion(text, sizeof text) == NVML_SUCCESS && strcmp(text, "6.12.12") == 0);
  CHECK(nvmlSystemGetNVMLVersion(text, sizeof text) == NVML_SUCCESS && strcmp(text, "26.2.1") == 0);
  CHECK(nvmlDeviceGetVbiosVersion(gpu, text, sizeof text) == NVML_SUCCESS && strcmp(text, "022.040") == 0);
  CHECK(nvmlDeviceGetSerial(gpu, text, sizeof text) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetName(gpu, text, 5) == NVML_ERROR_INSUFFICIENT_SIZE);
}

static void lists(nvmlDevice_t gpu, nvmlDevice_t other) {
  nvmlProcessInfo_t processes[4];
  unsigned int count = 0;
  CHECK(nvmlDeviceGetComputeRunningProcesses(gpu, &count, NULL) == NVML_ERROR_INSUFFICIENT_SIZE && count == 2);
  count = 4;
  CHECK(nvmlDeviceGetComputeRunningProcesses(gpu, &count, processes) == NVML_SUCCESS && count == 2);
  CHECK(processes[1].pid == 71 && processes[1].usedGpuMemory == 1001);
  nvmlSample_t samples[8];
  nvmlValueType_t kind;
  count = 8;
  CHECK(nvmlDeviceGetSamples(gpu, NVML_GPU_UTILIZATION_SAMPLES, 0, &kind, &count, samples) == NVML_SUCCESS);
  CHECK(count == 1 && kind == NVML_VALUE_TYPE_UNSIGNED_INT && samples[0].sampleValue.uiVal == 97);
  nvmlGpuP2PStatus_t peer;
  CHECK(nvmlDeviceGetP2PStatus(gpu, other, NVML_P2P_CAPS_INDEX_READ, &peer) == NVML_SUCCESS);
  CHECK(peer == NVML_P2P_STATUS_OK);
  CHECK(nvmlDeviceGetP2PStatus(gpu, gpu, NVML_P2P_CAPS_INDEX_READ, &peer) == NVML_SUCCESS);
  CHECK(peer == NVML_P2P_STATUS_NOT_SUPPORTED);
  unsigned int node = 0;
  CHECK(nvmlDeviceGetNumaNodeId(gpu, &node) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceSetCpuAffinity(gpu) == NVML_ERROR_NOT_SUPPORTED);
}

static void errors(nvmlDevice_t gpu) {
  unsigned int value = 0;
  nvmlEnableState_t mode;
  CHECK(nvmlDeviceGetPersistenceMode(gpu, &mode) == NVML_ERROR_NOT_SUPPORTED);
  CHECK(nvmlDeviceGetPowerUsage(NULL, &value) == NVML_ERROR_INVALID_ARGUMENT);
  CHECK(nvmlDeviceGetPowerUsage(gpu, NULL) == NVML_ERROR_INVALID_ARGUMENT);
  answer = AMDSMI_STATUS_NO_PERM;
  CHECK(nvmlDeviceSetPowerManagementLimit(gpu, 1) == NVML_ERROR_NO_PERMISSION);
  answer = AMDSMI_STATUS_NOT_YET_IMPLEMENTED;
  CHECK(nvmlDeviceGetFanSpeed(gpu, &value) == NVML_ERROR_NOT_SUPPORTED);
  answer = AMDSMI_STATUS_SUCCESS;
  CHECK(nvmlShutdown() == NVML_SUCCESS && initialized == 1);
  CHECK(nvmlShutdown() == NVML_SUCCESS && initialized == 0);
  CHECK(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
  CHECK(nvmlDeviceGetPowerUsage(gpu, &value) == NVML_ERROR_UNINITIALIZED);
  answer = AMDSMI_STATUS_DRIVER_NOT_LOADED;
  CHECK(nvmlInit() == NVML_ERROR_DRIVER_NOT_LOADED);
  CHECK(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
}

int main(void) {
  nvmlDevice_t gpu = NULL, other = NULL;
  unsigned int count = 0;
  CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
  CHECK(nvmlInit() == NVML_SUCCESS && nvmlInitWithFlags(0) == NVML_SUCCESS && initialized == 1);
  CHECK(nvmlDeviceGetCount(&count) == NVML_SUCCESS && count == 2);
  CHECK(nvmlDeviceGetHandleByIndex(0, &gpu) == NVML_SUCCESS && gpu == (nvmlDevice_t)&gpus[1]);
  CHECK(nvmlDeviceGetHandleByIndex(1, &other) == NVML_SUCCESS && other == (nvmlDevice_t)&gpus[0]);
  found(gpu);
  values(gpu);
  lists(gpu, other);
  errors(gpu);
  printf(failures == 0 ? "PASS\n" : "FAIL\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
