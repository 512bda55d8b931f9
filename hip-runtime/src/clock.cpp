#include "clock.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "session.h"

namespace rocport {
namespace {

/** The line of the moments at which processes meet; other lines begin at 1. */
constexpr uint64_t MEETINGS = 0;

thread_local Stamp* running = nullptr;

struct Lines {
  std::mutex mutex;
  uint64_t last = 0;
  std::map<uint64_t, uint64_t> begun;  // the last operation of each line
  std::vector<uint64_t> unused;
  Clock host;
};

Lines& lines() {
  static auto* all = new Lines;
  return *all;
}

Moment next(uint64_t line) {
  std::lock_guard lock(lines().mutex);
  return {line, ++lines().begun[line]};
}

}  // namespace

void Clock::join(const Clock& other) {
  std::vector<Moment> both;
  both.reserve(moments_.size() + other.moments_.size());
  auto mine = moments_.begin();
  auto theirs = other.moments_.begin();
  while (mine != moments_.end() || theirs != other.moments_.end()) {
    if (theirs == other.moments_.end() || (mine != moments_.end() && mine->line < theirs->line)) {
      both.push_back(*mine++);
    } else if (mine == moments_.end() || theirs->line < mine->line) {
      both.push_back(*theirs++);
    } else {
      both.push_back({mine->line, std::max(mine->sequence, theirs->sequence)});
      mine++;
      theirs++;
    }
  }
  moments_ = std::move(both);
}

void Clock::join(Moment moment) {
  auto at = std::lower_bound(moments_.begin(), moments_.end(), moment,
                             [](Moment a, Moment b) { return a.line < b.line; });
  if (at != moments_.end() && at->line == moment.line) {
    at->sequence = std::max(at->sequence, moment.sequence);
  } else {
    moments_.insert(at, moment);
  }
}

bool Clock::covers(Moment moment) const {
  auto at = std::lower_bound(moments_.begin(), moments_.end(), moment,
                             [](Moment a, Moment b) { return a.line < b.line; });
  return at != moments_.end() && at->line == moment.line && at->sequence >= moment.sequence;
}

Stamp::Stamp(uint64_t line, Clock before, const Calls& calls)
    : own_(next(line)), before_(std::move(before)), calls_(calls) {}

Clock Stamp::after() const {
  Clock all = before_;
  all.join(own_);
  return all;
}

void Stamp::write(Writer& message) const {
  message.u32(static_cast<uint32_t>(before_.moments().size()));
  for (Moment moment : before_.moments()) message.u64(moment.line).u64(moment.sequence);
  message.u64(own_.line).u64(own_.sequence);
  rocport::write(message, calls_);
}

void Stamp::observeAll() {
  std::lock_guard lock(lines().mutex);
  for (auto [line, sequence] : lines().begun) {
    if (line != own_.line) before_.join({line, sequence});
  }
}

void Stamp::tellHost() const { hostSaw(after()); }

void Stamp::join(const Clock& clock) { before_.join(clock); }

void Stamp::askHost() { before_.join(hostClock()); }

Stamp* Stamp::current() { return running; }

Stamp::Scope::Scope(Stamp* stamp) : outer_(running) { running = stamp; }
Stamp::Scope::~Scope() { running = outer_; }

void tellOthers() {
  if (!clocks()) return;
  const Stamp* stamp = Stamp::current();
  Clock known = stamp ? stamp->after() : hostClock();
  Writer message;
  message.u32(1).u32(static_cast<uint32_t>(known.moments().size()));
  for (Moment moment : known.moments()) message.u64(moment.line).u64(moment.sequence);
  Session::get().call(Message::MEET, message);
}

void hearOthers() {
  if (!clocks()) return;
  Writer message;
  message.u32(0).u32(0);
  Clock told;
  told.join(Moment{MEETINGS, Session::get().call(Message::MEET, message).u64()});
  if (Stamp* stamp = Stamp::current()) {
    stamp->join(told);
  } else {
    hostSaw(told);
  }
}

// Host threads may wait for the operation, and the operation for them.
void callBack(const std::function<void()>& function) {
  Stamp* stamp = Stamp::current();
  if (stamp) stamp->tellHost();
  function();
  if (stamp) stamp->askHost();
}

void sawValue() {
  Stamp* stamp = Stamp::current();
  if (stamp == nullptr) return;
  stamp->observeAll();
  hearOthers();
}

bool clocks() { return Session::started() && Session::get().checks(Check::RACE); }

uint64_t takeLine() {
  Lines& all = lines();
  std::lock_guard lock(all.mutex);
  // What begins now begins after everything that the host has seen: it can continue from there.
  for (auto at = all.unused.begin(); at != all.unused.end(); ++at) {
    uint64_t line = *at;
    if (all.begun[line] > 0 && !all.host.covers({line, all.begun[line]})) continue;
    all.unused.erase(at);
    return line;
  }
  return ++all.last;
}

void giveLine(uint64_t line) {
  std::lock_guard lock(lines().mutex);
  lines().unused.push_back(line);
}

Clock hostClock() {
  std::lock_guard lock(lines().mutex);
  return lines().host;
}

void hostSaw(const Clock& clock) {
  std::lock_guard lock(lines().mutex);
  lines().host.join(clock);
}

Clock& duringMpi() {
  thread_local Clock clock;
  return clock;
}

}  // namespace rocport
