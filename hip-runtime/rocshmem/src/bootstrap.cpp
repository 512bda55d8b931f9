#include "bootstrap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

// Of rocport's libamdhip64, for its race check.
extern "C" {
__attribute__((weak)) void rocportTellsOthers(void);
__attribute__((weak)) void rocportHearsOthers(void);
}

namespace rocshmem::detail {

struct Bootstrap::Table {
  std::atomic<int32_t> ranks;
  std::atomic<int32_t> joined;
  std::atomic<int32_t> exiting;  // 1, then the status counts
  std::atomic<int32_t> status;
  std::atomic<uint32_t> bell;  // the futex that waiting ranks sleep on
};

struct Bootstrap::Seat {
  std::atomic<int32_t> process;
  std::atomic<int32_t> left;
  std::atomic<uint64_t> arrived[MOST_SLOTS];
  char words[WORDS];
};

namespace {

constexpr auto LOOK = std::chrono::milliseconds(100);
constexpr size_t TABLE = 64;

/** The one of this process, for its end. */
std::atomic<Bootstrap*> current;

bool ended(pid_t process) {
  int file = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (file < 0) return errno == ESRCH;
  pollfd asked = {file, POLLIN, 0};
  bool gone = poll(&asked, 1, 0) > 0;
  close(file);
  return gone;
}

}  // namespace

void die(const char* format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fflush(stdout);
  fprintf(stderr, "rocport: librocshmem: %s\n", text);
  abort();
}

std::string Bootstrap::newName() {
  unsigned char key[16];
  if (getrandom(key, sizeof key, 0) != sizeof key) die("cannot get random bytes for a unique id");
  char text[2 * sizeof key + 1];
  for (size_t i = 0; i < sizeof key; i++) snprintf(text + 2 * i, 3, "%02x", key[i]);
  return text;
}

Bootstrap::Bootstrap(const std::string& name, int rank, int ranks) : rank_(rank), ranks_(ranks) {
  static_assert(sizeof(Table) <= TABLE);
  std::string path = "/rocport-rocshmem-" + std::to_string(getuid()) + "-" + name;
  int file = shm_open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  size_ = TABLE + static_cast<size_t>(ranks) * sizeof(Seat);
  void* memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size_)) == 0) {
    memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (file >= 0) close(file);
  if (memory == MAP_FAILED) die("cannot create shared memory for %d PEs: %s", ranks, strerror(errno));
  table_ = static_cast<Table*>(memory);
  int32_t agreed = 0;
  if (!table_->ranks.compare_exchange_strong(agreed, ranks) && agreed != ranks) {
    die("PE %d reports %d PEs, others report %d", rank, ranks, agreed);
  }
  int32_t nobody = 0;
  if (!seat(rank).process.compare_exchange_strong(nobody, getpid())) die("two processes are PE %d of %d", rank, ranks);
  table_->joined++;
  changed();
  while (table_->joined < ranks) sleep();
  // No other rank joins.
  if (rank == 0) shm_unlink(path.c_str());
  current = this;
  static bool once = atexit([] {
    if (Bootstrap* own = current) own->leave();
  }) == 0;
  (void)once;
  // A kernel that waits for a PE that has ended would wait forever.
  watcher_ = std::thread([this] { watch(); });
}

Bootstrap::~Bootstrap() {
  leave();
  munmap(table_, size_);
}

void Bootstrap::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, LOOK, [this] { return stopped_; })) look();
}

Bootstrap::Seat& Bootstrap::seat(int rank) const {
  return reinterpret_cast<Seat*>(reinterpret_cast<char*>(table_) + TABLE)[rank];
}

void* Bootstrap::words(int rank) const { return seat(rank).words; }

void Bootstrap::changed() {
  table_->bell++;
  syscall(SYS_futex, &table_->bell, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void Bootstrap::sleep() {
  // A change just before the wait can be missed, so the state is checked again after this time.
  timespec time = {0, 2'000'000};
  syscall(SYS_futex, &table_->bell, FUTEX_WAIT, table_->bell.load(), &time, nullptr, 0);
  look();
}

void Bootstrap::look() {
  if (table_->exiting != 0) {
    fflush(stdout);
    _exit(table_->status);
  }
  for (int r = 0; r < ranks_; r++) {
    pid_t process = seat(r).process;
    if (r != rank_ && process != 0 && seat(r).left == 0 && ended(process) && seat(r).left == 0) {
      fprintf(stderr, "rocport: librocshmem: PE %d (process %d) has ended, so PE %d ends, too\n", r, process, rank_);
      fflush(stdout);
      _exit(1);
    }
  }
}

void Bootstrap::barrier(int slot, const std::vector<int>& members) {
  if (rocportTellsOthers) rocportTellsOthers();
  uint64_t mine = ++seat(rank_).arrived[slot];
  changed();
  for (int r : members) {
    while (seat(r).arrived[slot] < mine) sleep();
  }
  if (rocportHearsOthers) rocportHearsOthers();
}

void Bootstrap::reset(int slot) { seat(rank_).arrived[slot] = 0; }

void Bootstrap::exitAll(int status) {
  table_->status = status;
  table_->exiting = 1;
  changed();
  fflush(stdout);
  fflush(stderr);
  _exit(status);
}

void Bootstrap::leave() {
  Bootstrap* own = this;
  if (!current.compare_exchange_strong(own, nullptr)) return;
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  watcher_.join();
  seat(rank_).left = 1;
  changed();
}

}  // namespace rocshmem::detail
