#include "stream.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <set>
#include <thread>

#include "capture.h"
#include "clock.h"
#include "device.h"
#include "launch.h"
#include "pool.h"
#include "session.h"
#include "turns.h"

namespace rocport {
namespace {

/** All streams that live; its lock also makes the order of commands the same for all of them. */
struct Registry {
  std::mutex order;
  std::set<std::shared_ptr<Stream>> streams;
  std::map<int, std::shared_ptr<Stream>> legacy;
};

Registry& registry() {
  static auto* all = new Registry;
  return *all;
}

std::atomic<hipError_t> later{hipSuccess};

std::atomic<uint64_t> streams{0};
std::atomic<uint64_t> frees{0};

// Others may wait for commands that are still in the stream, so its thread releases it after the last command.
void retire(const std::shared_ptr<Stream>& stream) {
  if (stream->close()) return;
  std::lock_guard lock(registry().order);
  registry().streams.erase(stream);
}

// Streams of hipStreamPerThread end with their thread.
struct ThreadStreams {
  std::map<int, std::shared_ptr<Stream>> byDevice;
  ~ThreadStreams() {
    for (auto& [device, stream] : byDevice) retire(stream);
  }
};

std::shared_ptr<Stream> make(int device, Stream::Role role, unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(device, role, flags, priority);
  std::lock_guard lock(registry().order);
  registry().streams.insert(stream);
  return stream;
}

std::shared_ptr<Stream> threadStream(int device) {
  thread_local ThreadStreams mine;
  auto& stream = mine.byDevice[device];
  if (!stream) stream = make(device, Stream::Role::BLOCKING, hipStreamDefault, 0);
  return stream;
}

void dropNull(std::vector<Point>& points) {
  points.erase(std::remove(points.begin(), points.end(), nullptr), points.end());
}

void dropDone(std::vector<Point>& points) {
  points.erase(std::remove_if(points.begin(), points.end(), [](const Point& point) { return point->done(); }),
               points.end());
}

}  // namespace

std::shared_ptr<Stream> legacyStream(int device) {
  std::lock_guard lock(registry().order);
  auto& stream = registry().legacy[device];
  if (!stream) {
    stream = std::make_shared<Stream>(device, Stream::Role::LEGACY, hipStreamDefault, 0);
    registry().streams.insert(stream);
  }
  return stream;
}

std::shared_ptr<Stream> streamOf(hipStream_t handle, hipError_t destroyed) {
  int device = currentDevice();
  if (handle == nullptr || handle == hipStreamLegacy) return legacyStream(device);
  if (handle == hipStreamPerThread) return threadStream(device);
  auto* stream = reinterpret_cast<Stream*>(handle);
  std::lock_guard lock(registry().order);
  for (const auto& known : registry().streams) {
    if (known.get() == stream && !known->closed()) return known;
  }
  fail(destroyed);
}

// Returns the operations that precede a new command, including completed ones. Requires the lock of the registry.
std::vector<Point> Stream::order() {
  std::vector<Point> before;
  Registry& all = registry();
  if (role == Role::LEGACY) {
    for (const auto& other : all.streams) {
      if (other->role == Role::BLOCKING && other->device == device) before.push_back(other->last_);
    }
  } else if (role == Role::BLOCKING) {
    auto legacy = all.legacy.find(device);
    if (legacy != all.legacy.end()) before.push_back(legacy->second->last_);
  }
  dropNull(before);
  return before;
}

void Stream::push(Command command) {
  if (late()) {
    std::vector<Point> before = command.after;
    if (command.before && !command.before->done()) before.push_back(command.before);
    enlist(command.done, std::move(before), command.operation);
  }
  command.before = nullptr;
  std::lock_guard lock(mutex_);
  queue_.push_back(std::move(command));
  if (!running_) {
    running_ = true;
    std::thread([self = shared_from_this()] { self->work(); }).detach();
  }
  changed_.notify_all();
}

uint64_t Stream::line(size_t branch) {
  while (lines_.size() <= branch) lines_.push_back(takeLine());
  return lines_[branch];
}

// Requires the lock of the registry.
Stream::Command Stream::command(Operation operation, std::vector<Point> after) {
  Command made;
  made.operation = std::move(operation);
  made.after = order();
  made.after.insert(made.after.end(), after.begin(), after.end());
  made.done = std::make_shared<Completion>();
  if (clocks()) {
    made.follows = made.after;
    if (last_) made.follows.push_back(last_);
    made.host = hostClock();
    made.host.join(duringMpi());
    made.line = line(0);
    made.calls = callsNow();
  }
  dropDone(made.after);
  made.before = last_;
  last_ = made.done;
  return made;
}

Point Stream::enqueue(Operation operation, std::vector<Point> after) {
  std::lock_guard lock(registry().order);
  Command made = command(std::move(operation), std::move(after));
  Point done = made.done;
  push(std::move(made));
  return done;
}

Point Stream::enqueueNode(Operation operation, std::vector<Point> follows, size_t branch) {
  std::lock_guard lock(registry().order);
  Command made = command(std::move(operation), {});
  Point done = made.done;
  made.follows = std::move(follows);
  made.line = line(branch);
  push(std::move(made));
  return done;
}

Point Stream::last() {
  std::lock_guard lock(registry().order);
  return last_;
}

void Stream::perform(Operation operation) {
  Command made;
  {
    std::unique_lock all(registry().order);
    made = command(std::move(operation), {});
    std::unique_lock mine(mutex_);
    bool free = made.after.empty() && queue_.empty() && !busy_;
    if (free) {
      busy_ = true;
    } else {
      mine.unlock();
      Point done = made.done;
      push(std::move(made));
      all.unlock();
      await({done});
      return;
    }
  }
  std::exception_ptr failure;
  try {
    run(made);
  } catch (...) {
    failure = std::current_exception();
  }
  made.done->finish();
  await({made.done});
  {
    std::lock_guard lock(mutex_);
    busy_ = false;
  }
  changed_.notify_all();
  if (failure) std::rethrow_exception(failure);
}

// One command of a stream at a time.
void Stream::run(const Command& command) {
  if (!clocks()) return execute(command.operation, *this);
  Clock before = command.host;
  for (const Point& point : command.follows) before.join(point->clock);
  Stamp stamp(command.line, std::move(before), command.calls);
  Stamp::Scope scope(&stamp);
  command.done->clock = stamp.after();
  execute(command.operation, *this);
  command.done->clock = stamp.after();
}

// A launch that waits for nothing, and whose order and clock nobody watches.
bool Stream::isPlainLaunch(const Command& command) const {
  const auto* launch = std::get_if<Launch>(&command.operation);
  return launch && !launch->part.barrier && !command.done->ticket && !clocks() &&
         std::all_of(command.after.begin(), command.after.end(),
                     [](const Point& point) { return point->done(); });
}

// Launches after each other: the device has the next one when it has done with one, without the way here and back.
void Stream::runAll(std::vector<Command> launches) {
  std::vector<Writer> requests;
  for (const Command& command : launches) requests.push_back(requestOf(std::get<Launch>(command.operation), *this));
  size_t finished = 0;
  try {
    connection().callAll(Message::LAUNCH, requests, [&](const Failure* failure) {
      if (failure) failLater(failure->code);
      // Whoever waits for the last one finds the stream free.
      if (finished + 1 < launches.size()) launches[finished++].done->finish();
    });
  } catch (const Failure& failure) {
    failLater(failure.code);
  }
  rest();
  while (finished < launches.size()) launches[finished++].done->finish();
}

// Takes plain launches from the front of the queue, as many as may be sent together. Requires the lock.
std::vector<Stream::Command> Stream::plainLaunches() {
  constexpr size_t MOST = 16;
  constexpr size_t MOST_BYTES = 16384;
  std::vector<Command> launches;
  size_t bytes = 0;
  while (!queue_.empty() && launches.size() < MOST && isPlainLaunch(queue_.front())) {
    bytes += std::get<Launch>(queue_.front().operation).arguments.size();
    if (bytes > MOST_BYTES) break;
    launches.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return launches;
}

// No command runs.
void Stream::rest() {
  std::lock_guard lock(mutex_);
  busy_ = false;
}

void Stream::work() {
  for (;;) {
    Command command;
    std::vector<Command> launches;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !busy_ && (!queue_.empty() || closing_); });
      if (queue_.empty()) break;
      launches = plainLaunches();
      if (launches.empty()) {
        command = std::move(queue_.front());
        queue_.pop_front();
      }
      busy_ = true;
    }
    if (!launches.empty()) {
      runAll(std::move(launches));
      continue;
    }
    if (command.done->ticket) takeTurn(command.done);
    for (const Point& point : command.after) point->wait();
    try {
      run(command);
    } catch (const Failure& failure) {
      failLater(failure.code);
    }
    rest();
    if (command.done->ticket) {
      endTurn(command.done);
    } else {
      command.done->finish();
    }
  }
  connection_.reset();
  std::lock_guard lock(registry().order);
  registry().streams.erase(shared_from_this());
}

