#include "batch.h"

#include <stdio.h>
#include <string.h>

#include "../library/runtime.h"

namespace rocport::ccl {
namespace {

/** How long a program has to abort a communicator before the failure is its stream's, too. */
constexpr auto GRACE = std::chrono::seconds(1);

std::string text(const Asked& asked) {
  auto kind = static_cast<Collective::Kind>(asked.kind);
  std::string out = std::string(nameOf(kind)) + " of " + std::to_string(asked.count) + " " + nameOf(asked.type);
  bool reduces = kind == Collective::ALL_REDUCE || kind == Collective::REDUCE || kind == Collective::REDUCE_SCATTER;
  if (reduces) out += std::string(", ") + Reduction{asked.operation, 0}.name();
  if (kind == Collective::REDUCE || kind == Collective::BROADCAST) out += ", root " + std::to_string(asked.root);
  return out;
}

bool agree(const Asked& a, const Asked& b) {
  return a.kind == b.kind && a.type == b.type && a.operation == b.operation && a.root == b.root && a.count == b.count;
}

const char* at(uint64_t address, size_t bytes) { return reinterpret_cast<const char*>(address) + bytes; }

void copy(void* to, const void* from, size_t bytes) {
  if (bytes > 0 && to != from) memmove(to, from, bytes);
}

/**
 * A batch in progress. No step blocks, so messages are transferred while a collective waits for its ranks.
 * Each rank writes into its own buffers only.
 */
class Run {
 public:
  Run(Comm& comm, const Batch& batch)
      : comm_(comm), clique_(*comm.clique), batch_(batch), states_(batch.messages.size(), State::PENDING) {}

  /** Does what can be done; whether that was anything. */
  bool advance() {
    bool moved = false;
    while (current_ < batch_.collectives.size() && advance(batch_.collectives[current_])) moved = true;
    for (size_t i = 0; i < batch_.messages.size(); i++) {
      while (states_[i] != State::DONE && !isBehind(i) && advance(batch_.messages[i], states_[i])) moved = true;
    }
    return moved;
  }

  bool done() const {
    if (current_ < batch_.collectives.size()) return false;
    for (State state : states_) {
      if (state != State::DONE) return false;
    }
    return true;
  }

  /** What it waits for. */
  std::string doing() const {
    if (current_ < batch_.collectives.size()) return text(asked(batch_.collectives[current_]));
    std::string all;
    for (size_t i = 0; i < states_.size(); i++) {
      const Message& message = batch_.messages[i];
      if (states_[i] == State::DONE) continue;
      all += all.empty() ? "" : ", ";
      all += (message.send ? "ncclSend to " : "ncclRecv from ") + std::to_string(message.peer);
    }
    return all;
  }

 private:
  enum class Phase { COME, MEET, HALFWAY, LEAVE };
  enum class State { PENDING, POSTED, DONE };

  static Asked asked(const Collective& c) {
    Asked made = {};
    made.kind = c.kind;
    made.type = c.type;
    made.operation = c.operation;
    made.root = c.root;
    made.count = c.count;
    made.send = reinterpret_cast<uint64_t>(c.send);
    made.receive = reinterpret_cast<uint64_t>(c.receive);
    made.scalar = c.scale.value;
    if (c.scale.onDevice != nullptr) memcpy(&made.scalar, c.scale.onDevice, sizeOf(c.type));
    return made;
  }

  bool all(std::atomic<uint64_t> Seat::* counter) const {
    for (int r = 0; r < clique_.ranks(); r++) {
      if (clique_.seat(r).*counter <= comm_.collectives) return false;
    }
    return true;
  }

  /** One step of a collective, if it can be done now. */
  bool advance(const Collective& c) {
    Seat& mine = clique_.mine();
    switch (phase_) {
      case Phase::COME:
        mine.asked = asked(c);
        mine.arrived = comm_.collectives + 1;
        phase_ = Phase::MEET;
        break;
      case Phase::MEET:
        if (!all(&Seat::arrived)) return false;
        requireAgreement();
        first(c);
        mine.halfway = comm_.collectives + 1;
        phase_ = Phase::HALFWAY;
        break;
      case Phase::HALFWAY:
        if (c.kind == Collective::ALL_REDUCE) {
          if (!all(&Seat::halfway)) return false;
          gather(c);
        }
        mine.finished = comm_.collectives + 1;
        phase_ = Phase::LEAVE;
        break;
      case Phase::LEAVE:
        // Until then other ranks may read the buffers of this rank.
        if (!all(&Seat::finished)) return false;
        comm_.collectives++;
        current_++;
        phase_ = Phase::COME;
        return true;
    }
    clique_.changed();
    return true;
  }

  void requireAgreement() const {
    const Asked& mine = clique_.mine().asked;
    for (int r = 0; r < clique_.ranks(); r++) {
      const Asked& other = clique_.seat(r).asked;
      if (agree(mine, other)) continue;
      int low = std::min(r, clique_.rank());
      int high = std::max(r, clique_.rank());
      fail(ncclInvalidUsage, "ranks call different operations as collective number " +
                                 std::to_string(comm_.collectives + 1) +
                                 ": rank " + std::to_string(low) + ": " + text(clique_.seat(low).asked) + "; rank " +
                                 std::to_string(high) + ": " + text(clique_.seat(high).asked));
    }
  }

