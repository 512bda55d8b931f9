#include "clique.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <map>
#include <mutex>

#include "../library/ended.h"
#include "../library/runtime.h"

namespace rocport::ccl {

struct Clique::Table {
  uint64_t key;
  std::atomic<int32_t> ranks;
  std::atomic<uint64_t> stamp;
  std::atomic<uint32_t> bell;  // the futex that waiting ranks sleep on: the low half of the stamp
  std::atomic<int32_t> failing;
  std::atomic<int32_t> result;  // valid once the message has arrived
  char message[1000];
};

namespace {

/** What a ncclUniqueId holds. */
struct Invitation {
  char magic[8];
  uint64_t key;
  int32_t process;
  int32_t file;
};

constexpr char MAGIC[8] = {'r', 'o', 'c', 'p', 'o', 'r', 't', '1'};
constexpr auto LOOK = std::chrono::milliseconds(100);
constexpr auto TELL_AFTER = std::chrono::seconds(60);

static_assert(sizeof(Invitation) <= NCCL_UNIQUE_ID_BYTES);

struct Invitations {
  std::mutex mutex;
  std::map<uint64_t, int> files;  // by key
};

Invitations& invitations() {
  static auto* all = new Invitations;
  return *all;
}

void copy(char* to, size_t size, const std::string& text) {
  size_t n = std::min(size - 1, text.size());
  memcpy(to, text.data(), n);
  to[n] = 0;
}

}  // namespace

ncclUniqueId Clique::invite() {
  Invitation made = {};
  memcpy(made.magic, MAGIC, sizeof MAGIC);
  made.process = getpid();
  made.file = memfd_create("rccl", MFD_CLOEXEC);
  if (made.file < 0 || getrandom(&made.key, sizeof made.key, 0) != sizeof made.key ||
      ftruncate(made.file, sizeof(Table)) != 0 ||
      pwrite(made.file, &made.key, sizeof made.key, offsetof(Table, key)) != sizeof made.key) {
    ccl::fail(ncclSystemError, std::string("no shared memory for a unique id: ") + strerror(errno));
  }
  std::lock_guard lock(invitations().mutex);
  invitations().files[made.key] = made.file;
  ncclUniqueId id = {};
  memcpy(id.internal, &made, sizeof made);
  return id;
}

Clique::Clique(const ncclUniqueId& id, int ranks, int rank, int gpu, int virtualGpu)
    : ranks_(ranks), rank_(rank) {
  Invitation invited;
  memcpy(&invited, id.internal, sizeof invited);
  if (memcmp(invited.magic, MAGIC, sizeof MAGIC) != 0) {
    ccl::fail(ncclInvalidArgument, "the unique id was not made by ncclGetUniqueId");
  }
  key_ = invited.key;
  std::string path = "/proc/" + std::to_string(invited.process) + "/fd/" + std::to_string(invited.file);
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    ccl::fail(ncclRemoteError, "the process " + std::to_string(invited.process) +
                                   " that made the unique id has ended, or all ranks have joined");
  }
  auto count = static_cast<size_t>(ranks);
  size_t seats = (sizeof(Table) + 63) / 64 * 64;
  size_t channels = seats + count * sizeof(Seat);
  size_ = channels + count * count * sizeof(Channel);
  uint64_t key = 0;
  bool right = pread(file, &key, sizeof key, offsetof(Table, key)) == sizeof key && key == invited.key;
  if (!right) {
    close(file);
    ccl::fail(ncclRemoteError, "the process that made the unique id has ended, or all ranks have joined");
  }
  void* memory = MAP_FAILED;
  off_t there = lseek(file, 0, SEEK_END);
  // It only grows: ranks that disagree about their number fail below.
  bool sized = there >= static_cast<off_t>(size_) || ftruncate(file, static_cast<off_t>(size_)) == 0;
  if (sized) memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) {
    ccl::fail(ncclSystemError, std::string("cannot map the memory that ranks share: ") + strerror(errno));
  }
  table_ = static_cast<Table*>(memory);
  seats_ = reinterpret_cast<Seat*>(static_cast<char*>(memory) + seats);
  channels_ = reinterpret_cast<Channel*>(static_cast<char*>(memory) + channels);
  int32_t agreed = 0;
  if (!table_->ranks.compare_exchange_strong(agreed, ranks) && agreed != ranks) {
    Failure failure = {ncclInvalidArgument, "rank " + std::to_string(rank) + " reports " +
                                                std::to_string(ranks) + " ranks, others report " +
                                                std::to_string(agreed)};
    fail(failure);
    munmap(memory, size_);
    throw failure;
  }
  Presence before = Presence::ABSENT;
  if (!mine().presence.compare_exchange_strong(before, Presence::JOINING)) {
    Failure failure = {ncclInvalidUsage,
                       "two processes are rank " + std::to_string(rank) + " of " + std::to_string(ranks)};
    fail(failure);
    munmap(memory, size_);
    throw failure;
  }
  mine().device = rocportDevice();
  mine().gpu = gpu;
  mine().virtualGpu = virtualGpu;
  mine().process = getpid();
  mine().presence = Presence::THERE;
  since_ = std::chrono::steady_clock::now();
  changed();
}

