// Vector clocks of operations, which the device needs for its race check. Nothing is recorded without that check.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "caller.h"
#include "wire.h"

namespace rocport {

/** The place of an operation in its line: operations of one line happen one after the other. */
struct Moment {
  uint64_t line = 0;
  uint64_t sequence = 0;  // from 1; 0 before the first
};

/** For each line the last operation that has happened before. */
class Clock {
 public:
  void join(const Clock& other);
  void join(Moment moment);
  bool covers(Moment moment) const;
  const std::vector<Moment>& moments() const { return moments_; }

 private:
  std::vector<Moment> moments_;  // by line
};

/** An operation that has begun. */
class Stamp {
 public:
  /** The next one of a line, after others, from a place in the program. */
  Stamp(uint64_t line, Clock before, const Calls& calls);

  /** What has happened before it, and it. */
  Clock after() const;

  /** The block that ends a message. */
  void write(Writer& message) const;

  /** It comes after all that has begun. */
  void observeAll();

  /** It comes after others. */
  void join(const Clock& clock);

  /** The host acquires what has happened, or releases what it knows. */
  void tellHost() const;
  void askHost();

  /** The clock of what this thread is doing for a stream; null if there is none. */
  static Stamp* current();

  /** Makes a stamp, or null, the current one for as long as it lives. */
  class Scope {
   public:
    explicit Scope(Stamp* stamp);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Stamp* outer_;
  };

 private:
  Moment own_;
  Clock before_;
  Calls calls_;
};

/** Calls the program back from a stream. */
void callBack(const std::function<void()>& function);

/** A stream has waited for a value: whatever has begun may have written it, in this process or another one. */
void sawValue();

/** Whether the device requires clocks. */
bool clocks();

/**
 * Other processes may learn from now on that what comes before has ended: before the operation that this thread
 * performs, with it, or else before what the host does next. What they do after hearOthers() happens after that.
 */
void tellOthers();

/** What other processes have told until now comes before what follows here. */
void hearOthers();

/** A line of operations; its number may be that of one that was given back. */
uint64_t takeLine();
void giveLine(uint64_t line);

/**
 * The operations that the host has waited for. All host threads share one clock. Threads that do
 * not synchronize with each other count as ordered, so races between them can be missed.
 */
Clock hostClock();
void hostSaw(const Clock& clock);

/** What the MPI function does that this thread is in. What is enqueued meanwhile belongs to the function, and follows. */
Clock& duringMpi();

}  // namespace rocport
