// Collects the calls between ncclGroupStart and ncclGroupEnd. A call outside is a group of its own.
#pragma once

#include <functional>
#include <memory>

#include "batch.h"

namespace rocport::ccl {

/** Something that the ranks' hosts do together, step by step. */
class Job {
 public:
  virtual ~Job() = default;

  /** Continues as far as possible; returns whether it is done. */
  virtual bool advance() = 0;

  /** Fails where it can never be done. */
  virtual void look() = 0;

  /** What it waits for, after a long time. */
  virtual std::string waiting() = 0;

  /** It was done, or failed. */
  virtual void ended(ncclResult_t result) = 0;
};

void startGroup();

/** Does all that the group has collected; fails where a call in it has failed. */
void endGroup();

/** A call in a group has failed. */
void spoilGroup(ncclResult_t result);

/** Does it now, or at the group's end. In the background: on a thread of its own. */
void add(std::unique_ptr<Job> job, bool background);

/** Operations of a communicator; what they may write, by the program's address, or null. */
void add(const std::shared_ptr<Comm>& comm, hipStream_t stream, const Collective& collective, const void* written);
void add(const std::shared_ptr<Comm>& comm, hipStream_t stream, const Message& message, const void* written);

}  // namespace rocport::ccl
