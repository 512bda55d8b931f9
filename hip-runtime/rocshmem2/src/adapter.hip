// Functions of later versions of rocSHMEM on version 2.
#include <rocshmem/rocshmem.hpp>

#include <hip/hip_runtime.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

// From here on, names mean the functions of the library.
#undef rocshmem_init
#undef rocshmem_finalize
#undef rocshmem_putmem_wave
#undef rocshmem_putmem_wg
#undef rocshmem_getmem_wave
#undef rocshmem_getmem_wg
#undef ROCSHMEM_TEAM_WORLD

namespace rocshmem {

namespace {

/** The heaps of all PEs, as the GPU of this one sees them. */
struct Heaps {
  int pe = -1;
  int pes = 0;
  size_t bytes = 0;
  char** bases = nullptr;  // null for PEs whose heap this GPU cannot access
};

/** What this process knows about the world that it has joined. */
struct Joined {
  bool startedMpi = false;
  bool done = false;
  Heaps heaps;
  std::vector<char*> bases;
};

__constant__ Heaps HEAPS;

Joined& joined() {
  static Joined state;
  return state;
}

[[noreturn]] void fail(const char* what) {
  fprintf(stderr, "rocport: rocSHMEM 2: %s\n", what);
  abort();
}

void check(hipError_t error, const char* what) {
  if (error != hipSuccess) {
    fprintf(stderr, "rocport: rocSHMEM 2: %s failed: %s\n", what, hipGetErrorString(error));
    abort();
  }
}

/** Writes its name to the file that a variable names, for reports. */
__attribute__((constructor)) void note() {
  const char* path = getenv("ROCPORT_STAND_INS");
  FILE* file = path == nullptr ? nullptr : fopen(path, "a");
  if (file == nullptr) return;
  fputs("adapter librocshmem\n", file);
  fclose(file);
}

void startMpi() {
  int started = 0;
  MPI_Initialized(&started);
  if (started) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  joined().startedMpi = true;
}

/** Whether it is true on all processes; each prints what is wrong with it. */
bool everywhere(bool mine) {
  int one = mine, all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

/** Opens the heaps of the other PEs once more: the library does not give away where it has them. */
void openHeaps() {
  Joined& state = joined();
  Heaps& heaps = state.heaps;
  heaps.pe = rocshmem_my_pe();
  heaps.pes = rocshmem_n_pes();
  void* probe = rocshmem_malloc(8);
  if (probe == nullptr) fail("the symmetric heap is empty");
  hipDeviceptr_t base = nullptr;
  check(hipMemGetAddressRange(&base, &heaps.bytes, probe), "finding the symmetric heap");
  rocshmem_free(probe);

  std::vector<hipIpcMemHandle_t> handles(heaps.pes);
  check(hipIpcGetMemHandle(&handles[heaps.pe], base), "sharing the symmetric heap");
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, handles.data(), sizeof(hipIpcMemHandle_t), MPI_BYTE, MPI_COMM_WORLD);
  state.bases.assign(heaps.pes, nullptr);
  for (int pe = 0; pe < heaps.pes; ++pe) {
    void* opened = base;
    if (pe != heaps.pe && hipIpcOpenMemHandle(&opened, handles[pe], hipIpcMemLazyEnablePeerAccess) != hipSuccess) {
      static_cast<void>(hipGetLastError());
      opened = nullptr;
    }
    state.bases[pe] = static_cast<char*>(opened);
  }
  const size_t bytes = heaps.pes * sizeof(char*);
  check(hipMalloc(reinterpret_cast<void**>(&heaps.bases), bytes), "an allocation");
  check(hipMemcpy(heaps.bases, state.bases.data(), bytes, hipMemcpyHostToDevice), "a copy");
  check(hipMemcpyToSymbol(HIP_SYMBOL(HEAPS), &heaps, sizeof heaps), "a copy");
}

/** Makes a team of all PEs, since the one of the library has no memory for barriers. */
void openWorld() {
  rocshmem_team_t& world = rocport2::hostWorld;
  if (rocshmem_team_split_strided(ROCSHMEM_TEAM_WORLD, 0, 1, rocshmem_n_pes(), nullptr, 0, &world) != 0) {
    fail("there is no team for all PEs");
  }
  check(hipMemcpyToSymbol(HIP_SYMBOL(rocport2::deviceWorld), &world, sizeof world), "a copy");
}

/** PEs have the numbers of MPI_COMM_WORLD in rocSHMEM 2, so no other communicator gives the right ones. */
bool join(MPI_Comm comm) {
  if (joined().done) {
    fprintf(stderr, "rocport: rocSHMEM 2: it is already initialized\n");
    return false;
  }
  startMpi();
  int compared = MPI_IDENT;
  if (comm != MPI_COMM_NULL) MPI_Comm_compare(comm, MPI_COMM_WORLD, &compared);
  if (compared != MPI_IDENT && compared != MPI_CONGRUENT) {
    fprintf(stderr, "rocport: rocSHMEM 2 numbers PEs as MPI_COMM_WORLD: use a communicator with the same ranks\n");
    return false;
  }
  rocshmem_init(MPI_COMM_WORLD);
  openHeaps();
  openWorld();
  joined().done = true;
  return true;
}

bool agrees(const rocshmem_init_attr_t& attr) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool same = rank == attr.rank && ranks == attr.nranks;
  if (!same) {
    fprintf(stderr,
            "rocport: rocSHMEM 2 joins the processes that mpirun has started: this one is rank %d of %d in "
            "MPI_COMM_WORLD, but rank %d of %d in the attributes; start the program with mpirun or rocport run --np\n",
            rank, ranks, attr.rank, attr.nranks);
  }
  if (!everywhere(same)) return false;
  rocshmem_uniqueid_t first = attr.uid;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  const bool equal = first == attr.uid;
  if (!equal) fprintf(stderr, "rocport: rocSHMEM 2: rank %d has another unique id than rank 0\n", rank);
  return everywhere(equal);
}

// ---- Collectives by a block

__device__ bool isFirst() { return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0; }
__device__ bool isFirstInWave() { return __lane_id() == static_cast<unsigned>(__ffsll(__ballot(1)) - 1); }
__device__ char* at(void* p, size_t offset) { return static_cast<char*>(p) + offset; }
__device__ const char* at(const void* p, size_t offset) { return static_cast<const char*>(p) + offset; }

__device__ int inWorld(rocshmem_team_t team, int pe) {
  return rocshmem_team_translate_pe(team, pe, rocport2::deviceWorld);
}

__device__ void arrive(rocshmem_ctx_t ctx, rocshmem_team_t team) {
  rocshmem_quiet();
  rocshmem_ctx_wg_team_sync(ctx, team);
}

__device__ void alltoall(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source, size_t bytes) {
  const int pes = rocshmem_team_n_pes(team);
  const size_t mine = rocshmem_team_my_pe(team) * bytes;
  for (int pe = 0; pe < pes; ++pe) {
    rocport2::putmem_wg(at(dest, mine), at(source, pe * bytes), bytes, inWorld(team, pe));
  }
  arrive(ctx, team);
}

__device__ void fcollect(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source, size_t bytes) {
  const int pes = rocshmem_team_n_pes(team);
  const size_t mine = rocshmem_team_my_pe(team) * bytes;
  for (int pe = 0; pe < pes; ++pe) rocport2::putmem_wg(at(dest, mine), source, bytes, inWorld(team, pe));
  arrive(ctx, team);
}

/** The destination of the root stays as it is, as in the library. */
__device__ void broadcast(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source, size_t bytes,
                          int root) {
  if (rocshmem_team_my_pe(team) == root) {
    const int pes = rocshmem_team_n_pes(team);
    for (int pe = 0; pe < pes; ++pe) {
      if (pe != root) rocport2::putmem_wg(dest, source, bytes, inWorld(team, pe));
    }
  }
  arrive(ctx, team);
}

// ---- Kernels for streams

constexpr int THREADS = 256;

__global__ void quietKernel() { rocshmem_quiet(); }
__global__ void barrierKernel(rocshmem_team_t team) { rocshmem_ctx_barrier_wg(ROCSHMEM_CTX_DEFAULT, team); }
__global__ void barrierAllKernel() { rocshmem_barrier_all_wg(); }
__global__ void syncKernel(rocshmem_team_t team) { rocshmem_ctx_sync_wg(ROCSHMEM_CTX_DEFAULT, team); }
__global__ void syncAllKernel() { rocshmem_sync_all_wg(); }
__global__ void alltoallKernel(rocshmem_team_t team, void* dest, const void* source, size_t bytes) {
  alltoall(ROCSHMEM_CTX_DEFAULT, team, dest, source, bytes);
}
__global__ void broadcastKernel(rocshmem_team_t team, void* dest, const void* source, size_t bytes, int root) {
  broadcast(ROCSHMEM_CTX_DEFAULT, team, dest, source, bytes, root);
}
__global__ void getKernel(void* dest, const void* source, size_t bytes, int pe) {
  rocport2::getmem_wg(dest, source, bytes, pe);
}
__global__ void putKernel(void* dest, const void* source, size_t bytes, int pe) {
  rocport2::putmem_wg(dest, source, bytes, pe);
  rocshmem_quiet();
}
__global__ void putSignalKernel(void* dest, const void* source, size_t bytes, uint64_t* flag, uint64_t value,
                                int operation, int pe) {
  rocport2::putmem_signal_wg(dest, source, bytes, flag, value, operation, pe);
}
__global__ void waitKernel(uint64_t* flag, int cmp, uint64_t value) { rocshmem_signal_wait_until(flag, cmp, value); }

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int threads, hipStream_t stream, Arguments... arguments) {
  if (!joined().done) fail("call rocshmem_init first");
  kernel<<<1, threads, 0, stream>>>(arguments...);
  check(hipGetLastError(), "the launch of a kernel");
}

