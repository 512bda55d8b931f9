// What the host asks for in a stream.
#include "check.h"

namespace {

__global__ void fill(int* to, int n, int pe, int step) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) to[i] = valueOf(pe, i, step);
}

std::vector<int> expectedOf(int pe, int n, int step) {
  std::vector<int> all(static_cast<size_t>(n));
  for (int i = 0; i < n; i++) all[static_cast<size_t>(i)] = valueOf(pe, i, step);
  return all;
}

}  // namespace

void streams(Here& here) {
  constexpr int N = 1025;
  int left = (here.pe + here.pes - 1) % here.pes;
  int right = (here.pe + 1) % here.pes;
  hipStream_t stream;
  HIP(hipStreamCreate(&stream));
  Buffer<int> from(static_cast<size_t>(N * here.pes));
  Buffer<int> to(static_cast<size_t>(N * here.pes));
  Buffer<uint64_t> flags(3);
  flags.write({0, 0, 0});
  std::vector<int> one(N);
  auto copied = [&](const int* data, int step, int who, const char* what) {
    HIP(hipMemcpyAsync(one.data(), data, N * sizeof(int), hipMemcpyDeviceToHost, stream));
    HIP(hipStreamSynchronize(stream));
    same(here, one, expectedOf(who, N, step), what, step);
  };

  // No wait of the host between: the stream keeps the order.
  done();
  fill<<<1, 128, 0, stream>>>(from.data, N, here.pe, 1);
  rocshmem_putmem_on_stream(to.data, from.data, N * sizeof(int), right, stream);
  rocshmem_barrier_all_on_stream(stream);
  copied(to.data, 1, left, "putmem_on_stream");

  rocshmem_sync_all_on_stream(stream);
  fill<<<1, 128, 0, stream>>>(from.data, N, here.pe, 2);
  rocshmem_barrier_on_stream(ROCSHMEM_TEAM_WORLD, stream);
  rocshmem_getmem_on_stream(to.data, from.data, N * sizeof(int), right, stream);
  copied(to.data, 2, right, "getmem_on_stream");

  rocshmem_team_sync_on_stream(ROCSHMEM_TEAM_WORLD, stream);
  fill<<<1, 128, 0, stream>>>(from.data, N, here.pe, 3);
  rocshmem_putmem_signal_on_stream(to.data, from.data, N * sizeof(int), flags.data, 5, ROCSHMEM_SIGNAL_SET, right, stream);
  rocshmem_signal_wait_until_on_stream(flags.data, ROCSHMEM_CMP_EQ, 5, stream);
  copied(to.data, 3, left, "putmem_signal_on_stream");

  rocshmem_signal_set_on_stream(flags.data + 1, 30, right, stream);
  rocshmem_quiet_on_stream(stream);
  rocshmem_barrier_all_on_stream(stream);
  rocshmem_signal_add_on_stream(flags.data + 1, 12, right, stream);
  rocshmem_signal_wait_until_on_stream(flags.data + 1, ROCSHMEM_CMP_GE, 42, stream);
  HIP(hipStreamSynchronize(stream));
  done();
  same(here, flags.read(), {5, 42, 0}, "signals on a stream", 0);

  int root = here.pes - 1;
  fill<<<1, 128, 0, stream>>>(from.data, N, here.pe, 4);
  rocshmem_barrier_on_stream(ROCSHMEM_TEAM_WORLD, stream);
  rocshmem_broadcastmem_on_stream(ROCSHMEM_TEAM_WORLD, to.data, from.data, N * sizeof(int), root, stream);
  copied(to.data, 4, root, "broadcastmem_on_stream");
  rocshmem_barrier_on_stream(ROCSHMEM_TEAM_WORLD, stream);
  rocshmem_broadcastmem_on_stream(ROCSHMEM_TEAM_WORLD, from.data, from.data, N * sizeof(int), root, stream);
  copied(from.data, 4, root, "broadcastmem_on_stream in place");

  fill<<<1, 128, 0, stream>>>(from.data, N * here.pes, here.pe, 5);
  rocshmem_barrier_on_stream(ROCSHMEM_TEAM_WORLD, stream);
  rocshmem_alltoallmem_on_stream(ROCSHMEM_TEAM_WORLD, to.data, from.data, N * sizeof(int), stream);
  HIP(hipStreamSynchronize(stream));
  std::vector<int> expected;
  for (int pe = 0; pe < here.pes; pe++) {
    for (int i = 0; i < N; i++) expected.push_back(valueOf(pe, here.pe * N + i, 5));
  }
  same(here, to.read(), expected, "alltoallmem_on_stream", 0);
  rocshmem_barrier_on_stream(ROCSHMEM_TEAM_INVALID, stream);
  HIP(hipStreamDestroy(stream));
  done();
}
