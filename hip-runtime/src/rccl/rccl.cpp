// librccl: the calls.
#include <rccl/rccl.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <set>

#include "../library/runtime.h"
#include "join.h"
#include "newer.h"

/** Each call has an alias that lets profilers intercept it. */
#define TWIN(name) extern "C" __attribute__((alias("nccl" #name))) decltype(nccl##name) pnccl##name;

namespace rocport::ccl {
namespace {

struct LastError {
  std::mutex mutex;
  std::string text;
};

LastError& lastError() {
  static auto* last = new LastError;
  return *last;
}

/** Runs the body of a call. */
template <class Body>
ncclResult_t call(const char* name, Body&& body) noexcept {
  Failure failed = {ncclSystemError, "out of memory"};
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      body();
      return ncclSuccess;
    } else {
      return body();
    }
  } catch (const Failure& failure) {
    failed = failure;
  } catch (const std::exception& exception) {
    failed.message = exception.what();
  }
  spoilGroup(failed.result);
  std::lock_guard lock(lastError().mutex);
  lastError().text = std::string(name) + ": " + failed.message;
  if (getenv("NCCL_DEBUG") != nullptr) fprintf(stderr, "rocport: librccl: %s\n", lastError().text.c_str());
  return failed.result;
}

void require(bool holds, const char* otherwise, ncclResult_t result = ncclInvalidArgument) {
  if (!holds) fail(result, otherwise);
}

int currentGpu() {
  int gpu = 0;
  check(hipGetDevice(&gpu));
  return gpu;
}

/** Where all ranks find a buffer. */
void* buffer(const Comm& comm, const void* address, size_t bytes, const char* which) {
  auto* plain = const_cast<void*>(address);
  if (bytes == 0) return plain;
  std::string what = std::string("the ") + which + " buffer ";
  if (address == nullptr) fail(ncclInvalidArgument, what + "is null");
  if (void* shared = rocportShared(address, bytes)) return shared;
  hipPointerAttribute_t known = {};
  bool ofGpu = hipPointerGetAttributes(&known, address) == hipSuccess && known.type != hipMemoryTypeUnregistered;
  if (!ofGpu) fail(ncclInvalidArgument, what + "is not memory that a GPU can access");
  void* start = nullptr;
  size_t size = 0;
  bool inside = hipMemGetAddressRange(&start, &size, plain) == hipSuccess &&
                static_cast<char*>(plain) + bytes <= static_cast<char*>(start) + size;
  // Adjacent mappings of the program are one range only for the program itself.
  if (inside && !comm.clique->scattered()) return plain;
  fail(ncclInvalidArgument, what + "ends before its " + std::to_string(bytes) +
                                " bytes do, or consists of several mappings, which other processes cannot access");
}

/** Whether the stream can be used for a communicator: it is of the same GPU. */
void requireStream(const Comm& comm, hipStream_t stream) {
  OnGpu gpu(comm.gpu);
  hipDevice_t device = comm.gpu;
  check(hipStreamGetDevice(stream, &device));
  if (device != comm.gpu) {
    fail(ncclInvalidArgument, "the stream belongs to GPU " + std::to_string(device) + ", the communicator to GPU " +
                                  std::to_string(comm.gpu));
  }
}

/** The communicator of an operation, after all that can be checked before its arguments. */
std::shared_ptr<Comm> begin(ncclComm_t handle, hipStream_t stream, int type) {
  auto comm = Comm::of(handle);
  comm->requireUsable();
  if (sizeOf(type) == 0) fail(ncclInvalidArgument, "unsupported data type " + std::to_string(type));
  requireStream(*comm, stream);
  return comm;
}

void requireRank(const Comm& comm, int rank, const char* what) {
  if (rank < 0 || rank >= comm.ranks) {
    fail(ncclInvalidArgument, std::string(what) + " " + std::to_string(rank) + " is not one of " +
                                  std::to_string(comm.ranks) + " ranks");
  }
}

