// The header of rocSHMEM 2, completed with functions of later versions that are built on those of version 2. Their
// declarations are those of rocSHMEM 3.8. The compiler finds this header before that of the library.
//
//   since  function                                          built on
//   3.0    unique ids, rocshmem_init_attr                    rocshmem_init: the PEs are those of MPI_COMM_WORLD
//   3.0    barriers and syncs, _wg                           rocshmem_wg_barrier_all, rocshmem_ctx_wg_team_sync
//   3.0    collectives, T_OPERATION_wg                       rocshmem_ctx_T_wg_OPERATION
//   3.3    operations on streams                             kernels of one block
//   3.4    teams on the device                               rocshmem_team_translate_pe
//   3.6    collectives of bytes, _wg                         rocshmem_putmem_wg, rocshmem_ctx_wg_team_sync
//   3.8    rocshmem_signal_wait_until                        atomic loads
//
// These names of version 2 are replaced:
//   rocshmem_init, rocshmem_init_thread, rocshmem_finalize   end MPI if they started it
//   rocshmem_ptr                                             is null in the backend IPC of version 2
//   puts and gets of bytes and of char by a wave or a block  do not copy the last byte of an odd number in version 2
//   rocshmem_putmem_signal and its forms                     do not signal in version 2 if they have no bytes to put
//   ROCSHMEM_TEAM_WORLD                                      is a variable of the host in version 2, and in its backend
//                                                            IPC a team without memory for barriers and collectives
//
// Not here, because version 2 has nothing that they can be built on: barriers and collectives of one thread or one
// wave, registration of buffers, ROCSHMEM_TEAM_SHARED, reductions that scatter.
#pragma once

#include_next <rocshmem/rocshmem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace rocshmem {

// ---- Host: coming together. Functions that return int return ROCSHMEM_SUCCESS, or print why not.

#define ROCSHMEM_UNIQUE_ID_BYTES 128
using rocshmem_uniqueid_t = std::array<uint8_t, ROCSHMEM_UNIQUE_ID_BYTES>;

typedef struct rocshmem_init_attr_t {
  int32_t rank;
  int32_t nranks;
  rocshmem_uniqueid_t uid;
  void* mpi_comm;  // the address of a MPI_Comm; MPI_COMM_WORLD if it is null
} rocshmem_init_attr_t;

constexpr unsigned int ROCSHMEM_INIT_WITH_MPI_COMM = 0;
constexpr unsigned int ROCSHMEM_INIT_WITH_UNIQUEID = 1;

__host__ int rocshmem_get_uniqueid(rocshmem_uniqueid_t* uid);
__host__ int rocshmem_set_attr_uniqueid_args(int rank, int nranks, rocshmem_uniqueid_t* uid, rocshmem_init_attr_t* attr);

/** Collective over MPI_COMM_WORLD, whose ranks must be those of the attributes, all with the same id. */
__host__ int rocshmem_init_attr(unsigned int flags, rocshmem_init_attr_t* attr);

// ---- Host: work for a stream

__host__ void rocshmem_quiet_on_stream(hipStream_t stream);
__host__ void rocshmem_barrier_all_on_stream(hipStream_t stream);
__host__ void rocshmem_barrier_on_stream(rocshmem_team_t team, hipStream_t stream);
__host__ void rocshmem_sync_all_on_stream(hipStream_t stream);
__host__ void rocshmem_team_sync_on_stream(rocshmem_team_t team, hipStream_t stream);

/** Bytes for each pair of PEs. */
__host__ void rocshmem_alltoallmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t size,
                                             hipStream_t stream);
__host__ void rocshmem_broadcastmem_on_stream(rocshmem_team_t team, void* dest, const void* source, size_t nelems,
                                              int pe_root, hipStream_t stream);
__host__ void rocshmem_getmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream);
__host__ void rocshmem_putmem_on_stream(void* dest, const void* source, size_t nelems, int pe, hipStream_t stream);
__host__ void rocshmem_putmem_signal_on_stream(void* dest, const void* source, size_t nelems, uint64_t* sig_addr,
                                               uint64_t signal, int sig_op, int pe, hipStream_t stream);
__host__ void rocshmem_signal_wait_until_on_stream(uint64_t* sig_addr, int cmp, uint64_t cmp_value, hipStream_t stream);

// ---- Device

__device__ int rocshmem_team_n_pes(rocshmem_team_t team);
__device__ int rocshmem_team_my_pe(rocshmem_team_t team);

/** Returns the value that ended the wait. */
__device__ uint64_t rocshmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

