// NVML calls answered by AMD SMI, for C and C++. Link with -lamd_smi. Needs the AMD SMI of ROCm 6.2 or later.
//
// Values and units are those of NVML: bytes, milliwatts, millijoules, megahertz, degrees Celsius, percent. What AMD SMI
// does not report is NVML_ERROR_NOT_SUPPORTED, never an invented value. Differences:
//   - GPUs are in the order of HIP if AMD SMI reports it (ROCm 6.4), otherwise in that of AMD SMI. Like NVML, AMD SMI
//     ignores HIP_VISIBLE_DEVICES.
//   - nvmlDeviceGetUUID returns the UUID of AMD SMI. nvmlDeviceGetHandleByUUID takes this, the UUID of HIP and ROCr
//     (GPU- and 16 digits), and what CUDA programs make of the 16 bytes of hipUUID (GPU- and five groups of digits).
//   - nvmlDeviceGetTemperature returns the temperature of the hottest place of the chip.
//   - nvmlDeviceGetComputeRunningProcesses returns all processes that use the GPU.
//   - nvmlDeviceGetSamples returns one sample: the value at the time of the call.
//   - nvmlMemory_v2_t::reserved is 0.
//   - nvmlSystemGetDriverVersion returns the version of the driver amdgpu, nvmlSystemGetNVMLVersion that of AMD SMI.
#ifndef ROCPORT_NVML_H
#define ROCPORT_NVML_H

#include <amd_smi/amdsmi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(AMDSMI_LIB_VERSION_YEAR) && \
    (AMDSMI_LIB_VERSION_YEAR < 24 || (AMDSMI_LIB_VERSION_YEAR == 24 && AMDSMI_LIB_VERSION_MAJOR < 6))
#error "rocport/nvml.h needs the AMD SMI of ROCm 6.2 or later"
#endif

