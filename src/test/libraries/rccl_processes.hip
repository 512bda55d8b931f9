// librccl: a process for each of four ranks; what they share, kinds of memory, parts of a
// communicator, and a rank whose process ends.
#include <dlfcn.h>
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int RANKS = 4;
constexpr size_t COUNT = 5000;
int rank = -1;
int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  failures++;
  printf("FAIL rank %d: %s\n", rank, what.c_str());
}

void hip(hipError_t result, int line) {
  if (result == hipSuccess) return;
  printf("rank %d, line %d: %s\n", rank, line, hipGetErrorString(result));
  exit(1);
}
void nccl(ncclResult_t result, int line) {
  if (result == ncclSuccess) return;
  printf("rank %d, line %d: %s: %s\n", rank, line, ncclGetErrorString(result), ncclGetLastError(nullptr));
  exit(1);
}
#define HIP(call) hip(call, __LINE__)
#define NCCL(call) nccl(call, __LINE__)

__global__ void fill(int* data, int first) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) data[i] = first + static_cast<int>(i);
}

/** Sums over the ranks of a communicator, from and into this memory. */
void sums(const std::string& what, ncclComm_t comm, hipStream_t stream, int* memory, int* seenByGpu, int factor, int offset) {
  fill<<<(COUNT + 255) / 256, 256, 0, stream>>>(seenByGpu, rank * 100);
  NCCL(ncclAllReduce(memory, memory, COUNT, ncclInt, ncclSum, comm, stream));
  HIP(hipStreamSynchronize(stream));
  std::vector<int> host(COUNT);
  HIP(hipMemcpy(host.data(), seenByGpu, COUNT * sizeof(int), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < COUNT; i++) {
    int want = factor * static_cast<int>(i) + offset;
    if (host[i] == want) continue;
    expect(false, what + ", element " + std::to_string(i) + ": " + std::to_string(host[i]) + " for " + std::to_string(want));
    return;
  }
}

/** Memory that the program has put together of pages, at an address that only it knows. */
int* mapped(size_t pages, size_t* size) {
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, rank};
  size_t page = 0;
  HIP(hipMemGetAllocationGranularity(&page, &properties, hipMemAllocationGranularityRecommended));
  *size = pages * page;
  void* address = nullptr;
  HIP(hipMemAddressReserve(&address, *size, 0, nullptr, 0));
  for (size_t i = 0; i < pages; i++) {
    hipMemGenericAllocationHandle_t memory;
    HIP(hipMemCreate(&memory, page, &properties, 0));
    HIP(hipMemMap(static_cast<char*>(address) + i * page, page, 0, memory, 0));
  }
  hipMemAccessDesc access = {properties.location, hipMemAccessFlagsProtReadWrite};
  HIP(hipMemSetAccess(address, *size, &access, 1));
  return static_cast<int*>(address);
}

void kindsOfMemory(ncclComm_t comm, hipStream_t stream) {
  const int offset = 600;  // of the ranks' first elements
  int* p = nullptr;
  HIP(hipMalloc(reinterpret_cast<void**>(&p), COUNT * sizeof(int)));
  sums("device memory", comm, stream, p, p, RANKS, offset);
  HIP(hipFree(p));
  HIP(hipHostMalloc(reinterpret_cast<void**>(&p), COUNT * sizeof(int), 0));
  sums("pinned memory", comm, stream, p, p, RANKS, offset);
  HIP(hipHostFree(p));
  HIP(hipMallocManaged(reinterpret_cast<void**>(&p), COUNT * sizeof(int)));
  sums("managed memory", comm, stream, p, p, RANKS, offset);
  HIP(hipFree(p));
  std::vector<int> own(COUNT);
  HIP(hipHostRegister(own.data(), COUNT * sizeof(int), 0));
  HIP(hipHostGetDevicePointer(reinterpret_cast<void**>(&p), own.data(), 0));
  sums("registered memory", comm, stream, own.data(), p, RANKS, offset);
  HIP(hipHostUnregister(own.data()));
  size_t size = 0;
  p = mapped(2, &size);
  sums("mapped memory", comm, stream, p, p, RANKS, offset);
  int* across = p + size / 8 - 10;  // from one page into the next
  expect(ncclAllReduce(across, across, 20, ncclInt, ncclSum, comm, stream) == ncclInvalidArgument, "two mappings");
  HIP(hipMallocAsync(reinterpret_cast<void**>(&p), COUNT * sizeof(int), stream));
  sums("memory of a pool", comm, stream, p, p, RANKS, offset);
  HIP(hipFreeAsync(p, stream));
  HIP(hipStreamSynchronize(stream));
}

/** What the toolchain's header may be too old to declare. */
template <class Function>
Function* newer(const char* name) {
  auto* found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  if (found == nullptr) printf("rank %d: no %s\n", rank, name);
  return found;
}

struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21803;
  int blocking = INT_MIN;
  int rest[8] = {};
};

