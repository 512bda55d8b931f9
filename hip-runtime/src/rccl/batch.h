// The operations that a rank executes together: those of one call, or of a group.
#pragma once

#include <memory>
#include <vector>

#include "comm.h"

namespace rocport::ccl {

struct Collective {
  enum Kind { ALL_REDUCE, REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST };

  Kind kind;
  int type;
  int operation = ncclSum;
  int root = 0;
  size_t count;  // of elements, as the program gave it
  const void* send;
  void* receive;
  Scale scale = {};
};

struct Message {
  bool send;
  int peer;
  void* address;
  size_t bytes;
};

/** Addresses are those by which all ranks find the memory. */
struct Batch {
  std::vector<Collective> collectives;
  std::vector<Message> messages;
};

/** What the call is named. */
const char* nameOf(Collective::Kind kind);

/** Runs it on the thread of a stream; an error is reported and becomes the stream's error. */
void run(Comm& comm, const Batch& batch);

}  // namespace rocport::ccl
