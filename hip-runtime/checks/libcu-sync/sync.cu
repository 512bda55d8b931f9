// Uses every part of libcu++'s synchronisation that rocport serves; each line printed is a result that
// the language defines, so NVIDIA and AMD GPUs must print what expected.txt holds.
//   nvcc -std=c++17 -arch=sm_80 -o sync sync.cu && ./sync | diff - expected.txt
//   rocport port . --out PORTED && rocport build PORTED, then run the program on an AMD GPU
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

static void check(cudaError_t e) {
  if (e != cudaSuccess) {
    std::printf("error: %s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

struct Pair {
  int low, high;
};
enum class Light : unsigned char { red, green };

// ---- atomics -------------------------------------------------------------------------------------

template <typename T, cuda::thread_scope Scope>
__device__ void count(T* at) {
  cuda::atomic_ref<T, Scope> r(at[0]);
  r.fetch_add(T(3), cuda::memory_order_relaxed);
  r.fetch_sub(T(1), cuda::std::memory_order_acq_rel);
  cuda::atomic_ref<T, Scope> least(at[1]), most(at[2]);
  const T own = static_cast<T>(threadIdx.x + 1);
  // No cell ever holds 120: the results are used, as a compiler may handle that otherwise.
  if (least.fetch_min(own, cuda::memory_order_relaxed) == T(120)) at[0] = T(0);
  if (most.fetch_max(own, cuda::memory_order_relaxed) == T(120)) at[0] = T(0);
}

template <typename T>
__global__ void counts(T* at) {
  count<T, cuda::thread_scope_device>(at);
  count<T, cuda::thread_scope_system>(at + 3);
  count<T, cuda::thread_scope_block>(at + 6);
}

// Cells of one byte and of two: 100 threads stay in the range of both.
template <typename T>
static void print_counts(const char* name) {
  T* at;
  check(cudaMallocManaged(&at, 9 * sizeof(T)));
  for (int i = 0; i < 9; ++i) at[i] = static_cast<T>(i % 3 == 1 ? 100 : 0);
  counts<<<1, 50>>>(at);
  check(cudaDeviceSynchronize());
  std::printf("%s", name);
  for (int i = 0; i < 9; ++i) std::printf(" %g", static_cast<double>(at[i]));
  std::printf("\n");
  check(cudaFree(at));
}

struct Words {
  unsigned all_or, all_and, all_xor;
  int moved;
  int* pointer;
  Pair pair;
  Light light;
  bool flag;
  long long total;
  double sum;
};

__device__ cuda::atomic<int, cuda::thread_scope_device> on_device{5};
__device__ cuda::std::atomic<float> everywhere;
__device__ cuda::std::atomic_flag raised{};
__device__ cuda::std::atomic_int plain;

__global__ void words(Words* w, int* cells) {
  const unsigned bit = 1u << (threadIdx.x % 32);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(w->all_or).fetch_or(bit);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(w->all_and).fetch_and(~bit | 0xff00u);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> x(w->all_xor);
  x ^= bit;
  cuda::atomic_ref<int*, cuda::thread_scope_device> p(w->pointer);
  p.fetch_add(2);
  --p;
  cuda::atomic_ref<long long> total(w->total);
  total += threadIdx.x;
  total++;
  cuda::atomic_ref<double, cuda::thread_scope_device> sum(w->sum);
  sum.fetch_add(0.5);
  sum -= 0.25;
  // Adds to both halves in one step.
  cuda::atomic_ref<Pair, cuda::thread_scope_device> pair(w->pair);
  Pair old = pair.load(cuda::memory_order_relaxed);
  while (!pair.compare_exchange_weak(old, Pair{old.low + 1, old.high - 1}, cuda::memory_order_acq_rel,
                                     cuda::memory_order_relaxed)) {
  }
  cuda::atomic_ref<Light> light(w->light);
  light.store(Light::green, cuda::memory_order_release);
  cuda::atomic_ref<bool> flag(w->flag);
  bool clear = false;
  if (flag.compare_exchange_strong(clear, true)) w->moved = 1;
  on_device += 2;
  everywhere.fetch_add(1.0f);
  plain.fetch_add(1);
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    cells[0] = !raised.test_and_set(cuda::std::memory_order_acquire);
    cells[1] = raised.test();
    raised.clear();
    cells[2] = total.is_lock_free() && cuda::atomic<long long>::is_always_lock_free;
  }
}

__global__ void read_globals(int* cells) {
  cells[3] = on_device.load();
  cells[4] = static_cast<int>(everywhere.load());
  cells[5] = plain;
}

// One block hands a value to the other.
__global__ void message(int* data, cuda::atomic<int, cuda::thread_scope_device>* ready) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    ready[0].store(1, cuda::memory_order_release);
    ready[0].notify_all();
    data[2] = 43;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready[1].store(1, cuda::memory_order_relaxed);
  } else {
    ready[0].wait(0, cuda::memory_order_acquire);
    data[1] = data[0];
    while (ready[1].load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    data[3] = data[2];
  }
}

// ---- barriers ------------------------------------------------------------------------------------

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

struct CountPhases {
  int* phases;
  __device__ void operator()() const { ++*phases; }
};

__global__ void barriers(int* out) {
  __shared__ block_barrier bar;
  __shared__ int ring[256];
  __shared__ int phases;
  alignas(8) __shared__ char storage[sizeof(cuda::barrier<cuda::thread_scope_block, CountPhases>)];
  auto* counted = reinterpret_cast<cuda::barrier<cuda::thread_scope_block, CountPhases>*>(storage);
  __shared__ __mbarrier_t word;
  const int n = blockDim.x, i = threadIdx.x;
  if (i == 0) {
    phases = 0;
    init(&bar, n);
    init(counted, n, CountPhases{&phases});
    __mbarrier_init(&word, n);
  }
  __syncthreads();

  int value = i;
  for (int round = 0; round < 8; ++round) {  // passes values around a ring
    ring[i] = value;
    bar.arrive_and_wait();
    value = ring[(i + 1) % n];
    block_barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
  }
  out[i] = value;

  for (int round = 0; round < 5; ++round) {
    counted->arrive_and_wait();
    counted->wait(counted->arrive());
  }
  if (i == 0) out[n] = phases;

  ring[i] = 1;
  __mbarrier_token_t token = __mbarrier_arrive(&word);
  while (!__mbarrier_test_wait(&word, token)) {
  }
  if (i == 0) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += ring[k];
    out[n + 1] = sum;
  }
  // All but the first wave drop out; the rest goes on with fewer.
  if (i >= 64) {
    bar.arrive_and_drop();
  } else {
    bar.arrive_and_wait();
    bar.arrive_and_wait();
  }
  __syncthreads();
  if (i == 0) out[n + 2] = 1;
}

