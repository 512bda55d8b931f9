// Tests of an RCCL: each collective and each type, over all GPUs, in one process and in a process for each of them.
// Writes what GoogleTest writes: --gtest_list_tests, --gtest_filter=NAME:NAME
#include <hip/hip_runtime_api.h>
#include <rccl/rccl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int RANKS = 3;
constexpr size_t COUNT = 1031;

[[noreturn]] void fail(int line, const std::string& message) {
  throw std::runtime_error("rccl.cpp:" + std::to_string(line) + ": Failure\n" + message);
}
void check(hipError_t result, int line) {
  if (result != hipSuccess) fail(line, hipGetErrorString(result));
}
void check(ncclResult_t result, int line) {
  if (result != ncclSuccess) fail(line, ncclGetErrorString(result));
}
#define CHECK(call) check(call, __LINE__)

/** A rank of this process. */
struct Rank {
  int rank;
  ncclComm_t comm;
  hipStream_t stream;
};

struct Type {
  const char* name;
  ncclDataType_t type;
  size_t size;
  void (*store)(void*, double);
  double (*load)(const void*);
};

template <class T>
Type plain(const char* name, ncclDataType_t type) {
  return {name, type, sizeof(T),
          [](void* to, double value) {
            T small = static_cast<T>(value);
            memcpy(to, &small, sizeof small);
          },
          [](const void* from) {
            T small;
            memcpy(&small, from, sizeof small);
            return static_cast<double>(small);
          }};
}

/** The upper half of a float. */
Type bfloat16() {
  return {"bfloat16", ncclBfloat16, 2,
          [](void* to, double value) {
            float wide = static_cast<float>(value);
            memcpy(to, reinterpret_cast<const char*>(&wide) + 2, 2);
          },
          [](const void* from) {
            float wide = 0;
            memcpy(reinterpret_cast<char*>(&wide) + 2, from, 2);
            return static_cast<double>(wide);
          }};
}

const Type FLOAT = plain<float>("float", ncclFloat);
const Type TYPES[] = {plain<int8_t>("int8", ncclInt8),
                      plain<uint8_t>("uint8", ncclUint8),
                      plain<int32_t>("int32", ncclInt32),
                      plain<uint32_t>("uint32", ncclUint32),
                      plain<int64_t>("int64", ncclInt64),
                      plain<uint64_t>("uint64", ncclUint64),
                      plain<_Float16>("half", ncclHalf),
                      FLOAT,
                      plain<double>("double", ncclDouble),
                      bfloat16()};

/** Element i of a rank. */
using Values = std::function<double(int rank, size_t i)>;

/** What a test sends, and what has to be received. The values are exact in each type. */
struct Test {
  std::string name;
  Type type;
  size_t sent;
  Values input;
  size_t received;
  Values output;
  std::function<ncclResult_t(const void*, void*, const Rank&)> call;
  bool inPlace = false;
  int calls = 1;  // in one group
};

double own(int rank, size_t i) { return static_cast<double>((i + static_cast<size_t>(rank) * 3) % 13); }

Values folded(double (*fold)(double, double)) {
  return [fold](int, size_t i) {
    double all = own(0, i);
    for (int r = 1; r < RANKS; r++) all = fold(all, own(r, i));
    return all;
  };
}

double sum(double a, double b) { return a + b; }

Test reduction(const std::string& name, const Type& type, ncclRedOp_t op, Values output) {
  return {name, type, COUNT, own, COUNT, output, [=](const void* from, void* to, const Rank& rank) {
            return ncclAllReduce(from, to, COUNT, type.type, op, rank.comm, rank.stream);
          }};
}

/** Sums of many elements at once. */
Test large(const std::string& name, size_t count) {
  return {name, FLOAT, count, own, count, folded(sum), [=](const void* from, void* to, const Rank& rank) {
            return ncclAllReduce(from, to, count, ncclFloat, ncclSum, rank.comm, rank.stream);
          }};
}

