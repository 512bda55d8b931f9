// For the check `order`: asynchronous work runs as late as its stream allows, and in one of the orders that the program
// allows.
//
// A command begins when something needs it: a call that waits for it, or a later command that is itself needed. The
// seed chooses one of the commands that may begin; the next one begins when it has ended. For programs that wait in
// other ways, commands that nothing needs begin once the program has made no calls for some time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "caller.h"
#include "completion.h"
#include "operation.h"

namespace rocport {

/** Whether commands wait until they are needed. */
bool late();

/** How many commands were late. */
uint64_t lateCommands();

/** Bytes that a copy or a fill touches, where the device finds them. */
struct Extent {
  uint64_t address = 0;
  uint64_t size = 0;
  bool written = false;
};

/** What is known of a command that is done late. */
struct Ticket {
  std::vector<Point> before;
  Calls calls;          // where the program enqueued it
  bool seen = false;     // the host can observe its effect
  bool guarded = false;  // and an early access is detected
  bool needed = false;
  bool begun = false;
  bool nudged = false;  // nothing waited for it: the program may wait in another way
  unsigned asked = 0;
  std::vector<Extent> extents;
  const char* what = "";  // it is, where it has extents
};

/** Appends a command to its stream. */
void enlist(const Point& point, std::vector<Point> before, const Operation& operation);

/** These will be waited for. */
void need(const std::vector<Point>& points);

/** Until it is its turn. On the thread of its stream, which then does it. */
void takeTurn(const Point& point);

/** It is done: reaches the point. */
void endTurn(const Point& point);

/** Tells the device, before a launch on this thread, which copies nothing orders against it. */
void tellOfCopies(Connection& connection);

/** One of so many choices, by the seed. */
size_t chance(size_t choices);

/** The program calls. */
void called();

/** A running command continues only when commands of other streams have run: let them begin. */
void commandWaitsForOthers();

}  // namespace rocport
