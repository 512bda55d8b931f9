// Lets the ranks of a program find each other and wait for each other on the host, through shared memory under a common
// name.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rocshmem::detail {

/** Ends the program with a message. */
[[noreturn]] void die(const char* format, ...) __attribute__((format(printf, 1, 2)));

class Bootstrap {
 public:
  static constexpr int MOST_SLOTS = 256;
  static constexpr size_t WORDS = 512;

  /** A name that no other program has. */
  static std::string newName();

  /** Comes together with all others; waits for them. */
  Bootstrap(const std::string& name, int rank, int ranks);
  ~Bootstrap();
  Bootstrap(const Bootstrap&) = delete;
  Bootstrap& operator=(const Bootstrap&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  /** Waits until all members have come; those of teams with a PE in common have different slots. */
  void barrier(int slot, const std::vector<int>& members);

  /** A slot is used by a new team, all of whose members are between two barriers of another slot. */
  void reset(int slot);

  /** What each member has, in the order of the members. Collective over them. */
  template <typename T>
  std::vector<T> gather(int slot, const std::vector<int>& members, const T& own) {
    static_assert(sizeof(T) <= WORDS);
    memcpy(words(rank_), &own, sizeof own);
    barrier(slot, members);
    std::vector<T> all(members.size());
    for (size_t i = 0; i < members.size(); i++) memcpy(&all[i], words(members[i]), sizeof(T));
    barrier(slot, members);
    return all;
  }

  /** Ends this process and those of all other ranks. */
  [[noreturn]] void exitAll(int status);

  /** This rank no longer participates: its end is not a failure. */
  void leave();

 private:
  struct Table;
  struct Seat;

  Seat& seat(int rank) const;
  void* words(int rank) const;
  void changed();
  void sleep();
  void look();
  void watch();

  Table* table_ = nullptr;
  size_t size_ = 0;
  int rank_;
  int ranks_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread watcher_;
};

}  // namespace rocshmem::detail