__device__ bool holds(uint64_t is, int cmp, uint64_t value) {
  switch (cmp) {
    case ROCSHMEM_CMP_EQ: return is == value;
    case ROCSHMEM_CMP_NE: return is != value;
    case ROCSHMEM_CMP_GT: return is > value;
    case ROCSHMEM_CMP_GE: return is >= value;
    case ROCSHMEM_CMP_LT: return is < value;
    default: return is <= value;
  }
}

__device__ void signal(uint64_t* flag, uint64_t value, int operation, int pe) {
  if (operation == ROCSHMEM_SIGNAL_ADD) {
    rocshmem_ulong_atomic_add(flag, value, pe);
  } else {
    rocshmem_ulong_atomic_set(flag, value, pe);
  }
}

}  // namespace

// ---- Host: coming together

int rocshmem_get_uniqueid(rocshmem_uniqueid_t* uid) {
  if (uid == nullptr) return ROCSHMEM_ERROR;
  std::random_device random;
  for (uint8_t& byte : *uid) byte = static_cast<uint8_t>(random());
  return ROCSHMEM_SUCCESS;
}

int rocshmem_set_attr_uniqueid_args(int rank, int nranks, rocshmem_uniqueid_t* uid, rocshmem_init_attr_t* attr) {
  if (uid == nullptr || attr == nullptr || rank < 0 || rank >= nranks) return ROCSHMEM_ERROR;
  *attr = {rank, nranks, *uid, nullptr};
  return ROCSHMEM_SUCCESS;
}

