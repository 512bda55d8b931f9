// The part of AMD SMI that rocport/nvml.h calls, for toolchains without AMD SMI. Programs built with this header run
// with the libamd_smi of rocport only: its structures have the fields of AMD SMI 26 (ROCm 7), but not their layout.
#ifndef ROCPORT_AMDSMI_H
#define ROCPORT_AMDSMI_H

#include <stdbool.h>
#include <stdint.h>

/** Marks this header. */
#define ROCPORT_AMDSMI 1

#define AMDSMI_LIB_VERSION_MAJOR 26
#define AMDSMI_LIB_VERSION_MINOR 0
#define AMDSMI_LIB_VERSION_RELEASE 0

#define AMDSMI_MAX_STRING_LENGTH 256
#define AMDSMI_MAX_DEVICES 32
#define AMDSMI_GPU_UUID_SIZE 38

#ifdef __cplusplus
extern "C" {
#endif

typedef void* amdsmi_socket_handle;
typedef void* amdsmi_processor_handle;
typedef uint32_t amdsmi_process_handle_t;

typedef enum { AMDSMI_INIT_AMD_GPUS = 1 << 1 } amdsmi_init_flags_t;

typedef enum {
  AMDSMI_STATUS_SUCCESS = 0,
  AMDSMI_STATUS_INVAL = 1,
  AMDSMI_STATUS_NOT_SUPPORTED = 2,
  AMDSMI_STATUS_NOT_YET_IMPLEMENTED = 3,
  AMDSMI_STATUS_FAIL_LOAD_MODULE = 4,
  AMDSMI_STATUS_TIMEOUT = 8,
  AMDSMI_STATUS_NO_PERM = 10,
  AMDSMI_STATUS_OUT_OF_RESOURCES = 15,
  AMDSMI_STATUS_INIT_ERROR = 18,
  AMDSMI_STATUS_BUSY = 30,
  AMDSMI_STATUS_NOT_FOUND = 31,
  AMDSMI_STATUS_NOT_INIT = 32,
  AMDSMI_STATUS_DRIVER_NOT_LOADED = 34,
  AMDSMI_STATUS_NO_DATA = 40,
  AMDSMI_STATUS_INSUFFICIENT_SIZE = 41
} amdsmi_status_t;

typedef enum { AMDSMI_CLK_TYPE_GFX = 0, AMDSMI_CLK_TYPE_MEM = 4, AMDSMI_CLK_TYPE_VCLK0 = 6 } amdsmi_clk_type_t;

typedef enum {
  AMDSMI_TEMPERATURE_TYPE_EDGE = 0,
  AMDSMI_TEMPERATURE_TYPE_JUNCTION = 1,
  AMDSMI_TEMPERATURE_TYPE_VRAM = 2
} amdsmi_temperature_type_t;

typedef enum { AMDSMI_TEMP_CURRENT = 0, AMDSMI_TEMP_CRITICAL = 5, AMDSMI_TEMP_EMERGENCY = 7 } amdsmi_temperature_metric_t;

typedef enum { AMDSMI_MEM_TYPE_VRAM = 0, AMDSMI_MEM_TYPE_VIS_VRAM = 1, AMDSMI_MEM_TYPE_GTT = 2 } amdsmi_memory_type_t;

typedef struct {
  uint32_t major, minor, release;
  const char* build;
} amdsmi_version_t;

/** Function, device, bus and domain in bits 0 to 2, 3 to 7, 8 to 15 and from 16 on. */
typedef union {
  uint64_t as_uint;
} amdsmi_bdf_t;

typedef struct {
  uint32_t drm_render, drm_card, hsa_id, hip_id;
  char hip_uuid[AMDSMI_MAX_STRING_LENGTH];
} amdsmi_enumeration_info_t;

typedef struct {
  char market_name[AMDSMI_MAX_STRING_LENGTH];
  uint32_t vendor_id, subvendor_id;
  uint64_t device_id;
  char asic_serial[AMDSMI_MAX_STRING_LENGTH];
} amdsmi_asic_info_t;

typedef struct {
  char product_serial[AMDSMI_MAX_STRING_LENGTH];
} amdsmi_board_info_t;

typedef struct {
  char driver_version[AMDSMI_MAX_STRING_LENGTH];
} amdsmi_driver_info_t;

typedef struct {
  char version[AMDSMI_MAX_STRING_LENGTH];
} amdsmi_vbios_info_t;

/** In percent. */
typedef struct {
  uint32_t gfx_activity, umc_activity;
} amdsmi_engine_usage_t;

/** In watts. */
typedef struct {
  uint32_t current_socket_power, average_socket_power;
} amdsmi_power_info_t;

/** In microwatts. */
typedef struct {
  uint64_t power_cap, default_power_cap, min_power_cap, max_power_cap;
} amdsmi_power_cap_info_t;

/** In megahertz. */
typedef struct {
  uint32_t clk, min_clk, max_clk;
} amdsmi_clk_info_t;

typedef struct {
  struct {
    uint16_t max_pcie_width;
    uint32_t pcie_interface_version;
  } pcie_static;
  struct {
    uint16_t pcie_width;
    uint32_t pcie_speed; /** In megatransfers per second. */
  } pcie_metric;
} amdsmi_pcie_info_t;

typedef struct {
  uint64_t correctable_count, uncorrectable_count;
} amdsmi_error_count_t;

/** Memory in bytes. */
typedef struct {
  amdsmi_process_handle_t pid;
  struct {
    uint64_t vram_mem;
  } memory_usage;
} amdsmi_proc_info_t;

amdsmi_status_t amdsmi_init(uint64_t flags);
amdsmi_status_t amdsmi_shut_down(void);
amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t* version);
amdsmi_status_t amdsmi_get_socket_handles(uint32_t* count, amdsmi_socket_handle* sockets);
amdsmi_status_t amdsmi_get_processor_handles(
    amdsmi_socket_handle socket, uint32_t* count, amdsmi_processor_handle* processors);