#ifdef __cplusplus
extern "C" {
#else
long syscall(long number, ...);  // strict C hides it
#endif

// ---- types and values --------------------------------------------------------------------------------------------

typedef enum nvmlReturn_enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_ALREADY_INITIALIZED = 5,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_INSUFFICIENT_POWER = 8,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_TIMEOUT = 10,
  NVML_ERROR_IRQ_ISSUE = 11,
  NVML_ERROR_LIBRARY_NOT_FOUND = 12,
  NVML_ERROR_FUNCTION_NOT_FOUND = 13,
  NVML_ERROR_CORRUPTED_INFOROM = 14,
  NVML_ERROR_GPU_IS_LOST = 15,
  NVML_ERROR_RESET_REQUIRED = 16,
  NVML_ERROR_OPERATING_SYSTEM = 17,
  NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
  NVML_ERROR_IN_USE = 19,
  NVML_ERROR_MEMORY = 20,
  NVML_ERROR_NO_DATA = 21,
  NVML_ERROR_VGPU_ECC_NOT_SUPPORTED = 22,
  NVML_ERROR_INSUFFICIENT_RESOURCES = 23,
  NVML_ERROR_FREQ_NOT_SUPPORTED = 24,
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
  NVML_ERROR_DEPRECATED = 26,
  NVML_ERROR_NOT_READY = 27,
  NVML_ERROR_GPU_NOT_FOUND = 28,
  NVML_ERROR_INVALID_STATE = 29,
  NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;

typedef struct nvmlDevice_st* nvmlDevice_t;

#define NVML_INIT_FLAG_NO_GPUS 1
#define NVML_INIT_FLAG_NO_ATTACH 2

#define NVML_VALUE_NOT_AVAILABLE (-1)
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PART_NUMBER_BUFFER_SIZE 80
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_SERIAL_BUFFER_SIZE 30
#define NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE 32
#define NVML_NVLINK_MAX_LINKS 18

typedef enum nvmlEnableState_enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;

typedef enum nvmlBrandType_enum {
  NVML_BRAND_UNKNOWN = 0,
  NVML_BRAND_QUADRO = 1,
  NVML_BRAND_TESLA = 2,
  NVML_BRAND_NVS = 3,
  NVML_BRAND_GRID = 4,
  NVML_BRAND_GEFORCE = 5,
  NVML_BRAND_TITAN = 6
} nvmlBrandType_t;

typedef enum nvmlClockType_enum {
  NVML_CLOCK_GRAPHICS = 0,
  NVML_CLOCK_SM = 1,
  NVML_CLOCK_MEM = 2,
  NVML_CLOCK_VIDEO = 3,
  NVML_CLOCK_COUNT
} nvmlClockType_t;

typedef enum nvmlClockId_enum {
  NVML_CLOCK_ID_CURRENT = 0,
  NVML_CLOCK_ID_APP_CLOCK_TARGET = 1,
  NVML_CLOCK_ID_APP_CLOCK_DEFAULT = 2,
  NVML_CLOCK_ID_CUSTOMER_BOOST_MAX = 3,
  NVML_CLOCK_ID_COUNT
} nvmlClockId_t;

typedef enum nvmlTemperatureSensors_enum { NVML_TEMPERATURE_GPU = 0, NVML_TEMPERATURE_COUNT } nvmlTemperatureSensors_t;

typedef enum nvmlTemperatureThresholds_enum {
  NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
  NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1,
  NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2,
  NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MIN = 4,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR = 5,
  NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_MAX = 6,
  NVML_TEMPERATURE_THRESHOLD_GPS_CURR = 7,
  NVML_TEMPERATURE_THRESHOLD_COUNT
} nvmlTemperatureThresholds_t;

typedef enum nvmlPStates_enum {
  NVML_PSTATE_0 = 0,
  NVML_PSTATE_1 = 1,
  NVML_PSTATE_2 = 2,
  NVML_PSTATE_3 = 3,
  NVML_PSTATE_4 = 4,
  NVML_PSTATE_5 = 5,
  NVML_PSTATE_6 = 6,
  NVML_PSTATE_7 = 7,
  NVML_PSTATE_8 = 8,
  NVML_PSTATE_9 = 9,
  NVML_PSTATE_10 = 10,
  NVML_PSTATE_11 = 11,
  NVML_PSTATE_12 = 12,
  NVML_PSTATE_13 = 13,
  NVML_PSTATE_14 = 14,
  NVML_PSTATE_15 = 15,
  NVML_PSTATE_UNKNOWN = 32
} nvmlPstates_t;

typedef enum nvmlComputeMode_enum {
  NVML_COMPUTEMODE_DEFAULT = 0,
  NVML_COMPUTEMODE_EXCLUSIVE_THREAD = 1,
  NVML_COMPUTEMODE_PROHIBITED = 2,
  NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3,
  NVML_COMPUTEMODE_COUNT
} nvmlComputeMode_t;

typedef enum nvmlMemoryErrorType_enum {
  NVML_MEMORY_ERROR_TYPE_CORRECTED = 0,
  NVML_MEMORY_ERROR_TYPE_UNCORRECTED = 1,
  NVML_MEMORY_ERROR_TYPE_COUNT
} nvmlMemoryErrorType_t;

typedef enum nvmlEccCounterType_enum {
  NVML_VOLATILE_ECC = 0,
  NVML_AGGREGATE_ECC = 1,
  NVML_ECC_COUNTER_TYPE_COUNT
} nvmlEccCounterType_t;

#define NVML_SINGLE_BIT_ECC NVML_MEMORY_ERROR_TYPE_CORRECTED
#define NVML_DOUBLE_BIT_ECC NVML_MEMORY_ERROR_TYPE_UNCORRECTED

typedef enum nvmlPcieUtilCounter_enum {
  NVML_PCIE_UTIL_TX_BYTES = 0,
  NVML_PCIE_UTIL_RX_BYTES = 1,
  NVML_PCIE_UTIL_COUNT
} nvmlPcieUtilCounter_t;

typedef enum nvmlGpuP2PStatus_enum {
  NVML_P2P_STATUS_OK = 0,
  NVML_P2P_STATUS_CHIPSET_NOT_SUPPORTED = 1,
  NVML_P2P_STATUS_GPU_NOT_SUPPORTED = 2,
  NVML_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED = 3,
  NVML_P2P_STATUS_DISABLED_BY_REGKEY = 4,
  NVML_P2P_STATUS_NOT_SUPPORTED = 5,
  NVML_P2P_STATUS_UNKNOWN = 6
} nvmlGpuP2PStatus_t;

typedef enum nvmlGpuP2PCapsIndex_enum {
  NVML_P2P_CAPS_INDEX_READ = 0,
  NVML_P2P_CAPS_INDEX_WRITE = 1,
  NVML_P2P_CAPS_INDEX_NVLINK = 2,
  NVML_P2P_CAPS_INDEX_ATOMICS = 3,
  NVML_P2P_CAPS_INDEX_PCI = 4,
  NVML_P2P_CAPS_INDEX_PROP = NVML_P2P_CAPS_INDEX_PCI,
  NVML_P2P_CAPS_INDEX_UNKNOWN = 5
} nvmlGpuP2PCapsIndex_t;

typedef enum nvmlRestrictedAPI_enum {
  NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
  NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1,
  NVML_RESTRICTED_API_COUNT
} nvmlRestrictedAPI_t;

typedef enum nvmlSamplingType_enum {
  NVML_TOTAL_POWER_SAMPLES = 0,
  NVML_GPU_UTILIZATION_SAMPLES = 1,
  NVML_MEMORY_UTILIZATION_SAMPLES = 2,
  NVML_ENC_UTILIZATION_SAMPLES = 3,
  NVML_DEC_UTILIZATION_SAMPLES = 4,
  NVML_PROCESSOR_CLK_SAMPLES = 5,
  NVML_MEMORY_CLK_SAMPLES = 6,
  NVML_MODULE_POWER_SAMPLES = 7,
  NVML_SAMPLINGTYPE_COUNT
} nvmlSamplingType_t;

typedef enum nvmlValueType_enum {
  NVML_VALUE_TYPE_DOUBLE = 0,
  NVML_VALUE_TYPE_UNSIGNED_INT = 1,
  NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
  NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
  NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
  NVML_VALUE_TYPE_SIGNED_INT = 5,
  NVML_VALUE_TYPE_COUNT
} nvmlValueType_t;

typedef union nvmlValue_st {
  double dVal;
  int siVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  signed long long sllVal;
} nvmlValue_t;

/// timeStamp in microseconds since the start of 1970.
typedef struct nvmlSample_st {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;

#define nvmlClocksEventReasonGpuIdle 0x0000000000000001LL
#define nvmlClocksEventReasonApplicationsClocksSetting 0x0000000000000002LL
#define nvmlClocksEventReasonSwPowerCap 0x0000000000000004LL
#define nvmlClocksEventReasonSyncBoost 0x0000000000000010LL
#define nvmlClocksEventReasonSwThermalSlowdown 0x0000000000000020LL
#define nvmlClocksEventReasonDisplayClockSetting 0x0000000000000100LL
#define nvmlClocksEventReasonNone 0x0000000000000000LL
#define nvmlClocksThrottleReasonGpuIdle nvmlClocksEventReasonGpuIdle
#define nvmlClocksThrottleReasonApplicationsClocksSetting nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksThrottleReasonUserDefinedClocks nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksThrottleReasonSwPowerCap nvmlClocksEventReasonSwPowerCap
#define nvmlClocksThrottleReasonHwSlowdown 0x0000000000000008LL
#define nvmlClocksThrottleReasonSyncBoost nvmlClocksEventReasonSyncBoost
#define nvmlClocksThrottleReasonSwThermalSlowdown nvmlClocksEventReasonSwThermalSlowdown
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x0000000000000040LL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x0000000000000080LL
#define nvmlClocksThrottleReasonDisplayClockSetting nvmlClocksEventReasonDisplayClockSetting
#define nvmlClocksThrottleReasonNone nvmlClocksEventReasonNone
#define nvmlClocksThrottleReasonAll 0x00000000000001FFLL
#define nvmlClocksEventReasonAll nvmlClocksThrottleReasonAll

typedef struct nvmlMemory_st {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_t;

typedef struct nvmlMemory_v2_st {
  unsigned int version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_v2_t;

#define nvmlMemory_v2 ((unsigned int)(sizeof(nvmlMemory_v2_t) | (2 << 24U)))

typedef struct nvmlBAR1Memory_st {
  unsigned long long bar1Total;
  unsigned long long bar1Free;
  unsigned long long bar1Used;
} nvmlBAR1Memory_t;

typedef struct nvmlUtilization_st {
  unsigned int gpu;
  unsigned int memory;
} nvmlUtilization_t;

typedef struct nvmlPciInfo_st {
  char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

typedef struct nvmlProcessInfo_st {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
} nvmlProcessInfo_t;

typedef nvmlProcessInfo_t nvmlProcessInfo_v2_t;

// ---- helpers -----------------------------------------------------------------------------------------------------

/// Calls of nvmlInit without a call of nvmlShutdown, in all files of a program: AMD SMI does not count in ROCm 6.
extern int rocport_nvml_users;
__attribute__((weak)) int rocport_nvml_users = 0;

static inline nvmlReturn_t rocport_nvml_result(amdsmi_status_t status) {
  switch ((int)status) {
    case AMDSMI_STATUS_SUCCESS:
      return NVML_SUCCESS;
    case AMDSMI_STATUS_INVAL:
      return NVML_ERROR_INVALID_ARGUMENT;
    case AMDSMI_STATUS_NOT_SUPPORTED:
    case AMDSMI_STATUS_NOT_YET_IMPLEMENTED:
      return NVML_ERROR_NOT_SUPPORTED;
    case AMDSMI_STATUS_FAIL_LOAD_MODULE:
      return NVML_ERROR_LIBRARY_NOT_FOUND;
    case AMDSMI_STATUS_TIMEOUT:
      return NVML_ERROR_TIMEOUT;
    case AMDSMI_STATUS_NO_PERM:
      return NVML_ERROR_NO_PERMISSION;
    case AMDSMI_STATUS_OUT_OF_RESOURCES:
      return NVML_ERROR_INSUFFICIENT_RESOURCES;
    case AMDSMI_STATUS_BUSY:
      return NVML_ERROR_IN_USE;
    case AMDSMI_STATUS_NOT_FOUND:
      return NVML_ERROR_NOT_FOUND;
    case AMDSMI_STATUS_NOT_INIT:
      return NVML_ERROR_UNINITIALIZED;
    case AMDSMI_STATUS_DRIVER_NOT_LOADED:
      return NVML_ERROR_DRIVER_NOT_LOADED;
    case AMDSMI_STATUS_NO_DATA:
      return NVML_ERROR_NO_DATA;
    case AMDSMI_STATUS_INSUFFICIENT_SIZE:
      return NVML_ERROR_INSUFFICIENT_SIZE;
    default:
      return NVML_ERROR_UNKNOWN;
  }
}

/// Whether a call on a GPU can go on: the library is initialized, and the handle and the result are not null.
static inline nvmlReturn_t rocport_nvml_check(nvmlDevice_t device, const void* result) {
  if (__atomic_load_n(&rocport_nvml_users, __ATOMIC_ACQUIRE) <= 0) return NVML_ERROR_UNINITIALIZED;
  return device == NULL || result == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
}

/// AMD SMI marks absent numbers by the largest value of the type that the driver has: 16 or 32 bits.
static inline int rocport_nvml_absent(uint32_t value) { return value == 0xFFFFu || value == 0xFFFFFFFFu; }

static inline nvmlReturn_t rocport_nvml_text(const char* from, char* to, unsigned int length) {
  size_t bytes = strlen(from) + 1;
  if (bytes == 1) return NVML_ERROR_NOT_SUPPORTED;
  if (bytes > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  memcpy(to, from, bytes);
  return NVML_SUCCESS;
}

/// All GPUs in the order of NVML indices; at most AMDSMI_MAX_DEVICES.
static inline nvmlReturn_t rocport_nvml_devices(amdsmi_processor_handle* all, unsigned int* count) {
  amdsmi_socket_handle sockets[AMDSMI_MAX_DEVICES];
  uint32_t number = 0;
  nvmlReturn_t result;
  *count = 0;
  if (__atomic_load_n(&rocport_nvml_users, __ATOMIC_ACQUIRE) <= 0) return NVML_ERROR_UNINITIALIZED;
  result = rocport_nvml_result(amdsmi_get_socket_handles(&number, NULL));
  if (result != NVML_SUCCESS) return result;
  if (number > AMDSMI_MAX_DEVICES) number = AMDSMI_MAX_DEVICES;
  if (number > 0) result = rocport_nvml_result(amdsmi_get_socket_handles(&number, sockets));
  if (result != NVML_SUCCESS) return result;
  for (uint32_t i = 0; i < number; i++) {
    uint32_t more = 0;
    result = rocport_nvml_result(amdsmi_get_processor_handles(sockets[i], &more, NULL));
    if (result != NVML_SUCCESS) return result;
    if (more > AMDSMI_MAX_DEVICES - *count) more = AMDSMI_MAX_DEVICES - *count;
    if (more > 0) result = rocport_nvml_result(amdsmi_get_processor_handles(sockets[i], &more, all + *count));
    if (result != NVML_SUCCESS) return result;
    *count += more;
  }
#ifndef AMDSMI_LIB_VERSION_YEAR  // the AMD SMI of ROCm 6.4 or later
  {
    amdsmi_processor_handle sorted[AMDSMI_MAX_DEVICES];
    memset(sorted, 0, sizeof sorted);
    for (uint32_t i = 0; i < *count; i++) {
      amdsmi_enumeration_info_t info;
      memset(&info, 0, sizeof info);
      if (amdsmi_get_gpu_enumeration_info(all[i], &info) != AMDSMI_STATUS_SUCCESS || info.hip_id >= *count ||
          sorted[info.hip_id] != NULL) {
        return NVML_SUCCESS;
      }
      sorted[info.hip_id] = all[i];
    }
    memcpy(all, sorted, *count * sizeof *all);
  }
#endif
  return NVML_SUCCESS;
}

static inline nvmlReturn_t rocport_nvml_bdf(
    nvmlDevice_t device, unsigned int* domain, unsigned int* bus, unsigned int* slot, unsigned int* function) {
  amdsmi_bdf_t bdf;
  nvmlReturn_t result;
  memset(&bdf, 0, sizeof bdf);
  result = rocport_nvml_result(amdsmi_get_gpu_device_bdf((amdsmi_processor_handle)device, &bdf));
  *domain = (unsigned int)(bdf.as_uint >> 16);
  *bus = (unsigned int)(bdf.as_uint >> 8 & 0xFF);
  *slot = (unsigned int)(bdf.as_uint >> 3 & 0x1F);
  *function = (unsigned int)(bdf.as_uint & 7);
  return result;
}

static inline int rocport_nvml_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The characters that a CUDA program printed as "GPU-" and two hexadecimal digits each, in groups; false for others.
static inline int rocport_nvml_bytes(const char* uuid, char* bytes) {
  int count = 0;
  if (strncmp(uuid, "GPU-", 4) != 0) return 0;
  for (const char* c = uuid + 4; *c != '\0';) {
    if (*c == '-') {
      c++;
      continue;
    }
    if (count == 16 || rocport_nvml_digit(c[0]) < 0 || rocport_nvml_digit(c[1]) < 0) return 0;
    bytes[count++] = (char)(rocport_nvml_digit(c[0]) * 16 + rocport_nvml_digit(c[1]));
    c += 2;
  }
  bytes[16] = '\0';
  return count == 16;
}

static inline int rocport_nvml_is(nvmlDevice_t device, const char* uuid) {
  char text[64];
  char bytes[17];
  const char* plain = strncmp(uuid, "GPU-", 4) == 0 ? uuid + 4 : uuid;
  unsigned int length = sizeof text;
  memset(text, 0, sizeof text);
  if (amdsmi_get_gpu_device_uuid((amdsmi_processor_handle)device, &length, text) == AMDSMI_STATUS_SUCCESS &&
      text[0] != '\0' && (strcmp(text, uuid) == 0 || strcmp(text, plain) == 0)) {
    return 1;
  }
#ifndef AMDSMI_LIB_VERSION_YEAR
  {
    amdsmi_enumeration_info_t info;
    memset(&info, 0, sizeof info);
    if (amdsmi_get_gpu_enumeration_info((amdsmi_processor_handle)device, &info) == AMDSMI_STATUS_SUCCESS) {
      const char* hip = strncmp(info.hip_uuid, "GPU-", 4) == 0 ? info.hip_uuid + 4 : info.hip_uuid;
      if (*hip == '\0') return 0;
      if (strcmp(hip, plain) == 0) return 1;
      return rocport_nvml_bytes(uuid, bytes) && (strcmp(hip, bytes) == 0 || strcmp(info.hip_uuid, bytes) == 0);
    }
  }
#else
  {
    amdsmi_asic_info_t info;
    memset(&info, 0, sizeof info);
    if (amdsmi_get_gpu_asic_info((amdsmi_processor_handle)device, &info) == AMDSMI_STATUS_SUCCESS) {
      unsigned long long serial = 0, id = 0;
      int sure = sscanf(info.asic_serial, "%llx", &serial) == 1 && serial != 0;
      const char* digits = rocport_nvml_bytes(uuid, bytes) ? bytes : plain;
      return sure && strlen(digits) == 16 && sscanf(digits, "%llx", &id) == 1 && id == serial;
    }
  }
#endif
  return 0;
}

static inline nvmlReturn_t rocport_nvml_temperature(
    nvmlDevice_t device, amdsmi_temperature_type_t type, amdsmi_temperature_metric_t metric, unsigned int* degrees) {
  int64_t value = 0;
  nvmlReturn_t result = rocport_nvml_result(amdsmi_get_temp_metric((amdsmi_processor_handle)device, type, metric, &value));
  if (result != NVML_SUCCESS) return result;
  if (value < 0 || value >= 0xFFFF) return NVML_ERROR_NOT_SUPPORTED;
  *degrees = (unsigned int)value;
  return NVML_SUCCESS;
}

/// Current and highest clock in megahertz; 0xFFFFFFFF where AMD SMI has none.
static inline nvmlReturn_t rocport_nvml_clock(
    nvmlDevice_t device, nvmlClockType_t type, unsigned int* now, unsigned int* most) {
  amdsmi_clk_info_t info;
  amdsmi_clk_type_t clock = AMDSMI_CLK_TYPE_GFX;
  nvmlReturn_t result;
  switch (type) {
    case NVML_CLOCK_GRAPHICS:
    case NVML_CLOCK_SM:
      break;
    case NVML_CLOCK_MEM:
      clock = AMDSMI_CLK_TYPE_MEM;
      break;
    case NVML_CLOCK_VIDEO:
      clock = AMDSMI_CLK_TYPE_VCLK0;
      break;
    default:
      return NVML_ERROR_INVALID_ARGUMENT;
  }
  memset(&info, 0xFF, sizeof info);
  result = rocport_nvml_result(amdsmi_get_clock_info((amdsmi_processor_handle)device, clock, &info));
  *now = rocport_nvml_absent(info.clk) ? 0xFFFFFFFFu : info.clk;
  *most = rocport_nvml_absent(info.max_clk) ? 0xFFFFFFFFu : info.max_clk;
  return result;
}

static inline nvmlReturn_t rocport_nvml_power_caps(nvmlDevice_t device, amdsmi_power_cap_info_t* caps) {
  memset(caps, 0, sizeof *caps);
  return rocport_nvml_result(amdsmi_get_power_cap_info((amdsmi_processor_handle)device, 0, caps));
}

/// A mask of the processors of the NUMA node of a GPU, in words of unsigned long, as NVML and Linux have them.
static inline nvmlReturn_t rocport_nvml_processors(nvmlDevice_t device, unsigned int words, unsigned long* mask) {
  const unsigned int bits = 8 * sizeof *mask;
  int32_t node = -1;
  char path[64];
  FILE* file;
  unsigned int first, last;
  nvmlReturn_t result = rocport_nvml_result(amdsmi_get_gpu_topo_numa_affinity((amdsmi_processor_handle)device, &node));
  if (result != NVML_SUCCESS) return result;
  if (node < 0) return NVML_ERROR_NOT_SUPPORTED;
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", (int)node);
  file = fopen(path, "r");
  if (file == NULL) return NVML_ERROR_NOT_SUPPORTED;
  memset(mask, 0, words * sizeof *mask);
  result = NVML_ERROR_NOT_SUPPORTED;
  while (fscanf(file, "%u", &first) == 1) {  // 0-15,32-47
    int next = fgetc(file);
    last = first;
    if (next == '-') {
      if (fscanf(file, "%u", &last) != 1) break;
      next = fgetc(file);
    }
    if (last / bits >= words) {
      result = NVML_ERROR_INSUFFICIENT_SIZE;
      break;
    }
    for (unsigned int i = first; i <= last; i++) mask[i / bits] |= 1UL << i % bits;
    result = NVML_SUCCESS;
    if (next != ',') break;
  }
  fclose(file);
  return result;
}

// ---- the library -------------------------------------------------------------------------------------------------

static inline nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  (void)flags;
  if (__atomic_fetch_add(&rocport_nvml_users, 1, __ATOMIC_ACQ_REL) == 0) {
    nvmlReturn_t result = rocport_nvml_result(amdsmi_init(AMDSMI_INIT_AMD_GPUS));
    if (result != NVML_SUCCESS) {
      __atomic_fetch_sub(&rocport_nvml_users, 1, __ATOMIC_ACQ_REL);
      return result == NVML_ERROR_UNKNOWN ? NVML_ERROR_DRIVER_NOT_LOADED : result;
    }
  }
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlInit_v2(void) { return nvmlInitWithFlags(0); }

static inline nvmlReturn_t nvmlShutdown(void) {
  int before = __atomic_load_n(&rocport_nvml_users, __ATOMIC_ACQUIRE);
  if (before <= 0) return NVML_ERROR_UNINITIALIZED;
  if (__atomic_fetch_sub(&rocport_nvml_users, 1, __ATOMIC_ACQ_REL) != 1) return NVML_SUCCESS;
  return rocport_nvml_result(amdsmi_shut_down());
}

static inline const char* nvmlErrorString(nvmlReturn_t result) {
  switch ((int)result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
      return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
      return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_TIMEOUT:
      return "Timeout";
    case NVML_ERROR_LIBRARY_NOT_FOUND:
      return "AMD SMI Shared Library Not Found";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    case NVML_ERROR_IN_USE:
      return "In use by another client";
    case NVML_ERROR_MEMORY:
      return "Insufficient Memory";
    case NVML_ERROR_NO_DATA:
      return "No data";
    case NVML_ERROR_INSUFFICIENT_RESOURCES:
      return "Insufficient Resources";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
      return "Argument version mismatch";
    default:
      return "Unknown Error";
  }
}

static inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  return count == NULL ? NVML_ERROR_INVALID_ARGUMENT : rocport_nvml_devices(all, count);
}

static inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  unsigned int count;
  nvmlReturn_t result = rocport_nvml_devices(all, &count);
  if (result != NVML_SUCCESS) return result;
  if (device == NULL || index >= count) return NVML_ERROR_INVALID_ARGUMENT;
  *device = (nvmlDevice_t)all[index];
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* id, nvmlDevice_t* device) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  unsigned int count, domain = 0, bus, slot, function = 0;
  nvmlReturn_t result = rocport_nvml_devices(all, &count);
  if (result != NVML_SUCCESS) return result;
  if (id == NULL || device == NULL) return NVML_ERROR_INVALID_ARGUMENT;
  // With or without the domain and the function
  if (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
    domain = function = 0;
    if (sscanf(id, "%x:%x.%x", &bus, &slot, &function) < 2) return NVML_ERROR_INVALID_ARGUMENT;
  }
  for (unsigned int i = 0; i < count; i++) {
    unsigned int d, b, s, f;
    if (rocport_nvml_bdf((nvmlDevice_t)all[i], &d, &b, &s, &f) == NVML_SUCCESS && d == domain && b == bus &&
        s == slot && f == function) {
      *device = (nvmlDevice_t)all[i];
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

static inline nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  unsigned int count;
  nvmlReturn_t result = rocport_nvml_devices(all, &count);
  if (result != NVML_SUCCESS) return result;
  if (uuid == NULL || device == NULL) return NVML_ERROR_INVALID_ARGUMENT;
  for (unsigned int i = 0; i < count; i++) {
    if (rocport_nvml_is((nvmlDevice_t)all[i], uuid)) {
      *device = (nvmlDevice_t)all[i];
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

static inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  unsigned int count;
  nvmlReturn_t result = rocport_nvml_check(device, index);
  if (result == NVML_SUCCESS) result = rocport_nvml_devices(all, &count);
  if (result != NVML_SUCCESS) return result;
  for (unsigned int i = 0; i < count; i++) {
    if ((nvmlDevice_t)all[i] == device) {
      *index = i;
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_INVALID_ARGUMENT;
}

static inline nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  amdsmi_processor_handle all[AMDSMI_MAX_DEVICES];
  amdsmi_driver_info_t info;
  unsigned int count;
  nvmlReturn_t result = rocport_nvml_devices(all, &count);
  if (result != NVML_SUCCESS) return result;
  if (version == NULL) return NVML_ERROR_INVALID_ARGUMENT;
  if (count == 0) return NVML_ERROR_NOT_FOUND;
  memset(&info, 0, sizeof info);
  result = rocport_nvml_result(amdsmi_get_gpu_driver_info(all[0], &info));
  return result != NVML_SUCCESS ? result : rocport_nvml_text(info.driver_version, version, length);
}

static inline nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  amdsmi_version_t v;
  char text[64];
  nvmlReturn_t result;
  if (version == NULL) return NVML_ERROR_INVALID_ARGUMENT;
  memset(&v, 0, sizeof v);
  result = rocport_nvml_result(amdsmi_get_lib_version(&v));
  if (result != NVML_SUCCESS) return result;
  snprintf(text, sizeof text, "%u.%u.%u", (unsigned int)v.major, (unsigned int)v.minor, (unsigned int)v.release);
  return rocport_nvml_text(text, version, length);
}

// ---- a GPU -------------------------------------------------------------------------------------------------------

static inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  amdsmi_asic_info_t info;
  nvmlReturn_t result = rocport_nvml_check(device, name);
  if (result != NVML_SUCCESS) return result;
  memset(&info, 0, sizeof info);
  result = rocport_nvml_result(amdsmi_get_gpu_asic_info((amdsmi_processor_handle)device, &info));
  return result != NVML_SUCCESS ? result : rocport_nvml_text(info.market_name, name, length);
}

static inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
  char text[64];
  unsigned int size = sizeof text;
  nvmlReturn_t result = rocport_nvml_check(device, uuid);
  if (result != NVML_SUCCESS) return result;
  memset(text, 0, sizeof text);
  result = rocport_nvml_result(amdsmi_get_gpu_device_uuid((amdsmi_processor_handle)device, &size, text));
  return result != NVML_SUCCESS ? result : rocport_nvml_text(text, uuid, length);
}

static inline nvmlReturn_t nvmlDeviceGetSerial(nvmlDevice_t device, char* serial, unsigned int length) {
  amdsmi_board_info_t info;
  nvmlReturn_t result = rocport_nvml_check(device, serial);
  if (result != NVML_SUCCESS) return result;
  memset(&info, 0, sizeof info);
  result = rocport_nvml_result(amdsmi_get_gpu_board_info((amdsmi_processor_handle)device, &info));
  return result != NVML_SUCCESS ? result : rocport_nvml_text(info.product_serial, serial, length);
}

static inline nvmlReturn_t nvmlDeviceGetVbiosVersion(nvmlDevice_t device, char* version, unsigned int length) {
  amdsmi_vbios_info_t info;
  nvmlReturn_t result = rocport_nvml_check(device, version);
  if (result != NVML_SUCCESS) return result;
  memset(&info, 0, sizeof info);
  result = rocport_nvml_result(amdsmi_get_gpu_vbios_info((amdsmi_processor_handle)device, &info));
  return result != NVML_SUCCESS ? result : rocport_nvml_text(info.version, version, length);
}

/// AMD GPUs have none of the brands of NVML.
static inline nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand) {
  nvmlReturn_t result = rocport_nvml_check(device, brand);
  if (result == NVML_SUCCESS) *brand = NVML_BRAND_UNKNOWN;
  return result;
}

/// The upper halves of the identifiers are those of the device, the lower halves those of the vendor.
static inline nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  amdsmi_asic_info_t info;
  unsigned int domain, bus, slot, function;
  uint16_t subsystem = 0;
  nvmlReturn_t result = rocport_nvml_check(device, pci);
  if (result != NVML_SUCCESS) return result;
  result = rocport_nvml_bdf(device, &domain, &bus, &slot, &function);
  if (result != NVML_SUCCESS) return result;
  memset(pci, 0, sizeof *pci);
  memset(&info, 0, sizeof info);
  pci->domain = domain;
  pci->bus = bus;
  pci->device = slot;
  snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.%X", domain, bus & 0xFF, slot & 0x1F, function & 7);
  snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.%X", domain & 0xFFFF, bus & 0xFF, slot & 0x1F,
           function & 7);
  if (amdsmi_get_gpu_asic_info((amdsmi_processor_handle)device, &info) == AMDSMI_STATUS_SUCCESS) {
    pci->pciDeviceId = (unsigned int)(info.device_id << 16 | (info.vendor_id & 0xFFFF));
    if (amdsmi_get_gpu_subsystem_id((amdsmi_processor_handle)device, &subsystem) == AMDSMI_STATUS_SUCCESS) {
      pci->pciSubSystemId = (unsigned int)subsystem << 16 | (info.subvendor_id & 0xFFFF);
    }
  }
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  return nvmlDeviceGetPciInfo_v3(device, pci);
}

static inline nvmlReturn_t rocport_nvml_memory(
    nvmlDevice_t device, amdsmi_memory_type_t type, unsigned long long* total, unsigned long long* used) {
  uint64_t all = 0, some = 0;
  nvmlReturn_t result = rocport_nvml_check(device, total);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_memory_total((amdsmi_processor_handle)device, type, &all));
  }
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_memory_usage((amdsmi_processor_handle)device, type, &some));
  }
  if (result == NVML_SUCCESS) {
    *total = all;
    *used = some < all ? some : all;
  }
  return result;
}

static inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  unsigned long long total = 0, used = 0;
  nvmlReturn_t result = memory == NULL ? rocport_nvml_check(device, NULL)
                                       : rocport_nvml_memory(device, AMDSMI_MEM_TYPE_VRAM, &total, &used);
  if (result != NVML_SUCCESS) return result;
  memory->total = total;
  memory->free = total - used;
  memory->used = used;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
  unsigned long long total = 0, used = 0;
  nvmlReturn_t result = memory == NULL ? rocport_nvml_check(device, NULL)
                                       : rocport_nvml_memory(device, AMDSMI_MEM_TYPE_VRAM, &total, &used);
  if (result != NVML_SUCCESS) return result;
  if (memory->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  memory->total = total;
  memory->reserved = 0;
  memory->free = total - used;
  memory->used = used;
  return NVML_SUCCESS;
}

/// The memory of the GPU that the processor can access through PCI Express.
static inline nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t* memory) {
  unsigned long long total = 0, used = 0;
  nvmlReturn_t result = memory == NULL ? rocport_nvml_check(device, NULL)
                                       : rocport_nvml_memory(device, AMDSMI_MEM_TYPE_VIS_VRAM, &total, &used);
  if (result != NVML_SUCCESS) return result;
  memory->bar1Total = total;
  memory->bar1Free = total - used;
  memory->bar1Used = used;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
  amdsmi_engine_usage_t usage;
  nvmlReturn_t result = rocport_nvml_check(device, utilization);
  if (result != NVML_SUCCESS) return result;
  memset(&usage, 0xFF, sizeof usage);
  result = rocport_nvml_result(amdsmi_get_gpu_activity((amdsmi_processor_handle)device, &usage));
  if (result != NVML_SUCCESS) return result;
  if (rocport_nvml_absent(usage.gfx_activity) || rocport_nvml_absent(usage.umc_activity)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  utilization->gpu = usage.gfx_activity;
  utilization->memory = usage.umc_activity;
  return NVML_SUCCESS;
}

/// The average power if the GPU has it, otherwise the current one.
static inline nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int* milliwatts) {
  amdsmi_power_info_t info;
  nvmlReturn_t result = rocport_nvml_check(device, milliwatts);
  if (result != NVML_SUCCESS) return result;
  memset(&info, 0xFF, sizeof info);
  result = rocport_nvml_result(amdsmi_get_power_info((amdsmi_processor_handle)device, &info));
  if (result != NVML_SUCCESS) return result;
  if (!rocport_nvml_absent(info.average_socket_power)) {
    *milliwatts = info.average_socket_power * 1000;
  } else if (!rocport_nvml_absent(info.current_socket_power)) {
    *milliwatts = info.current_socket_power * 1000;
  } else {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  amdsmi_power_cap_info_t caps;
  nvmlReturn_t result = rocport_nvml_check(device, milliwatts);
  if (result == NVML_SUCCESS) result = rocport_nvml_power_caps(device, &caps);
  if (result == NVML_SUCCESS) *milliwatts = (unsigned int)(caps.power_cap / 1000);
  return result;
}

static inline nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  return nvmlDeviceGetPowerManagementLimit(device, milliwatts);
}

