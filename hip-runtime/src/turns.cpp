#include "turns.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <random>
#include <set>
#include <thread>

#include "allocation.h"
#include "pending.h"
#include "session.h"

namespace rocport {
namespace {

using Time = std::chrono::steady_clock;
using namespace std::chrono_literals;

/** As many as the queues of a GPU hold, more or less: then the first ones begin. */
constexpr size_t MOST_WAITING = 1024;

/** One in this many turns goes to a command that is not needed yet. */
constexpr unsigned EARLY = 4;

/** A program may ask so often, less one, until a command begins. */
constexpr unsigned ASKED = 4;

constexpr auto TICK = 10ms;

/** A command that runs for so long may wait for another. */
constexpr auto LONG = 100ms;

/** A program that calls nothing for so long may wait for what the device does... */
constexpr auto QUIET = 50ms;

/** ...and for what it could only see where it looks at memory that is not its own yet. */
constexpr auto VERY_QUIET = 1s;

/** The same where a thread waits in a call, which may just take long. */
constexpr auto STUCK = 20s;

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Point> waiting;
  std::vector<Point> running;
  size_t atOnce = 1;  // how many commands may run
  std::mt19937_64 random{Session::get().seed()};
  Time::time_point moved = Time::now();  // the last begin or end of a command
  int64_t seen = 0;                      // the last call, begin or end that the watch has seen
  unsigned ticks = 0;                    // how often it has woken since
  std::atomic<int64_t> called{0};
  std::atomic<int> waiters{0};
  uint64_t late = 0;  // commands that could be late
};

State& state() {
  static auto* all = new State;
  return *all;
}

std::atomic<bool> on{false};

int64_t now() { return Time::now().time_since_epoch().count(); }

bool ready(const Point& point) {
  const auto& before = point->ticket->before;
  return std::all_of(before.begin(), before.end(), [](const Point& one) { return one->done(); });
}

void start(const Point& chosen) {
  State& all = state();
  Point point = chosen;  // the list that holds it changes
  all.waiting.erase(std::find(all.waiting.begin(), all.waiting.end(), point));
  all.running.push_back(point);
  point->ticket->begun = true;
  all.moved = Time::now();
  all.changed.notify_all();
}

/** Lets a command begin if one may. Under the lock. */
void choose() {
  State& all = state();
  if (all.running.empty()) all.atOnce = 1;
  if (all.running.size() >= all.atOnce) return;
  std::vector<Point> candidates;
  for (const Point& point : all.waiting) {
    if (point->ticket->needed && ready(point)) candidates.push_back(point);
  }
  if (candidates.empty()) return;
  if (all.random() % EARLY == 0) {
    for (const Point& point : all.waiting) {
      if (!point->ticket->needed && !point->ticket->seen && ready(point)) candidates.push_back(point);
    }
  }
  start(candidates[all.random() % candidates.size()]);
}

/** With all that comes before. Under the lock. */
void mark(std::vector<Point> points) {
  while (!points.empty()) {
    Point point = std::move(points.back());
    points.pop_back();
    if (!point->ticket || point->done() || point->ticket->needed) continue;
    point->ticket->needed = true;
    points.insert(points.end(), point->ticket->before.begin(), point->ticket->before.end());
  }
}

/** Lets what nobody needs begin where the program seems to wait for it. Under the lock. */
void nudge() {
  State& all = state();
  auto idle = Time::now() - all.moved;
  if (!all.running.empty()) {
    if (idle < LONG) return;
    all.atOnce = all.running.size() + 1;
    choose();
  }
  // Counted, not measured: on a busy machine this thread runs no more often than the program's.
  int64_t last = std::max<int64_t>(all.called.load(), all.moved.time_since_epoch().count());
  all.ticks = last == all.seen ? all.ticks + 1 : 0;
  all.seen = last;
  Time::duration quiet = all.ticks * TICK;
  if (quiet < QUIET) return;
  std::vector<Point> candidates;
  for (const Point& point : all.waiting) {
    if (point->ticket->needed || !ready(point)) continue;
    auto least = point->ticket->extents.empty() || !point->ticket->guarded ? Time::duration(QUIET)
                 : all.waiters > 0       ? Time::duration(STUCK)
                                         : Time::duration(VERY_QUIET);
    if (quiet >= least) candidates.push_back(point);
  }
  if (candidates.empty()) return;
  const Point& chosen = candidates[all.random() % candidates.size()];
  chosen->ticket->nudged = true;
  start(chosen);
}

/** A command that runs waits for others, of whatever streams. Under the lock. */
void needAll() {
  State& all = state();
  for (const Point& point : all.waiting) point->ticket->needed = true;
  all.atOnce = all.running.size() + 1;
  choose();
}

[[noreturn]] void watch() {
  for (;;) {
    std::this_thread::sleep_for(TICK);
    {
      std::lock_guard lock(state().mutex);
      nudge();
    }
    tellOfHost();
  }
}

}  // namespace

