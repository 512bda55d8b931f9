// The shared memory of the ranks of a communicator, in which each rank publishes its state. Ranks may be threads or
// processes; the program distributes the unique id.
#pragma once

#include <rccl/rccl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace rocport::ccl {

/** Ends what a rank does, with a result for the program. */
struct Failure {
  ncclResult_t result;
  std::string message;
};

[[noreturn]] inline void fail(ncclResult_t result, std::string message) {
  throw Failure{result, std::move(message)};
}

/** A collective whose parameters all ranks must agree on, with the buffers of each rank. */
struct Asked {
  int32_t kind;
  int32_t type;
  int32_t operation;
  int32_t root;
  uint64_t count;
  // Not compared:
  uint64_t send;
  uint64_t receive;
  uint64_t scalar;
};

/** What one rank has for another one: one message at a time. */
struct Channel {
  std::atomic<uint32_t> posted;
  std::atomic<uint32_t> taken;
  uint64_t address;
  uint64_t bytes;
};

enum class Presence : int32_t { ABSENT, JOINING, THERE, LEFT };

/** A rank's own part, which the others read. */
struct Seat {
  std::atomic<Presence> presence;
  std::atomic<int32_t> process;
  uint32_t device;     // the process that is its device
  int32_t gpu;         // of that device
  int32_t virtualGpu;  // of several ranks on one GPU
  // The number of collectives it has reached, has finished the first half of, and has finished.
  std::atomic<uint64_t> arrived;
  std::atomic<uint64_t> halfway;
  std::atomic<uint64_t> finished;
  Asked asked;
  // The number of exchanges of numbers between the hosts it has reached, and has read.
  std::atomic<uint64_t> told;
  std::atomic<uint64_t> heard;
  int64_t words[2];
  ncclUniqueId id;
  // The stamp at which it began to wait, and for what.
  std::atomic<uint64_t> waiting;
  char doing[120];
};

class Clique {
 public:
  /** More GPUs than any device of rocport's has. */
  static constexpr int MOST_RANKS = 256;

  /** An id by which ranks find each other; this process keeps it until they have. */
  static ncclUniqueId invite();

  /** Takes a seat. The others may not be there yet. */
  Clique(const ncclUniqueId& id, int ranks, int rank, int gpu, int virtualGpu);
  ~Clique();
  Clique(const Clique&) = delete;
  Clique& operator=(const Clique&) = delete;

  int ranks() const { return ranks_; }
  int rank() const { return rank_; }

  Seat& seat(int rank) const { return seats_[rank]; }
  Seat& mine() const { return seats_[rank_]; }
  Channel& channel(int from, int to) const { return channels_[from * ranks_ + to]; }

  /** Whether all ranks have taken their seats. */
  bool complete();

  /** The ranks that have not, as text; empty where all have. */
  std::string absent() const;

  /** Fails where a rank's process has ended. */
  void lookForTheDead() const;

  /** Whether ranks are of several processes. */
  bool scattered() const { return scattered_; }

  /** Announces that something has changed. */
  void changed();

  /** Grows with each change. */
  uint64_t stamp() const;

  /**
   * For work in a stream: sleeps until something changes after that stamp, for a limited time.
   * Fails if the awaited event can no longer occur.
   */
  void sleep(uint64_t stamp, const std::string& doing);

  /** Ends the communicator for all ranks; the first failure counts. True if this one was it. */
  bool fail(const Failure& failure);

  /** What has gone wrong. Throws it. */
  void check() const;
  bool failed() const;

  /** This rank takes part no longer. */
  void leave();

 private:
  struct Table;

  void tellOnce(uint64_t stamp);
  void lookForStillness(uint64_t stamp);
  std::string place(int rank) const;

  Table* table_ = nullptr;
  Seat* seats_ = nullptr;
  Channel* channels_ = nullptr;
  size_t size_ = 0;
  int ranks_;
  int rank_;
  bool scattered_ = false;
  uint64_t key_ = 0;
  std::chrono::steady_clock::time_point since_;
  uint64_t sinceStamp_ = 0;
  bool told_ = false;
};

}  // namespace rocport::ccl