// Four blocks meet three times.
__global__ void meet(cuda::barrier<cuda::thread_scope_device>* bar, int* cells, int* bad) {
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == 0) {
      cells[blockIdx.x] = round;
      bar->arrive_and_wait();
      for (int k = 0; k < 4; ++k) {
        if (cells[k] != round) *bad = 1;
      }
      bar->arrive_and_wait();
    }
  }
}

// ---- latches and semaphores ----------------------------------------------------------------------

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> permits(2);
__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);

using device_latch = cuda::latch<cuda::thread_scope_device>;

__global__ void permit(device_latch* gate, int* inside, int* most, int* shared_count) {
  if (threadIdx.x != 0) return;
  gate->arrive_and_wait();
  permits.acquire();
  cuda::atomic_ref<int, cuda::thread_scope_device> now(*inside), peak(*most);
  peak.fetch_max(now.fetch_add(1) + 1);
  now.fetch_sub(1);
  permits.release();
  for (int k = 0; k < 100; ++k) {
    lock.acquire();
    *reinterpret_cast<volatile int*>(shared_count) += 1;
    lock.release();
  }
}

// ---- pipelines -----------------------------------------------------------------------------------

constexpr int kTile = 256;
constexpr int kTiles = 9;

__global__ void primitives(const float* in, float* out, int tiles) {
  alignas(16) __shared__ float tile[2][kTile];
  const int i = threadIdx.x;
  const int quarter = kTile / 4;
  if (i < quarter) __pipeline_memcpy_async(&tile[0][4 * i], &in[4 * i], 16);
  __pipeline_commit();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles && i < quarter) {
      __pipeline_memcpy_async(&tile[(t + 1) % 2][4 * i], &in[(t + 1) * kTile + 4 * i], 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[t % 2][kTile - 1 - i];
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void zero_fill(const unsigned char* in, unsigned char* out) {
  alignas(16) __shared__ unsigned char cells[17 * 16];
  const int i = threadIdx.x;  // 0 to 16 bytes of zeros
  __pipeline_memcpy_async(&cells[16 * i], in, 16, i);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int k = 0; k < 16; ++k) out[16 * i + k] = cells[16 * i + k];
}

__global__ void thread_pipeline(const float* in, float* out, int tiles) {
  __shared__ float tile[2][kTile];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int i = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][i], &in[i], sizeof(float), pipe);
  pipe.producer_commit();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    pipe.producer_acquire();
    if (t + 1 < tiles) {
      cuda::memcpy_async(&tile[(t + 1) % 2][i], &in[(t + 1) * kTile + i],
                         cuda::aligned_size_t<4>(sizeof(float)), pipe);
    }
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    __syncthreads();
    sum += tile[t % 2][kTile - 1 - i];
    __syncthreads();
    pipe.consumer_release();
  }
  out[i] = sum;
}