/** A sum with a factor for each rank, which the kernel reads from memory of the GPU. */
Test scaled() {
  Test test = reduction("AllReduce_premulsum_float", FLOAT, ncclSum, [](int, size_t i) {
    return 2 * folded(sum)(0, i);
  });
  test.call = [](const void* from, void* to, const Rank& rank) {
    float factor = 2;
    void* scalar = nullptr;
    ncclRedOp_t op;
    CHECK(hipMalloc(&scalar, sizeof factor));
    CHECK(hipMemcpy(scalar, &factor, sizeof factor, hipMemcpyHostToDevice));
    ncclResult_t made = ncclRedOpCreatePreMulSum(&op, scalar, ncclFloat, ncclScalarDevice, rank.comm);
    if (made != ncclSuccess) return made;
    ncclResult_t result = ncclAllReduce(from, to, COUNT, ncclFloat, op, rank.comm, rank.stream);
    ncclRedOpDestroy(op, rank.comm);
    return result;
  };
  return test;
}

std::vector<Test> reductions() {
  std::vector<Test> all;
  for (const Type& type : TYPES) {
    all.push_back(reduction(std::string("AllReduce_sum_") + type.name, type, ncclSum, folded(sum)));
  }
  all.push_back(
      reduction("AllReduce_prod_float", FLOAT, ncclProd, folded([](double a, double b) { return a * b; })));
  all.push_back(
      reduction("AllReduce_max_float", FLOAT, ncclMax, folded([](double a, double b) { return a > b ? a : b; })));
  all.push_back(
      reduction("AllReduce_min_float", FLOAT, ncclMin, folded([](double a, double b) { return a < b ? a : b; })));
  Test average = reduction("AllReduce_avg_float", FLOAT, ncclAvg, own);
  average.input = [](int rank, size_t i) { return RANKS * own(rank, i); };
  average.output = folded(sum);
  all.push_back(average);
  Test inPlace = reduction("AllReduce_in_place", FLOAT, ncclSum, folded(sum));
  inPlace.inPlace = true;
  all.push_back(inPlace);
  all.push_back(large("AllReduce_53327", 53327));
  all.push_back(large("AllReduce_1048576", 1048576));
  Test group = large("AllReduce_group_of_three", 53327);
  group.calls = 3;
  all.push_back(group);
  return all;
}

std::vector<Test> collectives() {
  constexpr size_t ALL = COUNT * RANKS;
  constexpr int ROOT = 1;
  constexpr double UNTOUCHED = 99;  // where only the root receives
  return {
      {"Reduce", FLOAT, COUNT, own, COUNT,
       [](int rank, size_t i) { return rank == ROOT ? folded(sum)(0, i) : UNTOUCHED; },
       [](const void* from, void* to, const Rank& rank) {
         return ncclReduce(from, to, COUNT, ncclFloat, ncclSum, ROOT, rank.comm, rank.stream);
       }},
      {"Broadcast", FLOAT, COUNT, own, COUNT, [](int, size_t i) { return own(ROOT, i); },
       [](const void* from, void* to, const Rank& rank) {
         return ncclBroadcast(from, to, COUNT, ncclFloat, ROOT, rank.comm, rank.stream);
       }},
      {"AllGather", FLOAT, COUNT, own, ALL,
       [](int, size_t i) { return own(static_cast<int>(i / COUNT), i % COUNT); },
       [](const void* from, void* to, const Rank& rank) {
         return ncclAllGather(from, to, COUNT, ncclFloat, rank.comm, rank.stream);
       }},
      {"ReduceScatter", FLOAT, ALL, own, COUNT,
       [](int rank, size_t i) { return folded(sum)(0, static_cast<size_t>(rank) * COUNT + i); },
       [](const void* from, void* to, const Rank& rank) {
         return ncclReduceScatter(from, to, COUNT, ncclFloat, ncclSum, rank.comm, rank.stream);
       }},
      {"SendRecv_ring", FLOAT, COUNT, own, COUNT,
       [](int rank, size_t i) { return own((rank + RANKS - 1) % RANKS, i); },
       [](const void* from, void* to, const Rank& rank) {
         ncclResult_t sent =
             ncclSend(from, COUNT, ncclFloat, (rank.rank + 1) % RANKS, rank.comm, rank.stream);
         if (sent != ncclSuccess) return sent;
         return ncclRecv(to, COUNT, ncclFloat, (rank.rank + RANKS - 1) % RANKS, rank.comm, rank.stream);
       }},
      {"Gather", FLOAT, COUNT, own, ALL,
       [](int rank, size_t i) {
         return rank == ROOT ? own(static_cast<int>(i / COUNT), i % COUNT) : UNTOUCHED;
       },
       [](const void* from, void* to, const Rank& rank) {
         return ncclGather(from, to, COUNT, ncclFloat, ROOT, rank.comm, rank.stream);
       }},
      {"Scatter", FLOAT, ALL, own, COUNT,
       [](int rank, size_t i) { return own(ROOT, static_cast<size_t>(rank) * COUNT + i); },
       [](const void* from, void* to, const Rank& rank) {
         return ncclScatter(from, to, COUNT, ncclFloat, ROOT, rank.comm, rank.stream);
       }},
      {"AllToAll", FLOAT, ALL, own, ALL,
       [](int rank, size_t i) {
         return own(static_cast<int>(i / COUNT), static_cast<size_t>(rank) * COUNT + i % COUNT);
       },
       [](const void* from, void* to, const Rank& rank) {
         return ncclAllToAll(from, to, COUNT, ncclFloat, rank.comm, rank.stream);
       }}};
}

