// librocm_smi64: the functions that RCCL calls to learn which GPUs there are and how they are connected. No header of
// the toolchain declares them.
#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <cstdio>

namespace {

// The numbers of rocm_smi.h
enum Status : int { SUCCESS = 0, INVALID_ARGUMENTS = 1, INTERNAL = 8 };
enum Link : int { PCI_EXPRESS = 1, XGMI = 2 };

struct Version {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
  const char* build;
};

constexpr uint32_t HSA_XGMI = 4;  // of hipExtGetLinkTypeAndHopCount

/** What the driver of Linux says of one step over xGMI and over PCI Express. */
constexpr uint64_t XGMI_WEIGHT = 15;
constexpr uint64_t PCI_EXPRESS_WEIGHT = 40;

Status link(uint32_t from, uint32_t to, Link* type, uint64_t* hops) {
  uint32_t kind = 0, count = 0;
  if (hipExtGetLinkTypeAndHopCount(static_cast<int>(from), static_cast<int>(to), &kind, &count) != hipSuccess) {
    return INVALID_ARGUMENTS;
  }
  *type = kind == HSA_XGMI ? XGMI : PCI_EXPRESS;
  *hops = count;
  return SUCCESS;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Status rsmi_init(uint64_t) { return SUCCESS; }
Status rsmi_shut_down() { return SUCCESS; }

Status rsmi_version_get(Version* version) {
  if (version == nullptr) return INVALID_ARGUMENTS;
  *version = {HIP_VERSION_MAJOR, HIP_VERSION_MINOR, 0, "rocport"};
  return SUCCESS;
}

Status rsmi_status_string(Status status, const char** text) {
  if (text == nullptr) return INVALID_ARGUMENTS;
  switch (status) {
    case SUCCESS:
      *text = "success";
      break;
    case INVALID_ARGUMENTS:
      *text = "invalid arguments";
      break;
    default:
      *text = "an error";
  }
  return SUCCESS;
}

Status rsmi_num_monitor_devices(uint32_t* number) {
  int count = 0;
  if (number == nullptr) return INVALID_ARGUMENTS;
  if (hipGetDeviceCount(&count) != hipSuccess) return INTERNAL;
  *number = static_cast<uint32_t>(count);
  return SUCCESS;
}

/** Domain in the upper 32 bits, then 8 bits of bus, 5 of device, 3 of function. */
Status rsmi_dev_pci_id_get(uint32_t device, uint64_t* id) {
  char text[32];
  unsigned domain, bus, slot, function;
  if (id == nullptr || hipDeviceGetPCIBusId(text, sizeof text, static_cast<int>(device)) != hipSuccess) {
    return INVALID_ARGUMENTS;
  }
  if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4) return INTERNAL;
  *id = uint64_t{domain} << 32 | bus << 8 | slot << 3 | function;
  return SUCCESS;
}

Status rsmi_topo_get_link_type(uint32_t from, uint32_t to, uint64_t* hops, Link* type) {
  if (hops == nullptr || type == nullptr) return INVALID_ARGUMENTS;
  return link(from, to, type, hops);
}

Status rsmi_topo_get_link_weight(uint32_t from, uint32_t to, uint64_t* weight) {
  Link type;
  uint64_t hops;
  if (weight == nullptr) return INVALID_ARGUMENTS;
  Status status = link(from, to, &type, &hops);
  if (status == SUCCESS) *weight = hops * (type == XGMI ? XGMI_WEIGHT : PCI_EXPRESS_WEIGHT);
  return status;
}

// In MB/s. RCCL divides the second by the first to learn how many links there are: one.
Status rsmi_minmax_bandwidth_get(uint32_t from, uint32_t to, uint64_t* least, uint64_t* most) {
  constexpr uint64_t ONE_LINK = 50000;
  Link type;
  uint64_t hops;
  if (least == nullptr || most == nullptr) return INVALID_ARGUMENTS;
  Status status = link(from, to, &type, &hops);
  if (status == SUCCESS) *least = *most = ONE_LINK;
  return status;
}

}  // extern "C"
#pragma GCC visibility pop