Clique::~Clique() {
  leave();
  munmap(table_, size_);
}

bool Clique::complete() {
  check();
  for (int r = 0; r < ranks_; r++) {
    Presence presence = seat(r).presence;
    if (presence == Presence::ABSENT || presence == Presence::JOINING) return false;
  }
  for (int r = 0; r < ranks_; r++) {
    if (seat(r).device != mine().device) {
      ccl::fail(ncclInvalidUsage, "ranks " + std::to_string(std::min(r, rank_)) + " and " +
                                      std::to_string(std::max(r, rank_)) +
                                      " use two rocport devices, which share no memory");
    }
    for (int other = 0; other < r; other++) {
      if (seat(r).gpu == seat(other).gpu && seat(r).virtualGpu == seat(other).virtualGpu) {
        ccl::fail(ncclInvalidUsage, "ranks " + std::to_string(other) + " and " + std::to_string(r) +
                                        " both use GPU " + std::to_string(seat(r).gpu));
      }
    }
    scattered_ |= seat(r).process != mine().process;
  }
  std::lock_guard lock(invitations().mutex);
  auto kept = invitations().files.find(key_);
  if (kept != invitations().files.end()) {
    close(kept->second);
    invitations().files.erase(kept);
  }
  return true;
}

void Clique::changed() {
  table_->stamp++;
  table_->bell++;
  syscall(SYS_futex, &table_->bell, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

uint64_t Clique::stamp() const { return table_->stamp; }

void Clique::sleep(uint64_t stamp, const std::string& what) {
  if (sinceStamp_ != stamp) {
    sinceStamp_ = stamp;
    since_ = std::chrono::steady_clock::now();
    told_ = false;
  }
  rocportWaitsForOthers();
  uint32_t bell = table_->bell;
  if (this->stamp() != stamp) return;
  timespec time = {0, std::chrono::nanoseconds(LOOK).count()};
  syscall(SYS_futex, &table_->bell, FUTEX_WAIT, bell, &time, nullptr, 0);
  if (this->stamp() == stamp) {
    copy(mine().doing, sizeof mine().doing, what);
    mine().waiting = stamp;
    lookForTheDead();
    lookForStillness(stamp);
    tellOnce(stamp);
  }
}

std::string Clique::place(int rank) const { return "rank " + std::to_string(rank) + " of " + std::to_string(ranks_); }

void Clique::lookForTheDead() const {
  for (int r = 0; r < ranks_; r++) {
    Seat& other = seat(r);
    if (other.presence == Presence::THERE && other.process != getpid() && ended(other.process)) {
      ccl::fail(ncclRemoteError, place(r) + " (process " + std::to_string(other.process) + ") has ended");
    }
  }
}

std::string Clique::absent() const {
  std::string all;
  for (int r = 0; r < ranks_; r++) {
    if (seat(r).presence == Presence::ABSENT) all += (all.empty() ? "" : ", ") + std::to_string(r);
  }
  return all;
}

void Clique::tellOnce(uint64_t stamp) {
  if (told_ || std::chrono::steady_clock::now() - since_ < TELL_AFTER) return;
  told_ = true;
  std::string missing;
  for (int r = 0; r < ranks_; r++) {
    if (seat(r).waiting != stamp) missing += (missing.empty() ? "" : ", ") + std::to_string(r);
  }
  fprintf(stderr, "rocport: librccl: %s has waited for a minute (%s), and so have all others except: %s\n",
          place(rank_).c_str(), mine().doing, missing.c_str());
}

/** Where all that are left only wait, and nothing has changed since they looked, nothing will. */
void Clique::lookForStillness(uint64_t stamp) {
  std::string all;
  for (int r = 0; r < ranks_; r++) {
    bool left = seat(r).presence == Presence::LEFT;
    if (!left && seat(r).waiting != stamp) return;
    all += "; rank " + std::to_string(r) + ": " + (left ? "has left the communicator" : seat(r).doing);
  }
  if (this->stamp() == stamp) {
    ccl::fail(ncclInvalidUsage, "every rank waits, and none can continue" + all);
  }
}

bool Clique::fail(const Failure& failure) {
  int32_t none = 0;
  if (!table_->failing.compare_exchange_strong(none, 1)) return false;
  copy(table_->message, sizeof table_->message, failure.message);
  table_->result = failure.result;
  changed();
  return true;
}

bool Clique::failed() const { return table_->result != ncclSuccess; }

void Clique::check() const {
  int32_t result = table_->result;
  if (result != ncclSuccess) ccl::fail(static_cast<ncclResult_t>(result), table_->message);
}

void Clique::leave() {
  if (mine().presence.exchange(Presence::LEFT) != Presence::LEFT) changed();
}

}  // namespace rocport::ccl
