// NVSHMEM functions that rocSHMEM lacks, built on rocSHMEM's own functions.
//
//   NVSHMEM                                             here (namespace rocport::shmem)
//   nvshmem_T_iput, iget, iputN, igetN                  iput<T>, iget<T>, with _wave and _wg; N is bits
//   nvshmemx_T_iput_on_stream, iget_on_stream           iput_on_stream<T>, iget_on_stream<T>
//   nvshmem_half_p, bfloat16_p, and g                   p<T>, g<T>
//   nvshmemx_T_p_on_stream, g_on_stream                 p_on_stream<T>, g_on_stream<T>
//   nvshmemx_T_wait_until(_all(_vector))_on_stream      wait_until_on_stream<T> and the like
//   nvshmem_T_test_all, any, some, with _vector         test_all<T> and the like
//   nvshmem_T_wait_until_all, any, some _vector         wait_until_all_vector<T> and the like
//   nvshmemx_signal_op, signal_op_on_stream             signal_op, signal_op_on_stream
//   nvshmem_barrier, team_sync where host and           barrier, team_sync
//     device share the code
//   nvshmem_T_alltoall, broadcast, fcollect, mem        alltoall<T>, broadcast<T>, fcollect<T>: by one thread
//   nvshmemx_T_fcollect_on_stream                       fcollect_on_stream<T>
//   nvshmem_T_OP_reduce, reducescatter                  Sum::reduce<T>, Sum::reduce_scatter<T>: by one thread;
//                                                         Sum, Prod, Min, Max, And, Or, Xor
//   nvshmemx_T_OP_reduce_block, _warp, _on_stream and   Sum::reduce_wg<T>, reduce_wave, reduce_on_stream and
//     reducescatter, of types that rocSHMEM lacks         the same of reduce_scatter
//   nvshmem_init_thread                                 init_thread
//
// Counts, strides and indices are in elements of T; teams number their PEs. Functions that return
// int return zero on success, as in NVSHMEM.
//
// _wave: by all lanes of a wave, with the same arguments; _wg: by all threads of a block.
// Transfers element by element: correct with any stride, and slow. iput returns when the source may
// be written again, and is complete at the other PE after rocshmem_quiet; iget is complete.
// Collectives begin and end with a barrier of the team, so no PE writes data that another still
// reads. Reductions combine the PEs' values in the team's order, each step in T (half and bfloat16
// round each time), so that all PEs have the same bits; dest may be source, and may overlap it in
// no other way.
//
// Forms on a stream are kernels of one thread or one block, ended by a quiet; a file that calls one
// is compiled with -fgpu-rdc. g_on_stream waits for the stream, since it returns a value.
//
// Needs rocSHMEM 3.5, C++14.
#ifndef ROCPORT_SHMEM_H
#define ROCPORT_SHMEM_H

#include <hip/hip_runtime.h>

#include <rocshmem/rocshmem.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(ROCSHMEM_VENDOR_MAJOR_VERSION)
#if ROCSHMEM_VENDOR_MAJOR_VERSION * 100 + ROCSHMEM_VENDOR_MINOR_VERSION >= 308
#define ROCPORT_SHMEM_SIGNALS 1  // rocSHMEM has functions for signals without a put
#endif
#endif

