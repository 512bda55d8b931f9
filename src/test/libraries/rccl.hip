// librccl: four GPUs of one process. Every result is compared with sums that the host makes.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int RANKS = 4;
int failures = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  failures++;
  printf("FAIL %s\n", what.c_str());
}

void hip(hipError_t result, int line) {
  if (result == hipSuccess) return;
  printf("line %d: %s\n", line, hipGetErrorString(result));
  exit(1);
}
void nccl(ncclResult_t result, int line) {
  if (result == ncclSuccess) return;
  printf("line %d: %s: %s\n", line, ncclGetErrorString(result), ncclGetLastError(nullptr));
  exit(1);
}
#define HIP(call) hip(call, __LINE__)
#define NCCL(call) nccl(call, __LINE__)

ncclComm_t comms[RANKS];
hipStream_t streams[RANKS];

template <class Body>
void each(Body body) {
  NCCL(ncclGroupStart());
  for (int r = 0; r < RANKS; r++) body(r);
  NCCL(ncclGroupEnd());
}

void wait() {
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamSynchronize(streams[r]));
  }
}

template <class T>
struct Type;
#define TYPE(type, number)                                         \
  template <>                                                      \
  struct Type<type> {                                              \
    static constexpr ncclDataType_t value = number;                \
    static double wide(type x) { return static_cast<double>(x); }  \
    static type of(double x) { return static_cast<type>(x); }      \
  };
TYPE(int8_t, ncclInt8)
TYPE(uint8_t, ncclUint8)
TYPE(int32_t, ncclInt32)
TYPE(uint32_t, ncclUint32)
TYPE(int64_t, ncclInt64)
TYPE(uint64_t, ncclUint64)
TYPE(float, ncclFloat32)
TYPE(double, ncclFloat64)
template <>
struct Type<__half> {
  static constexpr ncclDataType_t value = ncclFloat16;
  static double wide(__half x) { return __half2float(x); }
  static __half of(double x) { return __float2half(static_cast<float>(x)); }
};
template <>
struct Type<__hip_bfloat16> {
  static constexpr ncclDataType_t value = ncclBfloat16;
  static double wide(__hip_bfloat16 x) { return __bfloat162float(x); }
  static __hip_bfloat16 of(double x) { return __float2bfloat16(static_cast<float>(x)); }
};

/** What rank r has at i: small, so that every sum and product is exact in every type. */
template <class T>
double input(int r, size_t i) {
  return static_cast<double>((i * 7 + static_cast<size_t>(r) * 3) % 4 + (r == 2 ? 1 : 0));
}

/** The GPUs' buffers of one type. */
template <class T>
struct Buffers {
  size_t count;
  T* at[RANKS];

  explicit Buffers(size_t n) : count(n) {
    for (int r = 0; r < RANKS; r++) {
      HIP(hipSetDevice(r));
      HIP(hipMalloc(reinterpret_cast<void**>(&at[r]), std::max<size_t>(1, n) * sizeof(T)));
      HIP(hipMemset(at[r], 0xee, n * sizeof(T)));
      HIP(hipStreamSynchronize(nullptr));  // some streams do not wait for the null stream
    }
  }
  ~Buffers() {
    for (T* one : at) HIP(hipFree(one));
  }

  /** Element i of rank r is f(r, i). */
  template <class F>
  void fill(F f) {
    std::vector<T> host(count);
    for (int r = 0; r < RANKS; r++) {
      for (size_t i = 0; i < count; i++) host[i] = Type<T>::of(f(r, i));
      HIP(hipMemcpy(at[r], host.data(), count * sizeof(T), hipMemcpyHostToDevice));
    }
  }

  template <class F>
  void check(const std::string& what, F f) {
    std::vector<T> host(count);
    for (int r = 0; r < RANKS; r++) {
      HIP(hipMemcpy(host.data(), at[r], count * sizeof(T), hipMemcpyDeviceToHost));
      for (size_t i = 0; i < count; i++) {
        double want = f(r, i);
        double got = Type<T>::wide(host[i]);
        if (got == want) continue;
        expect(false, what + ", rank " + std::to_string(r) + ", element " + std::to_string(i) + ": " +
                          std::to_string(got) + " for " + std::to_string(want));
        return;
      }
    }
  }
};

