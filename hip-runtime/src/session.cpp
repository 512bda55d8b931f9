#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "locate.h"
#include "pending.h"
#include "stream.h"
#include "turns.h"

namespace rocport {
namespace {

constexpr uint32_t VERSION = 4;

std::mutex& connecting() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::atomic<Session*> session{nullptr};
std::atomic<bool> child{false};
std::atomic<int> controlSocket{-1};

// A child that kept the socket would keep its parent's memory alive in the device.
void afterFork() {
  if (session.load() == nullptr) return;
  child = true;
  close(controlSocket.load());
}

std::string programName() {
  char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : std::string();
}

}  // namespace

Session& Session::get() {
  Session* known = session.load(std::memory_order_acquire);
  if (known) return *known;
  std::lock_guard lock(connecting());
  known = session.load(std::memory_order_acquire);
  if (!known) {
    // A missing device is reported once, not for each call.
    static hipError_t failed = hipSuccess;
    require(failed == hipSuccess, failed);
    try {
      known = new Session;  // lives as long as the process: threads may use it until the end
    } catch (const Failure& failure) {
      failed = failure.code;
      throw;
    }
    pthread_atfork(nullptr, nullptr, afterFork);
    controlSocket = known->control_->socket();
    session.store(known, std::memory_order_release);
    if (known->checks()) on_exit(summarize, nullptr);
  }
  return *known;
}

bool Session::inherited() { return child.load(std::memory_order_relaxed); }

bool Session::started() { return session.load(std::memory_order_acquire) != nullptr; }

// The variables that choose GPUs, which the device evaluates ("*" is one that is not set), and the
// checks: their seed is that of the program, and one device serves all seeds.
static void choices(Writer& hello) {
  const char* rocr = getenv("ROCR_VISIBLE_DEVICES");
  const char* hip = getenv("HIP_VISIBLE_DEVICES");
  if (!hip || !*hip) hip = getenv("CUDA_VISIBLE_DEVICES");
  const char* checks = getenv("ROCPORT_CHECK");
  hello.text(rocr ? rocr : "*").text(hip && *hip ? hip : "*").text(checks ? checks : "");
}

Session::Session() : control_(std::make_unique<Connection>(connectToDevice())) {
  Writer hello;
  hello.u32(VERSION).u32(static_cast<uint32_t>(getpid())).u64(0).text(programName());
  choices(hello);
  Reader reply = control_->call(Message::HELLO, hello);
  id_ = reply.u64();
  arenaBase_ = reply.u64();
  arenaSize_ = reply.u64();
  process_ = reply.u32();
  uint32_t fd = reply.u32();
  reply.u64();  // where host memory begins
  reply.u64();  // and its size: the device keeps account of it
  uint32_t gpus = reply.u32();
  for (uint32_t i = 0; i < gpus; i++) {
    Gpu gpu;
    gpu.arch = reply.text();
    gpu.fullArch = reply.text();
    gpu.base = reply.u64();
    gpu.size = reply.u64();
    gpu.computeUnits = reply.u32();
    gpus_.push_back(std::move(gpu));
  }
  checks_ = reply.u32();
  seed_ = reply.u64();
  delays_ = static_cast<Delays>(reply.u32());
  for (uint32_t n = reply.u32(); n > 0; n--) delayed_.insert(reply.u32());
  std::string path = "/proc/" + std::to_string(process_) + "/fd/" + std::to_string(fd);
  memory_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (memory_ < 0) {
    tell("cannot open the device's memory %s: %s", path.c_str(), strerror(errno));
    fail(hipErrorNoDevice);
  }
  map();
}

// A program with findings must not end with exit code 0.
void Session::summarize(int status, void*) {
  if (inherited()) return;
  try {
    drainAll();
  } catch (const Failure&) {
    // The rest is skipped.
  }
  tellOfHost();
  Writer message;
  message.u64(lateCommands());
  Reader reply = get().call(Message::SUMMARY, message);
  uint32_t count = reply.u32();
  std::string page = reply.text();
  fflush(nullptr);
  fputs(page.c_str(), stderr);
  fflush(stderr);
  if (count > 0 && status == 0) _exit(1);
}

void Session::map() {
  void* want = reinterpret_cast<void*>(arenaBase_);
  void* got = mmap(want, arenaSize_, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_NORESERVE, memory_, 0);
  if (got != want) {
    tell("cannot map the device's memory at %p (%llu bytes): %s", want,
         static_cast<unsigned long long>(arenaSize_),
         got == MAP_FAILED ? strerror(errno) : "the kernel chose another address");
    fail(hipErrorNoDevice);
  }
}

const Gpu& Session::gpu(int device) const {
  require(device >= 0 && device < count(), hipErrorInvalidDevice);
  return gpus_[static_cast<size_t>(device)];
}

std::unique_ptr<Connection> Session::join() {
  auto connection = std::make_unique<Connection>(connectAgain());
  Writer hello;
  hello.u32(VERSION).u32(static_cast<uint32_t>(getpid())).u64(id_).text(programName());
  choices(hello);
  connection->call(Message::HELLO, hello);
  return connection;
}

bool Session::mapped(uintptr_t arena, uintptr_t at, size_t size) noexcept {
  void* want = reinterpret_cast<void*>(at);
  return mmap(want, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memory_,
              static_cast<off_t>(arena - arenaBase_)) == want;
}

void Session::alias(uintptr_t arena, uintptr_t at, size_t size) {
  if (!mapped(arena, at, size)) {
    tell("cannot map host memory for the device: %s", strerror(errno));
    fail(hipErrorOutOfMemory);
  }
}

}  // namespace rocport