namespace rocport {
namespace shmem {

/**
 * Initializes rocSHMEM and returns the provided level, which may be lower than the requested one.
 */
inline int init_thread(int /*requested*/, int* provided) {
  rocshmem::rocshmem_init();
  rocshmem::rocshmem_query_thread(provided);
  return 0;
}

__host__ inline int signal_op_on_stream(uint64_t* sig_addr, uint64_t signal, int sig_op, int pe, hipStream_t stream) {
#if defined(ROCPORT_SHMEM_SIGNALS)
  if (sig_op == rocshmem::ROCSHMEM_SIGNAL_ADD) {
    rocshmem::rocshmem_signal_add_on_stream(sig_addr, signal, pe, stream);
  } else {
    rocshmem::rocshmem_signal_set_on_stream(sig_addr, signal, pe, stream);
  }
#else
  rocshmem::rocshmem_putmem_signal_on_stream(sig_addr, sig_addr, 0, sig_addr, signal, sig_op, pe, stream);
#endif
  return 0;
}

#if !defined(__HIPCC__)

inline int barrier(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_barrier(team);
  return 0;
}

inline int team_sync(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_team_sync(team);
  return 0;
}

#else

__host__ inline int barrier(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_barrier(team);
  return 0;
}

__device__ inline int barrier(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_ctx_barrier(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
  return 0;
}

__host__ inline int team_sync(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_team_sync(team);
  return 0;
}

__device__ inline int team_sync(rocshmem::rocshmem_team_t team) {
  rocshmem::rocshmem_ctx_sync(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
  return 0;
}

/** Sets the signal of another PE, or adds to it; the operation is chosen at run time. */
__device__ inline void signal_op(uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {
#if defined(ROCPORT_SHMEM_SIGNALS)
  if (sig_op == rocshmem::ROCSHMEM_SIGNAL_ADD) {
    rocshmem::rocshmem_signal_add(sig_addr, signal, pe);
  } else {
    rocshmem::rocshmem_signal_set(sig_addr, signal, pe);
  }
#else
  if (sig_op == rocshmem::ROCSHMEM_SIGNAL_ADD) {
    rocshmem::rocshmem_ulong_atomic_add(sig_addr, signal, pe);
  } else {
    rocshmem::rocshmem_ulong_atomic_set(sig_addr, signal, pe);
  }
#endif
}

namespace detail {

template <int Bytes> struct Word;
template <> struct Word<1> { using type = uint8_t; };
template <> struct Word<2> { using type = uint16_t; };
template <> struct Word<4> { using type = uint32_t; };
template <> struct Word<8> { using type = uint64_t; };
template <> struct Word<16> { struct alignas(16) type { uint64_t half[2]; }; };

/** The same bits in another type of the same size. */
template <typename To, typename From> __host__ __device__ To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "two sizes");
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

template <int Bytes> struct Scalar;

#define ROCPORT_SHMEM_SCALAR(BYTES, TYPE, NAME)                                                  \
  template <> struct Scalar<BYTES> {                                                             \
    template <typename T> __host__ __device__ static void put(T* dest, T value, int pe) {        \
      rocshmem::rocshmem_##NAME##_p(reinterpret_cast<TYPE*>(dest), bits<TYPE>(value), pe);       \
    }                                                                                            \
    template <typename T> __host__ __device__ static T get(const T* source, int pe) {            \
      return bits<T>(rocshmem::rocshmem_##NAME##_g(reinterpret_cast<const TYPE*>(source), pe));  \
    }                                                                                            \
  };
ROCPORT_SHMEM_SCALAR(1, signed char, schar)
ROCPORT_SHMEM_SCALAR(2, short, short)
ROCPORT_SHMEM_SCALAR(4, int, int)
ROCPORT_SHMEM_SCALAR(8, long, long)
#undef ROCPORT_SHMEM_SCALAR

#define ROCPORT_SHMEM_WAIT(TYPE, NAME)                                                           \
  __device__ inline void wait_until(TYPE* ivar, int cmp, TYPE value) {                           \
    rocshmem::rocshmem_##NAME##_wait_until(ivar, cmp, value);                                    \
  }                                                                                              \
  __device__ inline bool test(TYPE* ivar, int cmp, TYPE value) {                                 \
    return rocshmem::rocshmem_##NAME##_test(ivar, cmp, value) != 0;                              \
  }
ROCPORT_SHMEM_WAIT(short, short)
ROCPORT_SHMEM_WAIT(int, int)
ROCPORT_SHMEM_WAIT(long, long)
ROCPORT_SHMEM_WAIT(long long, longlong)
ROCPORT_SHMEM_WAIT(unsigned short, ushort)
ROCPORT_SHMEM_WAIT(unsigned int, uint)
ROCPORT_SHMEM_WAIT(unsigned long, ulong)
ROCPORT_SHMEM_WAIT(unsigned long long, ulonglong)
#undef ROCPORT_SHMEM_WAIT

__device__ inline int world(rocshmem::rocshmem_team_t team, int pe) {
  return rocshmem::rocshmem_team_translate_pe(team, pe, rocshmem::ROCSHMEM_TEAM_WORLD);
}

/**
 * The participants of a call: their number, the index of this one, and how they wait for each
 * other.
 */
struct Thread {
  __device__ static size_t count() { return 1; }
  __device__ static size_t index() { return 0; }
  __device__ static void sync() {}
  __device__ static void barrier(rocshmem::rocshmem_team_t team) {
    rocshmem::rocshmem_ctx_barrier(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
  }
};

__device__ inline size_t thread_of_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + static_cast<size_t>(blockDim.y) * threadIdx.z);
}

__device__ inline size_t block_threads() { return static_cast<size_t>(blockDim.x) * blockDim.y * blockDim.z; }

struct Wave {
  __device__ static size_t index() { return thread_of_block() % warpSize; }
  __device__ static size_t count() {
    size_t rest = block_threads() - (thread_of_block() - index());
    return rest < static_cast<size_t>(warpSize) ? rest : warpSize;
  }
  __device__ static void sync() {
    __threadfence_block();
    __builtin_amdgcn_wave_barrier();
  }
  __device__ static void barrier(rocshmem::rocshmem_team_t team) {
    sync();
    rocshmem::rocshmem_ctx_barrier_wave(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
    sync();
  }
};

struct Block {
  __device__ static size_t index() { return thread_of_block(); }
  __device__ static size_t count() { return block_threads(); }
  __device__ static void sync() { __syncthreads(); }
  __device__ static void barrier(rocshmem::rocshmem_team_t team) {
    __syncthreads();
    rocshmem::rocshmem_ctx_barrier_wg(rocshmem::ROCSHMEM_CTX_DEFAULT, team);
    __syncthreads();
  }
};

template <typename Who, typename T>
__device__ void iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) {
  Who::sync();
  for (size_t i = Who::index(); i < nelems; i += Who::count()) {
    ptrdiff_t k = static_cast<ptrdiff_t>(i);
    rocshmem::rocshmem_putmem(dest + k * dst, source + k * sst, sizeof(T), pe);
  }
  Who::sync();
}

template <typename Who, typename T>
__device__ void iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) {
  Who::sync();
  for (size_t i = Who::index(); i < nelems; i += Who::count()) {
    ptrdiff_t k = static_cast<ptrdiff_t>(i);
    rocshmem::rocshmem_getmem(dest + k * dst, source + k * sst, sizeof(T), pe);
  }
  Who::sync();
}

/** The values of all PEs at one element, combined in the team's order. */
template <typename Op, typename T>
__device__ T combined(rocshmem::rocshmem_team_t team, int npes, const T* source) {
  T value = Scalar<sizeof(T)>::get(source, world(team, 0));
  for (int pe = 1; pe < npes; ++pe) {
    value = Op::of(value, Scalar<sizeof(T)>::get(source, world(team, pe)));
  }
  return value;
}

/** Element i of dest combines the PEs' values at from[i]; in chunks if dest overwrites them. */
template <typename Who, typename Op, typename T>
__device__ int reduce(rocshmem::rocshmem_team_t team, T* dest, const T* source, const T* from, size_t nreduce) {
  const int npes = rocshmem::rocshmem_team_n_pes(team);
  Who::barrier(team);
  if (dest != source) {
    for (size_t i = Who::index(); i < nreduce; i += Who::count()) {
      dest[i] = combined<Op>(team, npes, from + i);
    }
    Who::barrier(team);
    return 0;
  }
  for (size_t base = 0; base < nreduce; base += Who::count()) {
    const size_t i = base + Who::index();
    T value = T();
    if (i < nreduce) value = combined<Op>(team, npes, from + i);
    Who::barrier(team);
    if (i < nreduce) dest[i] = value;
  }
  Who::sync();
  return 0;
}

template <typename Who, typename Op, typename T>
__device__ int reduce_scatter(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t nreduce) {
  const size_t me = static_cast<size_t>(rocshmem::rocshmem_team_my_pe(team));
  return reduce<Who, Op>(team, dest, source, source + me * nreduce, nreduce);
}

template <typename T> __global__ void iput_kernel(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {
  iput<Block>(dest, source, dst, sst, n, pe);
  if (thread_of_block() == 0) rocshmem::rocshmem_quiet();
}

template <typename T> __global__ void iget_kernel(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {
  iget<Block>(dest, source, dst, sst, n, pe);
}

template <typename T> __global__ void p_kernel(T* dest, T value, int pe) {
  Scalar<sizeof(T)>::put(dest, value, pe);
  rocshmem::rocshmem_quiet();
}

template <typename T> __global__ void g_kernel(T* to, const T* source, int pe) {
  *to = Scalar<sizeof(T)>::get(source, pe);
}

template <typename T> __global__ void wait_kernel(T* ivar, int cmp, T value) { wait_until(ivar, cmp, value); }

template <typename T>
__global__ void wait_all_kernel(T* ivars, size_t nelems, const int* status, int cmp, T value, const T* values) {
  for (size_t i = 0; i < nelems; ++i) {
    if (status == nullptr || status[i] == 0) wait_until(ivars + i, cmp, values == nullptr ? value : values[i]);
  }
}

template <typename T>
__global__ void fcollect_kernel(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t nelems) {
  const int npes = rocshmem::rocshmem_team_n_pes(team);
  const size_t me = static_cast<size_t>(rocshmem::rocshmem_team_my_pe(team));
  Block::barrier(team);
  for (int pe = 0; pe < npes; ++pe) {
    rocshmem::rocshmem_putmem_wg(dest + me * nelems, source, nelems * sizeof(T), world(team, pe));
  }
  Block::barrier(team);
}

template <typename Op, typename T>
__global__ void reduce_kernel(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t nreduce) {
  reduce<Block, Op>(team, dest, source, source, nreduce);
}

template <typename Op, typename T>
__global__ void reduce_scatter_kernel(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t nreduce) {
  reduce_scatter<Block, Op>(team, dest, source, nreduce);
}

constexpr int threads = 256;

}  // namespace detail

/** A value of a size in bytes. */
template <int Bytes> using word = typename detail::Word<Bytes>::type;

// ---- One value

template <typename T> __host__ __device__ void p(T* dest, T value, int pe) {
  detail::Scalar<sizeof(T)>::put(dest, value, pe);
}

template <typename T> __host__ __device__ T g(const T* source, int pe) {
  return detail::Scalar<sizeof(T)>::get(source, pe);
}

template <typename T> __host__ void p_on_stream(T* dest, T value, int pe, hipStream_t stream) {
  detail::p_kernel<T><<<1, 1, 0, stream>>>(dest, value, pe);
}

template <typename T> __host__ T g_on_stream(const T* source, int pe, hipStream_t stream) {
  T* cell = nullptr;
  T value = T();
  if (hipHostMalloc(reinterpret_cast<void**>(&cell), sizeof(T), 0) != hipSuccess) return value;
  detail::g_kernel<T><<<1, 1, 0, stream>>>(cell, source, pe);
  if (hipStreamSynchronize(stream) == hipSuccess) value = *cell;
  (void)hipHostFree(cell);
  return value;
}

// ---- Strided transfers

#define ROCPORT_SHMEM_STRIDED(NAME, SUFFIX, WHO)                                                            \
  template <typename T>                                                                                     \
  __device__ void NAME##SUFFIX(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
                               int pe) {                                                                    \
    detail::NAME<detail::WHO>(static_cast<T*>(dest), static_cast<const T*>(source), dst, sst, nelems, pe);  \
  }
ROCPORT_SHMEM_STRIDED(iput, , Thread)
ROCPORT_SHMEM_STRIDED(iput, _wave, Wave)
ROCPORT_SHMEM_STRIDED(iput, _wg, Block)
ROCPORT_SHMEM_STRIDED(iget, , Thread)
ROCPORT_SHMEM_STRIDED(iget, _wave, Wave)
ROCPORT_SHMEM_STRIDED(iget, _wg, Block)
#undef ROCPORT_SHMEM_STRIDED

template <typename T>
__host__ void iput_on_stream(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe,
                             hipStream_t stream) {
  detail::iput_kernel<T><<<1, detail::threads, 0, stream>>>(static_cast<T*>(dest), static_cast<const T*>(source), dst,
                                                            sst, nelems, pe);
}

template <typename T>
__host__ void iget_on_stream(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe,
                             hipStream_t stream) {
  detail::iget_kernel<T><<<1, detail::threads, 0, stream>>>(static_cast<T*>(dest), static_cast<const T*>(source), dst,
                                                            sst, nelems, pe);
}

// ---- Tests of several variables. Those whose status is not zero are ignored; status may be null.

/** 1 if all compare true, also if all are ignored. */
template <typename T>
__device__ int test_all_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && !detail::test(ivars + i, cmp, values[i])) return 0;
  }
  return 1;
}

template <typename T> __device__ int test_all(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && !detail::test(ivars + i, cmp, value)) return 0;
  }
  return 1;
}