__device__ void rocshmem_barrier_all_wg();
__device__ void rocshmem_ctx_barrier_wg(rocshmem_ctx_t ctx, rocshmem_team_t team);
__device__ void rocshmem_sync_all_wg();
__device__ void rocshmem_ctx_sync_wg(rocshmem_ctx_t ctx, rocshmem_team_t team);

__device__ void rocshmem_ctx_alltoallmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems);
__device__ void rocshmem_ctx_broadcastmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                             int nelems, int pe_root);
__device__ void rocshmem_ctx_fcollectmem_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, void* dest, const void* source,
                                            int nelems);

// X(TYPE, NAME)
#define ROCPORT_SHMEM2_MOVED(X)                                                            \
  X(float, float) X(double, double) X(char, char) X(signed char, schar) X(short, short)   \
  X(int, int) X(long, long) X(long long, longlong) X(unsigned char, uchar)                \
  X(unsigned short, ushort) X(unsigned int, uint) X(unsigned long, ulong)                 \
  X(unsigned long long, ulonglong)

// X(TYPE, NAME, OPERATION)
#define ROCPORT_SHMEM2_COMPARED_(X, T, NAME) X(T, NAME, sum) X(T, NAME, min) X(T, NAME, max) X(T, NAME, prod)
#define ROCPORT_SHMEM2_BITS_(X, T, NAME) X(T, NAME, or) X(T, NAME, and) X(T, NAME, xor)
#define ROCPORT_SHMEM2_REDUCED(X)                                                          \
  ROCPORT_SHMEM2_COMPARED_(X, float, float) ROCPORT_SHMEM2_COMPARED_(X, double, double)   \
  ROCPORT_SHMEM2_COMPARED_(X, short, short) ROCPORT_SHMEM2_BITS_(X, short, short)         \
  ROCPORT_SHMEM2_COMPARED_(X, int, int) ROCPORT_SHMEM2_BITS_(X, int, int)                 \
  ROCPORT_SHMEM2_COMPARED_(X, long, long) ROCPORT_SHMEM2_BITS_(X, long, long)             \
  ROCPORT_SHMEM2_COMPARED_(X, long long, longlong) ROCPORT_SHMEM2_BITS_(X, long long, longlong)

#define ROCPORT_SHMEM2_DECLARE(T, NAME)                                                                            \
  __device__ void rocshmem_ctx_##NAME##_alltoall_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,             \
                                                    const T* source, int nelems);                                  \
  __device__ void rocshmem_ctx_##NAME##_fcollect_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,             \
                                                    const T* source, int nelems);                                  \
  __device__ void rocshmem_ctx_##NAME##_broadcast_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,            \
                                                     const T* source, int nelems, int pe_root);
ROCPORT_SHMEM2_MOVED(ROCPORT_SHMEM2_DECLARE)
#undef ROCPORT_SHMEM2_DECLARE

#define ROCPORT_SHMEM2_DECLARE(T, NAME, OP)                                                                        \
  __device__ int rocshmem_ctx_##NAME##_##OP##_reduce_wg(rocshmem_ctx_t ctx, rocshmem_team_t team, T* dest,         \
                                                        const T* source, int nreduce);
ROCPORT_SHMEM2_REDUCED(ROCPORT_SHMEM2_DECLARE)
#undef ROCPORT_SHMEM2_DECLARE

// ---- In the place of functions and variables of version 2

namespace rocport2 {

__device__ void putmem_wave(void* dest, const void* source, size_t nelems, int pe);
__device__ void putmem_wg(void* dest, const void* source, size_t nelems, int pe);
__device__ void getmem_wave(void* dest, const void* source, size_t nelems, int pe);
__device__ void getmem_wg(void* dest, const void* source, size_t nelems, int pe);

/** Signals after the put, and also if there is nothing to put. */
__device__ void putmem_signal(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal,
                              int sig_op, int pe);
__device__ void putmem_signal_wave(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal,
                                   int sig_op, int pe);
__device__ void putmem_signal_wg(void* dest, const void* source, size_t nelems, uint64_t* sig_addr, uint64_t signal,
                                 int sig_op, int pe);

__host__ void init(MPI_Comm comm = MPI_COMM_WORLD);
__host__ void init_thread(int requested, int* provided, MPI_Comm comm = MPI_COMM_WORLD);
__host__ void finalize();

/** Where the GPU of this PE finds what is at that address on another PE; null off the heap, or if it cannot. */
__host__ void* ptr(const void* dest, int pe);
__device__ void* ptr(const void* dest, int pe);

/** All PEs, on the host and on the device. */
extern rocshmem_team_t hostWorld;
extern __constant__ rocshmem_team_t deviceWorld;

}  // namespace rocport2