  /** What can be done from what the ranks bring. */
  void first(const Collective& c) const {
    size_t size = sizeOf(c.type);
    switch (c.kind) {
      case Collective::ALL_REDUCE: {
        size_t begin = part(c.count, clique_.rank());
        reduce(c, begin * size, static_cast<char*>(c.receive) + begin * size, part(c.count, clique_.rank() + 1) - begin);
        break;
      }
      case Collective::REDUCE:
        if (c.root == clique_.rank()) reduce(c, 0, c.receive, c.count);
        break;
      case Collective::REDUCE_SCATTER:
        reduce(c, static_cast<size_t>(clique_.rank()) * c.count * size, c.receive, c.count);
        break;
      case Collective::ALL_GATHER:
        for (int r = 0; r < clique_.ranks(); r++) {
          copy(static_cast<char*>(c.receive) + static_cast<size_t>(r) * c.count * size,
               at(clique_.seat(r).asked.send, 0), c.count * size);
        }
        break;
      case Collective::BROADCAST:
        copy(c.receive, at(clique_.seat(c.root).asked.send, 0), c.count * size);
        break;
    }
  }

  /** The parts of an all-reduce that other ranks have reduced. */
  void gather(const Collective& c) const {
    size_t size = sizeOf(c.type);
    for (int r = 0; r < clique_.ranks(); r++) {
      size_t begin = part(c.count, r) * size;
      if (r == clique_.rank()) continue;
      copy(static_cast<char*>(c.receive) + begin, at(clique_.seat(r).asked.receive, begin),
           part(c.count, r + 1) * size - begin);
    }
  }

  void reduce(const Collective& c, size_t offset, void* out, size_t count) const {
    std::vector<Input> inputs;
    for (int r = 0; r < clique_.ranks(); r++) {
      const Asked& asked = clique_.seat(r).asked;
      inputs.push_back({at(asked.send, offset), asked.scalar});
    }
    ccl::reduce(c.type, c.operation, inputs.data(), clique_.ranks(), out, count);
  }

  /** Where a rank's part of an all-reduce begins. */
  size_t part(size_t count, int rank) const {
    auto ranks = static_cast<size_t>(clique_.ranks());
    auto r = static_cast<size_t>(rank);
    return count / ranks * r + std::min(count % ranks, r);
  }

  /** Whether an earlier message between the same two ranks, the same way, is not done. */
  bool isBehind(size_t i) const {
    const Message& mine = batch_.messages[i];
    for (size_t before = 0; before < i; before++) {
      const Message& other = batch_.messages[before];
      if (other.send == mine.send && other.peer == mine.peer && states_[before] != State::DONE) return true;
    }
    return false;
  }

  bool advance(const Message& message, State& state) {
    if (message.send) {
      Channel& channel = clique_.channel(clique_.rank(), message.peer);
      if (channel.posted != channel.taken) return false;
      if (state == State::POSTED) {
        state = State::DONE;
        return true;
      }
      channel.address = reinterpret_cast<uint64_t>(message.address);
      channel.bytes = message.bytes;
      channel.posted++;
      state = State::POSTED;
    } else {
      Channel& channel = clique_.channel(message.peer, clique_.rank());
      if (channel.posted == channel.taken) return false;
      if (channel.bytes != message.bytes) {
        fail(ncclInvalidUsage, "rank " + std::to_string(message.peer) + " sends " + std::to_string(channel.bytes) +
                                   " bytes to rank " + std::to_string(clique_.rank()) + ", which receives " +
                                   std::to_string(message.bytes));
      }
      copy(message.address, at(channel.address, 0), message.bytes);
      channel.taken++;
      state = State::DONE;
    }
    clique_.changed();
    return true;
  }

  Comm& comm_;
  Clique& clique_;
  const Batch& batch_;
  size_t current_ = 0;  // of the collectives
  Phase phase_ = Phase::COME;
  std::vector<State> states_;
};

}  // namespace

const char* nameOf(Collective::Kind kind) {
  switch (kind) {
    case Collective::ALL_REDUCE:
      return "ncclAllReduce";
    case Collective::REDUCE:
      return "ncclReduce";
    case Collective::REDUCE_SCATTER:
      return "ncclReduceScatter";
    case Collective::ALL_GATHER:
      return "ncclAllGather";
    case Collective::BROADCAST:
      return "ncclBroadcast";
  }
  return "?";
}

void run(Comm& comm, const Batch& batch) {
  std::lock_guard one(comm.running);
  Clique& clique = *comm.clique;
  try {
    Run run(comm, batch);
    for (;;) {
      // Read first, so that a change during the checks is not missed by the sleep.
      uint64_t stamp = clique.stamp();
      if (comm.aborted()) return;
      clique.check();
      bool moved = run.advance();
      if (run.done()) return;
      if (!moved) clique.sleep(stamp, run.doing());
    }
  } catch (const Failure& failure) {
    if (clique.fail(failure)) {
      fprintf(stderr, "rocport: librccl: %s: %s\n", comm.place().c_str(), failure.message.c_str());
    }
    if (!comm.isAbortedWithin(GRACE)) rocportFailLater(hipErrorLaunchFailure);
  }
}

}  // namespace rocport::ccl