/** The index of one that compares true; SIZE_MAX if there is none. */
template <typename T>
__device__ size_t test_any_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && detail::test(ivars + i, cmp, values[i])) return i;
  }
  return SIZE_MAX;
}

template <typename T> __device__ size_t test_any(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && detail::test(ivars + i, cmp, value)) return i;
  }
  return SIZE_MAX;
}

/** Number of those that compare true; their indices in indices. */
template <typename T>
__device__ size_t test_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
                                   const T* values) {
  size_t found = 0;
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && detail::test(ivars + i, cmp, values[i])) indices[found++] = i;
  }
  return found;
}

template <typename T>
__device__ size_t test_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp, T value) {
  size_t found = 0;
  for (size_t i = 0; i < nelems; ++i) {
    if ((status == nullptr || status[i] == 0) && detail::test(ivars + i, cmp, value)) indices[found++] = i;
  }
  return found;
}

// ---- Waits with a value for each variable

namespace detail {

__device__ inline bool counts(size_t nelems, const int* status) {
  for (size_t i = 0; i < nelems; ++i) {
    if (status == nullptr || status[i] == 0) return true;
  }
  return false;
}

}  // namespace detail

template <typename T>
__device__ void wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  for (size_t i = 0; i < nelems; ++i) {
    if (status == nullptr || status[i] == 0) detail::wait_until(ivars + i, cmp, values[i]);
  }
}