/** Sets what a reduction is made of. */
void reduction(Comm& comm, Collective& collective, int operation) {
  if (!reducible(collective.type)) fail(ncclInvalidArgument, nameOf(collective.type) + " cannot be reduced");
  collective.operation = operation;
  if (operation >= 0 && operation < ncclNumOps) return;
  collective.scale = comm.scale(operation);
  collective.operation = Reduction::SCALED_SUM;
  if (collective.scale.type != collective.type) {
    fail(ncclInvalidArgument, "the reduction was created for " + nameOf(collective.scale.type) + ", not " +
                                  nameOf(collective.type));
  }
}

/** A collective of the program: how many elements each rank sends and receives is times count. */
void collective(ncclComm_t handle, hipStream_t stream, Collective::Kind kind, const void* send, void* receive,
                size_t count, int type, int operation, int root, size_t sendTimes, size_t receiveTimes) {
  auto comm = begin(handle, stream, type);
  requireRank(*comm, root, "root");
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, sizeOf(type) * static_cast<size_t>(comm->ranks), &bytes)) {
    fail(ncclInvalidArgument, "too many elements");
  }
  bytes = count * sizeOf(type);
  Collective made = {kind, type, ncclSum, root, count, nullptr, nullptr, {}};
  bool reduces = kind != Collective::ALL_GATHER && kind != Collective::BROADCAST;
  if (reduces) reduction(*comm, made, operation);
  made.send = sendTimes == 0 ? nullptr : buffer(*comm, send, bytes * sendTimes, "send");
  made.receive = receiveTimes == 0 ? nullptr : buffer(*comm, receive, bytes * receiveTimes, "receive");
  add(comm, stream, made, receiveTimes == 0 ? nullptr : receive);
}

void message(ncclComm_t handle, hipStream_t stream, bool send, const void* address, size_t count, int type, int peer) {
  auto comm = begin(handle, stream, type);
  requireRank(*comm, peer, "peer");
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, sizeOf(type), &bytes)) fail(ncclInvalidArgument, "too many elements");
  void* shared = buffer(*comm, address, bytes, send ? "send" : "receive");
  add(comm, stream, Message{send, peer, shared, bytes}, send ? nullptr : address);
}

/** Several messages that go together. */
template <class Messages>
void together(Messages&& messages) {
  startGroup();
  try {
    messages();
  } catch (const Failure& failure) {
    spoilGroup(failure.result);
    try {
      endGroup();
    } catch (const Failure&) {
      // The first message is more specific.
    }
    throw failure;
  }
  endGroup();
}

const char* part(const void* buffer, size_t elements, int type) {
  return static_cast<const char*>(buffer) + elements * sizeOf(type);
}

char* part(void* buffer, size_t elements, int type) { return static_cast<char*>(buffer) + elements * sizeOf(type); }

void joinRank(ncclComm_t* handle, int ranks, const ncclUniqueId& id, int rank, int gpu, int virtualGpu, bool background) {
  require(handle != nullptr, "the pointer to the communicator is null");
  *handle = nullptr;
  require(ranks > 0 && ranks <= Clique::MOST_RANKS, "the number of ranks");
  require(rank >= 0 && rank < ranks, "the rank");
  // On failure, it removes itself.
  auto comm = Comm::make(ranks, rank, gpu);
  auto job = join(comm, id, virtualGpu, handle);
  *handle = comm->handle();
  add(std::move(job), background);
}

/** Whether a configuration requests calls that return before they are done. */
bool wantsBackground(const void* config) {
  if (config == nullptr) return false;
  const auto* known = static_cast<const Config*>(config);
  require(known->size >= sizeof(Config) && known->magic == CONFIG_MAGIC,
          "the configuration was not initialized with NCCL_CONFIG_INITIALIZER");
  require(known->blocking == 0 || known->blocking == 1 || known->blocking == INT_MIN, "blocking must be 0 or 1");
  return known->blocking == 0;
}

struct Registered {
  std::mutex mutex;
  std::set<void*> handles;
};

Registered& registered() {
  static auto* all = new Registered;
  return *all;
}

}  // namespace
}  // namespace rocport::ccl

using namespace rocport::ccl;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  return call("ncclGetVersion", [&] {
    require(version != nullptr, "the pointer to the version is null");
    *version = NCCL_VERSION_CODE;
  });
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (static_cast<int>(result)) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case IN_PROGRESS:
      return "NCCL operation in progress";
    default:
      return "unknown result code";
  }
}