bool late() {
  if (on.load(std::memory_order_relaxed)) return true;
  if (!Session::started() || !Session::get().checks(Check::ORDER)) return false;
  static std::once_flag once;
  std::call_once(once, [] {
    state().called = now();
    std::thread(watch).detach();
    on = true;
  });
  return true;
}

void commandWaitsForOthers() {
  if (!late()) return;
  std::lock_guard lock(state().mutex);
  needAll();
}

namespace {

/** More rows than this are not looked at. */
constexpr size_t MOST_ROWS = 1024;

void extend(Ticket& ticket, const Plane& plane, size_t width, size_t height, size_t depth, bool written) {
  auto found = Allocations::get().find(plane.address);
  if (!found || width == 0) return;
  uint64_t start = found->device + (reinterpret_cast<uintptr_t>(plane.address) - found->start);
  if (height * depth == 1 || (plane.pitch == width && depth == 1)) {
    ticket.extents.push_back({start, width * height, written});
    return;
  }
  if (height * depth > MOST_ROWS) return;
  for (size_t z = 0; z < depth; z++) {
    for (size_t y = 0; y < height; y++) {
      ticket.extents.push_back({start + z * plane.slice + y * plane.pitch, width, written});
    }
  }
}

void extend(Ticket& ticket, const Operation& operation) {
  if (const auto* copy = std::get_if<Copy>(&operation)) {
    ticket.what = "copy";
    extend(ticket, copy->to, copy->width, copy->height, copy->depth, true);
    extend(ticket, copy->from, copy->width, copy->height, copy->depth, false);
  } else if (const auto* fill = std::get_if<Fill>(&operation)) {
    ticket.what = "fill";
    extend(ticket, fill->to, fill->width * fill->elementSize, fill->height, fill->depth, true);
  }
}

/** The command that this thread does. */
thread_local const Completion* doing = nullptr;

}  // namespace

void tellOfCopies(Connection& connection) {
  if (!late() || doing == nullptr) return;
  std::vector<Point> others;
  {
    State& all = state();
    std::lock_guard lock(all.mutex);
    // In the order of arrival: commands after the launch are also after it here.
    std::set<const Completion*> later = {doing};
    for (const Point& point : all.waiting) {
      const auto& before = point->ticket->before;
      bool follows = std::any_of(before.begin(), before.end(),
                                 [&](const Point& one) { return later.count(one.get()) != 0; });
      if (follows) {
        later.insert(point.get());
      } else if (!point->ticket->extents.empty()) {
        others.push_back(point);
      }
    }
    for (const Point& point : all.running) {
      if (point.get() != doing && !point->ticket->extents.empty()) others.push_back(point);
    }
  }
  if (others.empty()) return;
  uint32_t count = 0;
  Writer list;
  for (const Point& point : others) {
    for (const Extent& extent : point->ticket->extents) {
      count++;
      list.u64(extent.address).u64(extent.size).u32(extent.written ? 1 : 0).text(point->ticket->what);
      list.text(std::string("asynchronous ") + point->ticket->what);
      write(list, point->ticket->calls);
    }
  }
  Writer message;
  message.u32(count).raw(list.bytes().data(), list.bytes().size());
  connection.call(Message::MEANWHILE, message);
}