/** SIZE_MAX if all are ignored. */
template <typename T>
__device__ size_t wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  size_t found = SIZE_MAX;
  while (found == SIZE_MAX && detail::counts(nelems, status)) {
    found = test_any_vector<T>(ivars, nelems, status, cmp, values);
  }
  return found;
}

/** Zero if all are ignored. */
template <typename T>
__device__ size_t wait_until_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
                                         const T* values) {
  size_t found = 0;
  while (found == 0 && detail::counts(nelems, status)) {
    found = test_some_vector<T>(ivars, nelems, indices, status, cmp, values);
  }
  return found;
}

template <typename T> __host__ void wait_until_on_stream(T* ivar, int cmp, T value, hipStream_t stream) {
  detail::wait_kernel<T><<<1, 1, 0, stream>>>(ivar, cmp, value);
}

template <typename T>
__host__ void wait_until_all_on_stream(T* ivars, size_t nelems, const int* status, int cmp, T value,
                                       hipStream_t stream) {
  detail::wait_all_kernel<T><<<1, 1, 0, stream>>>(ivars, nelems, status, cmp, value, nullptr);
}

template <typename T>
__host__ void wait_until_all_vector_on_stream(T* ivars, size_t nelems, const int* status, int cmp, const T* values,
                                              hipStream_t stream) {
  detail::wait_all_kernel<T><<<1, 1, 0, stream>>>(ivars, nelems, status, cmp, T(), values);
}

