#include "group.h"

#include <stdio.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "../library/in_order.h"
#include "../library/runtime.h"

namespace rocport::ccl {
namespace {

using Clock = std::chrono::steady_clock;

/** The operations of one group on one communicator. */
struct Launch {
  std::shared_ptr<Comm> comm;
  std::vector<hipStream_t> streams;
  Batch batch;
  Written written;
};

struct Group {
  int depth = 0;
  ncclResult_t spoilt = ncclSuccess;
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<Launch> launches;
};

Group& group() {
  thread_local Group mine;
  return mine;
}

constexpr auto PAUSE = std::chrono::microseconds(200);
constexpr auto LOOK = std::chrono::milliseconds(100);
constexpr auto TELL_AFTER = std::chrono::seconds(60);

/** Does jobs side by side, each to its end; the first failure is thrown when all have ended. */
void perform(std::vector<std::unique_ptr<Job>> jobs) {
  std::unique_ptr<Failure> failure;
  auto start = Clock::now();
  auto looked = start;
  bool told = false;
  while (!jobs.empty()) {
    auto now = Clock::now();
    bool look = now - looked > LOOK;
    if (look) looked = now;
    size_t before = jobs.size();
    for (auto& job : jobs) {
      ncclResult_t result = ncclSuccess;
      try {
        if (look) job->look();
        if (!job->advance()) continue;
      } catch (const Failure& one) {
        if (!failure) failure = std::make_unique<Failure>(one);
        result = one.result;
      }
      job->ended(result);
      job.reset();
    }
    jobs.erase(std::remove(jobs.begin(), jobs.end(), nullptr), jobs.end());
    if (jobs.size() == before) std::this_thread::sleep_for(PAUSE);
    if (!told && !jobs.empty() && now - start > TELL_AFTER) {
      told = true;
      fprintf(stderr, "rocport: librccl: %s\n", jobs.front()->waiting().c_str());
    }
  }
  if (failure) throw *failure;
}

bool captured(hipStream_t stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  check(hipStreamIsCapturing(stream, &status));
  return status != hipStreamCaptureStatusNone;
}

/** An event that lives as long as HIP needs it. */
struct Event {
  hipEvent_t event = nullptr;
  Event() { check(hipEventCreateWithFlags(&event, hipEventDisableTiming)); }
  ~Event() { (void)hipEventDestroy(event); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

void launch(Launch launch) {
  Comm& comm = *launch.comm;
  OnGpu gpu(comm.gpu);
  hipStream_t stream = launch.streams.front();
  bool inGraph = captured(stream);
  if (!inGraph) comm.order(stream);
  for (size_t i = 1; i < launch.streams.size(); i++) {
    Event before;
    check(hipEventRecord(before.event, launch.streams[i]));
    check(hipStreamWaitEvent(stream, before.event, 0));
  }
  auto batch = std::make_shared<const Batch>(std::move(launch.batch));
  if (!inGraph) comm.begin();
  auto work = [comm = launch.comm, batch, inGraph] {
    rocportTellsOthers();
    run(*comm, *batch);
    rocportHearsOthers();
    if (!inGraph) comm->end();
  };
  hipError_t error = inOrder(stream, work, std::move(launch.written));
  if (error != hipSuccess) {
    if (!inGraph) comm.end();
    check(error);
  }
  if (!inGraph) comm.ordered(stream);
  for (size_t i = 1; i < launch.streams.size(); i++) {
    Event after;
    check(hipEventRecord(after.event, stream));
    check(hipStreamWaitEvent(launch.streams[i], after.event, 0));
  }
}

/** A rank's messages to itself pair up within one group, or never. */
void requirePairs(const Launch& launch) {
  int open = 0;
  for (const Message& message : launch.batch.messages) {
    if (message.peer == launch.comm->rank) open += message.send ? 1 : -1;
  }
  if (open != 0) {
    fail(ncclInvalidUsage, launch.comm->place() + " sends to itself or receives from itself without the counterpart "
                                                  "in the same group");
  }
}

void perform(std::vector<Launch> launches) {
  for (const Launch& one : launches) requirePairs(one);
  for (Launch& one : launches) launch(std::move(one));
}

Launch& launchOf(const std::shared_ptr<Comm>& comm, hipStream_t stream) {
  auto& launches = group().launches;
  auto at = std::find_if(launches.begin(), launches.end(), [&](const Launch& one) { return one.comm == comm; });
  if (at == launches.end()) at = launches.insert(at, Launch{comm, {}, {}, {}});
  if (std::find(at->streams.begin(), at->streams.end(), stream) == at->streams.end()) at->streams.push_back(stream);
  return *at;
}

void performIfAlone() {
  if (group().depth > 0) return;
  auto launches = std::move(group().launches);
  group().launches.clear();
  perform(std::move(launches));
}

}  // namespace

void startGroup() { group().depth++; }

void endGroup() {
  Group& mine = group();
  if (mine.depth == 0) fail(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--mine.depth > 0) return;
  auto jobs = std::move(mine.jobs);
  auto launches = std::move(mine.launches);
  ncclResult_t spoilt = mine.spoilt;
  mine.jobs.clear();
  mine.launches.clear();
  mine.spoilt = ncclSuccess;
  if (spoilt != ncclSuccess) {
    for (auto& job : jobs) job->ended(spoilt);
    fail(spoilt, "the group was not executed: a call in it failed");
  }
  perform(std::move(jobs));
  perform(std::move(launches));
}

void spoilGroup(ncclResult_t result) {
  Group& mine = group();
  if (mine.depth > 0 && mine.spoilt == ncclSuccess) mine.spoilt = result;
}

void add(std::unique_ptr<Job> job, bool background) {
  std::vector<std::unique_ptr<Job>> jobs;
  jobs.push_back(std::move(job));
  if (background) {
    std::thread([jobs = std::move(jobs)]() mutable {
      try {
        perform(std::move(jobs));
      } catch (const Failure&) {
        // The communicator keeps it.
      }
    }).detach();
  } else if (group().depth > 0) {
    group().jobs.push_back(std::move(jobs.front()));
  } else {
    perform(std::move(jobs));
  }
}

void add(const std::shared_ptr<Comm>& comm, hipStream_t stream, const Collective& collective, const void* written) {
  Launch& launch = launchOf(comm, stream);
  launch.batch.collectives.push_back(collective);
  launch.written.push_back(written);
  performIfAlone();
}

void add(const std::shared_ptr<Comm>& comm, hipStream_t stream, const Message& message, const void* written) {
  Launch& launch = launchOf(comm, stream);
  launch.batch.messages.push_back(message);
  launch.written.push_back(written);
  performIfAlone();
}

}  // namespace rocport::ccl