amdsmi_status_t amdsmi_get_gpu_enumeration_info(amdsmi_processor_handle gpu, amdsmi_enumeration_info_t* info);
amdsmi_status_t amdsmi_get_gpu_device_bdf(amdsmi_processor_handle gpu, amdsmi_bdf_t* bdf);
amdsmi_status_t amdsmi_get_gpu_device_uuid(amdsmi_processor_handle gpu, unsigned int* length, char* uuid);
amdsmi_status_t amdsmi_get_gpu_asic_info(amdsmi_processor_handle gpu, amdsmi_asic_info_t* info);
amdsmi_status_t amdsmi_get_gpu_board_info(amdsmi_processor_handle gpu, amdsmi_board_info_t* info);
amdsmi_status_t amdsmi_get_gpu_subsystem_id(amdsmi_processor_handle gpu, uint16_t* id);
amdsmi_status_t amdsmi_get_gpu_driver_info(amdsmi_processor_handle gpu, amdsmi_driver_info_t* info);
amdsmi_status_t amdsmi_get_gpu_vbios_info(amdsmi_processor_handle gpu, amdsmi_vbios_info_t* info);
amdsmi_status_t amdsmi_get_gpu_memory_total(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes);
amdsmi_status_t amdsmi_get_gpu_memory_usage(amdsmi_processor_handle gpu, amdsmi_memory_type_t type, uint64_t* bytes);
amdsmi_status_t amdsmi_get_gpu_activity(amdsmi_processor_handle gpu, amdsmi_engine_usage_t* usage);
amdsmi_status_t amdsmi_get_power_info(amdsmi_processor_handle gpu, amdsmi_power_info_t* info);
amdsmi_status_t amdsmi_get_power_cap_info(amdsmi_processor_handle gpu, uint32_t sensor, amdsmi_power_cap_info_t* info);
amdsmi_status_t amdsmi_set_power_cap(amdsmi_processor_handle gpu, uint32_t sensor, uint64_t microwatts);
amdsmi_status_t amdsmi_get_energy_count(
    amdsmi_processor_handle gpu, uint64_t* count, float* resolution, uint64_t* nanoseconds);
amdsmi_status_t amdsmi_get_temp_metric(
    amdsmi_processor_handle gpu, amdsmi_temperature_type_t type, amdsmi_temperature_metric_t metric, int64_t* degrees);
amdsmi_status_t amdsmi_get_clock_info(amdsmi_processor_handle gpu, amdsmi_clk_type_t type, amdsmi_clk_info_t* info);
amdsmi_status_t amdsmi_get_gpu_fan_speed(amdsmi_processor_handle gpu, uint32_t sensor, int64_t* speed);
amdsmi_status_t amdsmi_get_gpu_fan_speed_max(amdsmi_processor_handle gpu, uint32_t sensor, uint64_t* speed);
amdsmi_status_t amdsmi_get_pcie_info(amdsmi_processor_handle gpu, amdsmi_pcie_info_t* info);
amdsmi_status_t amdsmi_get_gpu_total_ecc_count(amdsmi_processor_handle gpu, amdsmi_error_count_t* count);
amdsmi_status_t amdsmi_get_gpu_ecc_enabled(amdsmi_processor_handle gpu, uint64_t* blocks);
amdsmi_status_t amdsmi_get_gpu_process_list(amdsmi_processor_handle gpu, uint32_t* count, amdsmi_proc_info_t* list);
amdsmi_status_t amdsmi_get_gpu_topo_numa_affinity(amdsmi_processor_handle gpu, int32_t* node);
amdsmi_status_t amdsmi_is_P2P_accessible(amdsmi_processor_handle from, amdsmi_processor_handle to, bool* accessible);

#ifdef __cplusplus
}
#endif

#endif