// ---- Collectives by one thread of each PE

/** Block i of source goes to PE i. */
template <typename T>
__device__ int alltoall(rocshmem::rocshmem_team_t team, void* dest, const void* source, size_t nelems) {
  const int npes = rocshmem::rocshmem_team_n_pes(team);
  const size_t me = static_cast<size_t>(rocshmem::rocshmem_team_my_pe(team));
  barrier(team);
  for (int pe = 0; pe < npes; ++pe) {
    rocshmem::rocshmem_putmem(static_cast<T*>(dest) + me * nelems, static_cast<const T*>(source) + pe * nelems,
                              nelems * sizeof(T), detail::world(team, pe));
  }
  return barrier(team);
}

/** All sources, in the order of the PEs. */
template <typename T>
__device__ int fcollect(rocshmem::rocshmem_team_t team, void* dest, const void* source, size_t nelems) {
  const int npes = rocshmem::rocshmem_team_n_pes(team);
  const size_t me = static_cast<size_t>(rocshmem::rocshmem_team_my_pe(team));
  barrier(team);
  for (int pe = 0; pe < npes; ++pe) {
    rocshmem::rocshmem_putmem(static_cast<T*>(dest) + me * nelems, source, nelems * sizeof(T),
                              detail::world(team, pe));
  }
  return barrier(team);
}