double reduced(ncclRedOp_t op, const double* x) {
  switch (op) {
    case ncclProd:
      return x[0] * x[1] * x[2] * x[3];
    case ncclMax:
      return *std::max_element(x, x + RANKS);
    case ncclMin:
      return *std::min_element(x, x + RANKS);
    default:
      return x[0] + x[1] + x[2] + x[3];
  }
}

template <class T>
double result(ncclRedOp_t op, size_t i) {
  double x[RANKS];
  for (int r = 0; r < RANKS; r++) x[r] = input<T>(r, i);
  double all = reduced(op, x);
  if (op != ncclAvg) return all;
  return Type<T>::wide(Type<T>::of(std::is_integral_v<T> ? std::floor(all / RANKS) : all / RANKS));
}

template <class T>
void reductions(const char* type) {
  constexpr ncclRedOp_t OPS[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
  constexpr size_t COUNTS[] = {0, 1, 3, 1000, 4099};
  for (ncclRedOp_t op : OPS) {
    for (size_t n : COUNTS) {
      for (bool inPlace : {false, true}) {
        std::string what = std::string(type) + " op " + std::to_string(op) + " count " + std::to_string(n) +
                           (inPlace ? " in place" : "");
        auto in = [](int r, size_t i) { return input<T>(r, i); };
        {
          Buffers<T> send(n), receive(n);
          send.fill(in);
          each([&](int r) {
            NCCL(ncclAllReduce(send.at[r], inPlace ? send.at[r] : receive.at[r], n, Type<T>::value, op, comms[r], streams[r]));
          });
          wait();
          auto& out = inPlace ? send : receive;
          out.check("all-reduce " + what, [&](int, size_t i) { return result<T>(op, i); });
          if (!inPlace) send.check("all-reduce's input " + what, in);
        }
        {
          Buffers<T> send(n), receive(n);
          send.fill(in);
          receive.fill([](int r, size_t) { return r; });
          int root = 2;
          each([&](int r) {
            NCCL(ncclReduce(send.at[r], inPlace ? send.at[r] : r == root ? receive.at[r] : nullptr, n, Type<T>::value, op,
                            root, comms[r], streams[r]));
          });
          wait();
          auto& out = inPlace ? send : receive;
          out.check("reduce " + what, [&](int r, size_t i) {
            return r == root ? result<T>(op, i) : inPlace ? input<T>(r, i) : r;
          });
        }
        {
          Buffers<T> send(RANKS * n), receive(n);
          send.fill(in);
          each([&](int r) {
            T* out = inPlace ? send.at[r] + static_cast<size_t>(r) * n : receive.at[r];
            NCCL(ncclReduceScatter(send.at[r], out, n, Type<T>::value, op, comms[r], streams[r]));
          });
          wait();
          if (inPlace) {
            send.check("reduce-scatter " + what, [&](int r, size_t i) {
              return i / std::max<size_t>(1, n) == static_cast<size_t>(r) ? result<T>(op, i) : input<T>(r, i);
            });
          } else {
            receive.check("reduce-scatter " + what,
                          [&](int r, size_t i) { return result<T>(op, i + static_cast<size_t>(r) * n); });
          }
        }
      }
    }
  }
}

template <class T>
void scaled(const char* type) {
  const size_t n = 777;
  for (bool onDevice : {false, true}) {
    Buffers<T> data(n), scalar(1);
    scalar.fill([](int r, size_t) { return r + 1; });
    data.fill([](int r, size_t i) { return input<T>(r, i); });
    ncclRedOp_t ops[RANKS];
    for (int r = 0; r < RANKS; r++) {
      T host = Type<T>::of(r + 1);
      NCCL(ncclRedOpCreatePreMulSum(&ops[r], onDevice ? static_cast<void*>(scalar.at[r]) : &host, Type<T>::value,
                                    onDevice ? ncclScalarDevice : ncclScalarHostImmediate, comms[r]));
    }
    each([&](int r) {
      NCCL(ncclAllReduce(data.at[r], data.at[r], n, Type<T>::value, ops[r], comms[r], streams[r]));
    });
    for (int r = 0; r < RANKS; r++) NCCL(ncclRedOpDestroy(ops[r], comms[r]));
    wait();
    data.check(std::string("scaled sum of ") + type, [](int, size_t i) {
      double sum = 0;
      for (int r = 0; r < RANKS; r++) sum += (r + 1) * input<T>(r, i);
      return sum;
    });
  }
}

double stamp(int r, size_t i) { return r * 10000.0 + static_cast<double>(i % 5000); }

void movements() {
  for (size_t n : {size_t(1), size_t(5), size_t(3001)}) {
    for (bool inPlace : {false, true}) {
      std::string what = " count " + std::to_string(n) + (inPlace ? " in place" : "");
      {
        Buffers<int> send(n), receive(RANKS * n);
        send.fill(stamp);
        receive.fill([&](int r, size_t i) { return stamp(r, i - static_cast<size_t>(r) * n); });
        each([&](int r) {
          int* from = inPlace ? receive.at[r] + static_cast<size_t>(r) * n : send.at[r];
          NCCL(ncclAllGather(from, receive.at[r], n, ncclInt, comms[r], streams[r]));
        });
        wait();
        receive.check("all-gather" + what, [&](int, size_t i) { return stamp(static_cast<int>(i / n), i % n); });
      }
      {
        Buffers<int> send(n), receive(n);
        send.fill(stamp);
        each([&](int r) {
          if (inPlace) {
            NCCL(ncclBcast(send.at[r], n, ncclInt, 3, comms[r], streams[r]));
          } else {
            NCCL(ncclBroadcast(r == 3 ? send.at[r] : nullptr, receive.at[r], n, ncclInt, 3, comms[r], streams[r]));
          }
        });
        wait();
        (inPlace ? send : receive).check("broadcast" + what, [&](int, size_t i) { return stamp(3, i); });
      }
    }
    std::string what = " count " + std::to_string(n);
    Buffers<int> send(RANKS * n), receive(RANKS * n);
    auto turned = [&](int r, size_t i) { return stamp(static_cast<int>(i / n), static_cast<size_t>(r) * n + i % n); };
    send.fill(stamp);
    each([&](int r) {
      for (int p = 0; p < RANKS; p++) {
        size_t at = static_cast<size_t>(p) * n;
        NCCL(ncclSend(send.at[r] + at, n, ncclInt, p, comms[r], streams[r]));
        NCCL(ncclRecv(receive.at[r] + at, n, ncclInt, p, comms[r], streams[r]));
      }
    });
    wait();
    receive.check("all-to-all of messages" + what, turned);
    receive.fill([](int, size_t) { return -1; });
    each([&](int r) { NCCL(ncclAllToAll(send.at[r], receive.at[r], n, ncclInt, comms[r], streams[r])); });
    wait();
    receive.check("all-to-all" + what, turned);
    each([&](int r) { NCCL(ncclGather(send.at[r], receive.at[r], n, ncclInt, 1, comms[r], streams[r])); });
    wait();
    receive.check("gather" + what,
                  [&](int r, size_t i) { return r == 1 ? stamp(static_cast<int>(i / n), i % n) : turned(r, i); });
    each([&](int r) { NCCL(ncclScatter(send.at[r], receive.at[r], n, ncclInt, 1, comms[r], streams[r])); });
    wait();
    receive.check("scatter" + what, [&](int r, size_t i) {
      if (i < n) return stamp(1, static_cast<size_t>(r) * n + i);
      return r == 1 ? stamp(static_cast<int>(i / n), i % n) : turned(r, i);
    });
    // Several messages between the same two keep their order.
    each([&](int r) {
      for (size_t k = 0; k < 3; k++) NCCL(ncclSend(send.at[r] + k * n, n, ncclInt, (r + 1) % RANKS, comms[r], streams[r]));
      for (size_t k = 0; k < 3; k++) {
        NCCL(ncclRecv(receive.at[r] + k * n, n, ncclInt, (r + RANKS - 1) % RANKS, comms[r], streams[r]));
      }
    });
    wait();
    receive.check("ring" + what, [&](int r, size_t i) {
      return i < 3 * n ? stamp((r + RANKS - 1) % RANKS, i) : r == 1 ? stamp(3, i % n) : turned(r, i);
    });
  }
}

__global__ void add(float* data, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

/** Kernels before and after, in the same streams and in others, with nothing waited for between. */
void inOrder() {
  const int n = 2000;
  Buffers<float> data(n);
  data.fill([](int r, size_t) { return r; });
  double want[RANKS] = {0, 1, 2, 3};
  for (int step = 0; step < 5; step++) {
    for (int r = 0; r < RANKS; r++) {
      HIP(hipSetDevice(r));
      add<<<(n + 255) / 256, 256, 0, streams[r]>>>(data.at[r], n, 1.0f + r);
    }
    double sum = 0;
    for (int r = 0; r < RANKS; r++) sum += want[r] + 1 + r;
    each([&](int r) { NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclFloat, ncclSum, comms[r], streams[r])); });
    std::fill(want, want + RANKS, sum);
  }
  wait();
  data.check("kernels and all-reduces in turn", [&](int r, size_t) { return want[r]; });

  // One after the other on one communicator, whatever streams the calls name.
  hipStream_t others[RANKS];
  data.fill([](int r, size_t) { return r; });
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamCreateWithFlags(&others[r], hipStreamNonBlocking));
    add<<<(n + 255) / 256, 256, 0, streams[r]>>>(data.at[r], n, 1.0f);
  }
  each([&](int r) { NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclFloat, ncclSum, comms[r], streams[r])); });
  each([&](int r) { NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclFloat, ncclSum, comms[r], others[r])); });
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamSynchronize(others[r]));
  }
  data.check("two streams", [](int, size_t) { return 40; });
  // The two in one group.
  Buffers<float> more(n);
  more.fill([](int r, size_t) { return r; });
  NCCL(ncclGroupStart());
  for (int r = 0; r < RANKS; r++) {
    NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclFloat, ncclMax, comms[r], streams[r]));
    NCCL(ncclAllReduce(more.at[r], more.at[r], n, ncclFloat, ncclMax, comms[r], others[r]));
    NCCL(ncclSend(more.at[r], 0, ncclFloat, (r + 1) % RANKS, comms[r], streams[r]));
    NCCL(ncclRecv(more.at[r], 0, ncclFloat, (r + RANKS - 1) % RANKS, comms[r], streams[r]));
  }
  NCCL(ncclGroupEnd());
  wait();
  data.check("first of a group", [](int, size_t) { return 40; });
  more.check("second of a group", [](int, size_t) { return 3; });
  for (hipStream_t other : others) HIP(hipStreamDestroy(other));
}