static inline nvmlReturn_t nvmlDeviceGetPowerManagementDefaultLimit(nvmlDevice_t device, unsigned int* milliwatts) {
  amdsmi_power_cap_info_t caps;
  nvmlReturn_t result = rocport_nvml_check(device, milliwatts);
  if (result == NVML_SUCCESS) result = rocport_nvml_power_caps(device, &caps);
  if (result == NVML_SUCCESS) *milliwatts = (unsigned int)(caps.default_power_cap / 1000);
  return result;
}

static inline nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(
    nvmlDevice_t device, unsigned int* least, unsigned int* most) {
  amdsmi_power_cap_info_t caps;
  nvmlReturn_t result = rocport_nvml_check(device, least != NULL ? most : NULL);
  if (result == NVML_SUCCESS) result = rocport_nvml_power_caps(device, &caps);
  if (result == NVML_SUCCESS) {
    *least = (unsigned int)(caps.min_power_cap / 1000);
    *most = (unsigned int)(caps.max_power_cap / 1000);
  }
  return result;
}

static inline nvmlReturn_t nvmlDeviceSetPowerManagementLimit(nvmlDevice_t device, unsigned int milliwatts) {
  nvmlReturn_t result = rocport_nvml_check(device, device);
  return result != NVML_SUCCESS
             ? result
             : rocport_nvml_result(
                   amdsmi_set_power_cap((amdsmi_processor_handle)device, 0, (uint64_t)milliwatts * 1000));
}