__global__ void block_pipeline(const float* in, float* out, int tiles) {
  alignas(16) __shared__ float tile[3][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0, fetch = 0; t < tiles; ++t) {
    for (; fetch < tiles && fetch < t + 3; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetch % 3], in + fetch * kTile,
                         cuda::aligned_size_t<16>(kTile * sizeof(float)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[t % 3][kTile - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// The first 64 threads copy, the others add up; both numbers are multiples of a wave.
__global__ void roles(const float* in, float* out, int tiles) {
  alignas(16) __shared__ float tile[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const bool producer = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(
      block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (producer) {
    for (int t = 0; t < tiles; ++t) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < kTile; k += 64) {
        cuda::memcpy_async(&tile[t % 2][k], &in[t * kTile + k], sizeof(float), pipe);
      }
      pipe.producer_commit();
    }
  } else {
    const int i = threadIdx.x - 64;
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
      pipe.consumer_wait();
      sum += tile[t % 2][kTile - 1 - i];
      pipe.consumer_release();
    }
    out[i] = sum;
  }
}

__global__ void barrier_copy(const float* in, float* out, int tiles) {
  alignas(16) __shared__ float tile[kTile];
  __shared__ block_barrier bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    cuda::memcpy_async(block, tile, in + t * kTile, sizeof(float) * kTile, bar);
    bar.arrive_and_wait();
    sum += tile[kTile - 1 - threadIdx.x];
    block.sync();
  }
  cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(float) * kTile));
  cg::wait(block);
  out[threadIdx.x] = sum + tile[kTile - 1 - threadIdx.x];
}

template <typename Launch>
static void print_sums(const char* name, Launch launch) {
  float *in, *out;
  check(cudaMallocManaged(&in, kTiles * kTile * sizeof(float)));
  check(cudaMallocManaged(&out, kTile * sizeof(float)));
  for (int k = 0; k < kTiles * kTile; ++k) in[k] = static_cast<float>(k % 1000);
  launch(in, out);
  check(cudaDeviceSynchronize());
  double weighted = 0;
  for (int k = 0; k < kTile; ++k) weighted += (k + 1) * static_cast<double>(out[k]);
  std::printf("%s %.0f %.0f %.0f\n", name, out[0], out[kTile - 1], weighted);
  check(cudaFree(in));
  check(cudaFree(out));
}

