// One rank's view of a communicator.
#pragma once

#include <hip/hip_runtime_api.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "clique.h"
#include "element.h"

namespace rocport::ccl {

/** A number of the program's own by which a scaled sum multiplies. */
struct Scale {
  int type = 0;
  uint64_t value = 0;
  const void* onDevice = nullptr;  // or where it will be when the sum is done
};

class Comm {
 public:
  Comm(int ranks, int rank, int gpu) : ranks(ranks), rank(rank), gpu(gpu) {}

  const int ranks;
  const int rank;
  const int gpu;

  /** There from the moment that all ranks have joined. */
  std::unique_ptr<Clique> clique;

  /** How many collectives its work has done, and how many exchanges its calls. */
  uint64_t collectives = 0;
  uint64_t talks = 0;

  /** Held by the work that runs. */
  std::mutex running;

  /** A communicator that programs know, until it is dropped. */
  static std::shared_ptr<Comm> make(int ranks, int rank, int gpu);
  static std::shared_ptr<Comm> of(const ncclComm* handle);
  ncclComm_t handle() { return reinterpret_cast<ncclComm_t>(this); }
  void forget();

  /** What has become of joining; until then it is in progress. */
  void joined(ncclResult_t result);
  void awaitJoined();
  bool joining();

  /** How it is: ncclSuccess, or what has gone wrong. */
  ncclResult_t state();

  /** Fails where it takes no more operations. */
  void requireUsable();

  ncclRedOp_t add(const Scale& scale);
  Scale scale(int operation);
  void remove(int operation);

  /** Work is put into streams, and is done. */
  void begin();
  void end();
  void drain();

  void finalize();
  void abort();
  bool aborted();

  /** Whether it is aborted in the next time. */
  bool isAbortedWithin(std::chrono::milliseconds time);

  /** Orders work that a stream receives from now on after everything that any stream has received. */
  void order(hipStream_t stream);
  void ordered(hipStream_t stream);

  /** "rank 1 of 4". */
  std::string place() const;

 private:
  enum class Life { JOINING, USABLE, BROKEN, FINALIZED, GONE };

  std::mutex mutex_;
  std::condition_variable changed_;
  Life life_ = Life::JOINING;
  ncclResult_t joined_ = ncclSuccess;
  bool aborted_ = false;
  int inFlight_ = 0;
  std::map<int, Scale> scales_;
  int nextScale_ = ncclNumOps;
  hipEvent_t last_ = nullptr;
  hipStream_t lastStream_ = nullptr;
};

/** For the time of a call, the GPU of a communicator is the current one. */
class OnGpu {
 public:
  explicit OnGpu(int gpu);
  ~OnGpu();
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;

 private:
  int before_ = 0;
};

/** Fails where HIP does. */
void check(hipError_t error);

}  // namespace rocport::ccl