static inline nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long* millijoules) {
  uint64_t steps = 0, time = 0;
  float microjoules = 0;
  nvmlReturn_t result = rocport_nvml_check(device, millijoules);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_energy_count((amdsmi_processor_handle)device, &steps, &microjoules, &time));
  }
  if (result == NVML_SUCCESS) *millijoules = (unsigned long long)((double)steps * (double)microjoules / 1000);
  return result;
}

static inline nvmlReturn_t nvmlDeviceGetTemperature(
    nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned int* degrees) {
  nvmlReturn_t result = rocport_nvml_check(device, degrees);
  if (result == NVML_SUCCESS && sensor != NVML_TEMPERATURE_GPU) result = NVML_ERROR_INVALID_ARGUMENT;
  return result != NVML_SUCCESS
             ? result
             : rocport_nvml_temperature(device, AMDSMI_TEMPERATURE_TYPE_JUNCTION, AMDSMI_TEMP_CURRENT, degrees);
}

static inline nvmlReturn_t nvmlDeviceGetTemperatureThreshold(
    nvmlDevice_t device, nvmlTemperatureThresholds_t threshold, unsigned int* degrees) {
  nvmlReturn_t result = rocport_nvml_check(device, degrees);
  if (result != NVML_SUCCESS) return result;
  switch (threshold) {
    case NVML_TEMPERATURE_THRESHOLD_SHUTDOWN:
      return rocport_nvml_temperature(device, AMDSMI_TEMPERATURE_TYPE_JUNCTION, AMDSMI_TEMP_EMERGENCY, degrees);
    case NVML_TEMPERATURE_THRESHOLD_SLOWDOWN:
      return rocport_nvml_temperature(device, AMDSMI_TEMPERATURE_TYPE_JUNCTION, AMDSMI_TEMP_CRITICAL, degrees);
    case NVML_TEMPERATURE_THRESHOLD_MEM_MAX:
      return rocport_nvml_temperature(device, AMDSMI_TEMPERATURE_TYPE_VRAM, AMDSMI_TEMP_CRITICAL, degrees);
    default:
      return threshold < NVML_TEMPERATURE_THRESHOLD_COUNT ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
  }
}

static inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* megahertz) {
  unsigned int now, most;
  nvmlReturn_t result = rocport_nvml_check(device, megahertz);
  if (result == NVML_SUCCESS) result = rocport_nvml_clock(device, type, &now, &most);
  if (result != NVML_SUCCESS) return result;
  if (now == 0xFFFFFFFFu) return NVML_ERROR_NOT_SUPPORTED;
  *megahertz = now;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* megahertz) {
  unsigned int now, most;
  nvmlReturn_t result = rocport_nvml_check(device, megahertz);
  if (result == NVML_SUCCESS) result = rocport_nvml_clock(device, type, &now, &most);
  if (result != NVML_SUCCESS) return result;
  if (most == 0xFFFFFFFFu) return NVML_ERROR_NOT_SUPPORTED;
  *megahertz = most;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetClock(
    nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id, unsigned int* megahertz) {
  nvmlReturn_t result = rocport_nvml_check(device, megahertz);
  if (result != NVML_SUCCESS) return result;
  if (id == NVML_CLOCK_ID_CURRENT) return nvmlDeviceGetClockInfo(device, type, megahertz);
  return id < NVML_CLOCK_ID_COUNT ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
}

/// In percent of the highest speed.
static inline nvmlReturn_t nvmlDeviceGetFanSpeed_v2(nvmlDevice_t device, unsigned int fan, unsigned int* percent) {
  int64_t speed = 0;
  uint64_t most = 0;
  nvmlReturn_t result = rocport_nvml_check(device, percent);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_fan_speed((amdsmi_processor_handle)device, fan, &speed));
  }
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_fan_speed_max((amdsmi_processor_handle)device, fan, &most));
  }
  if (result != NVML_SUCCESS) return result;
  if (speed < 0 || most == 0) return NVML_ERROR_NOT_SUPPORTED;
  *percent = (unsigned int)((100 * (uint64_t)speed + most / 2) / most);
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int* percent) {
  return nvmlDeviceGetFanSpeed_v2(device, 0, percent);
}