int rocshmem_init_attr(unsigned int flags, rocshmem_init_attr_t* attr) {
  if (attr == nullptr) return ROCSHMEM_ERROR;
  MPI_Comm comm = MPI_COMM_WORLD;
  if (flags == ROCSHMEM_INIT_WITH_MPI_COMM) {
    if (attr->mpi_comm != nullptr) comm = *static_cast<MPI_Comm*>(attr->mpi_comm);
  } else if (flags == ROCSHMEM_INIT_WITH_UNIQUEID) {
    startMpi();
    if (!agrees(*attr)) return ROCSHMEM_ERROR;
  } else {
    fprintf(stderr, "rocport: rocSHMEM 2: rocshmem_init_attr has unknown flags: %u\n", flags);
    return ROCSHMEM_ERROR;
  }
  return join(comm) ? ROCSHMEM_SUCCESS : ROCSHMEM_ERROR;
}

void rocport2::init(MPI_Comm comm) {
  if (!join(comm)) abort();
}

void rocport2::init_thread(int, int* provided, MPI_Comm comm) {
  init(comm);
  rocshmem_query_thread(provided);
}

void rocport2::finalize() {
  Joined& state = joined();
  if (!state.done) fail("call rocshmem_init first");
  check(hipDeviceSynchronize(), "waiting for kernels");
  MPI_Barrier(MPI_COMM_WORLD);
  for (int pe = 0; pe < state.heaps.pes; ++pe) {
    if (pe != state.heaps.pe && state.bases[pe] != nullptr) {
      check(hipIpcCloseMemHandle(state.bases[pe]), "closing a symmetric heap");
    }
  }
  check(hipFree(state.heaps.bases), "a release");
  rocshmem_finalize();
  const bool startedMpi = state.startedMpi;
  state = {};
  if (startedMpi) MPI_Finalize();
}