void parts(ncclComm_t comm, hipStream_t stream) {
  auto* split = newer<ncclResult_t(ncclComm_t, int, int, ncclComm_t*, void*)>("ncclCommSplit");
  auto* finalize = newer<ncclResult_t(ncclComm_t)>("ncclCommFinalize");
  auto* allocate = newer<ncclResult_t(void**, size_t)>("ncclMemAlloc");
  auto* release = newer<ncclResult_t(void*)>("ncclMemFree");
  auto* enroll = newer<ncclResult_t(ncclComm_t, void*, size_t, void**)>("ncclCommRegister");
  auto* strike = newer<ncclResult_t(ncclComm_t, void*)>("ncclCommDeregister");
  int* p = nullptr;
  NCCL(allocate(reinterpret_cast<void**>(&p), COUNT * sizeof(int)));
  void* handle = nullptr;
  NCCL(enroll(comm, p, COUNT * sizeof(int), &handle));
  ncclComm_t half = nullptr, again = nullptr, none = nullptr;
  // Even and odd ranks, the higher one first.
  NCCL(split(comm, rank % 2, -rank, &half, nullptr));
  int count = 0, mine = -1;
  NCCL(ncclCommCount(half, &count));
  NCCL(ncclCommUserRank(half, &mine));
  expect(count == 2 && mine == (rank < 2 ? 1 : 0), "half of the ranks: " + std::to_string(mine) + " of " + std::to_string(count));
  sums("half of the ranks", half, stream, p, p, 2, rank % 2 == 0 ? 200 : 400);
  // Rank 1 stays out.
  NCCL(split(comm, rank == 1 ? -1 : 5, rank, &again, nullptr));
  expect((again == nullptr) == (rank == 1), "left out");
  if (rank != 1) sums("three of the ranks", again, stream, p, p, 3, 500);
  expect(split(comm, -7, 0, &none, nullptr) == ncclInvalidArgument, "a negative color");
  sums("all of them", comm, stream, p, p, RANKS, 600);
  NCCL(finalize(half));
  expect(ncclAllReduce(p, p, 1, ncclInt, ncclSum, half, stream) == ncclInvalidUsage, "after its end");
  NCCL(ncclCommDestroy(half));
  if (again != nullptr) NCCL(ncclCommDestroy(again));
  NCCL(strike(comm, handle));
  NCCL(release(p));
}

/** Joins without waiting, and asks until it is done. */
ncclComm_t later(const ncclUniqueId& id) {
  auto* join = newer<ncclResult_t(ncclComm_t*, int, ncclUniqueId, int, void*)>("ncclCommInitRankConfig");
  Config config;
  config.blocking = 0;
  ncclComm_t comm = nullptr;
  constexpr auto IN_PROGRESS = static_cast<ncclResult_t>(7);
  expect(join(&comm, RANKS, id, rank, &config) == IN_PROGRESS, "joins in the background");
  ncclResult_t state = IN_PROGRESS;
  while (state == IN_PROGRESS) {
    NCCL(ncclCommGetAsyncError(comm, &state));
    usleep(1000);
  }
  expect(state == ncclSuccess, "joined");
  return comm;
}

/** One rank ends without a word: the others hear of it, and can end what they wait for. */
void death(ncclComm_t comm, hipStream_t stream) {
  int* p = nullptr;
  HIP(hipMalloc(reinterpret_cast<void**>(&p), COUNT * sizeof(int)));
  sums("before", comm, stream, p, p, RANKS, 600);
  if (rank == 2) _exit(failures);
  NCCL(ncclAllReduce(p, p, COUNT, ncclInt, ncclSum, comm, stream));
  ncclResult_t state = ncclSuccess;
  for (int i = 0; i < 20000 && state == ncclSuccess; i++) {
    NCCL(ncclCommGetAsyncError(comm, &state));
    usleep(1000);
  }
  expect(state == ncclRemoteError, std::string("a rank has ended: ") + ncclGetErrorString(state));
  NCCL(ncclCommAbort(comm));
  hipError_t left = hipStreamSynchronize(stream);
  expect(left == hipSuccess, std::string("aborted in time: ") + hipGetErrorString(left));
  HIP(hipFree(p));
}

void work(const ncclUniqueId* ids) {
  HIP(hipSetDevice(rank));
  hipStream_t stream;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  ncclComm_t comm;
  NCCL(ncclCommInitRank(&comm, RANKS, ids[0], rank));
  kindsOfMemory(comm, stream);
  parts(comm, stream);
  NCCL(ncclCommDestroy(comm));
  comm = later(ids[1]);
  death(comm, stream);
}

}  // namespace

int main() {
  int ends[RANKS][2];
  for (auto& one : ends) {
    if (pipe(one) != 0) return 1;
  }
  std::vector<pid_t> children;
  for (int r = 0; r < RANKS; r++) {
    pid_t child = fork();
    if (child > 0) {
      children.push_back(child);
      continue;
    }
    rank = r;
    ncclUniqueId ids[2];
    if (rank == 0) {
      NCCL(ncclGetUniqueId(&ids[0]));
      NCCL(ncclGetUniqueId(&ids[1]));
      for (int other = 1; other < RANKS; other++) {
        if (write(ends[other][1], ids, sizeof ids) != sizeof ids) return 1;
      }
    } else if (read(ends[rank][0], ids, sizeof ids) != sizeof ids) {
      return 1;
    }
    work(ids);
    fflush(stdout);
    _exit(failures == 0 ? 0 : 1);
  }
  bool good = children.size() == RANKS;
  for (pid_t child : children) {
    int status = 1;
    good &= waitpid(child, &status, 0) == child && status == 0;
  }
  puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