/** All tests. The one that makes the device report an error is the last one. */
std::vector<Test> tests() {
  std::vector<Test> all = reductions();
  for (Test& test : collectives()) all.push_back(test);
  all.push_back(scaled());
  return all;
}

std::vector<char> stored(const Type& type, size_t count, const std::function<double(size_t)>& value) {
  std::vector<char> bytes(count * type.size);
  for (size_t i = 0; i < count; i++) type.store(bytes.data() + i * type.size, value(i));
  return bytes;
}

void* filled(const std::vector<char>& bytes) {
  void* memory = nullptr;
  CHECK(hipMalloc(&memory, bytes.size()));
  CHECK(hipMemcpy(memory, bytes.data(), bytes.size(), hipMemcpyHostToDevice));
  return memory;
}

void compare(const Test& test, int rank, const void* memory) {
  std::vector<char> bytes(test.received * test.type.size);
  CHECK(hipMemcpy(bytes.data(), memory, bytes.size(), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < test.received; i++) {
    double got = test.type.load(bytes.data() + i * test.type.size);
    double want = test.output(rank, i);
    if (got != want) {
      fail(__LINE__, "rank " + std::to_string(rank) + ", element " + std::to_string(i) + ": " +
                         std::to_string(got) + " instead of " + std::to_string(want));
    }
  }
}

/** Runs a test on the ranks of this process. */
void run(const Test& test, const std::vector<Rank>& ranks) {
  std::vector<std::vector<void*>> from(ranks.size()), to(ranks.size());
  for (size_t k = 0; k < ranks.size(); k++) {
    CHECK(hipSetDevice(ranks[k].rank));
    for (int call = 0; call < test.calls; call++) {
      from[k].push_back(filled(
          stored(test.type, test.sent, [&](size_t i) { return test.input(ranks[k].rank, i); })));
      to[k].push_back(test.inPlace ? from[k].back()
                                   : filled(stored(test.type, test.received, [](size_t) { return 99; })));
    }
    CHECK(hipDeviceSynchronize());
  }
  CHECK(ncclGroupStart());
  for (int call = 0; call < test.calls; call++) {
    for (size_t k = 0; k < ranks.size(); k++) {
      CHECK(hipSetDevice(ranks[k].rank));
      CHECK(test.call(from[k][call], to[k][call], ranks[k]));
    }
  }
  CHECK(ncclGroupEnd());
  for (size_t k = 0; k < ranks.size(); k++) {
    CHECK(hipSetDevice(ranks[k].rank));
    CHECK(hipStreamSynchronize(ranks[k].stream));
    for (int call = 0; call < test.calls; call++) {
      compare(test, ranks[k].rank, to[k][call]);
      CHECK(hipFree(from[k][call]));
      if (!test.inPlace) CHECK(hipFree(to[k][call]));
    }
  }
}

hipStream_t newStream() {
  hipStream_t stream;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  return stream;
}

/** The ranks of a process that has all GPUs; created at the first use. */
const std::vector<Rank>& ranksOfAll() {
  static std::vector<Rank> ranks;
  if (ranks.empty()) {
    std::vector<ncclComm_t> comms(RANKS);
    CHECK(ncclCommInitAll(comms.data(), RANKS, nullptr));
    for (int r = 0; r < RANKS; r++) {
      CHECK(hipSetDevice(r));
      ranks.push_back({r, comms[r], newStream()});
    }
  }
  return ranks;
}

/** Does something, and prints why it failed. */
bool succeeds(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
    fflush(stdout);
    return false;
  }
}