Stream::~Stream() {
  for (uint64_t line : lines_) giveLine(line);
}

std::vector<Point> Stream::ends() {
  std::lock_guard lock(registry().order);
  std::vector<Point> points;
  if (role == Role::LEGACY) points = order();
  points.push_back(last_);
  dropNull(points);
  return points;
}

bool Stream::idle() {
  std::vector<Point> points = ends();
  return std::all_of(points.begin(), points.end(), reached);
}

void Stream::drain() {
  await(ends());
}

uint64_t Stream::nextNumber() { return ++streams; }

uint64_t Stream::nextFree() { return ++frees; }

Frees Stream::before() {
  uint64_t now = frees;
  if (now == 0) return {};
  std::lock_guard lock(mutex_);
  Frees known = frees_;
  known[number] = now;
  return known;
}

void Stream::follow(const Frees& known) {
  std::lock_guard lock(mutex_);
  for (const auto& [stream, free] : known) frees_[stream] = std::max(frees_[stream], free);
}

bool Stream::follows(uint64_t stream, uint64_t free) {
  std::lock_guard lock(mutex_);
  auto known = frees_.find(stream);
  return known != frees_.end() && known->second >= free;
}

bool Stream::close() {
  std::lock_guard lock(mutex_);
  closing_ = true;
  changed_.notify_all();
  return running_;
}