const char* ncclGetLastError(ncclComm_t) {
  thread_local std::string mine;
  std::lock_guard lock(lastError().mutex);
  mine = lastError().text;
  return mine.c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return call("ncclGetUniqueId", [&] {
    require(id != nullptr, "the pointer to the id is null");
    *id = Clique::invite();
  });
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return call("ncclCommInitRank", [&] { joinRank(comm, ranks, id, rank, currentGpu(), 0, false); });
}

ncclResult_t ncclCommInitRankMulti(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, int virtualGpu) {
  return call("ncclCommInitRankMulti", [&] { joinRank(comm, ranks, id, rank, currentGpu(), virtualGpu, false); });
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  return call("ncclCommInitRankConfig", [&] {
    bool background = wantsBackground(config);
    joinRank(comm, ranks, id, rank, currentGpu(), 0, background);
    return background ? IN_PROGRESS : ncclSuccess;
  });
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int gpus, const int* list) {
  return call("ncclCommInitAll", [&] {
    int count = 0;
    check(hipGetDeviceCount(&count));
    require(comms != nullptr, "the pointer to the communicators is null");
    require(gpus > 0, "the number of GPUs");
    std::set<int> used;
    for (int i = 0; i < gpus; i++) {
      int gpu = list == nullptr ? i : list[i];
      if (gpu < 0 || gpu >= count) {
        fail(ncclInvalidArgument, "no such GPU: " + std::to_string(gpu) + ": the device has " + std::to_string(count));
      }
      if (!used.insert(gpu).second) fail(ncclInvalidUsage, "GPU " + std::to_string(gpu) + " is listed twice");
    }
    ncclUniqueId id = Clique::invite();
    together([&] {
      for (int i = 0; i < gpus; i++) joinRank(&comms[i], gpus, id, i, list == nullptr ? i : list[i], 0, false);
    });
  });
}