#define rocshmem_init rocport2::init
#define rocshmem_init_thread rocport2::init_thread
#define rocshmem_finalize rocport2::finalize
#define rocshmem_ptr rocport2::ptr
#define rocshmem_putmem_wave rocport2::putmem_wave
#define rocshmem_putmem_wg rocport2::putmem_wg
#define rocshmem_putmem_nbi_wave rocport2::putmem_wave
#define rocshmem_putmem_nbi_wg rocport2::putmem_wg
#define rocshmem_getmem_wave rocport2::getmem_wave
#define rocshmem_getmem_wg rocport2::getmem_wg
#define rocshmem_getmem_nbi_wave rocport2::getmem_wave
#define rocshmem_getmem_nbi_wg rocport2::getmem_wg
#define rocshmem_putmem_signal rocport2::putmem_signal
#define rocshmem_putmem_signal_wave rocport2::putmem_signal_wave
#define rocshmem_putmem_signal_wg rocport2::putmem_signal_wg
#define rocshmem_putmem_signal_nbi rocport2::putmem_signal
#define rocshmem_putmem_signal_nbi_wave rocport2::putmem_signal_wave
#define rocshmem_putmem_signal_nbi_wg rocport2::putmem_signal_wg
#define rocshmem_char_put_wave rocport2::putmem_wave
#define rocshmem_char_put_wg rocport2::putmem_wg
#define rocshmem_char_put_nbi_wave rocport2::putmem_wave
#define rocshmem_char_put_nbi_wg rocport2::putmem_wg
#define rocshmem_char_get_wave rocport2::getmem_wave
#define rocshmem_char_get_wg rocport2::getmem_wg
#define rocshmem_char_get_nbi_wave rocport2::getmem_wave
#define rocshmem_char_get_nbi_wg rocport2::getmem_wg
#define rocshmem_char_put_signal rocport2::putmem_signal
#define rocshmem_char_put_signal_wave rocport2::putmem_signal_wave
#define rocshmem_char_put_signal_wg rocport2::putmem_signal_wg
#define rocshmem_char_put_signal_nbi rocport2::putmem_signal
#define rocshmem_char_put_signal_nbi_wave rocport2::putmem_signal_wave
#define rocshmem_char_put_signal_nbi_wg rocport2::putmem_signal_wg
#define rocshmem_schar_put_wave rocport2::putmem_wave
#define rocshmem_schar_put_wg rocport2::putmem_wg
#define rocshmem_schar_put_nbi_wave rocport2::putmem_wave
#define rocshmem_schar_put_nbi_wg rocport2::putmem_wg
#define rocshmem_schar_get_wave rocport2::getmem_wave
#define rocshmem_schar_get_wg rocport2::getmem_wg
#define rocshmem_schar_get_nbi_wave rocport2::getmem_wave
#define rocshmem_schar_get_nbi_wg rocport2::getmem_wg
#define rocshmem_schar_put_signal rocport2::putmem_signal
#define rocshmem_schar_put_signal_wave rocport2::putmem_signal_wave
#define rocshmem_schar_put_signal_wg rocport2::putmem_signal_wg
#define rocshmem_schar_put_signal_nbi rocport2::putmem_signal
#define rocshmem_schar_put_signal_nbi_wave rocport2::putmem_signal_wave
#define rocshmem_schar_put_signal_nbi_wg rocport2::putmem_signal_wg
#define rocshmem_uchar_put_wave rocport2::putmem_wave
#define rocshmem_uchar_put_wg rocport2::putmem_wg
#define rocshmem_uchar_put_nbi_wave rocport2::putmem_wave
#define rocshmem_uchar_put_nbi_wg rocport2::putmem_wg
#define rocshmem_uchar_get_wave rocport2::getmem_wave
#define rocshmem_uchar_get_wg rocport2::getmem_wg
#define rocshmem_uchar_get_nbi_wave rocport2::getmem_wave
#define rocshmem_uchar_get_nbi_wg rocport2::getmem_wg
#define rocshmem_uchar_put_signal rocport2::putmem_signal
#define rocshmem_uchar_put_signal_wave rocport2::putmem_signal_wave
#define rocshmem_uchar_put_signal_wg rocport2::putmem_signal_wg
#define rocshmem_uchar_put_signal_nbi rocport2::putmem_signal
#define rocshmem_uchar_put_signal_nbi_wave rocport2::putmem_signal_wave
#define rocshmem_uchar_put_signal_nbi_wg rocport2::putmem_signal_wg
#if __HIP_DEVICE_COMPILE__
#define ROCSHMEM_TEAM_WORLD rocport2::deviceWorld
#else
#define ROCSHMEM_TEAM_WORLD rocport2::hostWorld
#endif

}  // namespace rocshmem