bool inOneProcess(const Test& test) {
  return succeeds([&] { run(test, ranksOfAll()); });
}

/** Waits until each rank has its results: until then, the kernel of one may access the memory of another. */
void meet(std::atomic<int>& arrived) {
  arrived++;
  for (int i = 0; i < 60000 && arrived < RANKS; i++) usleep(1000);
}

void asRank(const Test& test, int rank, const int (*ends)[2], std::atomic<int>& arrived) {
  ncclUniqueId id;
  CHECK(hipSetDevice(rank));
  if (rank == 0) {
    CHECK(ncclGetUniqueId(&id));
    for (int other = 1; other < RANKS; other++) {
      if (write(ends[other][1], &id, sizeof id) != sizeof id) fail(__LINE__, "cannot write to a pipe");
    }
  } else if (read(ends[rank][0], &id, sizeof id) != sizeof id) {
    fail(__LINE__, "rank 0 has ended");
  }
  Rank own = {rank, nullptr, newStream()};
  CHECK(ncclCommInitRank(&own.comm, RANKS, id, rank));
  run(test, {own});
  meet(arrived);
  CHECK(ncclCommDestroy(own.comm));
}

bool inProcesses(const Test& test) {
  int ends[RANKS][2];
  for (auto& one : ends) {
    if (pipe(one) != 0) return false;
  }
  void* shared = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return false;
  auto& arrived = *new (shared) std::atomic<int>(0);
  fflush(stdout);
  for (int rank = 0; rank < RANKS; rank++) {
    if (fork() == 0) {
      for (auto& one : ends) {
        if (rank != 0) close(one[1]);
      }
      bool good = succeeds([&] { asRank(test, rank, ends, arrived); });
      if (!good) arrived++;
      _exit(good ? 0 : 1);
    }
  }
  for (auto& one : ends) {
    close(one[0]);
    close(one[1]);
  }
  bool good = true;
  for (int rank = 0; rank < RANKS; rank++) {
    int status = 1;
    good &= wait(&status) > 0 && status == 0;
  }
  munmap(shared, sizeof arrived);
  return good;
}

struct Mode {
  const char* name;
  bool (*run)(const Test&);
};

// Processes first: those of a process that has used a GPU cannot use one.
constexpr Mode MODES[] = {{"ProcessPerRank", inProcesses}, {"OneProcess", inOneProcess}};

}  // namespace

int main(int count, char** arguments) {
  const std::string FILTER = "--gtest_filter=";
  std::string wanted;
  for (int i = 1; i < count; i++) {
    std::string argument = arguments[i];
    if (argument == "--gtest_list_tests") {
      for (const Mode& mode : MODES) {
        printf("%s.\n", mode.name);
        for (const Test& test : tests()) printf("  %s\n", test.name.c_str());
      }
      return 0;
    }
    if (argument.compare(0, FILTER.size(), FILTER) == 0) wanted = ":" + argument.substr(FILTER.size()) + ":";
  }
  for (const Mode& mode : MODES) {
    for (const Test& test : tests()) {
      std::string name = std::string(mode.name) + "." + test.name;
      if (!wanted.empty() && wanted.find(":" + name + ":") == std::string::npos) continue;
      printf("[ RUN      ] %s\n", name.c_str());
      fflush(stdout);
      bool good = mode.run(test);
      printf("%s %s\n", good ? "[       OK ]" : "[  FAILED  ]", name.c_str());
      fflush(stdout);
      // A GPU that has reported an error runs nothing more in this process.
      if (!good) _exit(1);
    }
  }
  return 0;
}