void* rocport2::ptr(const void* dest, int pe) {
  const Joined& state = joined();
  if (pe < 0 || pe >= state.heaps.pes || state.bases[pe] == nullptr) return nullptr;
  const auto offset = static_cast<size_t>(static_cast<const char*>(dest) - state.bases[state.heaps.pe]);
  return offset < state.heaps.bytes ? state.bases[pe] + offset : nullptr;
}

// ---- Host: work for a stream

void rocshmem_quiet_on_stream(hipStream_t stream) { launch(quietKernel, 1, stream); }
void rocshmem_barrier_all_on_stream(hipStream_t stream) { launch(barrierAllKernel, 1, stream); }
void rocshmem_barrier_on_stream(rocshmem_team_t team, hipStream_t stream) {
  if (team != ROCSHMEM_TEAM_INVALID) launch(barrierKernel, 1, stream, team);
}
void rocshmem_sync_all_on_stream(hipStream_t stream) { launch(syncAllKernel, 1, stream); }
void rocshmem_team_sync_on_stream(rocshmem_team_t team, hipStream_t stream) {
  if (team != ROCSHMEM_TEAM_INVALID) launch(syncKernel, 1, stream, team);
}
void rocshmem_alltoallmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t size,
                                    hipStream_t stream) {
  launch(alltoallKernel, THREADS, stream, team, dest, source, size);
}
void rocshmem_broadcastmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t nelems, int pe_root,
                                     hipStream_t stream) {
  launch(broadcastKernel, THREADS, stream, team, dest, source, nelems, pe_root);
}
void rocshmem_getmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream) {
  launch(getKernel, THREADS, stream, dest, source, nelems, pe);
}
void rocshmem_putmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream) {
  launch(putKernel, THREADS, stream, dest, source, nelems, pe);
}
void rocshmem_putmem_signal_on_stream(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                      uint64_t signal, int sig_op, int pe, hipStream_t stream) {
  launch(putSignalKernel, THREADS, stream, dest, source, nelems, sig_addr, signal, sig_op, pe);
}
void rocshmem_signal_wait_until_on_stream(uint64_t* sig_addr, int cmp, uint64_t cmp_value, hipStream_t stream) {
  launch(waitKernel, 1, stream, sig_addr, cmp, cmp_value);
}

// ---- Device

rocshmem_team_t rocport2::hostWorld;
__constant__ rocshmem_team_t rocport2::deviceWorld;

__device__ void* rocport2::ptr(const void* dest, int pe) {
  if (pe < 0 || pe >= HEAPS.pes || HEAPS.bases[pe] == nullptr) return nullptr;
  const auto offset = static_cast<size_t>(static_cast<const char*>(dest) - HEAPS.bases[HEAPS.pe]);
  return offset < HEAPS.bytes ? HEAPS.bases[pe] + offset : nullptr;
}

__device__ int rocshmem_team_n_pes(rocshmem_team_t team) {
  if (team == ROCSHMEM_TEAM_INVALID) return -1;
  int pes = 0;
  while (rocshmem_team_translate_pe(team, pes, team) >= 0) ++pes;
  return pes;
}

__device__ int rocshmem_team_my_pe(rocshmem_team_t team) {
  return rocshmem_team_translate_pe(rocport2::deviceWorld, rocshmem_my_pe(), team);
}

__device__ uint64_t rocshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  for (;;) {
    const uint64_t is = __hip_atomic_load(sig_addr, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
    if (holds(is, cmp, cmp_value)) return is;
  }
}

// The library copies all but the last byte of an odd number.

__device__ void rocport2::putmem_wave(void* dest, const void* source, size_t nelems, int pe) {
  const size_t even = nelems & ~size_t{1};
  rocshmem_putmem_wave(dest, source, even, pe);
  if (even < nelems && isFirstInWave()) rocshmem_putmem(at(dest, even), at(source, even), 1, pe);
}

__device__ void rocport2::putmem_wg(void* dest, const void* source, size_t nelems, int pe) {
  const size_t even = nelems & ~size_t{1};
  rocshmem_putmem_wg(dest, source, even, pe);
  if (even < nelems && isFirst()) rocshmem_putmem(at(dest, even), at(source, even), 1, pe);
  __syncthreads();
}

