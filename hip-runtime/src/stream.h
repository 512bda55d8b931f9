// A stream: commands in order, on its own thread and connection once it needs them.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "completion.h"
#include "connection.h"
#include "operation.h"

namespace rocport {

class Capture;

/** How far the frees of memory in streams are known to come first, by the number of the stream. */
using Frees = std::map<uint64_t, uint64_t>;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Role {
    LEGACY,    // the null stream of a device: waits for blocking streams, and they wait for it
    BLOCKING,  // created by the program, or the default stream of a thread
    FREE,      // hipStreamNonBlocking
  };

  Stream(int device, Role role, unsigned flags, int priority)
      : device(device), role(role), flags(flags), priority(priority), number(nextNumber()) {}

  ~Stream();

  const int device;
  const Role role;
  const unsigned flags;
  const int priority;
  const uint64_t number;  // no other stream ever has it

  /** Compute units that the program wants it to use, a bit for each; empty for all. Only kept. */
  std::vector<uint32_t> mask;

  /** The capture that takes this stream's operations, if any. Held under Capture's lock. */
  std::shared_ptr<Capture> capture;

  /** Puts an operation at the end; it begins when these points are done too. */
  Point enqueue(Operation operation, std::vector<Point> after = {});

  /**
   * Appends a graph node that is ordered after these points of the stream and no others. Only if clocks are recorded.
   *
   * @param branch the number of its line in this stream; 0 is that of all else
   */
  Point enqueueNode(Operation operation, std::vector<Point> follows, size_t branch);

  /** The end of what was put in, without what its role makes it wait for; null before the first. */
  Point last();

  /** Does it as if enqueued and returns when it is done; on this thread if the stream is idle. */
  void perform(Operation operation);

  /** The end of what was put into the stream, with what its role makes it wait for. */
  std::vector<Point> ends();

  /** Whether that end has been reached. */
  bool idle();

  /** Waits for all that was put into the stream. */
  void drain();

  /** The number of a free that was put into a stream just now. */
  static uint64_t nextFree();

  /** Which frees come before what is put into the stream from now on; empty if there was none in any stream. */
  Frees before();

  /** What is put into the stream from now on comes after these frees. */
  void follow(const Frees& frees);

  /** Whether it comes after the free of that number in that stream. */
  bool follows(uint64_t stream, uint64_t free);

  /** Lets the thread end after the last command. False if there is no thread. */
  bool close();
  bool closed();

  /** The device's side of this stream; only for its own thread. */
  Connection& connection();

 private:
  struct Command {
    Operation operation;
    std::vector<Point> after;
    Point done;
    Point before;                // the end of the stream when the command was enqueued
    std::vector<Point> follows;  // the points whose clocks it continues
    Clock host;                  // the clock of the host when it enqueued the command
    uint64_t line = 0;           // of its clock
    Calls calls;                 // where the program enqueued it, where clocks are kept
  };

  Command command(Operation operation, std::vector<Point> after);
  uint64_t line(size_t branch);
  void push(Command command);
  void run(const Command& command);
  bool isPlainLaunch(const Command& command) const;
  std::vector<Command> plainLaunches();
  void runAll(std::vector<Command> launches);
  void rest();
  void work();
  std::vector<Point> order();
  static uint64_t nextNumber();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Command> queue_;
  Point last_;
  Frees frees_;
  bool busy_ = false;  // a command runs, on this stream's thread or on a caller's
  bool running_ = false;
  bool closing_ = false;
  std::unique_ptr<Connection> connection_;
  std::vector<uint64_t> lines_;  // by branch
};

/**
 * The stream a call means: nullptr and hipStreamLegacy, hipStreamPerThread, or one that lives.
 *
 * @param destroyed the result of the call for any other handle
 */
std::shared_ptr<Stream> streamOf(hipStream_t handle, hipError_t destroyed = hipErrorContextIsDestroyed);

/** The null stream of a device. */
std::shared_ptr<Stream> legacyStream(int device);

/** Puts an operation into a stream, or into the graph that the stream is captured to. */
void submit(hipStream_t handle, Operation operation);

/** Waits for all streams of a device. */
void drainDevice(int device);

/** Waits for all streams there are. */
void drainAll();

/** Keeps the error of a command that no call waits for; the next synchronizing call returns it. */
void failLater(hipError_t error);

/** Returns and forgets that error. */
hipError_t failedMeanwhile();

}  // namespace rocport