int main() {
  print_counts<signed char>("int8");
  print_counts<unsigned char>("uint8");
  print_counts<short>("int16");
  print_counts<unsigned short>("uint16");
  print_counts<int>("int32");
  print_counts<unsigned>("uint32");
  print_counts<long long>("int64");
  print_counts<unsigned long long>("uint64");
  print_counts<float>("float");
  print_counts<double>("double");

  Words* w;
  int* cells;
  check(cudaMallocManaged(&w, sizeof(Words)));
  check(cudaMallocManaged(&cells, 4096 * sizeof(int)));
  *w = Words{};
  w->all_and = ~0u;
  w->pointer = cells;
  words<<<2, 64>>>(w, cells);
  check(cudaDeviceSynchronize());
  read_globals<<<1, 1>>>(cells);
  check(cudaDeviceSynchronize());
  std::printf("words %x %x %x %d %d %d %d %d %d %lld %g\n", w->all_or, w->all_and, w->all_xor, w->moved,
              static_cast<int>(w->pointer - cells), w->pair.low, w->pair.high,
              static_cast<int>(w->light), w->flag, w->total, w->sum);
  std::printf("globals %d %d %d\n", cells[3], cells[4], cells[5]);
  std::printf("flag %d %d %d\n", cells[0], cells[1], cells[2]);

  cuda::atomic<int, cuda::thread_scope_device>* ready;
  check(cudaMallocManaged(&ready, 2 * sizeof(*ready)));
  new (&ready[0]) cuda::atomic<int, cuda::thread_scope_device>(0);
  new (&ready[1]) cuda::atomic<int, cuda::thread_scope_device>(0);
  message<<<2, 64>>>(cells, ready);
  check(cudaDeviceSynchronize());
  std::printf("message %d %d\n", cells[1], cells[3]);

  barriers<<<1, 256>>>(cells);
  check(cudaDeviceSynchronize());
  std::printf("barrier %d %d %d phases %d sum %d end %d\n", cells[0], cells[100], cells[255], cells[256],
              cells[257], cells[258]);

  cuda::barrier<cuda::thread_scope_device>* bar;
  check(cudaMallocManaged(&bar, sizeof(*bar)));
  new (bar) cuda::barrier<cuda::thread_scope_device>(4);
  cells[10] = 0;
  meet<<<4, 64>>>(bar, cells, cells + 10);
  check(cudaDeviceSynchronize());
  std::printf("meet %d %d %d %d bad %d\n", cells[0], cells[1], cells[2], cells[3], cells[10]);

  cells[0] = cells[1] = cells[2] = 0;
  device_latch* gate;
  check(cudaMallocManaged(&gate, sizeof(*gate)));
  new (gate) device_latch(4);
  permit<<<4, 64>>>(gate, cells, cells + 1, cells + 2);
  check(cudaDeviceSynchronize());
  std::printf("semaphore inside %d at most two %d locked %d\n", cells[0], cells[1] <= 2, cells[2]);

  unsigned char *from, *to;
  check(cudaMallocManaged(&from, 16));
  check(cudaMallocManaged(&to, 17 * 16));
  for (int k = 0; k < 16; ++k) from[k] = static_cast<unsigned char>(k + 1);
  zero_fill<<<1, 17>>>(from, to);
  check(cudaDeviceSynchronize());
  std::printf("zfill");
  for (int z = 0; z <= 16; ++z) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += to[16 * z + k];
    std::printf(" %d", sum);
  }
  std::printf("\n");

  print_sums("primitives", [](float* in, float* out) { primitives<<<1, kTile>>>(in, out, kTiles); });
  print_sums("thread pipeline",
             [](float* in, float* out) { thread_pipeline<<<1, kTile>>>(in, out, kTiles); });
  print_sums("block pipeline",
             [](float* in, float* out) { block_pipeline<<<1, kTile>>>(in, out, kTiles); });
  print_sums("roles", [](float* in, float* out) { roles<<<1, kTile + 64>>>(in, out, kTiles); });
  print_sums("barrier copy", [](float* in, float* out) { barrier_copy<<<1, kTile>>>(in, out, kTiles); });

  // The same classes on the host.
  cuda::atomic<int> host{1};
  host += 4;
  cuda::std::atomic<double> real{0.5};
  real.fetch_add(0.25);
  cuda::barrier<cuda::thread_scope_system> alone{1};
  alone.arrive_and_wait();
  cuda::counting_semaphore<cuda::thread_scope_system, 3> three{3};
  three.acquire();
  std::printf("host %d %g %d\n", host.load(), real.load(), three.try_acquire() ? 1 : 0);
  return 0;
}