__device__ void rocport2::getmem_wave(void* dest, const void* source, size_t nelems, int pe) {
  const size_t even = nelems & ~size_t{1};
  rocshmem_getmem_wave(dest, source, even, pe);
  if (even < nelems && isFirstInWave()) rocshmem_getmem(at(dest, even), at(source, even), 1, pe);
}

__device__ void rocport2::getmem_wg(void* dest, const void* source, size_t nelems, int pe) {
  const size_t even = nelems & ~size_t{1};
  rocshmem_getmem_wg(dest, source, even, pe);
  if (even < nelems && isFirst()) rocshmem_getmem(at(dest, even), at(source, even), 1, pe);
  __syncthreads();
}

__device__ void rocport2::putmem_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                        uint64_t signal, int sig_op, int pe) {
  rocshmem_putmem(dest, source, nelems, pe);
  rocshmem_fence();
  rocshmem::signal(sig_addr, signal, sig_op, pe);
}

__device__ void rocport2::putmem_signal_wave(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                             uint64_t signal, int sig_op, int pe) {
  putmem_wave(dest, source, nelems, pe);
  rocshmem_fence();
  if (isFirstInWave()) rocshmem::signal(sig_addr, signal, sig_op, pe);
}

__device__ void rocport2::putmem_signal_wg(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                           uint64_t signal, int sig_op, int pe) {
  putmem_wg(dest, source, nelems, pe);
  rocshmem_fence();
  __syncthreads();
  if (isFirst()) rocshmem::signal(sig_addr, signal, sig_op, pe);
}

__device__ void rocshmem_barrier_all_wg() {
  rocshmem_quiet();
  rocshmem_wg_barrier_all();
}
__device__ void rocshmem_ctx_barrier_wg(rocshmem_ctx_t ctx, rocshmem_team_t team) {
  rocshmem_ctx_quiet(ctx);
  rocshmem_ctx_wg_team_sync(ctx, team);
}
__device__ void rocshmem_sync_all_wg() { rocshmem_wg_sync_all(); }
__device__ void rocshmem_ctx_sync_wg(rocshmem_ctx_t ctx, rocshmem_team_t team) { rocshmem_ctx_wg_team_sync(ctx, team); }

__device__ void rocshmem_ctx_alltoallmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems) {
  alltoall(ctx, team, dest, source, nelems);
}
__device__ void rocshmem_ctx_broadcastmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                             int nelems, int pe_root) {
  broadcast(ctx, team, dest, source, nelems, pe_root);
}
__device__ void rocshmem_ctx_fcollectmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems) {
  fcollect(ctx, team, dest, source, nelems);
}

// Those of the library put with the functions that lose bytes.
#define DEFINE(T, NAME)                                                                                             \
  __device__ void rocshmem_ctx_##NAME##_alltoall_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,              \
                                                    const T* source, int nelems) {                                  \
    if (sizeof(T) == 1) {                                                                                           \
      alltoall(ctx, team, dest, source, nelems);                                                                    \
    } else {                                                                                                        \
      rocshmem_ctx_##NAME##_wg_alltoall(ctx, team, dest, source, nelems);                                           \
    }                                                                                                               \
  }                                                                                                                 \
  __device__ void rocshmem_ctx_##NAME##_fcollect_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,              \
                                                    const T* source, int nelems) {                                  \
    if (sizeof(T) == 1) {                                                                                           \
      fcollect(ctx, team, dest, source, nelems);                                                                    \
    } else {                                                                                                        \
      rocshmem_ctx_##NAME##_wg_fcollect(ctx, team, dest, source, nelems);                                           \
    }                                                                                                               \
  }                                                                                                                 \
  __device__ void rocshmem_ctx_##NAME##_broadcast_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,             \
                                                     const T* source, int nelems, int pe_root) {                    \
    if (sizeof(T) == 1) {                                                                                           \
      broadcast(ctx, team, dest, source, nelems, pe_root);                                                          \
    } else {                                                                                                        \
      rocshmem_ctx_##NAME##_wg_broadcast(ctx, team, dest, source, nelems, pe_root);                                 \
    }                                                                                                               \
  }
ROCPORT_SHMEM2_MOVED(DEFINE)
#undef DEFINE

#define DEFINE(T, NAME, OP)                                                                                         \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,          \
                                                        const T* source, int nreduce) {                             \
    return rocshmem_ctx_##NAME##_##OP##_wg_reduce(ctx, team, dest, source, nreduce);                                \
  }
ROCPORT_SHMEM2_REDUCED(DEFINE)
#undef DEFINE

}  // namespace rocshmem
