// libcu++'s pipelines and the pipeline primitives, with copies that are complete when the call
// returns.
//
//   CUDA                                              here (namespace rocport)
//   __pipeline_memcpy_async(to, from, size, zfill)    pipeline_memcpy_async
//   __pipeline_commit(), __pipeline_wait_prior(n)     pipeline_commit, pipeline_wait_prior
//   __pipeline_arrive_on(&mbarrier)                   pipeline_arrive_on
//   cuda::pipeline<scope>, make_pipeline(...)         pipeline<scope>, make_pipeline(...)
//   cuda::pipeline_shared_state<scope, stages>        pipeline_shared_state<scope, stages>
//   cuda::pipeline_role                               pipeline_role
//   cuda::pipeline_consumer_wait_prior<n>(p)          pipeline_consumer_wait_prior<n>(p)
//   cuda::pipeline_producer_commit(p, barrier)        pipeline_producer_commit(p, barrier)
//   cuda::memcpy_async([group,] to, from, n, p)       memcpy_async, of barrier.h
//
// In CUDA, a copy may end at any time between the call and the wait, so ending at once is one of
// the executions that a correct program allows. As in CUDA, a copy is visible to the thread that
// made it after the wait, and to others after a barrier (__syncthreads, or the pipeline's own).
// The overlap of copying and computing is lost: the compiler waits for the load before the store to
// shared memory. Many waves hide this latency; so does loading the next tile into registers.
//
// Limits: barrier.h describes which programs hang because the lanes of a wave run in lockstep. A
// pipeline with roles where producers and consumers share a wave of 64 lanes is one; make_pipeline
// stops such a kernel with a message instead of a hang. Split roles at multiples of 64 threads.
#ifndef ROCPORT_PIPELINE_H
#define ROCPORT_PIPELINE_H

#include "barrier.h"

#if defined(__HIP_DEVICE_COMPILE__) && !defined(__HIPCC_RTC__)
#include <assert.h>
#endif

namespace rocport {

/// Copies 4, 8 or 16 bytes; the last zfill of them are zeros and are not read.
ROCPORT_SYNC void pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                        std::size_t zfill = 0) {
  if (zfill != 0) {
    const std::size_t kept = zfill < size ? size - zfill : 0;
    for (std::size_t i = 0; i < size; i += 4) {
      std::uint32_t word = 0;
      for (std::size_t k = i; k < i + 4 && k < kept; ++k) {
        word |= static_cast<std::uint32_t>(static_cast<const unsigned char*>(from)[k]) << 8 * (k - i);
      }
      barrier_detail::copy_one<4>(static_cast<char*>(to) + i, &word, 0);
    }
  } else if (size == 16) {
    barrier_detail::copy_one<16>(to, from, 0);
  } else if (size == 8) {
    barrier_detail::copy_one<8>(to, from, 0);
  } else {
    barrier_detail::copy_one<4>(to, from, 0);
  }
}

/// Ends a batch of copies.
ROCPORT_SYNC void pipeline_commit() {}

/// Waits for all batches but the last few: all are complete already.
ROCPORT_SYNC void pipeline_wait_prior(std::size_t) { atomic_signal_fence(memory_order_seq_cst); }

/// In CUDA, the phase of the barrier lasts until the caller's copies are complete; here they
/// already are.
ROCPORT_SYNC void pipeline_arrive_on(mbarrier_t*) {}

enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
class pipeline;

namespace barrier_detail {

template <thread_scope Scope>
struct Completes<pipeline<Scope>> : std::true_type {};

template <thread_scope Scope>
struct Stage {
  barrier<Scope> produced;
  barrier<Scope> consumed;
};

/// Producers and consumers in one wave would wait for each other forever.
ROCPORT_SYNC void check_roles(bool producer) {
#if defined(__HIP_DEVICE_COMPILE__)
  const auto producers = __builtin_amdgcn_ballot_w64(producer);
  if (producers != 0 && producers != __builtin_amdgcn_ballot_w64(true)) {
    __assert_fail("producers and consumers of a pipeline must not share a wave of 64 lanes",
                  "rocport/pipeline.h", __LINE__, "make_pipeline");
  }
#else
  static_cast<void>(producer);
#endif
}

}  // namespace barrier_detail

/// Shared state of the threads of a pipeline: a pair of barriers for each stage.
template <thread_scope Scope, std::uint8_t Stages>
class pipeline_shared_state {
  barrier_detail::Stage<Scope> stages_[Stages];
  atomic<std::uint32_t, Scope> users_;

 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  /// Called by one thread.
  ROCPORT_SYNC void prepare(std::size_t threads, std::size_t producers, std::size_t consumers) {
    for (unsigned i = 0; i < Stages; ++i) {
      init(&stages_[i].produced, static_cast<std::ptrdiff_t>(producers));
      init(&stages_[i].consumed, static_cast<std::ptrdiff_t>(consumers));
    }
    users_.store(static_cast<std::uint32_t>(threads), memory_order_relaxed);
  }
  ROCPORT_SYNC barrier_detail::Stage<Scope>* stages() { return stages_; }
  ROCPORT_SYNC atomic<std::uint32_t, Scope>* users() { return &users_; }
};

