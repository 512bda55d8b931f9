// Operations on streams.
#include "collective.h"
#include "host.h"
#include "wait.h"

namespace rocshmem {

namespace detail {
namespace {

constexpr int THREADS = 256;

__global__ void quietKernel() { rocshmem_quiet(); }
__global__ void meetKernel(rocshmem_team_t of) { meet<By::THREAD>(team(of)); }
__global__ void alltoallKernel(rocshmem_team_t of, void* dest, const void* source, size_t bytes) {
  alltoall<By::WG>(team(of), dest, source, bytes);
}
__global__ void broadcastKernel(rocshmem_team_t of, void* dest, const void* source, size_t bytes, int root) {
  broadcast<By::WG>(team(of), dest, source, bytes, root);
}
__global__ void getKernel(void* dest, const void* source, size_t bytes, int pe) {
  get<By::WG>(ROCSHMEM_CTX_DEFAULT, dest, source, bytes, pe, true);
}
__global__ void putKernel(void* dest, const void* source, size_t bytes, int pe) {
  put<By::WG>(ROCSHMEM_CTX_DEFAULT, dest, source, bytes, pe, true);
}
__global__ void putSignalKernel(void* dest, const void* source, size_t bytes, uint64_t* flag, uint64_t value,
                                int operation, int pe) {
  rocshmem_putmem_signal_wg(dest, source, bytes, flag, value, operation, pe);
}
__global__ void signalSetKernel(uint64_t* flag, uint64_t value, int pe) { rocshmem_signal_set(flag, value, pe); }
__global__ void signalAddKernel(uint64_t* flag, uint64_t value, int pe) { rocshmem_signal_add(flag, value, pe); }
__global__ void waitKernel(uint64_t* flag, int cmp, uint64_t value) { await(flag, cmp, value); }

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int threads, hipStream_t stream, Arguments... arguments) {
  Host::get();
  kernel<<<1, threads, 0, stream>>>(arguments...);
  check(hipGetLastError(), "the launch of a kernel");
}

}  // namespace
}  // namespace detail

using namespace detail;

void rocshmem_quiet_on_stream(hipStream_t stream) { launch(quietKernel, 1, stream); }

void rocshmem_barrier_on_stream(rocshmem_team_t team, hipStream_t stream) {
  if (team != ROCSHMEM_TEAM_INVALID) launch(meetKernel, 1, stream, team);
}
void rocshmem_barrier_all_on_stream(hipStream_t stream) { launch(meetKernel, 1, stream, host::ROCSHMEM_TEAM_WORLD); }
void rocshmem_team_sync_on_stream(rocshmem_team_t team, hipStream_t stream) { rocshmem_barrier_on_stream(team, stream); }
void rocshmem_sync_all_on_stream(hipStream_t stream) { rocshmem_barrier_all_on_stream(stream); }

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
void rocshmem_signal_set_on_stream(uint64_t* sig_addr, uint64_t signal, int pe, hipStream_t stream) {
  launch(signalSetKernel, 1, stream, sig_addr, signal, pe);
}
void rocshmem_signal_add_on_stream(uint64_t* sig_addr, uint64_t signal, int pe, hipStream_t stream) {
  launch(signalAddKernel, 1, stream, sig_addr, signal, pe);
}

}  // namespace rocshmem