/// Several processes can always use an AMD GPU.
static inline nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode) {
  nvmlReturn_t result = rocport_nvml_check(device, mode);
  if (result == NVML_SUCCESS) *mode = NVML_COMPUTEMODE_DEFAULT;
  return result;
}

/// The driver cannot change it, so the state after the next start is the current one.
static inline nvmlReturn_t nvmlDeviceGetEccMode(
    nvmlDevice_t device, nvmlEnableState_t* current, nvmlEnableState_t* pending) {
  uint64_t blocks = 0;
  nvmlReturn_t result = rocport_nvml_check(device, current != NULL ? pending : NULL);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_ecc_enabled((amdsmi_processor_handle)device, &blocks));
  }
  if (result == NVML_SUCCESS) *current = *pending = blocks != 0 ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
  return result;
}

/// Errors since the driver was loaded; AMD SMI has no numbers over the life of the GPU.
static inline nvmlReturn_t nvmlDeviceGetTotalEccErrors(
    nvmlDevice_t device, nvmlMemoryErrorType_t type, nvmlEccCounterType_t counter, unsigned long long* errors) {
  amdsmi_error_count_t count;
  nvmlReturn_t result = rocport_nvml_check(device, errors);
  if (result != NVML_SUCCESS) return result;
  if (type >= NVML_MEMORY_ERROR_TYPE_COUNT || counter >= NVML_ECC_COUNTER_TYPE_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
  if (counter != NVML_VOLATILE_ECC) return NVML_ERROR_NOT_SUPPORTED;
  memset(&count, 0, sizeof count);
  result = rocport_nvml_result(amdsmi_get_gpu_total_ecc_count((amdsmi_processor_handle)device, &count));
  if (result == NVML_SUCCESS) {
    *errors = type == NVML_MEMORY_ERROR_TYPE_CORRECTED ? count.correctable_count : count.uncorrectable_count;
  }
  return result;
}

static inline nvmlReturn_t rocport_nvml_pcie(nvmlDevice_t device, const void* out, amdsmi_pcie_info_t* info) {
  nvmlReturn_t result = rocport_nvml_check(device, out);
  memset(info, 0, sizeof *info);
  return result != NVML_SUCCESS ? result
                                : rocport_nvml_result(amdsmi_get_pcie_info((amdsmi_processor_handle)device, info));
}

static inline nvmlReturn_t rocport_nvml_number(uint32_t value, unsigned int* out) {
  if (value == 0 || rocport_nvml_absent(value)) return NVML_ERROR_NOT_SUPPORTED;
  *out = value;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int* width) {
  amdsmi_pcie_info_t info;
  nvmlReturn_t result = rocport_nvml_pcie(device, width, &info);
  return result != NVML_SUCCESS ? result : rocport_nvml_number(info.pcie_metric.pcie_width, width);
}

static inline nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int* width) {
  amdsmi_pcie_info_t info;
  nvmlReturn_t result = rocport_nvml_pcie(device, width, &info);
  return result != NVML_SUCCESS ? result : rocport_nvml_number(info.pcie_static.max_pcie_width, width);
}

static inline nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int* generation) {
  static const uint32_t speeds[] = {2500, 5000, 8000, 16000, 32000, 64000};
  amdsmi_pcie_info_t info;
  nvmlReturn_t result = rocport_nvml_pcie(device, generation, &info);
  if (result != NVML_SUCCESS) return result;
  for (unsigned int i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    if (info.pcie_metric.pcie_speed == speeds[i]) {
      *generation = i + 1;
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_SUPPORTED;
}

static inline nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int* generation) {
  amdsmi_pcie_info_t info;
  nvmlReturn_t result = rocport_nvml_pcie(device, generation, &info);
  return result != NVML_SUCCESS ? result : rocport_nvml_number(info.pcie_static.pcie_interface_version, generation);
}

static inline nvmlReturn_t nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned int* node) {
  int32_t value = -1;
  nvmlReturn_t result = rocport_nvml_check(device, node);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_topo_numa_affinity((amdsmi_processor_handle)device, &value));
  }
  if (result != NVML_SUCCESS) return result;
  if (value < 0) return NVML_ERROR_NOT_SUPPORTED;
  *node = (unsigned int)value;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int words, unsigned long* mask) {
  nvmlReturn_t result = rocport_nvml_check(device, words > 0 ? mask : NULL);
  return result != NVML_SUCCESS ? result : rocport_nvml_processors(device, words, mask);
}

/// Binds the calling thread to the processors near the GPU.
static inline nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device) {
  unsigned long mask[128];
  nvmlReturn_t result = rocport_nvml_check(device, mask);
  if (result == NVML_SUCCESS) result = rocport_nvml_processors(device, 128, mask);
  if (result != NVML_SUCCESS) return result;
  return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask) == 0 ? NVML_SUCCESS : NVML_ERROR_OPERATING_SYSTEM;
}