/// The state of one thread in a pipeline whose threads share the stages.
template <thread_scope Scope>
class pipeline {
  barrier_detail::Stage<Scope>* stages_;
  atomic<std::uint32_t, Scope>* users_;
  std::uint8_t count_;
  std::uint8_t head_ = 0;
  std::uint8_t tail_ = 0;
  // The parity of the phase that must be over: when producers first arrive, consumers have released
  // no stage yet, so the phase before the first one counts as over.
  bool head_parity_ = true;
  bool tail_parity_ = false;
  bool active_ = true;

 public:
  ROCPORT_SYNC pipeline(barrier_detail::Stage<Scope>* stages, atomic<std::uint32_t, Scope>* users,
                        std::uint8_t count)
      : stages_(stages), users_(users), count_(count) {}
  ROCPORT_SYNC pipeline(pipeline&& other)
      : stages_(other.stages_),
        users_(other.users_),
        count_(other.count_),
        head_(other.head_),
        tail_(other.tail_),
        head_parity_(other.head_parity_),
        tail_parity_(other.tail_parity_),
        active_(other.active_) {
    other.active_ = false;
  }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  ROCPORT_SYNC ~pipeline() {
    if (active_) quit();
  }

  /// Leaves the pipeline; true for the last thread.
  ROCPORT_SYNC bool quit() {
    active_ = false;
    return users_->fetch_sub(1, memory_order_acq_rel) == 1;
  }

  ROCPORT_SYNC void producer_acquire() { stages_[head_].consumed.wait_parity(head_parity_); }
  ROCPORT_SYNC void producer_commit() {
    stages_[head_].produced.arrive();
    if (++head_ == count_) {
      head_ = 0;
      head_parity_ = !head_parity_;
    }
  }
  ROCPORT_SYNC void consumer_wait() { stages_[tail_].produced.wait_parity(tail_parity_); }
  template <typename Rep, typename Period>
  ROCPORT_SYNC bool consumer_wait_for(std::chrono::duration<Rep, Period> time) {
    return stages_[tail_].produced.try_wait_parity_for(tail_parity_, time);
  }
  template <typename Clock, typename Duration>
  bool consumer_wait_until(const std::chrono::time_point<Clock, Duration>& time) {
    return consumer_wait_for(time - Clock::now());
  }
  ROCPORT_SYNC void consumer_release() {
    stages_[tail_].consumed.arrive();
    if (++tail_ == count_) {
      tail_ = 0;
      tail_parity_ = !tail_parity_;
    }
  }
};

/// The pipeline of one thread: its copies are done when they return, so nothing waits.
template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  ROCPORT_SYNC bool quit() { return true; }
  ROCPORT_SYNC void producer_acquire() {}
  ROCPORT_SYNC void producer_commit() { pipeline_commit(); }
  ROCPORT_SYNC void consumer_wait() { pipeline_wait_prior(0); }
  template <typename Rep, typename Period>
  ROCPORT_SYNC bool consumer_wait_for(std::chrono::duration<Rep, Period>) {
    pipeline_wait_prior(0);
    return true;
  }
  template <typename Clock, typename Duration>
  ROCPORT_SYNC bool consumer_wait_until(const std::chrono::time_point<Clock, Duration>&) {
    pipeline_wait_prior(0);
    return true;
  }
  ROCPORT_SYNC void consumer_release() {}
};

ROCPORT_SYNC pipeline<thread_scope_thread> make_pipeline() { return {}; }

/// A pipeline in which every thread of the group produces and consumes.
template <typename Group, thread_scope Scope, std::uint8_t Stages>
ROCPORT_SYNC pipeline<Scope> make_pipeline(const Group& group,
                                           pipeline_shared_state<Scope, Stages>* state) {
  if (group.thread_rank() == 0) state->prepare(group.size(), group.size(), group.size());
  group.sync();
  return pipeline<Scope>(state->stages(), state->users(), Stages);
}

/// A pipeline for which the caller gives the number of producers.
template <typename Group, thread_scope Scope, std::uint8_t Stages>
ROCPORT_SYNC pipeline<Scope> make_pipeline(const Group& group,
                                           pipeline_shared_state<Scope, Stages>* state,
                                           std::size_t producers) {
  if (group.thread_rank() == 0) state->prepare(group.size(), producers, group.size() - producers);
  group.sync();
  return pipeline<Scope>(state->stages(), state->users(), Stages);
}

/// A pipeline in which every thread gives its role.
template <typename Group, thread_scope Scope, std::uint8_t Stages>
ROCPORT_SYNC pipeline<Scope> make_pipeline(const Group& group,
                                           pipeline_shared_state<Scope, Stages>* state,
                                           pipeline_role role) {
  const bool producer = role == pipeline_role::producer;
  barrier_detail::check_roles(producer);
  if (group.thread_rank() == 0) state->users()->store(0, memory_order_relaxed);
  group.sync();
  if (producer) state->users()->fetch_add(1, memory_order_relaxed);
  group.sync();
  if (group.thread_rank() == 0) {
    const std::size_t producers = state->users()->load(memory_order_relaxed);
    state->prepare(group.size(), producers, group.size() - producers);
  }
  group.sync();
  return pipeline<Scope>(state->stages(), state->users(), Stages);
}

template <std::uint8_t Prior>
ROCPORT_SYNC void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {
  pipeline_wait_prior(Prior);
}

/// In CUDA, the phase of the barrier lasts until the copies are complete; here they already are.
template <thread_scope Scope, typename Completion>
ROCPORT_SYNC void pipeline_producer_commit(pipeline<thread_scope_thread>&,
                                           barrier<Scope, Completion>&) {}

}  // namespace rocport

#endif  // ROCPORT_PIPELINE_H