ncclResult_t ncclCommSplit(ncclComm_t handle, int color, int key, ncclComm_t* made, ncclConfig_t* config) {
  return call("ncclCommSplit", [&] {
    auto comm = Comm::of(handle);
    comm->requireUsable();
    require(made != nullptr, "the pointer to the communicator is null");
    require(color >= NO_COLOR, "the color is negative");
    bool background = wantsBackground(config);
    add(split(comm, color, key, made), false);
    return background ? comm->state() : ncclSuccess;
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t handle) {
  return call("ncclCommFinalize", [&] {
    auto comm = Comm::of(handle);
    comm->awaitJoined();
    comm->finalize();
  });
}

ncclResult_t ncclCommDestroy(ncclComm_t handle) {
  if (handle == nullptr) return ncclSuccess;
  return call("ncclCommDestroy", [&] {
    auto comm = Comm::of(handle);
    comm->awaitJoined();
    comm->drain();
    comm->forget();
  });
}

ncclResult_t ncclCommAbort(ncclComm_t handle) {
  if (handle == nullptr) return ncclSuccess;
  return call("ncclCommAbort", [&] {
    auto comm = Comm::of(handle);
    comm->abort();
    comm->drain();
    comm->forget();
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t* error) {
  return call("ncclCommGetAsyncError", [&] {
    auto comm = Comm::of(handle);
    require(error != nullptr, "the pointer to the error is null");
    *error = comm->state();
  });
}

ncclResult_t ncclCommCount(const ncclComm_t handle, int* count) {
  return call("ncclCommCount", [&] {
    auto comm = Comm::of(handle);
    require(count != nullptr, "the pointer to the number is null");
    *count = comm->ranks;
  });
}

ncclResult_t ncclCommCuDevice(const ncclComm_t handle, int* device) {
  return call("ncclCommCuDevice", [&] {
    auto comm = Comm::of(handle);
    require(device != nullptr, "the pointer to the device is null");
    *device = comm->gpu;
  });
}

ncclResult_t ncclCommUserRank(const ncclComm_t handle, int* rank) {
  return call("ncclCommUserRank", [&] {
    auto comm = Comm::of(handle);
    require(rank != nullptr, "the pointer to the rank is null");
    *rank = comm->rank;
  });
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* operation, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t handle) {
  return call("ncclRedOpCreatePreMulSum", [&] {
    auto comm = Comm::of(handle);
    comm->requireUsable();
    require(operation != nullptr, "the pointer to the reduction is null");
    require(reducible(type), "the data type does not exist or cannot be reduced");
    require(scalar != nullptr, "the scalar is null");
    Scale scale;
    scale.type = type;
    if (residence == ncclScalarHostImmediate) {
      memcpy(&scale.value, scalar, sizeOf(type));
    } else {
      require(residence == ncclScalarDevice, "the residence of the scalar");
      scale.onDevice = buffer(*comm, scalar, sizeOf(type), "scalar's");
    }
    *operation = comm->add(scale);
  });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t operation, ncclComm_t handle) {
  return call("ncclRedOpDestroy", [&] {
    auto comm = Comm::of(handle);
    require(operation < 0 || operation >= ncclNumOps, "the reduction was not created by this program");
    comm->remove(operation);
  });
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t comm, hipStream_t stream) {
  return call("ncclAllReduce", [&] {
    collective(comm, stream, Collective::ALL_REDUCE, send, receive, count, type, operation, 0, 1, 1);
  });
}

ncclResult_t ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type, ncclRedOp_t operation,
                        int root, ncclComm_t comm, hipStream_t stream) {
  return call("ncclReduce", [&] {
    bool isRoot = Comm::of(comm)->rank == root;
    collective(comm, stream, Collective::REDUCE, send, receive, count, type, operation, root, 1, isRoot ? 1 : 0);
  });
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t comm, hipStream_t stream) {
  return call("ncclReduceScatter", [&] {
    auto ranks = static_cast<size_t>(Comm::of(comm)->ranks);
    collective(comm, stream, Collective::REDUCE_SCATTER, send, receive, count, type, operation, 0, ranks, 1);
  });
}

ncclResult_t ncclAllGather(const void* send, void* receive, size_t count, ncclDataType_t type, ncclComm_t comm,
                           hipStream_t stream) {
  return call("ncclAllGather", [&] {
    auto ranks = static_cast<size_t>(Comm::of(comm)->ranks);
    collective(comm, stream, Collective::ALL_GATHER, send, receive, count, type, ncclSum, 0, 1, ranks);
  });
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, hipStream_t stream) {
  return call("ncclBroadcast", [&] {
    bool isRoot = Comm::of(comm)->rank == root;
    collective(comm, stream, Collective::BROADCAST, send, receive, count, type, ncclSum, root, isRoot ? 1 : 0, 1);
  });
}

ncclResult_t ncclBcast(void* data, size_t count, ncclDataType_t type, int root, ncclComm_t comm, hipStream_t stream) {
  return ncclBroadcast(data, data, count, type, root, comm, stream);
}

ncclResult_t ncclSend(const void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      hipStream_t stream) {
  return call("ncclSend", [&] { message(comm, stream, true, data, count, type, peer); });
}

ncclResult_t ncclRecv(void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, hipStream_t stream) {
  return call("ncclRecv", [&] { message(comm, stream, false, data, count, type, peer); });
}

ncclResult_t ncclGather(const void* send, void* receive, size_t count, ncclDataType_t type, int root,
                        ncclComm_t handle, hipStream_t stream) {
  return call("ncclGather", [&] {
    auto comm = begin(handle, stream, type);
    requireRank(*comm, root, "root");
    together([&] {
      message(handle, stream, true, send, count, type, root);
      for (int r = 0; r < comm->ranks && comm->rank == root; r++) {
        message(handle, stream, false, part(receive, static_cast<size_t>(r) * count, type), count, type, r);
      }
    });
  });
}

ncclResult_t ncclScatter(const void* send, void* receive, size_t count, ncclDataType_t type, int root,
                         ncclComm_t handle, hipStream_t stream) {
  return call("ncclScatter", [&] {
    auto comm = begin(handle, stream, type);
    requireRank(*comm, root, "root");
    together([&] {
      for (int r = 0; r < comm->ranks && comm->rank == root; r++) {
        message(handle, stream, true, part(send, static_cast<size_t>(r) * count, type), count, type, r);
      }
      message(handle, stream, false, receive, count, type, root);
    });
  });
}

ncclResult_t ncclAllToAll(const void* send, void* receive, size_t count, ncclDataType_t type, ncclComm_t handle,
                          hipStream_t stream) {
  return call("ncclAllToAll", [&] {
    auto comm = begin(handle, stream, type);
    together([&] {
      for (int r = 0; r < comm->ranks; r++) {
        size_t at = static_cast<size_t>(r) * count;
        message(handle, stream, true, part(send, at, type), count, type, r);
        message(handle, stream, false, part(receive, at, type), count, type, r);
      }
    });
  });
}

ncclResult_t ncclAllToAllv(const void* send, const size_t sendCounts[], const size_t sendFrom[], void* receive,
                           const size_t receiveCounts[], const size_t receiveAt[], ncclDataType_t type,
                           ncclComm_t handle, hipStream_t stream) {
  return call("ncclAllToAllv", [&] {
    auto comm = begin(handle, stream, type);
    require(sendCounts != nullptr && sendFrom != nullptr && receiveCounts != nullptr && receiveAt != nullptr,
            "counts or displacements are null");
    together([&] {
      for (int r = 0; r < comm->ranks; r++) {
        message(handle, stream, true, part(send, sendFrom[r], type), sendCounts[r], type, r);
        message(handle, stream, false, part(receive, receiveAt[r], type), receiveCounts[r], type, r);
      }
    });
  });
}

ncclResult_t ncclGroupStart() {
  return call("ncclGroupStart", [] { startGroup(); });
}

ncclResult_t ncclGroupEnd() {
  return call("ncclGroupEnd", [] { endGroup(); });
}

ncclResult_t ncclMemAlloc(void** address, size_t bytes) {
  return call("ncclMemAlloc", [&] {
    require(address != nullptr, "the pointer to the address is null");
    check(hipMalloc(address, bytes));
  });
}

ncclResult_t ncclMemFree(void* address) {
  return call("ncclMemFree", [&] { check(hipFree(address)); });
}

// All memory of GPUs is shared already: there is nothing to prepare.
ncclResult_t ncclCommRegister(ncclComm_t handle, void* address, size_t bytes, void** made) {
  return call("ncclCommRegister", [&] {
    auto comm = Comm::of(handle);
    comm->requireUsable();
    require(made != nullptr, "the pointer to the handle is null");
    buffer(*comm, address, bytes, "registered");
    *made = new char;
    std::lock_guard lock(registered().mutex);
    registered().handles.insert(*made);
  });
}

ncclResult_t ncclCommDeregister(ncclComm_t handle, void* made) {
  return call("ncclCommDeregister", [&] {
    Comm::of(handle);
    std::lock_guard lock(registered().mutex);
    require(registered().handles.erase(made) == 1, "the handle was not created by ncclCommRegister");
    delete static_cast<char*>(made);
  });
}

}  // extern "C"

TWIN(GetVersion)
TWIN(GetErrorString)
TWIN(GetLastError)
TWIN(GetUniqueId)
TWIN(CommInitRank)
TWIN(CommInitRankMulti)
TWIN(CommInitRankConfig)
TWIN(CommInitAll)
TWIN(CommSplit)
TWIN(CommFinalize)
TWIN(CommDestroy)
TWIN(CommAbort)
TWIN(CommGetAsyncError)
TWIN(CommCount)
TWIN(CommCuDevice)
TWIN(CommUserRank)
TWIN(RedOpCreatePreMulSum)
TWIN(RedOpDestroy)
TWIN(AllReduce)
TWIN(Reduce)
TWIN(ReduceScatter)
TWIN(AllGather)
TWIN(Broadcast)
TWIN(Bcast)
TWIN(Send)
TWIN(Recv)
TWIN(Gather)
TWIN(Scatter)
TWIN(AllToAll)
TWIN(AllToAllv)
TWIN(GroupStart)
TWIN(GroupEnd)
TWIN(MemAlloc)
TWIN(MemFree)
TWIN(CommRegister)
TWIN(CommDeregister)