bool Stream::closed() {
  std::lock_guard lock(mutex_);
  return closing_;
}

Connection& Stream::connection() {
  if (!connection_) connection_ = Session::get().join();
  return *connection_;
}

namespace {

/** Waits for all streams that are meant, together. */
template <class Meant>
void drain(Meant meant) {
  std::vector<std::shared_ptr<Stream>> streams;
  {
    std::lock_guard lock(registry().order);
    for (const auto& stream : registry().streams) {
      if (meant(*stream)) streams.push_back(stream);
    }
  }
  std::vector<Point> points;
  for (const auto& stream : streams) {
    for (const Point& end : stream->ends()) points.push_back(end);
  }
  await(points);
}

}  // namespace

void drainDevice(int device) {
  drain([device](const Stream& stream) { return stream.device == device; });
}

void drainAll() {
  drain([](const Stream&) { return true; });
}

void failLater(hipError_t error) {
  hipError_t none = hipSuccess;
  later.compare_exchange_strong(none, error);
}

hipError_t failedMeanwhile() { return later.exchange(hipSuccess); }

void submit(hipStream_t handle, Operation operation) {
  auto stream = streamOf(handle);
  if (!captured(*stream, operation)) stream->enqueue(std::move(operation));
}

namespace {

Stream& create(hipStream_t* handle, unsigned flags, int priority) {
  require(handle != nullptr);
  require(flags == hipStreamDefault || flags == hipStreamNonBlocking);
  auto role = flags == hipStreamNonBlocking ? Stream::Role::FREE : Stream::Role::BLOCKING;
  auto stream = make(currentDevice(), role, flags, priority);
  *handle = reinterpret_cast<hipStream_t>(stream.get());
  return *stream;
}

constexpr int LEAST_PRIORITY = 1;
constexpr int GREATEST_PRIORITY = -1;

hipError_t wait(Stream& stream) {
  forbidWhileCapturing(stream);
  forbidUnsafe();
  stream.drain();
  trimPools();
  return failedMeanwhile();
}

hipStream_t perThread(hipStream_t stream) { return stream ? stream : hipStreamPerThread; }

}  // namespace
}  // namespace rocport