/** The root's source goes to all dests. */
template <typename T>
__device__ int broadcast(rocshmem::rocshmem_team_t team, void* dest, const void* source, size_t nelems, int root) {
  const int npes = rocshmem::rocshmem_team_n_pes(team);
  barrier(team);
  if (rocshmem::rocshmem_team_my_pe(team) == root) {
    for (int pe = 0; pe < npes; ++pe) {
      if (pe != root || dest != source) {
        rocshmem::rocshmem_putmem(dest, source, nelems * sizeof(T), detail::world(team, pe));
      }
    }
  }
  return barrier(team);
}

template <typename T>
__host__ int fcollect_on_stream(rocshmem::rocshmem_team_t team, void* dest, const void* source, size_t nelems,
                                hipStream_t stream) {
  detail::fcollect_kernel<T>
      <<<1, detail::threads, 0, stream>>>(team, static_cast<T*>(dest), static_cast<const T*>(source), nelems);
  return hipPeekAtLastError() == hipSuccess ? 0 : 1;
}

// ---- Reductions, and reductions in which PE i gets block i

/**
 * Common part of the operations. Sum::reduce<T>(...) has no comma between angle brackets, so it can
 * be a macro argument.
 */
template <typename Op> struct Reduction {
#define ROCPORT_SHMEM_REDUCE(SUFFIX, WHO)                                                                       \
  template <typename T>                                                                                         \
  __device__ static int reduce##SUFFIX(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t n) {    \
    return detail::reduce<detail::WHO, Op>(team, dest, source, source, n);                                      \
  }                                                                                                             \
  template <typename T>                                                                                         \
  __device__ static int reduce_scatter##SUFFIX(rocshmem::rocshmem_team_t team, T* dest, const T* source,        \
                                               size_t n) {                                                      \
    return detail::reduce_scatter<detail::WHO, Op>(team, dest, source, n);                                      \
  }
  ROCPORT_SHMEM_REDUCE(, Thread)
  ROCPORT_SHMEM_REDUCE(_wave, Wave)
  ROCPORT_SHMEM_REDUCE(_wg, Block)
#undef ROCPORT_SHMEM_REDUCE

  template <typename T>
  __host__ static int reduce_on_stream(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t n,
                                       hipStream_t stream) {
    detail::reduce_kernel<Op, T><<<1, detail::threads, 0, stream>>>(team, dest, source, n);
    return hipPeekAtLastError() == hipSuccess ? 0 : 1;
  }

  template <typename T>
  __host__ static int reduce_scatter_on_stream(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t n,
                                               hipStream_t stream) {
    detail::reduce_scatter_kernel<Op, T><<<1, detail::threads, 0, stream>>>(team, dest, source, n);
    return hipPeekAtLastError() == hipSuccess ? 0 : 1;
  }

  /** On the host, a kernel reduces the symmetric memory of all PEs; returns when it is done. */
  template <typename T>
  __host__ static int reduce(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t n) {
    const int failed = reduce_on_stream(team, dest, source, n, nullptr);
    return hipStreamSynchronize(nullptr) == hipSuccess ? failed : 1;
  }

  template <typename T>
  __host__ static int reduce_scatter(rocshmem::rocshmem_team_t team, T* dest, const T* source, size_t n) {
    const int failed = reduce_scatter_on_stream(team, dest, source, n, nullptr);
    return hipStreamSynchronize(nullptr) == hipSuccess ? failed : 1;
  }
};

#define ROCPORT_SHMEM_OP(NAME, VALUE)                                                            \
  struct NAME : Reduction<NAME> {                                                                \
    template <typename T> __device__ static T of(T a, T b) { return static_cast<T>(VALUE); }     \
  };
ROCPORT_SHMEM_OP(Sum, a + b)
ROCPORT_SHMEM_OP(Prod, a * b)
ROCPORT_SHMEM_OP(Min, b < a ? b : a)
ROCPORT_SHMEM_OP(Max, a < b ? b : a)
ROCPORT_SHMEM_OP(And, a & b)
ROCPORT_SHMEM_OP(Or, a | b)
ROCPORT_SHMEM_OP(Xor, a ^ b)
#undef ROCPORT_SHMEM_OP

#endif  // __HIPCC__

}  // namespace shmem
}  // namespace rocport

#endif  // ROCPORT_SHMEM_H
