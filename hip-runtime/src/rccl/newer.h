// Declarations that the header of the toolchain may lack. Programs that were compiled with a newer header find these
// functions.
#pragma once

#include <hip/hip_runtime_api.h>
#include <rccl/rccl.h>

#include <cstddef>

namespace rocport::ccl {

/** ncclInProgress, since NCCL 2.14. */
constexpr auto IN_PROGRESS = static_cast<ncclResult_t>(7);

/** How ncclConfig_t begins, in all versions. */
struct Config {
  size_t size;
  unsigned magic;
  unsigned version;
  int blocking;  // INT_MIN if the program has not set it
};

constexpr unsigned CONFIG_MAGIC = 0xcafebeef;

/** The colour of those that a split leaves out. */
constexpr int NO_COLOR = -1;

}  // namespace rocport::ccl

#if NCCL_VERSION_CODE < 21400
struct ncclConfig_t;
extern "C" ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank,
                                               ncclConfig_t* config);
extern "C" ncclResult_t ncclCommFinalize(ncclComm_t comm);
#endif
#if NCCL_VERSION_CODE < 21800
extern "C" ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* made,
                                      ncclConfig_t* config);
#endif
#if NCCL_VERSION_CODE < 21900
extern "C" ncclResult_t ncclMemAlloc(void** address, size_t bytes);
extern "C" ncclResult_t ncclMemFree(void* address);
extern "C" ncclResult_t ncclCommRegister(ncclComm_t comm, void* address, size_t bytes, void** handle);
extern "C" ncclResult_t ncclCommDeregister(ncclComm_t comm, void* handle);
#endif
