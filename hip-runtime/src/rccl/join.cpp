#include "join.h"

#include <algorithm>

#include "newer.h"

namespace rocport::ccl {
namespace {

class Join final : public Job {
 public:
  Join(std::shared_ptr<Comm> comm, const ncclUniqueId& id, int virtualGpu, ncclComm_t* handle)
      : comm_(std::move(comm)), handle_(handle) {
    try {
      comm_->clique = std::make_unique<Clique>(id, comm_->ranks, comm_->rank, comm_->gpu, virtualGpu);
    } catch (const Failure& failure) {
      ended(failure.result);
      throw;
    }
  }

  bool advance() override {
    try {
      return comm_->clique->complete();
    } catch (const Failure& failure) {
      comm_->clique->fail(failure);
      throw;
    }
  }

  void look() override { comm_->clique->lookForTheDead(); }

  std::string waiting() override {
    return comm_->place() + " has waited for a minute for other ranks to join: " + comm_->clique->absent();
  }

  void ended(ncclResult_t result) override {
    comm_->joined(result);
    if (result == ncclSuccess) return;
    *handle_ = nullptr;
    comm_->forget();
  }

 private:
  std::shared_ptr<Comm> comm_;
  ncclComm_t* handle_;
};

class Split final : public Job {
 public:
  Split(std::shared_ptr<Comm> comm, int color, int key, ncclComm_t* handle)
      : comm_(std::move(comm)), color_(color), key_(key), handle_(handle) {
    *handle_ = nullptr;
  }

  bool advance() override {
    for (;;) {
      if (join_) return join_->advance();
      comm_->clique->check();
      if (!step()) return false;
      if (done_) return true;
    }
  }

  void look() override {
    if (join_) join_->look();
    comm_->clique->lookForTheDead();
  }

  std::string waiting() override {
    return join_ ? join_->waiting() : comm_->place() + " has waited for a minute for other ranks to split the "
                                                       "communicator";
  }

  void ended(ncclResult_t result) override {
    if (join_) join_->ended(result);
  }

 private:
  enum class Step { TELL, GROUP, INVITED, LEFT };

  bool all() const {
    for (int r = 0; r < comm_->ranks; r++) {
      if (comm_->clique->seat(r).told < comm_->talks) return false;
    }
    return true;
  }

  void tell() {
    comm_->clique->mine().told = ++comm_->talks;
    comm_->clique->changed();
  }

  /** Three rounds: who is what, where the first of each colour invites to, and that all have read. */
  bool step() {
    Clique& clique = *comm_->clique;
    switch (step_) {
      case Step::TELL:
        clique.mine().words[0] = color_;
        clique.mine().words[1] = key_;
        tell();
        step_ = Step::GROUP;
        return true;
      case Step::GROUP:
        if (!all()) return false;
        find();
        if (!members_.empty() && members_.front() == comm_->rank) clique.mine().id = Clique::invite();
        tell();
        step_ = Step::INVITED;
        return true;
      case Step::INVITED:
        if (!all()) return false;
        if (!members_.empty()) id_ = clique.seat(members_.front()).id;
        tell();
        step_ = Step::LEFT;
        return true;
      case Step::LEFT:
        if (!all()) return false;
        if (members_.empty()) {
          done_ = true;
          return true;
        }
        enter();
        return true;
    }
    return false;
  }

  void find() {
    if (color_ == NO_COLOR) return;
    for (int r = 0; r < comm_->ranks; r++) {
      if (comm_->clique->seat(r).words[0] == color_) members_.push_back(r);
    }
    std::stable_sort(members_.begin(), members_.end(), [this](int a, int b) {
      return comm_->clique->seat(a).words[1] < comm_->clique->seat(b).words[1];
    });
  }

  void enter() {
    auto at = std::find(members_.begin(), members_.end(), comm_->rank);
    auto made = Comm::make(static_cast<int>(members_.size()), static_cast<int>(at - members_.begin()), comm_->gpu);
    join_ = join(made, id_, comm_->clique->mine().virtualGpu, handle_);
    *handle_ = made->handle();
  }

  std::shared_ptr<Comm> comm_;
  int color_;
  int key_;
  ncclComm_t* handle_;
  Step step_ = Step::TELL;
  bool done_ = false;
  std::vector<int> members_;
  ncclUniqueId id_ = {};
  std::unique_ptr<Job> join_;
};

}  // namespace

std::unique_ptr<Job> join(std::shared_ptr<Comm> comm, const ncclUniqueId& id, int virtualGpu, ncclComm_t* handle) {
  return std::make_unique<Join>(std::move(comm), id, virtualGpu, handle);
}

std::unique_ptr<Job> split(std::shared_ptr<Comm> comm, int color, int key, ncclComm_t* handle) {
  return std::make_unique<Split>(std::move(comm), color, key, handle);
}

}  // namespace rocport::ccl