/// count is the room in processes, and then the number of all processes.
static inline nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(
    nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_t* processes) {
  enum { STEP = 64 };
  amdsmi_proc_info_t list[STEP];
  uint32_t number = 0;
  nvmlReturn_t result = rocport_nvml_check(device, count);
  if (result == NVML_SUCCESS) {
    result = rocport_nvml_result(amdsmi_get_gpu_process_list((amdsmi_processor_handle)device, &number, NULL));
  }
  if (result != NVML_SUCCESS) return result;
  if (number > *count || number > STEP) {
    unsigned int room = *count;
    *count = number;
    return number > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_ERROR_MEMORY;
  }
  if (number > 0) {
    uint32_t room = STEP;
    amdsmi_status_t status;
    if (processes == NULL) return NVML_ERROR_INVALID_ARGUMENT;
    memset(list, 0, sizeof list);
    status = amdsmi_get_gpu_process_list((amdsmi_processor_handle)device, &room, list);
    if (status != AMDSMI_STATUS_SUCCESS) return rocport_nvml_result(status);
    number = room < *count ? room : *count;  // a process may have started or ended since
    for (uint32_t i = 0; i < number; i++) {
      processes[i].pid = list[i].pid;
      processes[i].usedGpuMemory = list[i].memory_usage.vram_mem;
      processes[i].gpuInstanceId = processes[i].computeInstanceId = 0xFFFFFFFFu;
    }
  }
  *count = number;
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(
    nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_t* processes) {
  return nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes);
}

static inline nvmlReturn_t nvmlDeviceGetP2PStatus(
    nvmlDevice_t from, nvmlDevice_t to, nvmlGpuP2PCapsIndex_t index, nvmlGpuP2PStatus_t* status) {
  bool accessible = false;
  nvmlReturn_t result = rocport_nvml_check(from, to != NULL ? status : NULL);
  if (result != NVML_SUCCESS) return result;
  if (index != NVML_P2P_CAPS_INDEX_READ && index != NVML_P2P_CAPS_INDEX_WRITE) return NVML_ERROR_NOT_SUPPORTED;
  result = rocport_nvml_result(
      amdsmi_is_P2P_accessible((amdsmi_processor_handle)from, (amdsmi_processor_handle)to, &accessible));
  if (result == NVML_SUCCESS) *status = accessible ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
  return result;
}

/// One sample of the time of the call; without a buffer, the number of samples.
static inline nvmlReturn_t nvmlDeviceGetSamples(
    nvmlDevice_t device, nvmlSamplingType_t type, unsigned long long after, nvmlValueType_t* kind, unsigned int* count,
    nvmlSample_t* samples) {
  nvmlUtilization_t use = {0, 0};
  unsigned int value = 0;
  struct timeval now;
  nvmlReturn_t result = rocport_nvml_check(device, kind != NULL ? count : NULL);
  (void)after;
  if (result != NVML_SUCCESS) return result;
  switch (type) {
    case NVML_TOTAL_POWER_SAMPLES:
      result = nvmlDeviceGetPowerUsage(device, &value);
      break;
    case NVML_GPU_UTILIZATION_SAMPLES:
    case NVML_MEMORY_UTILIZATION_SAMPLES:
      result = nvmlDeviceGetUtilizationRates(device, &use);
      value = type == NVML_GPU_UTILIZATION_SAMPLES ? use.gpu : use.memory;
      break;
    case NVML_PROCESSOR_CLK_SAMPLES:
      result = nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &value);
      break;
    case NVML_MEMORY_CLK_SAMPLES:
      result = nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &value);
      break;
    default:
      result = type < NVML_SAMPLINGTYPE_COUNT ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
  }
  if (result != NVML_SUCCESS) return result;
  *kind = NVML_VALUE_TYPE_UNSIGNED_INT;
  if (samples != NULL) {
    if (*count == 0) return NVML_ERROR_INSUFFICIENT_SIZE;
    gettimeofday(&now, NULL);
    memset(samples, 0, sizeof *samples);
    samples->timeStamp = (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_usec;
    samples->sampleValue.uiVal = value;
  }
  *count = 1;
  return NVML_SUCCESS;
}

// ---- what AMD SMI does not report --------------------------------------------------------------------------------

static inline nvmlReturn_t rocport_nvml_unsupported(nvmlDevice_t device) {
  nvmlReturn_t result = rocport_nvml_check(device, device);
  return result != NVML_SUCCESS ? result : NVML_ERROR_NOT_SUPPORTED;
}

static inline nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  (void)version;
  return NVML_ERROR_NOT_SUPPORTED;
}

static inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  (void)major, (void)minor;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* number) {
  (void)number;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t* state) {
  (void)state;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode) {
  (void)mode;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t mode) {
  (void)mode;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceSetComputeMode(nvmlDevice_t device, nvmlComputeMode_t mode) {
  (void)mode;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* reasons) {
  (void)reasons;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long* reasons) {
  (void)reasons;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(
    nvmlDevice_t device, unsigned long long* reasons) {
  (void)reasons;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetApplicationsClock(
    nvmlDevice_t device, nvmlClockType_t type, unsigned int* megahertz) {
  (void)type, (void)megahertz;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(
    nvmlDevice_t device, nvmlClockType_t type, unsigned int* megahertz) {
  (void)type, (void)megahertz;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceSetApplicationsClocks(
    nvmlDevice_t device, unsigned int memory, unsigned int graphics) {
  (void)memory, (void)graphics;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device) {
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(
    nvmlDevice_t device, unsigned int* count, unsigned int* megahertz) {
  (void)count, (void)megahertz;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(
    nvmlDevice_t device, unsigned int memory, unsigned int* count, unsigned int* megahertz) {
  (void)memory, (void)count, (void)megahertz;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetAPIRestriction(
    nvmlDevice_t device, nvmlRestrictedAPI_t api, nvmlEnableState_t* restricted) {
  (void)api, (void)restricted;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(
    nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_t* processes) {
  (void)count, (void)processes;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetPcieThroughput(
    nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int* kilobytes) {
  (void)counter, (void)kilobytes;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetEncoderUtilization(
    nvmlDevice_t device, unsigned int* percent, unsigned int* microseconds) {
  (void)percent, (void)microseconds;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetDecoderUtilization(
    nvmlDevice_t device, unsigned int* percent, unsigned int* microseconds) {
  (void)percent, (void)microseconds;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* current, unsigned int* pending) {
  (void)current, (void)pending;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, nvmlEnableState_t* active) {
  (void)link, (void)active;
  return rocport_nvml_unsupported(device);
}

static inline nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(
    nvmlDevice_t device, unsigned int link, nvmlPciInfo_t* pci) {
  (void)link, (void)pci;
  return rocport_nvml_unsupported(device);
}

// ---- names without a version -------------------------------------------------------------------------------------

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses nvmlDeviceGetComputeRunningProcesses_v3
#define nvmlDeviceGetGraphicsRunningProcesses nvmlDeviceGetGraphicsRunningProcesses_v3
#define nvmlDeviceGetNvLinkRemotePciInfo nvmlDeviceGetNvLinkRemotePciInfo_v2
#define nvmlSystemGetCudaDriverVersion nvmlSystemGetCudaDriverVersion_v2

#ifdef __cplusplus
}  // extern "C"
#endif

#endif