using namespace rocport;

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) {
  return api([&] { create(stream, hipStreamDefault, 0); });
}

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return api([&] { create(stream, flags, 0); });
}

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return api([&] {
    create(stream, flags, std::max(GREATEST_PRIORITY, std::min(LEAST_PRIORITY, priority)));
  });
}

// A mask of compute units would only change timing.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask) {
  return api([&] {
    require(stream != nullptr, hipErrorInvalidHandle);
    require(words > 0 && mask != nullptr);
    create(stream, hipStreamDefault, 0).mask.assign(mask, mask + words);
  });
}

hipError_t hipExtStreamGetCUMask(hipStream_t handle, uint32_t words, uint32_t* mask) {
  return api([&] {
    require(mask != nullptr);
    auto stream = streamOf(handle);
    uint32_t units = Session::get().gpu(stream->device).computeUnits;
    require(words >= (units + 31) / 32);
    std::vector<uint32_t> all(words);
    for (uint32_t i = 0; i < units; i++) all[i / 32] |= 1U << i % 32;
    std::vector<uint32_t> chosen(words);
    for (uint32_t i = 0; i < std::min<size_t>(words, stream->mask.size()); i++) chosen[i] = stream->mask[i] & all[i];
    // A mask without any unit of the GPU has no effect.
    bool none = std::all_of(chosen.begin(), chosen.end(), [](uint32_t word) { return word == 0; });
    const std::vector<uint32_t>& used = none ? all : chosen;
    std::copy(used.begin(), used.end(), mask);
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    if (least) *least = LEAST_PRIORITY;
    if (greatest) *greatest = GREATEST_PRIORITY;
  });
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  return api([&] {
    require(handle != nullptr && handle != hipStreamLegacy && handle != hipStreamPerThread,
            hipErrorInvalidHandle);
    auto stream = streamOf(handle);
    abandonCapture(*stream);
    retire(stream);
  });
}

hipError_t hipStreamQuery(hipStream_t handle) {
  return api([&] {
    auto stream = streamOf(handle);
    forbidWhileCapturing(*stream);
    if (!stream->idle()) return hipErrorNotReady;
    return failedMeanwhile();
  });
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  return api([&] { return wait(*streamOf(handle)); });
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  return api([&] {
    require(flags != nullptr && stream != nullptr);
    *flags = streamOf(stream)->flags;
  });
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  return api([&] {
    require(priority != nullptr);
    *priority = streamOf(stream)->priority;
  });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  return api([&] {
    require(device != nullptr);
    *device = streamOf(stream)->device;
  });
}

int hipGetStreamDeviceId(hipStream_t stream) {
  int device = -1;
  hipError_t result = api([&] { device = streamOf(stream)->device; });
  return result == hipSuccess ? device : -1;
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  return api([&] {
    require(function != nullptr);
    submit(stream, HostCall{function, data});
  });
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                unsigned flags) {
  return api([&] {
    require(callback != nullptr && flags == 0);
    auto target = streamOf(stream);
    forbidWhileCapturing(*target);
    target->enqueue(Task{[=] { callBack([=] { callback(stream, hipSuccess, data); }); }, data});
  });
}

hipError_t hipDeviceSynchronize() {
  return api([&] {
    forbidWhileCapturing(currentDevice());
    forbidUnsafe();
    drainDevice(currentDevice());
    trimPools();
    return failedMeanwhile();
  });
}

hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }

hipError_t hipStreamQuery_spt(hipStream_t stream) { return hipStreamQuery(perThread(stream)); }

hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  return hipStreamSynchronize(perThread(stream));
}

hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned* flags) {
  return hipStreamGetFlags(perThread(stream), flags);
}

hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(perThread(stream), priority);
}

hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                    unsigned flags) {
  return hipStreamAddCallback(perThread(stream), callback, data, flags);
}

hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void* data) {
  return hipLaunchHostFunc(perThread(stream), function, data);
}

}  // extern "C"