namespace {

const char* named(const Operation& operation) {
  return std::visit(
      [](const auto& what) -> const char* {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, Copy>) return "asynchronous copy";
        if constexpr (std::is_same_v<What, Fill>) return "asynchronous fill";
        if constexpr (std::is_same_v<What, Launch>) return "launch";
        if constexpr (std::is_same_v<What, HostCall>) return "host function";
        return "command on a stream";
      },
      operation);
}

/** Whether a command may be late; tells the device of it where the device lists them. */
bool mayDelay(const Calls& calls, const Operation& operation) {
  Session& session = Session::get();
  if (session.delays() == Delays::ALL) return true;
  uint32_t number = numberOf(calls);
  if (session.delays() == Delays::LISTED) {
    Writer message;
    message.u32(number).text(named(operation));
    write(message, calls);
    session.call(Message::DELAYED, message);
  }
  return session.mayDelay(number);
}

}  // namespace

void enlist(const Point& point, std::vector<Point> before, const Operation& operation) {
  point->ticket = std::make_shared<Ticket>();
  point->ticket->before = std::move(before);
  point->ticket->calls = callsNow();
  point->ticket->seen = hostSees(operation);
  extend(*point->ticket, operation);
  bool delayed = mayDelay(point->ticket->calls, operation);
  point->ticket->guarded = delayed && guard(*point, operation);
  std::lock_guard lock(state().mutex);
  state().waiting.push_back(point);
  if (delayed) {
    state().late++;
  } else {
    mark({point});
    choose();
  }
  if (state().waiting.size() > MOST_WAITING) {
    mark({state().waiting.front()});
    choose();
  }
}

uint64_t lateCommands() {
  if (!late()) return 0;
  std::lock_guard lock(state().mutex);
  return state().late;
}

void need(const std::vector<Point>& points) {
  std::lock_guard lock(state().mutex);
  mark(points);
  choose();
}

namespace {

/** The program asks whether it is done, which may or may not let it begin. */
void ask(const Point& point) {
  std::lock_guard lock(state().mutex);
  if (!point->ticket || point->done() || point->ticket->needed) return;
  if (point->ticket->asked++ < state().random() % ASKED) return;
  point->ticket->nudged = true;
  mark({point});
  choose();
}

}  // namespace

bool reached(const Point& point) {
  if (late()) ask(point);
  if (!point->done()) return false;
  if (clocks()) hostSaw(point->clock);
  return true;
}

void takeTurn(const Point& point) {
  std::unique_lock lock(state().mutex);
  state().changed.wait(lock, [&] { return point->ticket->begun; });
  lock.unlock();
  doing = point.get();
  if (point->ticket->guarded) unguard(*point);
}

void endTurn(const Point& point) {
  if (point->ticket->guarded) compare(*point);
  State& all = state();
  std::lock_guard lock(all.mutex);
  point->finish();
  doing = nullptr;
  all.running.erase(std::find(all.running.begin(), all.running.end(), point));
  point->ticket->before.clear();
  all.moved = Time::now();
  for (size_t n = all.running.size(); n < all.atOnce; n++) choose();
}

void await(const std::vector<Point>& points) {
  if (late()) {
    state().waiters++;
    need(points);
  }
  for (const Point& point : points) {
    point->wait();
    if (clocks()) hostSaw(point->clock);
  }
  if (late()) {
    state().waiters--;
    tellOfHost();
    watchAgain();
  }
}

size_t chance(size_t choices) {
  std::lock_guard lock(state().mutex);
  return state().random() % choices;
}

void called() {
  if (on.load(std::memory_order_relaxed)) state().called.store(now(), std::memory_order_relaxed);
}

}  // namespace rocport