void graphs() {
  const int n = 300;
  Buffers<float> data(n);
  data.fill([](int r, size_t) { return r + 1; });
  hipGraph_t graphs[RANKS];
  hipGraphExec_t runs[RANKS];
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamBeginCapture(streams[r], hipStreamCaptureModeThreadLocal));
  }
  each([&](int r) { NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclFloat, ncclSum, comms[r], streams[r])); });
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamEndCapture(streams[r], &graphs[r]));
    HIP(hipGraphInstantiate(&runs[r], graphs[r], nullptr, nullptr, 0));
    HIP(hipGraphDestroy(graphs[r]));
  }
  data.check("captured only", [](int r, size_t) { return r + 1; });
  for (int time = 0; time < 3; time++) {
    for (int r = 0; r < RANKS; r++) {
      HIP(hipSetDevice(r));
      HIP(hipGraphLaunch(runs[r], streams[r]));
    }
  }
  wait();
  data.check("graph run three times", [](int, size_t) { return 160; });
  for (hipGraphExec_t run : runs) HIP(hipGraphExecDestroy(run));
}

/** A thread a GPU, each with its own calls; then parts of the communicator. */
void threads() {
  ncclUniqueId id;
  NCCL(ncclGetUniqueId(&id));
  const size_t n = 5000;
  Buffers<double> data(n);
  data.fill(stamp);
  std::vector<std::thread> all;
  for (int r = 0; r < RANKS; r++) {
    all.emplace_back([&, r] {
      HIP(hipSetDevice(r));
      ncclComm_t comm;
      NCCL(ncclCommInitRank(&comm, RANKS, id, r));
      int count = 0, rank = -1, device = -1;
      NCCL(ncclCommCount(comm, &count));
      NCCL(ncclCommUserRank(comm, &rank));
      NCCL(ncclCommCuDevice(comm, &device));
      expect(count == RANKS && rank == r && device == r, "what a communicator says of itself");
      for (int i = 0; i < 20; i++) {
        NCCL(ncclAllReduce(data.at[r], data.at[r], n, ncclDouble, i == 0 ? ncclSum : ncclMax, comm, hipStreamPerThread));
      }
      HIP(hipStreamSynchronize(hipStreamPerThread));
      ncclResult_t error = ncclSystemError;
      NCCL(ncclCommGetAsyncError(comm, &error));
      expect(error == ncclSuccess, "no error");
      NCCL(ncclCommDestroy(comm));
    });
  }
  for (std::thread& one : all) one.join();
  data.check("threads", [](int, size_t i) {
    return stamp(0, i) + stamp(1, i) + stamp(2, i) + stamp(3, i);
  });
}

