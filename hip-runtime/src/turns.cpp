#include "turns.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <random>
#include <thread>

#include "pending.h"
#include "session.h"

namespace rocport {
namespace {

using Time = std::chrono::steady_clock;
using namespace std::chrono_literals;

/** As many as the queues of a GPU hold, more or less: then the first ones begin. */
constexpr size_t MOST_WAITING = 1024;

/** One in so many turns goes to a command that nobody needs yet. */
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
  size_t atOnce = 1;  // how many may run
  std::mt19937_64 chance{Session::get().seed()};
  Time::time_point moved = Time::now();  // the last begin or end of a command
  std::atomic<int64_t> called{0};
  std::atomic<int> waiters{0};
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
  if (all.chance() % EARLY == 0) {
    for (const Point& point : all.waiting) {
      if (!point->ticket->needed && !point->ticket->seen && ready(point)) candidates.push_back(point);
    }
  }
  start(candidates[all.chance() % candidates.size()]);
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
  auto quiet = std::min<Time::duration>(Time::duration(now() - all.called.load()), idle);
  if (quiet < QUIET) return;
  std::vector<Point> candidates;
  for (const Point& point : all.waiting) {
    if (point->ticket->needed || !ready(point)) continue;
    auto least = !point->ticket->guarded ? Time::duration(QUIET)
                 : all.waiters > 0       ? Time::duration(STUCK)
                                         : Time::duration(VERY_QUIET);
    if (quiet >= least) candidates.push_back(point);
  }
  if (candidates.empty()) return;
  const Point& chosen = candidates[all.chance() % candidates.size()];
  chosen->ticket->nudged = true;
  start(chosen);
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

void enlist(const Point& point, std::vector<Point> before, const Operation& operation) {
  point->ticket = std::make_shared<Ticket>();
  point->ticket->before = std::move(before);
  point->ticket->calls = callsNow();
  point->ticket->seen = hostSees(operation);
  point->ticket->guarded = guard(*point, operation);
  std::lock_guard lock(state().mutex);
  state().waiting.push_back(point);
  if (state().waiting.size() > MOST_WAITING) {
    mark({state().waiting.front()});
    choose();
  }
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
  if (point->ticket->asked++ < state().chance() % ASKED) return;
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
  if (point->ticket->guarded) unguard(*point);
}

void endTurn(const Point& point) {
  State& all = state();
  std::lock_guard lock(all.mutex);
  point->finish();
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
  }
}

void called() {
  if (on.load(std::memory_order_relaxed)) state().called.store(now(), std::memory_order_relaxed);
}

}  // namespace rocport
