// This process' one session with the device: GPUs, shared memory, connections.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "connection.h"

namespace rocport {

struct Gpu {
  std::string arch;      // gfx90a
  std::string fullArch;  // gfx90a:sramecc+:xnack-
  uintptr_t base;        // its part of the arena
  uint64_t size;
  uint32_t computeUnits;
};

/** What the device looks for, as bits of the HELLO's reply. */
enum class Check : uint32_t { UNINIT = 0, RACE = 1, SYNC = 2, ORDER = 3 };

/** What the check `order` may delay: everything, everything and the device lists it, or what it has chosen. */
enum class Delays : uint32_t { ALL = 0, LISTED = 1, CHOSEN = 2 };

class Session {
 public:
  /** The session; the first call connects, starts a device if there is none, and maps memory. */
  static Session& get();

  /** Whether this process is a child of one that had a session when it forked. */
  static bool inherited();

  /** Whether there is a session already. */
  static bool started();

  /** Whether the device looks for this kind of mistake. */
  bool checks(Check check) const { return (checks_ >> static_cast<uint32_t>(check) & 1) != 0; }

  /** Whether it looks for any. */
  bool checks() const { return checks_ != 0; }

  /** Which commands may be late where the check `order` is on. */
  Delays delays() const { return delays_; }

  /** Whether the command of this number may be late. */
  bool mayDelay(uint32_t place) const { return delays_ != Delays::CHOSEN || delayed_.count(place) != 0; }

  /** What chance decides, it decides by this number. */
  uint64_t seed() const { return seed_; }

  const std::vector<Gpu>& gpus() const { return gpus_; }
  int count() const { return static_cast<int>(gpus_.size()); }

  /** A GPU of this number, or hipErrorInvalidDevice. */
  const Gpu& gpu(int device) const;

  /** A request that belongs to no stream. */
  Reader call(Message type, const Writer& payload, std::string_view image = {}) {
    return control_->call(type, payload, image);
  }

  /** One more connection, for a thread that launches. */
  std::unique_ptr<Connection> join();

  /** Whether the address lies in memory that device and process share. */
  bool shares(uintptr_t address) const {
    return address >= arenaBase_ && address - arenaBase_ < arenaSize_;
  }

  /** The device's process. */
  uint32_t process() const { return process_; }

  /** Maps pages of the arena again, over the mapping at another address; false if that fails. Writes to nothing else. */
  bool mapped(uintptr_t arena, uintptr_t at, size_t size) noexcept;

  /** The same, with a failure. */
  void alias(uintptr_t arena, uintptr_t at, size_t size);

 private:
  Session();
  void map();
  static void summarize(int status, void*);

  std::unique_ptr<Connection> control_;
  uint32_t checks_ = 0;
  uint64_t seed_ = 0;
  Delays delays_ = Delays::ALL;
  std::set<uint32_t> delayed_;
  uint64_t id_ = 0;
  uint32_t process_ = 0;
  uintptr_t arenaBase_ = 0;
  uint64_t arenaSize_ = 0;
  int memory_ = -1;
  std::vector<Gpu> gpus_;
};

}  // namespace rocport