/** Calls that are refused, with words; what was there before goes on. */
void refusals() {
  Buffers<float> data(100);
  data.fill([](int, size_t) { return 1; });
  float* p = data.at[0];
  ncclComm_t comm = comms[0];
  hipStream_t stream = streams[0];
  auto refused = [](ncclResult_t got, ncclResult_t want, const char* words) {
    std::string said = ncclGetLastError(nullptr);
    expect(got == want && said.find(words) != std::string::npos,
           std::string("a refusal: ") + words + "; " + ncclGetErrorString(got) + ", " + said);
  };
  std::vector<float> host(100);
  refused(ncclAllReduce(p, p, 10, static_cast<ncclDataType_t>(99), ncclSum, comm, stream), ncclInvalidArgument, "data type 99");
  refused(ncclAllReduce(p, p, 10, ncclFloat, static_cast<ncclRedOp_t>(77), comm, stream), ncclInvalidArgument, "reduction 77");
  refused(ncclBroadcast(p, p, 10, ncclFloat, 4, comm, stream), ncclInvalidArgument, "root 4");
  refused(ncclReduce(p, p, 10, ncclFloat, ncclSum, -1, comm, stream), ncclInvalidArgument, "root -1");
  refused(ncclSend(p, 10, ncclFloat, 7, comm, stream), ncclInvalidArgument, "peer 7");
  refused(ncclAllReduce(p, p, 101, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument, "ends before its 404 bytes");
  refused(ncclAllReduce(host.data(), p, 10, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument, "not memory that a GPU");
  refused(ncclAllReduce(nullptr, p, 10, ncclFloat, ncclSum, comm, stream), ncclInvalidArgument, "is null");
  refused(ncclAllReduce(p, p, 10, ncclFloat, ncclSum, nullptr, stream), ncclInvalidArgument, "communicator is null");
  refused(ncclAllReduce(p, p, 10, ncclFloat, ncclSum, comm, streams[1]), ncclInvalidArgument, "stream belongs to GPU 1");
  refused(ncclSend(p, 10, ncclFloat, 0, comm, stream), ncclInvalidUsage, "sends to itself");
  refused(ncclGroupEnd(), ncclInvalidUsage, "without ncclGroupStart");
  ncclComm_t none;
  int twice[] = {1, 1};
  ncclComm_t two[2];
  refused(ncclCommInitAll(two, 2, twice), ncclInvalidUsage, "GPU 1 is listed twice");
  refused(ncclCommInitAll(two, 0, nullptr), ncclInvalidArgument, "number of GPUs");
  ncclUniqueId id = {};
  refused(ncclCommInitRank(&none, 1, id, 0), ncclInvalidArgument, "unique id");
  NCCL(ncclGetUniqueId(&id));
  refused(ncclCommInitRank(&none, 2, id, 2), ncclInvalidArgument, "the rank");
  // In a group nothing is done where one call is wrong.
  NCCL(ncclGroupStart());
  for (int r = 0; r < RANKS; r++) {
    ncclResult_t one = ncclAllReduce(data.at[r], data.at[r], r == 3 ? 500 : 100, ncclFloat, ncclSum, comms[r], streams[r]);
    expect(one == (r == 3 ? ncclInvalidArgument : ncclSuccess), "a call in a group");
  }
  refused(ncclGroupEnd(), ncclInvalidArgument, "group was not executed");
  wait();
  data.check("nothing done", [](int, size_t) { return 1; });
  each([&](int r) { NCCL(ncclAllReduce(data.at[r], data.at[r], 100, ncclFloat, ncclSum, comms[r], streams[r])); });
  wait();
  data.check("after refusals", [](int, size_t) { return 4; });
}

/** Ranks that do not do the same: an error for each, and no hang. */
void disagreements() {
  struct Case {
    const char* what;
    ncclResult_t want;
  };
  for (int which = 0; which < 5; which++) {
    ncclComm_t own[RANKS];
    NCCL(ncclCommInitAll(own, RANKS, nullptr));
    Buffers<float> data(100);
    data.fill([](int, size_t) { return 1; });
    NCCL(ncclGroupStart());
    for (int r = 0; r < RANKS; r++) {
      bool odd = r == 1;
      float* p = data.at[r];
      switch (which) {
        case 0:
          NCCL(ncclAllReduce(p, p, odd ? 50 : 100, ncclFloat, ncclSum, own[r], streams[r]));
          break;
        case 1:
          NCCL(ncclAllReduce(p, p, 100, ncclFloat, odd ? ncclMax : ncclSum, own[r], streams[r]));
          break;
        case 2:
          NCCL(odd ? ncclBroadcast(p, p, 100, ncclFloat, 0, own[r], streams[r])
                   : ncclAllReduce(p, p, 100, ncclFloat, ncclSum, own[r], streams[r]));
          break;
        case 3:  // more than the other one takes
          if (odd) NCCL(ncclSend(p, 100, ncclFloat, 0, own[r], streams[r]));
          if (r == 0) NCCL(ncclRecv(p, 99, ncclFloat, 1, own[r], streams[r]));
          break;
        default:  // all receive, and nobody sends
          NCCL(ncclRecv(p, 100, ncclFloat, (r + 1) % RANKS, own[r], streams[r]));
      }
    }
    NCCL(ncclGroupEnd());
    bool noticed = false;
    for (int r = 0; r < RANKS; r++) {
      HIP(hipSetDevice(r));
      noticed |= hipStreamSynchronize(streams[r]) == hipErrorLaunchFailure;
    }
    (void)hipDeviceSynchronize();
    std::string what = "disagreement " + std::to_string(which);
    expect(noticed, what + ": a stream's error");
    for (int r = 0; r < RANKS; r++) {
      ncclResult_t error = ncclSuccess;
      NCCL(ncclCommGetAsyncError(own[r], &error));
      expect(error == ncclInvalidUsage, what + ": the communicator's error");
      expect(ncclAllReduce(data.at[r], data.at[r], 1, ncclFloat, ncclSum, own[r], streams[r]) == ncclInvalidUsage,
             what + ": later calls");
      NCCL(ncclCommAbort(own[r]));
    }
    (void)hipGetLastError();
  }
}

}  // namespace

int main() {
  int count = 0;
  HIP(hipGetDeviceCount(&count));
  if (count < RANKS) {
    printf("%d GPUs\n", count);
    return 1;
  }
  int version = 0;
  NCCL(ncclGetVersion(&version));
  expect(version == NCCL_VERSION_CODE, "the version");
  expect(std::string(ncclGetErrorString(ncclSuccess)) == "no error", "words");
  NCCL(ncclCommInitAll(comms, RANKS, nullptr));
  for (int r = 0; r < RANKS; r++) {
    HIP(hipSetDevice(r));
    HIP(hipStreamCreate(&streams[r]));
  }
  reductions<int8_t>("int8");
  reductions<uint8_t>("uint8");
  reductions<int32_t>("int32");
  reductions<uint32_t>("uint32");
  reductions<int64_t>("int64");
  reductions<uint64_t>("uint64");
  reductions<__half>("half");
  reductions<__hip_bfloat16>("bfloat16");
  reductions<float>("float");
  reductions<double>("double");
  scaled<int32_t>("int32");
  scaled<float>("float");
  scaled<__half>("half");
  movements();
  inOrder();
  graphs();
  threads();
  refusals();
  disagreements();
  for (int r = 0; r < RANKS; r++) NCCL(ncclCommDestroy(comms[r]));
  expect(ncclCommDestroy(comms[0]) == ncclInvalidArgument, "twice destroyed");
  puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
